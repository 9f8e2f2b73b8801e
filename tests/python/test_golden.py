# SPDX-License-Identifier: MIT
"""Every recorded graph and model: Python and the command line say the same of it."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import splitscope

GENERATIONS = ("2024-01", "2024-10", "2025-06", "2026-08")
GOLDEN = Path(os.environ["SPLITSCOPE_GOLDEN"])


def folder(kind):
    path = GOLDEN / kind
    if not path.is_dir():
        pytest.skip(f"*** NOT CHECKED: {GOLDEN} has no folder '{kind}'; set SPLITSCOPE_GOLDEN ***")
    return path


def same(program, cases):
    """cases: of each, how Python opens it and how the command line does."""

    def differs(case):
        path, options, arguments = case
        try:
            ours = splitscope.open(path, **options).schedule().to_json().encode()
        except splitscope.Error as error:
            ours = error.what.encode()
            return None if ours in program(*arguments, ok=range(1, 200), errors=True) else (case, "refused by one")
        return None if ours == program(*arguments, ok=(0, 1)) else (case, "different")

    with ThreadPoolExecutor(2) as pool:
        different = [found for found in pool.map(differs, cases) if found]
    assert different == []


def test_recorded_graphs(program):
    cases = []
    for case in sorted(folder("sched").iterdir()):
        for generation in GENERATIONS:
            if not (case / f"expected-{generation}.json").exists():
                continue
            graph, machine = case / "graph.json", case / "machine.json"
            arguments = ["schedule", "--graph", graph, "--machine", machine, "--generation", generation, "--json"]
            cases.append((graph, {"machine": machine, "generation": generation}, arguments))
    assert len(cases) > 100
    same(program, cases)


def test_models(program):
    cases = []
    for model in sorted(folder("models").glob("*.gguf")):
        for graph in ("decode", "prefill"):
            arguments = ["schedule", model, "--json"] + (["--prefill"] if graph == "prefill" else [])
            cases.append((model, {"graph": graph}, arguments))
        devices = ["rtx-3090:8", "epyc-9654"]
        arguments = ["schedule", model, "--json", "-d", ",".join(devices), "-ngl", "2", "--generation", "2025-06"]
        cases.append((model, {"devices": devices, "gpu_layers": 2, "generation": "2025-06"}, arguments))
    assert len(cases) > 60
    same(program, cases)
