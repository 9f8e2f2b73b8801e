# SPDX-License-Identifier: MIT
"""What the tests of the Python package share. They run from the build folder: see CMakeLists.txt."""

import os
import subprocess
from pathlib import Path

import pytest

import splitscope


def command_line(*arguments, ok=(0,), errors=False):
    """Output of the program, or what it says on standard error, in bytes."""
    done = subprocess.run(
        [os.environ["SPLITSCOPE_PROGRAM"], *map(os.fspath, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert done.returncode in ok, done.stderr.decode()
    return done.stderr if errors else done.stdout


@pytest.fixture(scope="session")
def program():
    return command_line


@pytest.fixture(scope="session")
def sample():
    return splitscope.sample_model()


# The session of most tests, for the command line.
SWITCHES = ["--gpu-layers", "2", "-fa", "off"]


@pytest.fixture(scope="session")
def switches():
    return SWITCHES


@pytest.fixture(scope="session")
def session(sample):
    return splitscope.open(sample, gpu_layers=2, flash_attention=False)


@pytest.fixture(scope="session")
def schedule(session):
    return session.schedule()


@pytest.fixture(scope="session")
def header(tmp_path_factory):
    """A model of 8B parameters without its weights: enough for plans."""
    path = tmp_path_factory.mktemp("models") / "8b.gguf"
    command_line("make-model", "--preset", "8b", "--type", "q4_K", "--header-only", "-o", path)
    return path


@pytest.fixture(scope="session")
def root():
    return Path(__file__).resolve().parents[2]
