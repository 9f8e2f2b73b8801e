#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_references.sh ROOT: checks that every link, file and ./dev command in the documentation exists, that every test
# cited in docs/reliability.md exists, and that the diagrams are up to date.
set -uo pipefail
cd "$1" || exit 2
failed=0
complain() { printf '%s: %s\n' "$1" "$2"; failed=1; }

# has_heading PAGE ANCHOR
has_heading() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' | grep -qx -- "$2"
}
dev_commands="$(sed -n 's/^\.\/dev \([a-z-]*\).*/\1/p' dev; echo help)"

for page in README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md docs/spec/*.md; do
  folder="$(dirname "$page")"
  # Relative links and pictures, outside of code blocks.
  while IFS= read -r target; do
    case "$target" in http*|mailto:*) continue ;; esac
    file="${target%%#*}"
    if [ -n "$file" ]; then file="$folder/$file"; else file="$page"; fi
    if [ ! -e "$file" ]; then
      complain "$page" "broken link $target"
    elif [[ $target == *#* ]] && ! has_heading "$file" "${target#*#}"; then
      complain "$page" "no heading for $target"
    fi
  done < <(awk '/^```/ { inside = !inside; next } !inside' "$page" | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//')
  # Files in backquotes, relative to the root; those with capitals are placeholders.
  while IFS= read -r file; do
    case "$file" in *NAME*|*...*|*…*|build/*|share/*) continue ;; esac
    [ -e "$file" ] || complain "$page" "no file $file"
  done < <(grep -o '`[a-z_]*/[A-Za-z0-9_./+-]*\.\(cpp\|hpp\|txt\|sh\|py\|json\|comp\|svg\|md\|gguf\)`' "$page" | tr -d '`' |
    grep -E '^(engine|backends|ui|app|tests|docs|resources|cmake|installer|recorder)/' | sort -u)
  while IFS= read -r name; do
    grep -qx -- "$name" <<<"$dev_commands" || complain "$page" "no command ./dev $name"
  done < <(grep -oE '\./dev [a-z-]+' "$page" | sed 's/.* //' | sort -u)
done

# Tests as `Suite.Test` or `Suite.*`, those of fuzz targets as `FuzzReplay/target`.
page=docs/reliability.md
tests="$(find tests -name '*.cpp' -exec cat {} + | tr '\n' ' ' |
  grep -oE '\bTEST(_F|_P)?\( *[A-Za-z0-9_]+, *[A-Za-z0-9_]+ *\)' | sed -E 's/.*\( *//; s/, */./; s/ *\)//')"
while IFS= read -r name; do
  case "$name" in
    *'.*') grep -q "^${name%'.*'}\." <<<"$tests" ;;
    *) grep -qxF -- "$name" <<<"$tests" ;;
  esac || complain "$page" "no test $name"
done < <(grep -oE '`([A-Za-z]+/)?[A-Z][A-Za-z0-9]*\.(\*|[A-Z][A-Za-z0-9]*)(/[a-z_]+)?`' "$page" | tr -d '`' |
  sed -E 's#^[A-Za-z]+/##; s#/[a-z_]+$##' | sort -u)
while IFS= read -r target; do
  [ "$target" = x ] || [ -d "tests/fuzz/seeds/$target" ] || complain "$page" "no fuzz target $target"
done < <(grep -oE '`FuzzReplay/[a-z_]+`' "$page" | tr -d '`' | sed 's#.*/##' | sort -u)

# Sources cite specifications as `NAME.md §N.N`: check that the section exists.
while IFS=: read -r file citation; do
  document="docs/spec/${citation%% *}"
  if [ ! -e "$document" ]; then complain "$file" "no $document"; continue; fi
  [[ $citation == *§* ]] || continue
  grep -qE "^(#+ |\*\*)${citation##*§}[. ]" "$document" || complain "$file" "$document has no section ${citation##*§}"
done < <(grep -rhoHE --include='*.hpp' --include='*.cpp' --include='*.comp' --include='*.md' \
  '\b(allocator|attach|backend-api|capture|formats|placement|scheduler)\.md( §[0-9]+(\.[0-9]+)*)?' \
  engine include backends recorder app ui python tests docs | sort -u)
# Any other document named in a comment: by its path, or by its name in docs, docs/spec or the file's folder.
while IFS=: read -r file name; do
  [ -e "$name" ] || [ -e "docs/$name" ] || [ -e "docs/spec/$name" ] || [ -e "${file%/*}/$name" ] ||
    complain "$file" "no document $name"
done < <(grep -rHE --include='*.hpp' --include='*.cpp' --include='*.comp' --include='*.glsl' '//.*\.md\b' \
  engine include backends recorder app ui python tests | sed -E 's#^([^:]*):.*//#\1:#' |
  awk -F: '{ rest = substr($0, length($1) + 2)
             while (match(rest, /[A-Za-z0-9_\/-]+\.md/)) {
               print $1 ":" substr(rest, RSTART, RLENGTH)
               rest = substr(rest, RSTART + RLENGTH)
             } }' | sort -u)

if command -v dot >/dev/null; then docs/diagrams/make.sh --check || failed=1; fi
[ "$failed" -eq 0 ] && echo "every reference resolves"
exit "$failed"
