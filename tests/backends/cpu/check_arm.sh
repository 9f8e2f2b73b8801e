#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the CPU backend for 64-bit ARM with NEON, with warnings as errors, without running it. Needs the Debian
# package g++-aarch64-linux-gnu and the headers of Highway and {fmt}, which are architecture-independent.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
headers="$(mktemp -d)"
trap 'rm -rf "$headers"' EXIT
ln -s /usr/include/hwy /usr/include/fmt "$headers"
git ls-files -- 'backends/cpu/*.cpp' | xargs -P "$(nproc)" -n 1 aarch64-linux-gnu-g++ -std=c++20 -O1 -ffp-contract=off \
  -Wall -Wextra -Wpedantic -Wshadow -Werror -DHWY_SHARED_DEFINE \
  '-DHWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)' \
  -I. -isystem "$headers" -c -o /dev/null
echo "The CPU backend compiles for ARM with NEON"
