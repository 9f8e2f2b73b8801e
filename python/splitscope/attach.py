# SPDX-License-Identifier: MIT
"""Unmodified programs under the debugger."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _engine
from .stop import NodeStop, overwritten
from .table import Table
from .tensor import Tensor


class ProgramStop(NodeStop):
    """A program that stands still, behind a node or before the first one of a graph. Tensors can be read and written
    until it goes on."""

    def __init__(self, program: "_engine.Program", stop: "_engine.AttachStop"):
        self._program = program
        self._stop = stop

    @property
    def graph(self) -> str:
        """What the graph is, by its shape: "prompt of 32 tokens", …"""
        return self._stop.graph

    @property
    def hits(self) -> int:
        """Of that breakpoint so far."""
        return self._stop.hits

    @property
    def seconds(self) -> float:
        """Since the program was attached."""
        return self._stop.seconds

    @property
    def nodes(self) -> Table:
        """Of the graph, in the order of execution: name, op, type, ne, backend, split, as the program assigned them."""
        return Table._of("Nodes", self._stop.nodes())

    def tensor(self, name: Optional[str] = None, most: int = 1 << 30) -> Tensor:
        """Values of a tensor of the graph as they are now, at most `most` bytes; without a name, of the node computed
        last. Raises KeyError for an unknown one, Error when the program does not stand any more."""
        return Tensor(self._program.read(self._stop, name if name is not None else self.identity, most))

    def write(self, name: str, values: Any) -> None:
        """Overwrites the values of a tensor in the program. `values` fits its shape by NumPy's rules."""
        self._program.write(self._stop, name, overwritten(self.tensor(name), values))

    def __repr__(self) -> str:
        return f"<splitscope.ProgramStop {self.reason} at {self.identity or 'the start'}, {self.graph}>"


class Program:
    """A program that computes with ggml's shared libraries, started by `attach`. It is let go, not ended, when this
    object goes or the `with` block ends."""

    def __init__(self, program: "_engine.Program"):
        self._program: Optional["_engine.Program"] = program

    @property
    def _there(self) -> "_engine.Program":
        if self._program is None:
            raise ValueError("the program was let go")
        return self._program

    @property
    def process(self) -> int:
        """Its process id."""
        return self._there.process

    def wait(self, after: int = 0) -> Optional[ProgramStop]:
        """Waits for a stop after number `after`, or for the end: then None. An interrupt ends the wait."""
        stop = self._there.wait(after)
        return ProgramStop(self._there, stop) if stop is not None else None

    def stops(self) -> Iterator[ProgramStop]:
        """Each stop up to the end of the program, which goes on when the next one is asked for; `step` and its like
        decide how."""
        seen = 0
        while True:
            stop = self.wait(seen)
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
        """To the next breakpoint."""
        self._commanded = True
        self._there.resume()

    def pause(self) -> None:
        """Stops behind the next node that is computed."""
        self._there.pause()

    def step(self) -> None:
        """One node further."""
        self._commanded = True
        self._there.step()

    def step_split(self) -> None:
        """To the end of the split."""
        self._commanded = True
        self._there.step_split()

    def step_graph(self) -> None:
        """To before the first node of the next graph."""
        self._commanded = True
        self._there.step_graph()

    def signal(self, number: int) -> None:
        """Sends it a signal, such as signal.SIGTERM."""
        self._there.signal(number)

    @property
    def end(self) -> Optional[Dict[str, Any]]:
        """How it ended: exit_code, signal, attached (it computed in a way that can be seen), last_words, refusal and
        problem; None while it runs."""
        return self._there.end()

    def output(self) -> str:
        """What it has written since this was asked last, with keep_output."""
        return self._there.output()

    def errors(self) -> str:
        """The same of its standard error."""
        return self._there.errors()

    def close(self) -> None:
        """Lets it go: it runs on without stops."""
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

    stops: where it stands still: a node by name, glob or NAME@OP#N, "op=SOFT_MAX", "backend=CPU", "not-finite",
        narrowed down by ",graph=3", ",split=1", ",hits=2", ",outside=-10..10".
    folder: that it runs in. environment: variables set besides ours.
    keep_output: its output is kept for `Program.output` and `Program.errors` instead of shown.

    Raises Error when it cannot be started or a stop is not understood.
    """
    arguments: List[str] = [os.fspath(word) for word in program]
    return Program(
        _engine.Program(arguments, list(stops), os.fspath(folder), list((environment or {}).items()), keep_output)
    )
