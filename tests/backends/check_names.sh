#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_names.sh SOURCE: fails if code outside the folder of a backend kind refers to that kind.
#
# A kind is a folder of backends/ that backends/CMakeLists.txt lists in set(kinds …). Code is every C++ and CMake file
# of app, backends, engine, recorder and ui, and the root CMakeLists.txt. Outside backends/KIND, no line of it may
# include a header of backends/KIND, name the target splitscope_backend_KIND, or contain KIND in any case, including
# comments, strings and parts of words.
# Nor may any line contain the name of a family of ggml's devices as a separate string, as for a comparison.
# Exceptions:
#   - backends/CMakeLists.txt is the list of kinds;
#   - backends/interface/known_names.cpp is the list of ggml's names, which its logs and old machine files consist of;
#   - the catalogue of sentences is data, as documents, resources and tests are;
#   - the CPU replaces simulated devices, so engine/session/live_backends.cpp and other kinds may include it; its name
#     and ggml's are allowed as words.
set -euo pipefail

code_of() {
  find app backends engine recorder ui CMakeLists.txt \
    \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.in' -o -name '*.cmake' -o -name CMakeLists.txt \) |
    grep -vxE 'backends/CMakeLists\.txt|backends/interface/known_names\.cpp' |
    grep -v '^engine/messages/' | sort
}

# Prints every violation.
places_in() (
  cd "$1"
  kinds=$(sed -n 's/^set(kinds \(.*\))$/\1/p' backends/CMakeLists.txt)
  [[ -n $kinds ]] || { echo "backends/CMakeLists.txt has no set(kinds …)"; return; }
  for kind in $kinds; do
    files=$(code_of | grep -v "^backends/$kind/" || true)
    rule="\"backends/$kind/|splitscope_backend_$kind([^_[:alnum:]]|\$)"
    case $kind in
      cpu)
        rule="\"backends/cpu/"
        files=$(grep -vE '^backends/|^engine/session/live_backends\.cpp$' <<< "$files" || true) ;;
      ggml) ;;
      *) rule=$kind ;;
    esac
    [[ -z $files ]] || xargs grep -niE "$rule" <<< "$files" /dev/null | sed "s|\$|   ← $kind|" || true
  done
  families='"(BLAS|CANN|CUDA|Metal|OpenCL|ROCm|SYCL|Vulkan)"'
  files=$(code_of)
  for kind in $kinds; do files=$(grep -v "^backends/$kind/" <<< "$files" || true); done
  [[ -z $files ]] || xargs grep -nE "$families" <<< "$files" /dev/null || true
)

# Self-test: violations must be found.
self_test() {
  local tree
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' RETURN
  mkdir -p "$tree"/{app,engine/session,recorder,ui} "$tree"/backends/{abacus,cpu,ggml,interface}
  echo 'set(kinds abacus ggml cpu)' > "$tree/backends/CMakeLists.txt"
  touch "$tree/CMakeLists.txt"
  echo '#include "backends/abacus/beads.hpp"' > "$tree/backends/abacus/beads.cpp"
  echo '#include "backends/cpu/cpu_device.hpp"' | tee "$tree/engine/session/live_backends.cpp" > "$tree/backends/abacus/bead.cpp"
  echo '// ggml computes on the cpu' > "$tree/engine/fine.cpp"
  [[ -z $(places_in "$tree") ]] || { echo "fails without reason: $(places_in "$tree")"; return 1; }
  echo 'class AbacusKind;' > "$tree/ui/wrong.hpp"
  echo '#include "backends/ggml/host.hpp"' > "$tree/app/wrong.cpp"
  echo '#include "backends/cpu/cpu_device.hpp"' > "$tree/ui/wrong.cpp"
  echo 'target_link_libraries(x PRIVATE splitscope_backend_ggml)' > "$tree/ui/CMakeLists.txt"
  echo 'if (name.starts_with("CUDA")) pad();' > "$tree/engine/wrong.cpp"
  local found
  found=$(places_in "$tree" | wc -l)
  [[ $found == 5 ]] || { echo "finds $found of 5 places: $(places_in "$tree")"; return 1; }
}

self_test
found=$(places_in "$1")
[[ -z $found ]] || { echo "$found"; echo "code outside its folder knows a backend"; exit 1; }
