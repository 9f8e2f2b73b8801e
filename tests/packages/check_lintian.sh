#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_lintian.sh FOLDER: lintian finds neither errors nor warnings in the .debs of FOLDER, nor binaries without hardening.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need lintian
found="$(lintian --allow-root --display-info --fail-on error,warning "$1"/*.deb)" || { printf '%s\n' "$found"; exit 1; }
unhardened="$(grep -E ': hardening-no-(relro|bindnow|fortify-functions|pie)' <<<"$found" || true)"
[ -z "$unhardened" ] || { printf '%s\n' "$unhardened"; exit 1; }
