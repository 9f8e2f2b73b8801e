#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_clean_root.sh SOURCE FOLDER: the packages of FOLDER in a clean Debian, see installer/check_package.sh.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need mmdebstrap
output="$("$1/installer/check_package.sh" "$2" 2>&1)" || { printf '%s\n' "$output"; exit 1; }
printf '%s\n' "$output"
! grep -q 'PACKAGE CHECK SKIPPED' <<<"$output" || exit 77
