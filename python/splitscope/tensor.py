# SPDX-License-Identifier: MIT
"""Values of tensors."""

from __future__ import annotations

from typing import Any, Dict, Tuple

import numpy as np

from . import _engine
from .errors import Error


class Tensor:
    """A tensor and its values: a weight of a model file, or a result of a run.

    The arrays refer to the engine's memory and keep it alive; nothing is copied. They are read-only. Dimensions are in
    NumPy order, `ne` reversed and without trailing ones: a matrix with ne = [4096, 32] has the shape (32, 4096).
    """

    def __init__(self, values: "_engine.TensorValues"):
        self._values = values

    @property
    def name(self) -> str:
        """Name in the graph; not unique, unlike `identity`."""
        return self._values.name

    @property
    def identity(self) -> str:
        """NAME@OP, or NAME@OP#2 if it repeats: identifies the tensor, also in other graphs."""
        return self._values.identity

    @property
    def op(self) -> str:
        """Operation of the tensor, such as "MUL_MAT"; "NONE" for weights and inputs."""
        return self._values.op

    @property
    def type(self) -> str:
        """Element type: "f32", "f16", "q8_0", …"""
        return self._values.type

    @property
    def backend(self) -> str:
        """Name of the backend that holds it; "" if not known."""
        return self._values.backend

    @property
    def state(self) -> str:
        """"computed", or why there are no values: "not-computed", "reused" (overwritten by a later tensor),
        "no-memory"."""
        return self._values.state

    @property
    def shape(self) -> Tuple[int, ...]:
        """Shape in elements, innermost dimension last."""
        return self._values.shape

    @property
    def nbytes(self) -> int:
        """Bytes from the first to the end of the last element."""
        return self._values.nbytes

    @property
    def array(self) -> np.ndarray:
        """The values in place, with the tensor's strides: float32, float16, float64 or integers.

        Raises Error for types without a NumPy equivalent (quantised types, bf16; use `values()`), and if there are no
        values.
        """
        array = self._values.array()
        if array is None:
            raise self._why_not()
        return array

    def _why_not(self) -> Error:
        if self.nbytes == 0:
            return Error("there are no values", self.name, "open a complete model file, or stop after it is computed")
        return Error(f"NumPy has no type for {self.type}", self.name, "use values() or raw", "unsupported")

    @property
    def raw(self) -> np.ndarray:
        """All bytes in place: uint8, one dimension."""
        return self._values.raw()

    def values(self) -> np.ndarray:
        """A copy as float32 in C order; quantised types are dequantised. Raises Error for types without numbers."""
        return self._values.decoded()

    def statistics(self) -> Dict[str, Any]:
        """count, nan, infinite, zeros; min, max, mean and deviation of the finite values; histogram: 64 bins of
        equal width from min to max."""
        return self._values.statistics()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        array = self._values.array()
        values = self.values() if array is None else array
        return values if dtype is None else values.astype(dtype)

    def __repr__(self) -> str:
        where = f" on {self.backend}" if self.backend else ""
        return f"<splitscope.Tensor {self.identity} {self.type} {self.shape}{where}, {self.state}>"
