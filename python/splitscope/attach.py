# SPDX-License-Identifier: MIT
"""Debugging of unmodified programs."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _engine
from .stop import NodeStop, overwritten, warn_unmet
from .table import Table
from .tensor import Tensor


class ProgramStop(NodeStop):
    """A paused program, after a node or before the first node of a graph. Tensors can be read and written until it
    continues."""

    def __init__(self, program: "_engine.Program", stop: "_engine.AttachStop"):
        self._program = program
        self._stop = stop

    @property
    def graph(self) -> str:
        """Kind of graph, derived from its shape: "prompt of 32 tokens", …"""
        return self._stop.graph

    @property
    def hits(self) -> int:
        """Hits of that breakpoint so far."""
        return self._stop.hits

    @property
    def seconds(self) -> float:
        """Seconds since the program was attached."""
        return self._stop.seconds

    @property
    def nodes(self) -> Table:
        """Nodes of the graph in execution order: name, op, type, ne, and backend and split as assigned by the
        program."""
        return Table._of("Nodes", self._stop.nodes())

    def tensor(self, name: Optional[str] = None, most: int = 1 << 30) -> Tensor:
        """Current values of a tensor of the graph, at most `most` bytes; by default, of the last computed node. Raises
        KeyError for an unknown tensor, Error if the program is no longer paused."""
        return Tensor(self._program.read(self._stop, name if name is not None else self.identity, most))

    def write(self, name: str, values: Any) -> None:
        """Overwrites the values of a tensor in the program. `values` is broadcast to its shape."""
        self._program.write(self._stop, name, overwritten(self.tensor(name), values))

    def __repr__(self) -> str:
        return f"<splitscope.ProgramStop {self.reason} at {self.identity or 'the start'}, {self.graph}>"


class Program:
    """A program that computes with ggml's shared libraries, started by `attach`. It is detached, not ended, when this
    object is deleted or the `with` block ends."""

    def __init__(self, program: "_engine.Program", stops: Sequence[str] = ()):
        self._program: Optional["_engine.Program"] = program
        self._unmet: Dict[int, str] = dict(enumerate(stops, 1))

    @property
    def _there(self) -> "_engine.Program":
        if self._program is None:
            raise ValueError("the program has been detached")
        return self._program

    @property
    def process(self) -> int:
        """Process id."""
        return self._there.process

    def wait(self, after: int = 0) -> Optional[ProgramStop]:
        """Waits for a stop with a number above `after`; None when the program ends, with a RuntimeWarning if stops
        that do not wait for a value never stopped it. KeyboardInterrupt ends the wait."""
        return self._next(after)

    def _next(self, after: int) -> Optional[ProgramStop]:
        stop = self._there.wait(after)
        if stop is None:
            if not self._ended and self._there.end()["attached"]:
                warn_unmet(self.unmet_stops)
            self._ended = True
            return None
        self._unmet.pop(stop.breakpoint, None)
        return ProgramStop(self._there, stop)

    _ended = False

    @property
    def unmet_stops(self) -> List[str]:
        """The stops that have not stopped the program so far, as given."""
        return list(self._unmet.values())

    def stops(self) -> Iterator[ProgramStop]:
        """Iterates over the stops until the program ends. Requesting the next stop resumes the program, unless `step`
        or a similar command was called since."""
        seen = 0
        while True:
            stop = self._next(seen)
            if stop is None:
                return
            seen = stop.number
            yield stop
            now = self._there.stop()
            if now is not None and now.number == seen and not self._commanded:
                self._there.resume()
            self._commanded = False

    _commanded = False

    def resume(self) -> None:
        """Continues to the next breakpoint."""
        self._commanded = True
        self._there.resume()

    def pause(self) -> None:
        """Pauses after the next computed node."""
        self._there.pause()

    def step(self) -> None:
        """Continues by one node."""
        self._commanded = True
        self._there.step()

    def step_split(self) -> None:
        """Continues to the end of the split."""
        self._commanded = True
        self._there.step_split()

    def step_graph(self) -> None:
        """Continues to the start of the next graph."""
        self._commanded = True
        self._there.step_graph()

    def signal(self, number: int) -> None:
        """Sends a signal to the program, such as signal.SIGTERM."""
        self._there.signal(number)

    @property
    def end(self) -> Optional[Dict[str, Any]]:
        """How the program ended: exit_code, signal, attached (a computation was observed), abort_message (ggml's
        message before it aborted), refusal, problem and not_debugged (other processes that used ggml); None
        while it runs."""
        return self._there.end()

    def output(self) -> str:
        """Standard output since the last call; requires keep_output."""
        return self._there.output()

    def errors(self) -> str:
        """Standard error since the last call; requires keep_output."""
        return self._there.errors()

    def close(self) -> None:
        """Detaches the program, which continues without stops."""
        self._program = None

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def attach(
    program: Sequence[Union[str, "os.PathLike[str]"]],
    stops: Sequence[str] = (),
    *,
    folder: Union[str, "os.PathLike[str]"] = "",
    environment: Optional[Mapping[str, str]] = None,
    keep_output: bool = False,
) -> Program:
    """Starts an unmodified program that computes with ggml's shared libraries, with its arguments, under the debugger.

    stops: where to pause: a node by name, glob or NAME@OP#N, "op=SOFT_MAX", "backend=CPU", "not-finite",
        narrowed down by ",graph=3", ",split=1", ",hits=2", ",outside=-10..10".
    folder: working directory. environment: additional variables.
    keep_output: keep the output for `Program.output` and `Program.errors` instead of showing it.

    Raises Error if the program cannot be started or a stop is invalid.
    """
    arguments: List[str] = [os.fspath(word) for word in program]
    stops = list(stops)
    return Program(
        _engine.Program(arguments, stops, os.fspath(folder), list((environment or {}).items()), keep_output), stops
    )
