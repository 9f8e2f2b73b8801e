#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check_package.sh BUILD: unpacks and runs BUILD's .tar.gz in a clean Debian 12 without further packages; then installs
# the .debs, runs the program on the sample, builds a separate project with the engine, removes the packages and checks
# for leftover files. The clean Debian is created once in BUILD/package-check/base (needs root, mmdebstrap and a Debian
# mirror); if that fails, the check is skipped with a warning.
set -euo pipefail
build="$(realpath "$1")"
folder="$build/package-check"
base="$folder/base"
root="$folder/root"

say() { printf 'package check: %s\n' "$*"; }
skip() { printf '\n*** PACKAGE CHECK SKIPPED: %s ***\n\n' "$*" >&2; exit 0; }
fail() { printf 'package check FAILED: %s\n' "$*" >&2; exit 1; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

deb="$(ls -t "$build"/splitscope_*.deb 2>/dev/null | head -n 1)"
engine="$(ls -t "$build"/libsplitscope-dev_*.deb 2>/dev/null | head -n 1)"
archive="$(ls -t "$build"/splitscope-*.tar.gz 2>/dev/null | head -n 1)"
[ -n "$deb" ] && [ -n "$engine" ] && [ -n "$archive" ] || fail "no packages in $build: run ./dev package first"

[ "$(id -u)" -eq 0 ] || skip "it needs root for a clean Debian"
command -v mmdebstrap >/dev/null || skip "mmdebstrap is not installed"
if [ ! -e "$base/.complete" ]; then
  mirror="$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/*$' | head -n 1 || true)"
  say "making a clean Debian 12 in $base"
  rm -rf "$base"
  mkdir -p "$folder"
  # Only what apt needs, and no waiting for the disk.
  mmdebstrap --variant=apt --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr --include=usr-is-merged \
    --dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' \
    bookworm "$base" "${mirror:-http://deb.debian.org/debian}" >"$folder/mmdebstrap.log" 2>&1 ||
    skip "mmdebstrap failed (see $folder/mmdebstrap.log)"
  touch "$base/.complete"
fi
# The program needs /proc to find its files. Unmount it on exit, before anything is removed.
cleared() { ! mountpoint -q "$root/proc" || umount "$root/proc"; }
trap cleared EXIT
cleared && rm -rf --one-file-system "$root"
cp -a "$base" "$root"
rm -f "$root/.complete"
mount -t proc proc "$root/proc" 2>/dev/null || skip "it may not mount /proc in a clean Debian"

# runs PROGRAM: inspects, schedules, runs and reports the sample, including PDF.
runs() {
  inside "$1" --version
  inside "$1" inspect "$2" --rows 1 >/dev/null || fail "$1 inspect"
  inside "$1" schedule "$2" --json >/dev/null || fail "$1 schedule"
  # No `| grep -q`: it closes the pipe at the first match, and pipefail reports the writer's SIGPIPE.
  text="$(inside "$1" run "$2" --prompt "My father" --tokens 4 --temperature 0 --quiet)" || fail "$1 run"
  [[ "$text" == *"My father was a very"* ]] || fail "$1 run: $text"
  inside "$1" report "$2" --quiet -o /tmp/report.html && grep -q '</html>' "$root/tmp/report.html" || fail "$1 report"
  inside "$1" report "$2" --quiet -o /tmp/report.pdf && [ "$(head -c 5 "$root/tmp/report.pdf")" = "%PDF-" ] || fail "$1 report as PDF"
  inside /bin/sh -c "cd /tmp && $1" >/dev/null 2>&1 || fail "$1 without a display"
  rm -f "$root"/tmp/*report*
}
say "running $(basename "$archive") in a Debian that has nothing else"
mkdir -p "$root/opt/some where"
tar -xzf "$archive" -C "$root/opt/some where" --strip-components=1
mv "$root/opt/some where" "$root/opt/elsewhere"
runs /opt/elsewhere/bin/splitscope /opt/elsewhere/share/splitscope/sample-model/splitscope-sample-q8_0.gguf
rm -rf "$root/opt/elsewhere"

# Use this machine's mirror configuration, to fetch dependencies.
cp /etc/resolv.conf "$root/etc/resolv.conf"
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy*; do [ -e "$file" ] && cp "$file" "$root$file"; done
cp "$deb" "$root/splitscope.deb"
cp "$engine" "$root/libsplitscope-dev.deb"

inside apt-get update >"$folder/apt.log" 2>&1 || skip "the clean Debian cannot reach its mirror (see $folder/apt.log)"
# fetch PACKAGE…: downloads the packages and their dependencies, so that a failure later is not the network's.
fetch() {
  inside apt-get install -y --no-install-recommends --download-only "$@" >>"$folder/apt.log" 2>&1 && return
  ! grep -qE 'Failed to fetch|Unable to fetch|Connection|Temporary failure' "$folder/apt.log" ||
    skip "the clean Debian cannot fetch packages (see $folder/apt.log)"
}
fetch ./splitscope.deb
say "installing $(basename "$deb")"
inside apt-get install -y --no-install-recommends ./splitscope.deb >>"$folder/apt.log" 2>&1 || {
  tail -n 20 "$folder/apt.log" >&2
  fail "the package does not install"
}
inside dpkg -L splitscope | sort >"$folder/files"
for wanted in /usr/bin/splitscope /usr/share/man/man1 /usr/share/applications /usr/share/metainfo /usr/share/mime/packages \
  /usr/share/icons/hicolor/scalable/mimetypes /usr/share/bash-completion/completions /usr/share/splitscope/schemas; do
  grep -q "^$wanted" "$folder/files" || fail "$wanted is not in the package"
done

say "running the installed program on its sample"
runs /usr/bin/splitscope /usr/share/splitscope/sample-model/splitscope-sample-q8_0.gguf

say "building a project with $(basename "$engine")"
# This machine's compiler and CMake, with headers and libraries of the clean Debian.
fetch ./libsplitscope-dev.deb libstdc++-12-dev
inside apt-get install -y --no-install-recommends ./libsplitscope-dev.deb libstdc++-12-dev >>"$folder/apt.log" 2>&1 || {
  tail -n 20 "$folder/apt.log" >&2
  fail "the package of the engine does not install"
}
{
  printf 'set(%s "%s")\n' CMAKE_SYSROOT "$root" CMAKE_FIND_ROOT_PATH "$root"
  printf 'set(CMAKE_FIND_ROOT_PATH_MODE_%s ONLY)\n' PACKAGE LIBRARY INCLUDE
} >"$folder/clean.cmake"
source="$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")"
cmake -S "$source/tests/installed/project" -B "$root/opt/project" -G Ninja -D CMAKE_TOOLCHAIN_FILE="$folder/clean.cmake" \
  -D EXAMPLES="$source/docs/examples" >"$folder/project.log" 2>&1 &&
  cmake --build "$root/opt/project" --target foreign schedule_file >>"$folder/project.log" 2>&1 &&
  inside /opt/project/foreign || {
  tail -n 20 "$folder/project.log" >&2
  fail "a project does not build with the installed engine"
}
rm -rf "$root/opt/project"

say "removing the packages"
inside apt-get purge -y libsplitscope-dev splitscope >>"$folder/apt.log" 2>&1 || fail "the package does not go away"
left="$(find "$root" -xdev -iname '*splitscope*' -not -path "$root/proc/*" -not -path "$root/var/log/*" \
  -not -name '*splitscope*.deb')"
[ -z "$left" ] || fail "left behind: $left"
while IFS= read -r file; do
  [ -d "$root$file" ] || [ ! -e "$root$file" ] || fail "left behind: $file"
done <"$folder/files"

cleared && rm -rf --one-file-system "$root"
say "all is well"
