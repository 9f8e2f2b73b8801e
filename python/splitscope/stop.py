# SPDX-License-Identifier: MIT
"""What stops of our runs and of attached programs have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from .tensor import Tensor


class NodeStop:
    """Where a computation stands still: behind the node computed last."""

    _stop: Any

    @property
    def number(self) -> int:
        """Counts the stops."""
        return self._stop.number

    @property
    def computation(self) -> int:
        """Counts the graphs computed, from 1: the prompt's, then one per token."""
        return self._stop.computation

    @property
    def reason(self) -> str:
        """"breakpoint", "step" or, in a program, "pause"."""
        return self._stop.reason

    @property
    def breakpoint(self) -> int:
        """Which of the breakpoints, from 1; 0 for none."""
        return self._stop.breakpoint

    @property
    def name(self) -> str:
        """Of the node computed last; "" before the first one."""
        return self._stop.name

    @property
    def identity(self) -> str:
        return self._stop.identity

    @property
    def op(self) -> str:
        return self._stop.op

    @property
    def backend(self) -> str:
        """That computed it."""
        return self._stop.backend

    @property
    def split(self) -> int:
        return self._stop.split

    @property
    def position(self) -> int:
        """Nodes computed so far."""
        return self._stop.position


def overwritten(tensor: Tensor, values: Any) -> bytearray:
    """The bytes of `tensor` with `values` in place of its own, which fit its shape by NumPy's rules. Raises Error for
    types that NumPy has not."""
    array = tensor.array
    memory = bytearray(tensor.raw.tobytes())
    np.ndarray(array.shape, array.dtype, memory, 0, array.strides)[...] = values
    return memory
