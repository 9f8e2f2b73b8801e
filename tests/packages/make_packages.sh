#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_packages.sh BUILD VERSION FOLDER: makes the .debs and the .tar.gz of BUILD in FOLDER.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need cpack dpkg-shlibdeps file patchelf
rm -rf "$3"
mkdir -p "$3"
cpack -G DEB -B "$3" --config "$1/CPackConfig.cmake"
"$(dirname "$0")/../../installer/make_archive.sh" "$1" "$2" "$3" 1
