# SPDX-License-Identifier: MIT
"""The package itself: its stubs, its documentation, its wheel."""

import ast
import base64
import hashlib
import inspect
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import splitscope
from splitscope import _engine


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stub_says_what_the_module_has():
    stub = ast.parse(Path(_engine.__file__).with_name("_engine.pyi").read_text())
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert public(classes) | functions == public(dir(_engine))
    for name, node in classes.items():
        members = {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
        members |= {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        assert public(members) == public(dir(getattr(_engine, name))), name


def members_of(thing):
    for name in public(vars(thing)):
        member = inspect.getattr_static(thing, name)
        if isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        member = getattr(member, "fget", None) or getattr(member, "func", None) or member
        if inspect.isfunction(member):
            yield name, member


def test_everything_has_types_and_what_is_public_is_documented():
    assert Path(splitscope.__file__).with_name("py.typed").exists()
    for name in splitscope.__all__:
        thing = getattr(splitscope, name)
        assert thing.__doc__, name
        found = [(name, thing)] if inspect.isfunction(thing) else list(members_of(thing))
        for member, function in found:
            signature = inspect.signature(function)
            assert signature.return_annotation is not inspect.Signature.empty, (name, member)
            for parameter in signature.parameters.values():
                assert parameter.name == "self" or parameter.annotation is not inspect.Parameter.empty, (name, member)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, root):
    target = tmp_path_factory.mktemp("wheel")
    built = Path(_engine.__file__).resolve().parent
    subprocess.run([sys.executable, root / "python" / "make_wheel.py", built, target, "0.1.0"], check=True)
    (made,) = target.glob("*.whl")
    return made


def test_the_wheel_lists_what_it_holds(wheel):
    assert wheel.name == f"splitscope-0.1.0-cp311-cp311-linux_{os.uname().machine}.whl"
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        record = file.read("splitscope-0.1.0.dist-info/RECORD").decode().splitlines()
        listed = dict(line.split(",", 1) for line in record)
        assert list(listed) == names
        for name, rest in listed.items():
            if name.endswith("/RECORD"):
                assert rest == ","
                continue
            content = file.read(name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert rest == f"sha256={digest},{len(content)}"
        metadata = file.read("splitscope-0.1.0.dist-info/METADATA").decode()
        assert "Name: splitscope" in metadata and "Requires-Dist: numpy" in metadata
        assert file.read("splitscope-0.1.0.dist-info/licenses/MIT.txt")
    assert not any("__pycache__" in name for name in names)


def test_the_wheel_is_the_same_each_time(wheel, root, tmp_path):
    built = Path(_engine.__file__).resolve().parent
    subprocess.run([sys.executable, root / "python" / "make_wheel.py", built, tmp_path, "0.1.0"], check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_pip_installs_the_wheel(wheel, tmp_path):
    folder = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir",
         "--disable-pip-version-check", "--root-user-action", "ignore", "--target", folder, wheel],
        check=True,
    )
    alone = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPLITSCOPE_RESOURCES")}
    alone["PYTHONPATH"] = str(folder)
    alone["XDG_DATA_DIRS"] = str(tmp_path)
    code = (
        "import splitscope; s = splitscope.open(splitscope.sample_model(), devices=['rtx-3090']); "
        "print(splitscope.__file__); print(s.schedule().headline)"
    )
    said = subprocess.run([sys.executable, "-c", code], env=alone, cwd=tmp_path, check=True, stdout=subprocess.PIPE)
    where, headline = said.stdout.decode().splitlines()
    assert where.startswith(str(folder))
    assert "RTX 3090" in headline
