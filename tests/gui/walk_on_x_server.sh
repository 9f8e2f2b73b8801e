#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# walk_on_x_server.sh GUI-TESTS PICTURES: the walk from opening to coming back in windows of an X server; its pictures
# stay in the folder. Ends with 77 where no X server can be started.
set -euo pipefail
server=(xvfb-run -a -s "-screen 0 1920x1080x24")
if ! "${server[@]}" true 2>/dev/null; then
  echo "NOT RUN: no X server can be started here (xvfb, xauth)"
  exit 77
fi
QT_QPA_PLATFORM=xcb SPLITSCOPE_PICTURES="$2" exec "${server[@]}" "$1" '--gtest_filter=WalkTest.From*'
