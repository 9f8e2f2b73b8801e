#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lists the rows of all catalogues (messages.hpp) under ROOT.
#   list_rows.sh ROOT            FILE NAME ID TEXT ONE, one row per line, separated by tabs; C++ escapes are kept
#   list_rows.sh ROOT --lupdate  as C++ source for Qt's lupdate
#   list_rows.sh ROOT --check    fails on duplicate ids, names or sentences
set -euo pipefail
cd "$1"

rows() {
  find engine backends app ui -name messages.hpp | sort | while IFS= read -r file; do
    tr '\n' ' ' <"$file" | awk -v file="$file" '
      # The string literals before a "," or "}" outside of literals; adjacent ones are joined.
      function fields(body,   i, c, text, inside, n) {
        split("", field); n = 0; text = ""; inside = 0
        for (i = 1; i <= length(body); ++i) {
          c = substr(body, i, 1)
          if (inside && c == "\\") { text = text c substr(body, ++i, 1); continue }
          if (c == "\"") { inside = !inside; continue }
          if (inside) { text = text c; continue }
          if (c == "," || c == "}") { field[++n] = text; text = "" }
          if (c == "}") return n
        }
        return n
      }
      {
        rest = $0
        while (match(rest, /inline constexpr Sentence<[A-Za-z, ]*> k[A-Za-z0-9]+\{/)) {
          head = substr(rest, RSTART, RLENGTH - 1)
          rest = substr(rest, RSTART + RLENGTH)
          name = head; sub(/.* /, "", name)
          n = fields(rest)
          printf "%s\t%s\t%s\t%s\t%s\n", file, name, field[1], (n > 2) ? field[3] : field[2], (n > 2) ? field[2] : ""
        }
      }'
  done
}

duplicates() { rows | cut -f "$1" | sort | uniq -d | sed "s/^/$2: /"; }

case "${2:-}" in
  --lupdate)
    rows | awk -F '\t' '
      { printf "%s(\"splitscope::Message\", \"%s\")\n", $5 == "" ? "QT_TRANSLATE_NOOP" : "QT_TRANSLATE_N_NOOP", $4 }' ;;
  --check)
    found="$(duplicates 2 'name used twice'; duplicates 3 'id used twice'; duplicates 4 'sentence exists twice')"
    [ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
    [ "$(rows | wc -l)" = "$(find engine backends app ui -name messages.hpp -exec cat {} + | grep -c 'Sentence<')" ] ||
      { echo "a row was not understood"; exit 1; } ;;
  *) rows ;;
esac
