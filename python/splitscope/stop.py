# SPDX-License-Identifier: MIT
"""Common parts of stops in runs and in attached programs."""

from __future__ import annotations

import warnings
from typing import Any, Sequence

import numpy as np

from .tensor import Tensor


class NodeStop:
    """A paused computation, after the last computed node."""

    _stop: Any

    @property
    def number(self) -> int:
        """Number of the stop."""
        return self._stop.number

    @property
    def computation(self) -> int:
        """Number of the computed graph, from 1: the prompt, then one per token."""
        return self._stop.computation

    @property
    def reason(self) -> str:
        """"breakpoint", "step" or, in a program, "pause"."""
        return self._stop.reason

    @property
    def breakpoint(self) -> int:
        """Number of the breakpoint, from 1; 0 for none."""
        return self._stop.breakpoint

    @property
    def name(self) -> str:
        """Name of the last computed node; "" before the first one."""
        return self._stop.name

    @property
    def identity(self) -> str:
        return self._stop.identity

    @property
    def op(self) -> str:
        return self._stop.op

    @property
    def backend(self) -> str:
        """Backend of the last computed node."""
        return self._stop.backend

    @property
    def split(self) -> int:
        return self._stop.split

    @property
    def position(self) -> int:
        """Nodes computed so far."""
        return self._stop.position


def overwritten(tensor: Tensor, values: Any) -> bytearray:
    """The bytes of `tensor` with `values`, broadcast to its shape. Raises Error for types without a NumPy
    equivalent."""
    array = tensor.array
    memory = bytearray(tensor.raw.tobytes())
    np.ndarray(array.shape, array.dtype, memory, 0, array.strides)[...] = values
    return memory


def warn_unmet(breakpoints: Sequence[Any]) -> None:
    """Warns of breakpoints that never stopped a computation, other than those that wait for a value."""
    unmet = [text for text in map(str, breakpoints) if "not-finite" not in text and "outside=" not in text]
    if unmet:
        # At the line that called run(), wait() or stops().
        warnings.warn(f"never stopped: {'; '.join(unmet)}", RuntimeWarning, stacklevel=4)
