#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run_commands.sh PROGRAM PAGE.md: runs every command of the page's ```sh blocks that begin with `splitscope`, in a
# folder of its own, and fails when one does not exit as the page says: with 0, or with N after "# exits N".
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

# One command a line; a backslash at the end of a line continues it.
commands="$(awk '
  /^```sh$/ { inside = 1; first = 1; next }
  /^```/ { inside = 0; next }
  inside && first { first = 0; wanted = /^splitscope( |$)/ }
  inside && wanted && NF && !/^#/ {
    if (sub(/\\$/, "")) { printf "%s", $0; next }
    print
  }' "$page")"

count=0
failed=0
while IFS= read -r command; do
  [ -n "$command" ] || continue
  expected=0
  if [[ "$command" =~ '# exits '([0-9]+) ]]; then expected="${BASH_REMATCH[1]}"; fi
  output="$(timeout 120 bash -c "$command" 2>&1 </dev/null)"
  code=$?
  count=$((count + 1))
  if [ "$code" -ne "$expected" ]; then
    failed=$((failed + 1))
    printf 'exit code %s instead of %s: %s\n%s\n\n' "$code" "$expected" "$command" "$output"
  fi
done <<<"$commands"

printf '%s commands of %s, %s failed\n' "$count" "$(basename "$page")" "$failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
