# SPDX-License-Identifier: MIT
"""Runs, their results and breakpoints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _engine
from .schedule import Schedule, report_format
from .stop import NodeStop, overwritten, warn_unmet
from .table import Table
from .tensor import Tensor


@dataclass(frozen=True)
class Breakpoint:
    """Pauses a run after each matching node."""

    text: str = ""
    """A node by name or NAME@OP#N, a pattern, an operation or a backend's name."""
    kind: str = "node"
    """"node", "glob", "regex", "op", "backend", or "not-finite": the first node with a NaN or an infinity."""
    graph: Optional[int] = None
    """Only in the n-th graph of the run, from 1: the prompt, one per micro-batch, then one per token."""
    split: Optional[int] = None
    """Only in this split."""
    hits: int = 1
    """From the n-th hit on."""
    outside: Optional[Tuple[float, float]] = None
    """Only if a value is not finite or outside this range."""

    def __str__(self) -> str:
        what = {"op": "op=", "backend": "backend="}.get(self.kind, "") + (self.text or self.kind)
        return ",".join(part for part in (what, self._limits()) if part)

    def _limits(self) -> str:
        limits = [f"{name}={value}" for name, value in (("graph", self.graph), ("split", self.split)) if value is not None]
        if self.hits != 1:
            limits.append(f"hits={self.hits}")
        if self.outside is not None:
            limits.append(f"outside={float(self.outside[0])}..{float(self.outside[1])}")
        return ",".join(limits)


class Token:
    """One generated token."""

    def __init__(self, token: "_engine.Token"):
        self.id: int = token.id
        self.piece: bytes = token.piece
        """UTF-8; may be part of a character."""
        self.text: str = token.text
        self.logits: Optional[np.ndarray] = token.logits
        """float32, one per token of the vocabulary; None unless requested."""

    def __repr__(self) -> str:
        return f"<splitscope.Token {self.id} {self.text!r}>"


class Stop(NodeStop):
    """A run paused after a node; valid only during the call of `on_stop`."""

    def __init__(self, stop: "_engine.Stop"):
        self._stop = stop

    @property
    def nodes(self) -> int:
        return self._stop.nodes

    def tensor(self, name: Optional[str] = None) -> Tensor:
        """Current values of a tensor of the graph; by default, of the last computed node. `Tensor.state` states their
        validity. Raises Error for an unknown tensor."""
        return Tensor(self._stop.tensor(name if name is not None else self.identity))

    def write(self, name: str, values: Any) -> None:
        """Overwrites the values of a tensor; later nodes read them. `values` is broadcast to its shape. Raises Error
        for types without a NumPy equivalent."""
        self._stop.write(name, overwritten(self.tensor(name), values))

    def __repr__(self) -> str:
        return f"<splitscope.Stop {self.reason} at {self.identity}, {self.position} of {self.nodes}>"


class Run:
    """The results of a run."""

    def __init__(self, result: "_engine.RunResult", breakpoints: Sequence[Union[str, Breakpoint]] = ()):
        self._result = result
        self._breakpoints = breakpoints

    @property
    def text(self) -> str:
        """The generated text."""
        return self._result.text

    @property
    def tokens(self) -> List[int]:
        return self._result.tokens

    @property
    def prompt_tokens(self) -> List[int]:
        return self._result.prompt_tokens

    @property
    def cancelled(self) -> bool:
        """Whether on_stop ended the run."""
        return self._result.cancelled

    @property
    def unmet_breakpoints(self) -> List[Union[str, Breakpoint]]:
        """The breakpoints that never stopped the run, as given."""
        return [self._breakpoints[number - 1] for number in self._result.unmet_breakpoints]

    @property
    def notes(self) -> List[str]:
        """Where the run is not what one would expect, e.g. why the CPU replaced a device."""
        return self._result.notes

    @property
    def prompt_seconds(self) -> float:
        return self._result.prompt_seconds

    @property
    def decoded_tokens(self) -> int:
        """Tokens computed in decode_seconds; the prompt gives the first one generated."""
        return self._result.decoded_tokens

    @property
    def decode_seconds(self) -> float:
        return self._result.decode_seconds

    @property
    def logits(self) -> Optional[np.ndarray]:
        """float32, a row per generated token and a column per token of the vocabulary; None unless requested."""
        return self._result.logits

    @property
    def embeddings(self) -> Optional[np.ndarray]:
        """float32, a row per token of the prompt, for embedding models; else None."""
        return self._result.embeddings

    @property
    def prompt_schedule(self) -> Optional[Schedule]:
        """Schedule of the prompt."""
        analysis = self._result.prompt_analysis
        return Schedule(analysis) if analysis is not None else None

    @property
    def decode_schedule(self) -> Optional[Schedule]:
        """Schedule of the last token; None if at most one token was generated."""
        analysis = self._result.decode_analysis
        return Schedule(analysis) if analysis is not None else None

    @property
    def prompt_timeline(self) -> Optional[Table]:
        """Steps of the prompt's run: step (copy, expert-copy, compute, wait), split, backend, name of the first node
        or the copied tensor, first and last (nodes in the order of computing), bytes, start and end (ns)."""
        made = self._result.prompt_timeline()
        return Table._of("Prompt", made) if made is not None else None

    @property
    def decode_timeline(self) -> Optional[Table]:
        """Like `prompt_timeline`, for the last token."""
        made = self._result.decode_timeline()
        return Table._of("Last token", made) if made is not None else None

    def report(self, schedule: Schedule, path: Any = None, format: Optional[str] = None) -> str:
        """A report of the schedule and this run, like `Schedule.report`; "trace" is a timeline for Perfetto."""
        text = self._result.report(
            schedule._analysis, report_format(path, format) if path is not None else (format or "html")
        )
        if path is not None:
            Path(path).write_bytes(text.encode())
        return text

    def __repr__(self) -> str:
        return f"<splitscope.Run {len(self.tokens)} tokens: {self.text!r}>"


def run_session(
    session: "_engine.Session",
    given: Dict[str, Any],
    on_token: Optional[Callable[[Token], Any]],
    on_node: Optional[Callable[[Tensor], Any]],
    on_stop: Optional[Callable[[Stop], Optional[str]]],
    breakpoints: Sequence[Union[str, Breakpoint]],
    logits: bool,
) -> Run:
    breakpoints = tuple(breakpoints)
    where = [(one.kind, one.text, one._limits()) if isinstance(one, Breakpoint) else one for one in breakpoints]
    run = Run(
        _engine.run(
            session,
            given,
            None if on_token is None else lambda token: on_token(Token(token)),
            None if on_node is None else lambda values: on_node(Tensor(values)),
            None if on_stop is None else lambda stop: on_stop(Stop(stop)),
            where,
            logits,
        ),
        breakpoints,
    )
    if not run.cancelled:
        warn_unmet(run.unmet_breakpoints)
    return run
