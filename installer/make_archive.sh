#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# make_archive.sh BUILD VERSION [FOLDER [LEVEL]]: packs the program of BUILD, relocatable, into
# FOLDER/splitscope-VERSION-linux-ARCH.tar.gz (default: BUILD), with gzip at LEVEL (default: 6). The archive contains the
# libraries that the program and Qt's plugins need, except those of glibc and g++: every system has them, and drivers
# need the system's own.
set -euo pipefail
build="$(realpath "$1")"
name="splitscope-$2-linux-$(uname -m)"
target="$(realpath "${3:-$build}")"
folder="$target/archive/$name"
libraries="$folder/lib/splitscope"
of_the_system='^(ld-linux.*|linux-vdso|lib(c|m|dl|pthread|rt|resolv|gcc_s|stdc\+\+))\.so'
plugins=(platforms/libqxcb platforms/libqoffscreen platforms/libqminimal platforms/libqwayland-generic platforms/libqwayland-egl
  wayland-shell-integration/libxdg-shell wayland-decoration-client/libbradient platforminputcontexts/libcomposeplatforminputcontextplugin
  platforminputcontexts/libibusplatforminputcontextplugin platformthemes/libqxdgdesktopportal xcbglintegrations/libqxcb-glx-integration
  xcbglintegrations/libqxcb-egl-integration imageformats/libqsvg iconengines/libqsvgicon)

rm -rf "$target/archive"
for component in Program Data; do cmake --install "$build" --component "$component" --prefix "$folder" --strip >/dev/null; done

files=("$folder/bin/splitscope")
# No `| grep -q`: it closes the pipe at the first match, and pipefail reports the writer's SIGPIPE.
needed="$(ldd "$folder/bin/splitscope")"
if [[ "$needed" == *libQt6Gui* ]]; then
  qt_plugins="$(qtpaths6 --query QT_INSTALL_PLUGINS)"
  for plugin in "${plugins[@]}"; do
    [ -e "$qt_plugins/$plugin.so" ] || continue
    install -D -m 644 "$qt_plugins/$plugin.so" "$libraries/plugins/$plugin.so"
    files+=("$libraries/plugins/$plugin.so")
  done
  printf '[Paths]\nPrefix = ..\nPlugins = lib/splitscope/plugins\n' >"$folder/bin/qt.conf"
  # A bare system has no font.
  for font in DejaVuSans DejaVuSans-Bold DejaVuSansMono; do
    install -D -m 644 "/usr/share/fonts/truetype/dejavu/$font.ttf" "$folder/share/splitscope/fonts/$font.ttf"
  done
fi

# ldd lists what libraries need in their turn as well.
owned=()
while read -r library path; do
  [[ $library =~ $of_the_system ]] && continue
  real="$(realpath "$path")"
  install -D -m 644 "$real" "$libraries/$library"
  patchelf --set-rpath '$ORIGIN' "$libraries/$library"
  # Where the root is merged, a package may know its files under the other name.
  owned+=("$real" "${path#/usr}")
done < <(for file in "${files[@]}"; do ldd "$file"; done | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u)
mapfile -t packages < <({ dpkg-query -S "${owned[@]}" 2>/dev/null || true; } | cut -d: -f1 | cat - <(echo fonts-dejavu-core) | sort -u)
patchelf --set-rpath '$ORIGIN/../lib/splitscope' "$folder/bin/splitscope"
for file in "${files[@]:1}"; do patchelf --set-rpath '$ORIGIN/../..' "$file"; done
find "$libraries" -name '*.so*' -exec strip --strip-unneeded {} +

documents="$folder/share/doc/splitscope"
cp -r LICENSES "$documents/licences"
mkdir "$documents/third-party"
for package in "${packages[@]}"; do
  [ ! -e "/usr/share/doc/$package/copyright" ] || cp "/usr/share/doc/$package/copyright" "$documents/third-party/$package"
done

tar -C "$target/archive" --sort=name --owner=0 --group=0 --numeric-owner -I "gzip -${4:-6}" \
  -cf "$target/$name.tar.gz" "$name"
rm -rf "$target/archive"
