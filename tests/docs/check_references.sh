#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_references.sh ROOT: every link of the documentation leads somewhere, every file it names is there, every test that
# docs/reliability.md names exists, and the diagrams are as new as their sources.
set -uo pipefail
cd "$1" || exit 2
failed=0
complain() { printf '%s: %s\n' "$1" "$2"; failed=1; }

for page in README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md; do
  folder="$(dirname "$page")"
  # Links and pictures, without those that leave the repository and without fences of code.
  while IFS= read -r target; do
    case "$target" in http*|mailto:*) continue ;; esac
    file="${target%%#*}"
    if [ -n "$file" ]; then
      [ -e "$folder/$file" ] || complain "$page" "the link $target leads nowhere"
    else
      anchor="${target#\#}"
      sed -n 's/^##* //p' "$page" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' | grep -qx -- "$anchor" ||
        complain "$page" "there is no heading for $target"
    fi
  done < <(awk '/^```/ { inside = !inside; next } !inside' "$page" | grep -o '](\([^) ]*\))' | sed 's/^](//; s/)$//')
  # Files in backquotes: with a folder from the root; those with capitals stand for something.
  while IFS= read -r file; do
    case "$file" in *NAME*|*...*|*…*|build/*|share/*) continue ;; esac
    [ -e "$file" ] || complain "$page" "there is no $file"
  done < <(grep -o '`[a-z_]*/[A-Za-z0-9_./+-]*\.\(cpp\|hpp\|txt\|sh\|py\|json\|comp\|svg\|md\|gguf\)`' "$page" | tr -d '`' |
    grep -E '^(engine|backends|ui|app|tests|docs|resources|cmake|installer|recorder)/' | sort -u)
done

# Tests as `Suite.Test` or `Suite.*`, those of fuzz targets as `FuzzReplay/target`.
page=docs/reliability.md
tests="$(find tests -name '*.cpp' -exec cat {} + | tr '\n' ' ' |
  grep -oE '\bTEST(_F|_P)?\( *[A-Za-z0-9_]+, *[A-Za-z0-9_]+ *\)' | sed -E 's/.*\( *//; s/, */./; s/ *\)//')"
while IFS= read -r name; do
  case "$name" in
    *'.*') grep -q "^${name%'.*'}\." <<<"$tests" ;;
    *) grep -qxF -- "$name" <<<"$tests" ;;
  esac || complain "$page" "there is no test $name"
done < <(grep -oE '`([A-Za-z]+/)?[A-Z][A-Za-z0-9]*\.(\*|[A-Z][A-Za-z0-9]*)(/[a-z_]+)?`' "$page" | tr -d '`' |
  sed -E 's#^[A-Za-z]+/##; s#/[a-z_]+$##' | sort -u)
while IFS= read -r target; do
  [ "$target" = x ] || [ -d "tests/fuzz/seeds/$target" ] || complain "$page" "there is no fuzz target $target"
done < <(grep -oE '`FuzzReplay/[a-z_]+`' "$page" | tr -d '`' | sed 's#.*/##' | sort -u)

# Sources cite the specifications as `NAME.md §N.N`: the section is there.
while IFS=: read -r file citation; do
  document="docs/spec/${citation%% *}"
  if [ ! -e "$document" ]; then complain "$file" "there is no $document"; continue; fi
  [[ $citation == *§* ]] || continue
  grep -qE "^(#+ |\*\*)${citation##*§}[. ]" "$document" || complain "$file" "$document has no section ${citation##*§}"
done < <(grep -rhoHE --include='*.hpp' --include='*.cpp' --include='*.comp' --include='*.md' \
  '\b(allocator|attach|backend-api|capture|formats|placement|scheduler)\.md( §[0-9]+(\.[0-9]+)*)?' \
  engine backends recorder app ui tests docs | sort -u)

if command -v dot >/dev/null; then docs/diagrams/make.sh --check || failed=1; fi
[ "$failed" -eq 0 ] && echo "every reference leads somewhere"
exit "$failed"
