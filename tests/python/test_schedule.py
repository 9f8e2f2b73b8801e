# SPDX-License-Identifier: MIT
import shutil
import sys
import threading
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

import numpy as np
import pytest

import splitscope

TABLES = ["nodes", "tensors", "decisions", "splits", "copies", "buffers", "allocations", "backends"]


class Balanced(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_json_is_that_of_the_command_line(sample, schedule, program, switches):
    assert schedule.to_json().encode() == program("schedule", sample, *switches, "--json")
    assert schedule.headline.encode() in program("schedule", sample, *switches)


def test_tables_agree_with_the_json(schedule):
    whole = schedule.to_dict()
    assert schedule.error is None
    assert len(schedule.splits) == len(whole["splits"])
    names = [backend for backend in schedule.backends["name"]]
    for row, split in zip(schedule.splits, whole["splits"]):
        assert row["backend"] == names[split["backend"]]
        assert (row["first"], row["end"]) == (split["i_start"], split["i_end"])
        assert row["inputs"] == len(split["inputs"])
    nodes = schedule.nodes
    assert nodes["computes"].sum() == schedule.backends["nodes"].sum()
    assert np.array_equal(np.unique(nodes["split"]), np.arange(len(schedule.splits)))
    assert schedule.copies["bytes"].sum() == schedule.splits["bytes"].sum()
    assert np.array_equal(schedule.tensors["backend"][nodes["tensor"]], nodes["backend"])
    last = whole["passes"][-1]["backend"]
    assert [names[b] if b >= 0 else "" for b in last] == list(schedule.tensors["backend"][: len(last)])
    assert whole["alloc"]["buffer_sizes"] == list(schedule.buffers["size"])


def test_shapes_are_rows_of_four(schedule):
    matrix = schedule.tensors.where(name="output.weight") if "output.weight" in schedule.tensors["name"] else None
    embeddings = matrix if matrix is not None else schedule.tensors.where(name="token_embd.weight")
    assert embeddings["ne"].shape == (1, 4)
    assert schedule.tensors.units["nb"] == "bytes"
    weight = schedule.session.weights[embeddings["name"][0]]
    assert weight.shape == tuple(embeddings["ne"][0, :2][::-1])


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_shown(schedule, name):
    table = getattr(schedule, name)
    Balanced(table._repr_html_())
    assert table.columns[0] in repr(table)
    records = np.asarray(table)
    assert records.shape == (len(table),)
    assert list(records.dtype.names) == table.columns
    assert dict(table).keys() == set(table.columns)
    assert len(list(table)) == len(table)


def test_rows_are_chosen(schedule):
    nodes = schedule.nodes
    some = nodes.where(backend="GPU0", op="MUL_MAT")
    assert len(some) and set(some["op"]) == {"MUL_MAT"} and set(some["backend"]) == {"GPU0"}
    assert nodes[nodes["bytes"] > 4096]["bytes"].min() > 4096
    assert len(nodes[2:5]) == 3
    assert nodes[-1]["tensor"] == nodes[len(nodes) - 1]["tensor"] == nodes["tensor"][-1]
    with pytest.raises(IndexError):
        nodes[len(nodes)]
    with pytest.raises(KeyError):
        nodes["nothing"]


def test_pandas_gets_columns(schedule, monkeypatch):
    class Pandas:
        DataFrame = dict

    monkeypatch.setitem(sys.modules, "pandas", Pandas)
    frame = schedule.splits.to_pandas()
    assert list(frame) == schedule.splits.columns
    assert isinstance(schedule.tensors.to_pandas()["ne"][0], tuple)


def test_why_is_the_record_of_the_tensor(schedule):
    node = schedule.nodes.where(op="ROPE")[0]
    answer = schedule.why(f"{node['name']}@ROPE")
    assert answer.tensor == node["tensor"]
    assert answer.backend == node["backend"]
    rows = np.flatnonzero(schedule.decisions["tensor"] == answer.tensor)
    assert [step.decision for step in answer.steps] == list(rows)
    for step in answer.steps:
        row = schedule.decisions[step.decision]
        assert (step.pass_, step.cause, step.from_, step.to) == (row["pass"], row["cause"], row["from"], row["to"])
        assert step.reason
    assert answer.steps[-1].to == answer.backend
    assert len(str(answer).splitlines()) == len(answer.steps)
    Balanced(answer._repr_html_())
    with pytest.raises(splitscope.Error) as caught:
        schedule.why("no such tensor")
    assert caught.value.kind == "unknown"


def test_decisions_are_replayed(schedule):
    whole = len(schedule.decisions)
    assert np.array_equal(schedule.replay(whole)["backend"], schedule.tensors["backend"])
    first = schedule.decisions[0]
    after_one = schedule.replay(1)["backend"]
    assert after_one[first["tensor"]] == first["to"]
    with pytest.raises(IndexError):
        schedule.replay(whole + 1)


def test_reports_are_those_of_the_command_line(schedule, sample, program, switches, tmp_path):
    for kind in ("json", "md", "csv", "html"):
        path = tmp_path / f"report.{kind}"
        text = schedule.report(path)
        assert path.read_bytes() == text.encode()
        assert text.encode() == program("report", sample, *switches, "--format", kind, "-o", "-")
    assert schedule.csv("copies").encode() == program("report", sample, *switches, "--table", "copies")
    with pytest.raises(ValueError, match="cannot tell the format"):
        schedule.report(tmp_path / "report.docx")
    with pytest.raises(splitscope.Error):
        schedule.report(format="trace")


def test_pictures(schedule, tmp_path):
    overview = schedule.overview()
    assert xml.fromstring(overview._repr_svg_()).tag.endswith("svg")
    assert schedule.log().count("## SPLIT") == len(schedule.splits)
    assert shutil.which("dot"), "Graphviz is one of the packages of a build"
    graph = schedule.graph()
    drawn = xml.fromstring(graph._repr_svg_())
    titles = [title.text for title in drawn.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("cluster") for title in titles)
    path = tmp_path / "graph.svg"
    graph.save(path)
    assert path.read_text() == graph.svg
    with pytest.raises(splitscope.Error, match="did not finish"):
        schedule.graph(timeout=1e-4)
    Balanced(schedule._repr_html_())


def test_a_scheduler_that_gives_up_is_a_result(tmp_path, root):
    path = tmp_path / "odd.graph.json"
    path.write_text(
        """{"format":"splitscope-graph","version":1,"name":"odd","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"y","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]}"""
    )
    machine = tmp_path / "m.machine.json"
    machine.write_text(
        splitscope.open(path).machine_json().replace('"unsupported_ops":[]', '"unsupported_ops":["SQR"]')
    )
    schedule = splitscope.open(path, machine=machine, generation="2024-10").schedule()
    assert schedule.error or len(schedule.splits) == 1
    assert schedule.error is not None
    assert len(schedule.decisions) > 0
    assert schedule.error in repr(schedule)


def test_schedules_are_compared(sample, schedule):
    assert schedule.compare(schedule).same
    other = splitscope.open(sample, gpu_layers=1, flash_attention=False).schedule()
    found = schedule.compare(other)
    assert not found.same
    assert found.matched == len(schedule.nodes) and found.only_here == found.only_there == []
    for row in found.different.where(elsewhere=True):
        assert schedule.tensors["backend"][row["tensor"]] == row["backend"]
        assert other.tensors["backend"][row["other_tensor"]] == row["other_backend"] != row["backend"]
    assert "end elsewhere" in repr(found)
    Balanced(found._repr_html_())
    older = schedule.session.with_generation("2025-06").schedule()
    assert len(schedule.compare(older).only_there) > 0


def test_buffers_are_drawn(schedule):
    for drawing in (schedule.memory_map("GPU0"), schedule.memory_use("GPU0")):
        assert xml.fromstring(drawing.svg).get("class") == "splitscope"
    with pytest.raises(KeyError, match="there are GPU0, CPU"):
        schedule.memory_map("nothing")


def test_logs_are_compared_with_their_record(root):
    session = splitscope.open(root / "docs" / "examples" / "half-on-the-gpu.log")
    compared = session.schedule().compare_recorded()
    assert compared.compared > 0
    assert compared.recorded_splits == compared.our_splits
    assert compared.same == (not compared.elsewhere and compared.first_different_split is None)


def test_schedules_in_threads_are_the_same(sample, schedule):
    texts = []

    def work():
        texts.append(splitscope.open(sample, gpu_layers=2, flash_attention=False).schedule().to_json())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [schedule.to_json()] * 4
