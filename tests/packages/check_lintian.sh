#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_lintian.sh FOLDER: lintian finds neither errors nor warnings in the .debs of FOLDER, nor binaries without hardening.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need lintian
lintian --allow-root --fail-on error,warning "$1"/*.deb
lintian --allow-root --display-info --fail-on error,warning,info \
  --tags hardening-no-relro,hardening-no-bindnow,hardening-no-fortify-functions,hardening-no-pie "$1"/*.deb
