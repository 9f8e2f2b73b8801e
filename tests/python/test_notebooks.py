# SPDX-License-Identifier: MIT
"""The example notebooks and the page docs/python.md, their code run in order."""

import ast
import json
import re
import shutil
from pathlib import Path

import pytest

import splitscope

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


def test_the_page_runs(tmp_path, monkeypatch):
    page = (EXAMPLES.parent / "python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) > 1
    monkeypatch.chdir(tmp_path)
    shutil.copy(splitscope.sample_model(), "model.gguf")
    names = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"python.md[{number}]", "exec"), names)
    assert Path("model.splitscope.json").exists()
    assert names["run"].logits.shape[0] == len(names["run"].tokens)


def shown(value):
    """What a notebook shows of a cell's last expression."""
    for name in ("_repr_svg_", "_repr_html_"):
        if hasattr(value, name):
            return getattr(value, name)()
    return repr(value)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_cells_run(path, tmp_path, monkeypatch):
    notebook = json.loads(path.read_text())
    assert notebook["nbformat"] == 4
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    ran = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are not kept in the repository"
        tree = ast.parse("".join(cell["source"]), f"{path.name}[{number}]")
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}[{number}]", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"{path.name}[{number}]", "eval"), names)
            assert value is None or shown(value)
        ran += 1
    assert ran > 3
