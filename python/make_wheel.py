#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make_wheel.py PACKAGE TARGET VERSION: writes the wheel of the built package (build/release/python/splitscope) into the
folder TARGET. Standard library only; the same package gives the same bytes."""

import base64
import hashlib
import os
import sys
import sysconfig
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
# Data files of the engine: presets, support tables, the sample model.
SHARED = [
    "devices/devices.json",
    "devices/support.json",
    "sample-model/splitscope-sample-q8_0.gguf",
    "sample-model/README.md",
]
LICENCES = ["MIT.txt", "CC0-1.0.txt", "Apache-2.0.txt", "BSD-3-Clause.txt"]


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def metadata(version: str) -> str:
    return f"""Metadata-Version: 2.1
Name: splitscope
Version: {version}
Summary: See how a ggml-style scheduler places, splits and runs a model
License: MIT
Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*
Requires-Dist: numpy
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C++
Classifier: Programming Language :: Python :: 3
Description-Content-Type: text/markdown

""" + (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")


def contents(package: Path, version: str) -> "list[tuple[str, bytes]]":
    files = [
        (f"splitscope/{path.name}", path.read_bytes())
        for path in sorted(package.iterdir())
        if path.suffix in (".py", ".pyi", ".so") or path.name == "py.typed"
    ]
    files += [(f"splitscope/share/{name}", (SOURCE / "resources" / name).read_bytes()) for name in SHARED]
    info = f"splitscope-{version}.dist-info"
    files += [(f"{info}/licenses/{name}", (SOURCE / "LICENSES" / name).read_bytes()) for name in LICENCES]
    files.append((f"{info}/METADATA", metadata(version).encode()))
    files.append((f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: make_wheel.py\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()))
    record = ""
    for name, content in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    return files


def main() -> None:
    package, target, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    if not list(package.glob("_engine.*.so")):
        sys.exit(f"{package}: the module is not built; build the target splitscope_python")
    target.mkdir(parents=True, exist_ok=True)
    wheel = target / f"splitscope-{version}-{tag()}.whl"
    unfinished = wheel.with_suffix(".part")
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents(package, version):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, content)
    os.replace(unfinished, wheel)
    print(wheel)


if __name__ == "__main__":
    main()
