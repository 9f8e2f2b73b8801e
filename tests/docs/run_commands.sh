#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_commands.sh PROGRAM PAGE.md: runs every command of the page's ```sh blocks that start with `splitscope`, in a
# temporary folder, and checks the exit code: 0, or N after "# exits N". A following ```text block quotes the output:
# each of its lines must be a line of it, ignoring blanks; "…" stands for omitted text, as a line or at the end of one.
# Blocks marked ```text varies contain times and are not compared.
set -uo pipefail
program="$(realpath "$1")"
page="$(realpath "$2")"
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/work/docs"
ln -s "$program" "$folder/bin/splitscope"
cp -r "$root/resources" "$folder/work/"
cp -r "$root/docs/examples" "$folder/work/docs/"
cd "$folder/work" || exit 1
export PATH="$folder/bin:$PATH"

# B: start of a block of commands. C: a command, with continuation lines joined. T: a quoted line of output.
steps="$(awk '
  /^```sh$/ { inside = "sh"; first = 1; next }
  /^```text$/ && wanted { inside = "text"; next }
  /^```/ { if (!inside || inside == "text") wanted = 0; inside = inside ? "" : "other"; next }
  inside == "sh" && first { first = 0; wanted = /^splitscope( |$)/; if (wanted) print "B " }
  inside == "sh" && wanted && NF && !/^#/ {
    if (sub(/\\$/, "")) { continued = continued $0; next }
    print "C " continued $0
    continued = ""
  }
  inside == "text" { print "T " $0 }' "$page")"

without_blanks() { sed -E 's/[[:space:]]+/ /g; s/^ //; s/ $//'; }

# quoted LINE: whether the output contains the line.
quoted() {
  local line
  line="$(without_blanks <<<"$1")"
  case "$line" in
    '' | '…') return 0 ;;
    *' …') awk -v begin="${line%…}" 'index($0, begin) == 1 { found = 1 } END { exit !found }' <<<"$outputs" ;;
    *) grep -qxF -- "$line" <<<"$outputs" ;;
  esac
}

commands=0
lines=0
failed=0
outputs=
while IFS= read -r step; do
  text="${step#? }"
  case "$step" in
    'B '*) outputs= ;;
    'C '*)
      expected=0
      if [[ "$text" =~ '# exits '([0-9]+) ]]; then expected="${BASH_REMATCH[1]}"; fi
      output="$(timeout 120 bash -c "$text" 2>&1 </dev/null)"
      code=$?
      commands=$((commands + 1))
      outputs+="$(without_blanks <<<"$output")"$'\n'
      if [ "$code" -ne "$expected" ]; then
        failed=$((failed + 1))
        printf 'exit code %s instead of %s: %s\n%s\n\n' "$code" "$expected" "$text" "$output"
      fi
      ;;
    'T '*)
      lines=$((lines + 1))
      if ! quoted "$text"; then
        failed=$((failed + 1))
        printf 'not in the output: %s\n' "$text"
      fi
      ;;
  esac
done <<<"$steps"

printf '%s commands and %s lines of output of %s, %s failed\n' "$commands" "$lines" "$(basename "$page")" "$failed"
[ "$commands" -gt 0 ] && [ "$failed" -eq 0 ]
