#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_op_places.sh SOURCE: fails when an operation is named in more files than docs/extending.md allows: four for the
# CPU, seven with Vulkan. Building nodes of it and recognising other programs' names for it are not part of adding one.
set -euo pipefail
cd "$1"

for op in solve_tri cumsum win_part win_unpart group_norm l2_norm pad_reflect_1d count_equal rwkv_wkv7 conv_transpose_2d; do
  files=$(grep -rliwE --include='*.cpp' --include='*.hpp' --include='*.comp' --include=CMakeLists.txt "$op(_rule)?" \
      app backends engine recorder ui | grep -vE '^engine/(importers|models|tensor/graph_builder)')
  cpu=$(grep -vc '^backends/vulkan/' <<< "$files")
  all=$(wc -l <<< "$files")
  if [ "$cpu" -gt 4 ] || [ "$all" -gt 7 ]; then
    printf '%s is named in %d files without Vulkan, %d with it:\n%s\n' "$op" "$cpu" "$all" "$files"
    exit 1
  fi
  for place in engine/tensor/op.hpp engine/tensor/op_facts.cpp backends/cpu/ops/; do
    grep -q "^$place" <<< "$files" || { echo "$op is not found in $place"; exit 1; }
  done
done
