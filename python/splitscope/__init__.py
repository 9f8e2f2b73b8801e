# SPDX-License-Identifier: MIT
"""Inspect how a ggml-style scheduler places, splits and runs a model.

    >>> import splitscope
    >>> session = splitscope.open(splitscope.sample_model(), gpu_layers=2)
    >>> schedule = session.schedule()
    >>> print(schedule.headline)
    >>> schedule.nodes.where(backend="CPU")["name"]
    >>> print(schedule.why("Qcur-0"))
    >>> session.save("sample.splitscope.json")      # the window opens it

Sizes are in bytes, times in seconds unless a column states otherwise. Array shapes are in NumPy order: the innermost
dimension, ggml's ne[0], is the last. Errors caused by a file or an argument raise `splitscope.Error`. Long operations
release the GIL and end on KeyboardInterrupt.
"""

import os as _os
from pathlib import Path as _Path

# A wheel contains presets, the sample model and the library that attach() preloads; otherwise those of the installed
# program are used.
for _name, _path in (("SPLITSCOPE_RESOURCES", "share"), ("SPLITSCOPE_RECORDER", "libsplitscope_recorder.so")):
    _brought = _Path(__file__).parent / _path
    if _brought.exists():
        _os.environ.setdefault(_name, str(_brought))

try:
    from . import _engine as _engine
except ImportError as _missing:
    raise ImportError(f"{_missing}; on Debian 12: apt install libfmt9 libhwy1 libopenblas0 libre2-9") from _missing

from .attach import Program, ProgramStop, attach
from .errors import Error
from .plan import DevicePlan, Finding, GraphPlan, Plan, Suggestion, Verdict
from .run import Breakpoint, Run, Stop, Token
from .schedule import Comparison, Difference, Schedule, Why, WhyStep
from .session import Session, devices, open, presets, sample_model
from .table import Drawing, Table
from .tensor import Tensor

__version__ = "0.1.0"
__all__ = [
    "Breakpoint", "Comparison", "DevicePlan", "Difference", "Drawing", "Error", "Finding", "GraphPlan", "Plan",
    "Program", "ProgramStop", "Run", "Schedule", "Session", "Stop", "Suggestion", "Table", "Tensor", "Token", "Verdict",
    "Why", "WhyStep", "attach", "devices", "open", "presets", "sample_model",
]
