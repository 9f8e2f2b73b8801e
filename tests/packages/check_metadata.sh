#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_metadata.sh INSTALLER BUILT: the desktop entry and the AppStream file are valid.
set -euo pipefail
source "$(dirname "$0")/tools.sh"
need desktop-file-validate appstreamcli
desktop-file-validate "$1/org.splitscope.Splitscope.desktop"
appstreamcli validate --no-net --explain "$2/org.splitscope.Splitscope.metainfo.xml"
