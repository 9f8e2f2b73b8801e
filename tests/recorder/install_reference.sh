#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install_reference.sh FOLDER: puts unmodified builds of the reference engine's shared libraries into the build
# folder, for the tests that record them. Says so loudly and ends well when the registry is out of reach: the tests
# that need them then skip.
set -uo pipefail
folder="$1"
version=3.22.1
packages=()
for package in linux-x64 linux-x64-vulkan; do
  [ -e "$folder/node_modules/@node-llama-cpp/$package/bins/$package/libggml-base.so" ] ||
    packages+=("@node-llama-cpp/$package@$version")
done
[ "${#packages[@]}" -eq 0 ] && exit 0
if command -v npm >/dev/null && mkdir -p "$folder" &&
   timeout 240 npm install --prefix "$folder" --no-save --ignore-scripts --no-audit --no-fund \
     "@node-llama-cpp/linux-x64@$version" "@node-llama-cpp/linux-x64-vulkan@$version" >"$folder/npm.log" 2>&1; then
  exit 0
fi
echo "REFERENCE ENGINE LEFT OUT: ${packages[*]} cannot be installed (npm or its registry is out of reach)." >&2
exit 0
