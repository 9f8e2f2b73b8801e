# SPDX-License-Identifier: MIT
import json
import pickle

import numpy as np
import pytest

import splitscope

GRAPH = """{"format":"splitscope-graph","version":1,"name":"one","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"y","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]}"""


@pytest.fixture
def graph(tmp_path):
    path = tmp_path / "one.graph.json"
    path.write_text(GRAPH)
    return path


def test_a_model_tells_what_it_is(sample):
    session = splitscope.open(sample)
    assert session.is_model
    assert session.metadata["general.architecture"] == "llama"
    assert isinstance(session.metadata["tokenizer.ggml.tokens"], list)
    assert session.backends == ["GPU0", "CPU"]
    assert session.generation == "2026-08"
    assert "GPU0" in repr(session)


def test_options_make_another_session(sample):
    session = splitscope.open(sample)
    other = session.with_options(gpu_layers=1, cache_type_k="f16", flash_attention="auto", overrides=["ffn_.*=CPU"])
    assert session.options["gpu_layers"] == "all"
    assert other.options["gpu_layers"] == 1
    assert other.options["cache_type_k"] == "f16"
    assert other.options["flash_attention"] == "auto"
    assert other.options["overrides"] == ["ffn_.*=CPU"]
    assert "-ngl 1" in other.switches
    # What is shown can be given again.
    again = splitscope.open(sample).with_options(**other.options)
    assert again.options == other.options
    assert again.schedule().to_json() == other.schedule().to_json()


def test_switches_of_llama_cpp(sample, program):
    session = splitscope.open(sample, switches="llama-cli -m x.gguf -ngl 2 -c 128 -fa off -ctk f16")
    assert session.options["gpu_layers"] == 2 and session.options["context"] == 128
    assert session.options["flash_attention"] is False
    given = ["--like", "llama-cli", "-ngl", "2", "-c", "128", "-fa", "off", "-ctk", "f16"]
    assert session.schedule().to_json().encode() == program("schedule", sample, *given, "--json")
    again = session.with_switches(session.switches)
    assert again.schedule().to_json() == session.schedule().to_json()
    with pytest.raises(splitscope.Error) as caught:
        session.with_switches("-ngl many")
    assert caught.value.kind == "usage"


def test_this_computer(sample):
    session = splitscope.open(sample, devices=["this"])
    assert session.backends[-1] == "CPU"
    assert session.schedule().error is None


def test_wrong_options_are_refused(sample, graph):
    session = splitscope.open(sample)
    with pytest.raises(TypeError, match="unknown option 'gpu_layer'; choose from .*gpu_layers"):
        session.with_options(gpu_layer=1)
    with pytest.raises(TypeError, match="context"):
        session.with_options(context="large")
    with pytest.raises(ValueError, match="no element type"):
        session.with_options(cache_type_k="f17")
    with pytest.raises(ValueError, match="no generation"):
        splitscope.open(sample, generation="2023-01")
    with pytest.raises(splitscope.Error) as caught:
        splitscope.open(graph, gpu_layers=1)
    assert caught.value.kind == "usage"


def test_errors_name_what_where_and_remedy(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF\x03\x00\x00\x00")
    with pytest.raises(splitscope.Error) as caught:
        splitscope.open(broken)
    error = caught.value
    assert error.kind == "bad-file"
    assert str(broken) in error.where
    assert error.what and error.remedy
    assert str(error) == f"{error.where}: {error.what} — {error.remedy}"
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.kind) == (str(error), "bad-file")
    with pytest.raises(splitscope.Error) as caught:
        splitscope.open(tmp_path / "nothing.gguf")
    assert caught.value.kind == "io"


def test_weights_are_arrays_over_the_file(sample):
    session = splitscope.open(sample)
    norm = session.weights["output_norm.weight"]
    assert norm.type == "f32"
    array = norm.array
    assert array.dtype == np.float32 and array.shape == norm.shape
    assert not array.flags.writeable
    assert np.shares_memory(array, session.weights["output_norm.weight"].array)
    # The memory stays while an array refers to it.
    kept = array.sum()
    del session, norm
    assert array.sum() == kept


def test_quantised_weights_are_read_back(sample):
    weight = splitscope.open(sample).weights["blk.0.ffn_up.weight"]
    assert weight.type == "q8_0"
    with pytest.raises(splitscope.Error, match="NumPy has no type for q8_0"):
        weight.array
    values = weight.values()
    assert values.shape == weight.shape and values.dtype == np.float32
    # A block of Q8_0: a float16 scale and 32 integers.
    blocks = weight.raw.reshape(-1, 34)
    scales = blocks[:, :2].copy().view(np.float16).astype(np.float32)
    assert np.array_equal(values.ravel(), (scales * blocks[:, 2:].copy().view(np.int8)).ravel())
    found = weight.statistics()
    assert found["count"] == values.size
    assert found["max"] == values.max()
    assert found["histogram"].sum() == values.size


def test_a_saved_session_is_opened_again(sample, tmp_path, program):
    session = splitscope.open(sample, gpu_layers=1, context=64, generation="2024-10")
    path = tmp_path / "saved.splitscope.json"
    session.save(path)
    assert json.loads(path.read_text())["format"] == "splitscope-session"
    again = splitscope.open(path)
    assert again.options == session.options
    assert again.generation == "2024-10"
    assert again.schedule().to_json().encode() == program("schedule", path, "--json")


def test_machines(sample, tmp_path):
    machine = tmp_path / "m.machine.json"
    machine.write_text(splitscope.open(sample).machine_json())
    assert splitscope.open(sample, machine=machine).backends == ["GPU0", "CPU"]
    assert splitscope.open(sample, computer=["cpu"]).backends == ["CPU"]
    planned = splitscope.open(sample, devices=["rtx-3090:8", "epyc-9654"])
    assert planned.backends == ["CUDA0", "CPU"]
    with pytest.raises(splitscope.Error) as caught:
        splitscope.open(sample, machine=machine, computer=["cpu"])
    assert caught.value.kind == "usage"
    with pytest.raises(splitscope.Error, match="rtx-309"):
        splitscope.open(sample, devices=["rtx-309"])


def test_presets_and_devices():
    presets = splitscope.presets().where(name="rtx-3090")
    assert len(presets) == 1
    assert presets[0]["memory"] == 24 * 2**30
    assert "CPU" in [name.upper() for name in splitscope.devices()["name"]]
