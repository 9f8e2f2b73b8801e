#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# install_reference.sh FOLDER: puts unmodified builds of the reference engine's shared libraries into the build
# folder, for the tests that record them and the benchmarks beside them.
# install_reference.sh FOLDER binding: also the JavaScript package that drives them, into FOLDER/binding.
# install_reference.sh FOLDER older: an older build into FOLDER/older, for the comparison of two builds.
# If the registry is out of reach, prints a warning and succeeds: the tests that need them then skip.
set -uo pipefail
folder="$1"
binding=""
[ "${2:-}" != binding ] || binding=1
version=3.22.1
names=(linux-x64 linux-x64-vulkan)
if [ "${2:-}" = older ]; then
  folder="$1/older"
  version=3.16.2
  names=(linux-x64)
fi
packages=("${names[@]/#/@node-llama-cpp/}")
packages=("${packages[@]/%/@$version}")
modules="$folder/node_modules/@node-llama-cpp"

libraries_installed() {
  local name
  for name in "${names[@]}"; do
    [ -e "$modules/$name/bins/$name/libggml-base.so" ] || return 1
  done
}

installed() {
  libraries_installed && { [ -z "$binding" ] || [ -d "$folder/binding/node_modules" ]; }
}

# download OPTION… PACKAGE…: into $unpacked, from where everything is moved into place whole, so that nobody sees half a
# package.
download() {
  rm -rf "$unpacked"
  command -v npm >/dev/null && mkdir -p "$unpacked" &&
    timeout 240 npm install --prefix "$unpacked" --no-save --ignore-scripts --no-audit --no-fund "$@" \
      >"$folder/npm.log" 2>&1
}

left_out() {
  echo "REFERENCE ENGINE LEFT OUT: the packages $* cannot be installed (npm or its registry is out of reach)." >&2
  exit 0
}

installed && exit 0
# Tests run concurrently: one installs, the others wait.
mkdir -p "$folder"
exec 9>"$folder/install.lock"
flock --wait 300 9
installed && exit 0
unpacked="$folder/unpacked"
if ! libraries_installed; then
  download "${packages[@]}" || left_out "${packages[@]}"
  rm -rf "$folder/node_modules"
  mv "$unpacked/node_modules" "$folder/node_modules"
fi
if ! installed; then
  # Its builds for other machines are optional, and the libraries are there already.
  download --omit=optional --omit=peer "node-llama-cpp@$version" || left_out node-llama-cpp
  ln -s ../../node_modules/@node-llama-cpp "$unpacked/node_modules/@node-llama-cpp"
  # The sources, for machines without such a build.
  rm -f "$unpacked/node_modules/node-llama-cpp/llama/gitRelease.bundle"
  mkdir -p "$folder/binding"
  mv "$unpacked/node_modules" "$folder/binding/node_modules"
fi
rm -rf "$unpacked"
exit 0
