#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install_reference.sh FOLDER: puts unmodified builds of the reference engine's shared libraries into the build
# folder, for the tests that record them and the benchmarks beside them. Says so loudly and ends well when the registry
# is out of reach: the tests that need them then skip.
set -uo pipefail
folder="$1"
version=3.22.1
names=(linux-x64 linux-x64-vulkan)
packages=("${names[@]/#/@node-llama-cpp/}")
packages=("${packages[@]/%/@$version}")
modules="$folder/node_modules/@node-llama-cpp"

installed() {
  local name
  for name in "${names[@]}"; do
    [ -e "$modules/$name/bins/$name/libggml-base.so" ] || return 1
  done
}

installed && exit 0
# Tests run concurrently: one installs and the others wait. Packages are unpacked elsewhere and moved into place, so that no
# test finds a part of a library.
mkdir -p "$folder"
exec 9>"$folder/install.lock"
flock --wait 300 9
installed && exit 0
unpacked="$folder/unpacked"
rm -rf "$unpacked"
if command -v npm >/dev/null && mkdir -p "$unpacked" &&
   timeout 240 npm install --prefix "$unpacked" --no-save --ignore-scripts --no-audit --no-fund \
     "${packages[@]}" >"$folder/npm.log" 2>&1; then
  rm -rf "$folder/node_modules"
  mv "$unpacked/node_modules" "$folder/node_modules"
  rm -rf "$unpacked"
  exit 0
fi
echo "REFERENCE ENGINE LEFT OUT: the packages ${names[*]} of @node-llama-cpp cannot be installed (npm or its" \
     "registry is out of reach)." >&2
exit 0
