# SPDX-License-Identifier: MIT
import json

import pytest

import splitscope

DEVICES = ["rtx-3090:8", "epyc-9654"]


@pytest.fixture(scope="module")
def planned(header):
    return splitscope.open(header, devices=DEVICES, gpu_layers=20, context=8192, generation="2026-08")


def test_a_plan_is_that_of_the_command_line(header, planned, program):
    plan = planned.plan()
    theirs = json.loads(
        program("plan", header, "-d", ",".join(DEVICES), "-ngl", "20", "-c", "8192", "--json", ok=(0, 1))
    )
    assert plan.verdict.kind == theirs["verdict"]["kind"]
    assert plan.fits == theirs["fits"]
    assert plan.switches == theirs["switches"]
    assert plan.context == theirs["context"]
    ours = plan.to_dict()["devices"]
    for device in ours:
        del device["layers"]
    assert ours == theirs["devices"]
    assert sum(device.layers for device in plan.devices) == 33
    for name in ("decode", "prompt"):
        graph = getattr(plan, name)
        for figure in ("tokens", "reserved_tokens", "nodes", "splits", "copied_bytes", "seconds"):
            assert getattr(graph, figure) == theirs[name][figure]
        assert graph.links == [tuple(link.values()) for link in theirs[name]["links"]]
        assert sum(bytes for *_, bytes in graph.links) == graph.copied_bytes > 0
        assert list(graph.compute.values()) == [one["compute_bytes"] for one in theirs[name]["compute"]]
    assert plan.tokens_per_second == pytest.approx(1 / theirs["decode"]["seconds"])
    assert plan.verdict.text in plan._repr_html_()


def test_what_does_not_fit(header):
    plan = splitscope.open(header, devices=["rtx-3090:2", "epyc-9654"], gpu_layers="all").plan()
    assert plan.fits is False
    assert plan.verdict.kind == "lacks"
    assert plan.verdict.shortages["CUDA0"] == plan.devices[0].total - plan.devices[0].memory


def test_what_is_not_known_is_none(sample):
    plan = splitscope.open(sample).plan()
    assert plan.fits is None
    assert plan.verdict.kind == "need-known"
    assert plan.tokens_per_second is None
    assert plan.devices[0].memory is None


def test_a_suggestion_is_that_of_the_command_line(header, program):
    session = splitscope.open(header, devices=DEVICES, context=8192)
    found = session.suggest()
    theirs = json.loads(program("suggest", header, "-d", ",".join(DEVICES), "-c", "8192", "--json"))
    assert found.switches == theirs["best"]["switches"]
    assert found.reason == theirs["reason"]
    assert found.exact == theirs["exact"]
    assert found.plan.tokens_per_second == theirs["best"]["tokens_per_second"]
    # The options are the placement.
    again = session.with_options(**found.options).plan()
    assert [d.total for d in again.devices] == [d.total for d in found.plan.devices]
    with pytest.raises(splitscope.Error):
        splitscope.open(header).suggest()


def test_findings(header, program):
    session = splitscope.open(
        header, devices=DEVICES, generation="2026-08", overrides=["nothing_of_this_name=CPU"], gpu_layers=20
    )
    found = session.lint()
    assert "override-matches-nothing" in [finding.rule for finding in found]
    for finding in found:
        assert finding.severity in ("note", "warning", "error")
        assert finding.what and finding.cause and finding.remedy


def test_a_graph_has_no_plan(root):
    session = splitscope.open(root / "docs" / "examples" / "half-on-the-gpu.log")
    with pytest.raises(splitscope.Error) as caught:
        session.plan()
    assert caught.value.kind == "usage"
    with pytest.raises(splitscope.Error):
        session.suggest()
