# SPDX-License-Identifier: MIT
# need TOOL…: skips the test, with the reason, where a tool is missing.
need() {
  local tool
  for tool in "$@"; do
    PATH="$PATH:/usr/sbin:/sbin" command -v "$tool" >/dev/null && continue
    printf '*** SKIPPED: %s is not installed ***\n' "$tool"
    exit 77
  done
}
