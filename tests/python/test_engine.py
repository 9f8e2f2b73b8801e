# SPDX-License-Identifier: MIT
"""The reference engine where it is installed: programs of it under the debugger, and its devices."""

import os
import signal
import subprocess
import threading
from pathlib import Path

import numpy as np
import pytest

import splitscope

PROMPT_TOKENS = 7
WIDTH = 64


@pytest.fixture(scope="module")
def libraries(root):
    reference = Path(os.environ["SPLITSCOPE_REFERENCE_FOLDER"])
    subprocess.run([root / "tests" / "recorder" / "install_reference.sh", reference], check=True)
    libraries = reference / "node_modules" / "@node-llama-cpp" / "linux-x64" / "bins" / "linux-x64"
    if not (libraries / "libggml-base.so").exists():
        pytest.skip("NO REFERENCE ENGINE: the registry is out of reach")
    return libraries


@pytest.fixture(scope="module")
def host(libraries):
    """The words that start the reference host for a number of steps."""
    model = Path(os.environ["SPLITSCOPE_GOLDEN"]) / "models" / "stories260K.gguf"
    if not model.exists():
        pytest.skip("NO GOLDEN DATA: set SPLITSCOPE_GOLDEN")
    program = Path(os.environ["SPLITSCOPE_PROGRAMS"]) / "reference_host"
    return lambda steps: [program, libraries, model, "0", str(steps)]


def alone(host, steps, environment):
    done = subprocess.run(host(steps), env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def test_a_stop_has_the_values_of_the_program(host, tmp_path):
    file = tmp_path / "values"
    tokens = alone(host, 4, {"REFERENCE_HOST_VALUES": f"l_out-2,{file}"})
    third = np.fromfile(file, dtype=np.float32)[(PROMPT_TOKENS + 1) * WIDTH : (PROMPT_TOKENS + 2) * WIDTH]
    with splitscope.attach(host(4), ["l_out-2,graph=3", "l_out-2,graph=99"], keep_output=True) as program:
        stop = program.wait()
        assert (stop.name, stop.computation, stop.reason, stop.backend) == ("l_out-2", 3, "breakpoint", "CPU")
        values = stop.tensor()
        assert values.state == "computed"
        assert np.array_equal(values.array.ravel(), third)
        assert stop.tensor("l_out-4").state == "not-computed"
        assert "l_out-4" in stop.nodes["name"]
        with pytest.raises(KeyError):
            stop.tensor("no such tensor")
        program.resume()
        with pytest.warns(RuntimeWarning, match="never stopped: l_out-2,graph=99$"):
            assert program.wait(stop.number) is None
        assert program.unmet_stops == ["l_out-2,graph=99"]
        assert program.end["exit_code"] == 0 and program.end["attached"]
        assert program.output() == tokens
    with pytest.raises(ValueError, match="detached"):
        program.process


def test_stops_are_stepped_through(host):
    seen = []
    with splitscope.attach(host(3), ["l_out-0"], keep_output=True) as program:
        for stop in program.stops():
            seen.append((stop.reason, stop.name))
            if len(seen) == 1:
                program.step()
    assert [reason for reason, _ in seen] == ["breakpoint", "step", "breakpoint", "breakpoint"]
    assert [name for reason, name in seen if reason == "breakpoint"] == ["l_out-0"] * 3


def test_what_is_written_is_what_the_program_computes_with(host):
    written = []
    with splitscope.attach(host(4), ["l_out-4"], keep_output=True) as program:
        for stop in program.stops():
            stop.write(stop.identity, 0)
            written.append(stop.tensor().array.any())
        changed = program.output()
    assert written and not any(written)
    assert changed != alone(host, 4, {})


def test_a_program_that_cannot_be_started():
    with pytest.raises(splitscope.Error) as caught:
        splitscope.attach(["/no/such/program"])
    assert caught.value.kind == "io"
    with pytest.raises(splitscope.Error):
        splitscope.attach(["true"], ["[,op"])


def test_a_program_that_computes_nothing():
    with splitscope.attach(["sh", "-c", "echo here; exit 3"], ["l_out-2"], keep_output=True) as program:
        assert program.wait() is None
        assert program.end["exit_code"] == 3 and not program.end["attached"]
        assert program.output() == "here\n"


def test_waiting_is_interrupted():
    with splitscope.attach(["sleep", "60"], keep_output=True) as program:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            program.wait()
        program.signal(signal.SIGTERM)
        assert program.wait() is None
        assert program.end["signal"] == signal.SIGTERM


def test_devices_of_a_build_compute(libraries, sample, monkeypatch):
    monkeypatch.setenv("PATH", os.environ["SPLITSCOPE_PROGRAMS"] + ":" + os.environ["PATH"])
    settings = {"engine": str(libraries)}
    assert "CPU" in [row["name"].split(":")[-1] for row in splitscope.devices(settings).where(kind="ggml")]
    session = splitscope.open(sample, computer=["engine:CPU"], settings=settings)
    assert f"ggml:CPU@{libraries.resolve()}" in session.machine_json()
    run = session.with_options(flash_attention=False).run("My father", tokens=4)
    assert run.notes == []
    assert run.tokens == splitscope.open(sample, flash_attention=False).run("My father", tokens=4).tokens


def test_a_build_that_is_not_there_is_refused(sample, tmp_path):
    with pytest.raises(splitscope.Error):
        splitscope.open(sample, computer=["engine:CPU"], settings={"engine": str(tmp_path / "nothing")})
