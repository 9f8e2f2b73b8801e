#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_places.sh SOURCE: fails when adding an operation or an architecture takes more files than docs/extending.md says.
set -euo pipefail

# Prints operations named in more than four files, or seven with Vulkan. Not part of adding one, so not counted:
#   - building nodes of it (models, the graph builder), and recognising other programs' names for it (importers);
#   - knowing it for an optimisation: fusion, reordering, reuse of values.
# A name that is a single word counts where code uses it: behind Op::, as the name in files, or in its rule.
# The operations of `special` are named in more files, which place, estimate, report or imitate them.
operations_in() (
  cd "$1"
  special=' none rms_norm mul_mat mul_mat_id out_prod cpy get_rows set_rows soft_max rope pool_1d flash_attn_ext
    ssm_scan unary glu '
  ops=$(sed -n '/^enum class Op /,/};/p' engine/tensor/op.hpp | sed '1d; s|//.*||' | grep -oE '[a-z][a-z0-9_]*' || true)
  [[ -n $ops ]] || echo 'engine/tensor/op.hpp has no operations'
  code=$(find app backends engine recorder ui \( -name '*.[ch]pp' -o -name '*.comp' -o -name CMakeLists.txt \) |
    grep -vE '^engine/(importers|models|tensor/graph_builder)' |
    grep -vE '^backends/(simulated/reorder|vulkan/fusion)|^engine/execution/masks|^recorder/masks' | sort)
  for op in $ops; do
    pattern="($op|${op^^})(_rule)?"
    [[ $op == *_* ]] || pattern="Op::$op|${op}_rule|\"${op^^}\""
    files=$(xargs grep -lwE "$pattern" <<< "$code" || true)
    cpu=$(grep -vc '^backends/vulkan/' <<< "$files" || true)
    all=$(wc -l <<< "$files")
    many=$([[ $cpu -gt 4 || $all -gt 7 ]] && echo yes || true)
    if [[ $special =~ [[:space:]]$op[[:space:]] ]]; then
      [[ $many ]] || echo "$op needs no exception"
    elif [[ $many ]]; then
      echo "$op is named in $cpu files without Vulkan, $all with it: ${files//$'\n'/ }"
    fi
    grep -qx 'engine/tensor/op_facts\.cpp' <<< "$files" || echo "$op is not found in engine/tensor/op_facts.cpp"
  done
)

# Prints lines of engine/ that contain the name of an architecture as a string, or as a word of one. Exceptions:
#   - its row in the file of its family, and the graphs;
#   - names of pre-tokenizers and vocabularies, and of models ("general.name"), some of which are equal;
#   - make-model writes a file of one architecture.
architectures_in() (
  cd "$1"
  names=$(grep -ohE '\.name = "[^"]+"' engine/models/families/*.cpp | cut -d'"' -f2 | paste -sd'|' || true)
  [[ -n $names ]] || { echo 'engine/models/families has no architectures'; return; }
  grep -rnE --include='*.[ch]pp' "\"([^\"]* )?($names)( [^\"]*)?\"" engine |
    grep -vE '^engine/models/families/[^:]*:[0-9]+:.*\.name = "|^engine/models/graphs/|^[^:]*:[0-9]+: *//' |
    grep -vE '^engine/models/(pre|bpe)_tokenizer\.cpp:|^engine/models/make_model\.cpp:.*\(kind == ' |
    grep -vE '^engine/models/check_keys\.cpp:.* kVocabularies =|^engine/models/vocabulary\.cpp:.*contains\(name,' |
    grep -vE '^engine/models/random_model\.cpp:.*header\.add\(' || true
)

# Self-test: violations must be found.
self_test() {
  local tree found
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' RETURN
  mkdir -p "$tree"/{app,recorder,ui,backends/cpu} "$tree"/engine/{models/{families,graphs},tensor}
  printf 'enum class Op : int {\n    few, many, far_off,\n};\n' > "$tree/engine/tensor/op.hpp"
  echo '{few, "FEW"}, {many, "MANY"}, {far_off, "FAR_OFF"}' > "$tree/engine/tensor/op_facts.cpp"
  for i in 1 2 3 4; do echo 'Op::many; Op::far_off; a few' > "$tree/backends/cpu/$i.cpp"; done
  found=$(operations_in "$tree" | grep -c 'is named in' || true)
  [[ $found == 2 ]] || { echo "finds $found of 2 operations: $(operations_in "$tree")"; return 1; }
  echo 'Architecture{.name = "abacus"},' > "$tree/engine/models/families/abacus.cpp"
  echo 'Architecture{.name = "bead-2"},' > "$tree/engine/models/families/other.cpp"
  echo 'keys("abacus"); // in "bead-2"' > "$tree/engine/models/graphs/abacus.cpp"
  echo '    // as in "abacus"' > "$tree/engine/fine.cpp"
  echo 'say("abacuses have bead-2s");' >> "$tree/engine/fine.cpp"
  found=$(architectures_in "$tree")
  [[ -z $found ]] || { echo "fails without reason: $found"; return 1; }
  echo 'if (name == "abacus") return;' > "$tree/engine/models/wrong.cpp"
  echo 'constexpr auto kThese = "abacus bead-2 other";' > "$tree/engine/wrong.hpp"
  echo 'if (row.name == "abacus") change(row);' >> "$tree/engine/models/families/other.cpp"
  found=$(architectures_in "$tree" | wc -l)
  [[ $found == 3 ]] || { echo "finds $found of 3 architectures: $(architectures_in "$tree")"; return 1; }
}

self_test
found=$(operations_in "$1"; architectures_in "$1")
[[ -z $found ]] || { echo "$found"; echo 'docs/extending.md allows no more places'; exit 1; }
