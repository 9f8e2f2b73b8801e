# SPDX-License-Identifier: MIT
"""Schedules: decisions, splits and memory plans."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple

from . import _engine
from .errors import Error
from .table import Drawing, Table

if TYPE_CHECKING:
    from .session import Session

_FORMATS = {".html": "html", ".htm": "html", ".md": "md", ".csv": "csv"}


def report_format(path: Any, format: Optional[str]) -> str:
    """The given format, or the one of the file name."""
    if format:
        return format
    name = Path(path).name
    if name.endswith(".trace.json"):
        return "trace"
    if name.endswith(".json"):
        return "json"
    try:
        return _FORMATS[Path(name).suffix]
    except KeyError:
        raise ValueError(
            f"cannot tell the format from {name}: use a name ending in .html, .md, .json, .csv or .trace.json"
        ) from None


@dataclass(frozen=True)
class WhyStep:
    """A decision on a tensor."""

    decision: int
    """Row of `Schedule.decisions`."""
    pass_: str
    """"usr", "1", "2.1", …"""
    cause: str
    """ggml's label, such as "1.wgt0"; may be empty."""
    from_: str
    """Previous backend; "" for none."""
    to: str
    reason: str
    """The cause in words."""
    evidence: str
    """The evidence, including refusals; may be empty."""


class Why:
    """The recorded decisions on one tensor."""

    def __init__(self, made: Dict[str, Any]):
        self.tensor: int = made["tensor"]
        """Its index in the graph."""
        self.identity: str = made["identity"]
        self.backend: str = made["backend"]
        """Final backend; "" for none."""
        self.steps: List[WhyStep] = [
            WhyStep(s["decision"], s["pass"], s["cause"], s["from"], s["to"], s["reason"], s["evidence"])
            for s in made["steps"]
        ]
        self._text: str = made["text"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<splitscope.Why {self.identity} on {self.backend or 'none'}, {len(self.steps)} decisions>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(s.pass_)}</td><td>{html.escape(s.cause)}</td><td>{html.escape(s.from_ or '–')}</td>"
            f"<td>{html.escape(s.to or '–')}</td><td>{html.escape(s.reason)}</td><td>{html.escape(s.evidence)}</td></tr>"
            for s in self.steps
        )
        return (
            f"<table><caption>{html.escape(self.identity)}</caption><thead><tr><th>pass</th><th>cause</th><th>from</th>"
            f"<th>to</th><th>reason</th><th>evidence</th></tr></thead><tbody>{rows}</tbody></table>"
        )


@dataclass(frozen=True)
class Comparison:
    """Comparison of a schedule with the recorded decisions on the same graph."""

    same: bool
    compared: int
    """Number of tensors with a recorded backend."""
    elsewhere: List[Tuple[str, str, str]]
    """Tensor, recorded backend, simulated backend."""
    recorded_splits: int
    our_splits: int
    first_different_split: Optional[int]


@dataclass(frozen=True)
class Difference:
    """Comparison of two schedules: different decisions, and nodes without a counterpart."""

    same: bool
    matched: int
    """Number of nodes in both."""
    different: Table
    """Tensors with different decisions: tensor and other_tensor (indices), name, op, pass (first difference), backend
    and other_backend (final), elsewhere (whether these differ)."""
    only_here: List[str]
    only_there: List[str]

    def __repr__(self) -> str:
        elsewhere = int(self.different["elsewhere"].sum())
        return (
            f"<splitscope.Difference {len(self.different)} tensors decided differently, {elsewhere} end elsewhere, "
            f"{len(self.only_here)} and {len(self.only_there)} nodes without a counterpart>"
        )

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self)[1:-1])}</p>" + self.different._repr_html_()


class Schedule:
    """A scheduled graph with its decisions and memory plan, as shown by the window. Immutable.

    Tables are created on first access.
    """

    def __init__(self, analysis: "_engine.Analysis", settings: Optional[Mapping[str, str]] = None):
        self._analysis = analysis
        self._settings = settings

    @property
    def session(self) -> "Session":
        """The session of the schedule."""
        from .session import Session

        return Session(self._analysis.session, self._settings)

    @property
    def title(self) -> str:
        return self._analysis.title

    @property
    def headline(self) -> str:
        """One line: nodes per backend, splits, copies."""
        return self._analysis.headline

    @property
    def error(self) -> Optional[str]:
        """Why scheduling or planning failed, or None; earlier decisions are kept."""
        return self._analysis.error

    @property
    def notes(self) -> List[str]:
        """Remarks on the construction of the graph."""
        return self._analysis.notes

    @property
    def n_copies(self) -> int:
        """Pipeline copies of the inputs; 1 without pipelining."""
        return self._analysis.n_copies

    def _table(self, name: str, title: str) -> Table:
        return Table._of(title, self._analysis.table(name))

    @cached_property
    def nodes(self) -> Table:
        """Nodes in execution order: tensor (index in the graph), name, op, type, ne (elements, innermost dimension
        first), bytes, backend, cause, split, computes (false for views), flops, buffer (row of `buffers`, -1 if not in
        the memory plan) and offset (bytes)."""
        return self._table("nodes", "Nodes")

    @cached_property
    def tensors(self) -> Table:
        """All tensors of the graph by index, including weights and inputs: as `nodes`, with nb (strides in bytes,
        innermost dimension first), is_node, buffer (name of the buffer it is pre-allocated in) and view_of (a tensor,
        or -1)."""
        return self._table("tensors", "Tensors")

    @cached_property
    def decisions(self) -> Table:
        """Decisions in order: pass, tensor, name, cause (ggml's label), from and to (backends), via (the tensor the
        backend was taken from), source (its index), buffer_type, usable_sources, refusals (number of backends that
        refused). `why()` returns them as text."""
        return self._table("decisions", "Decisions")

    @cached_property
    def splits(self) -> Table:
        """Splits in order: backend, first and end (rows of `nodes`), nodes (without views), flops, and inputs and bytes
        copied before the split runs."""
        return self._table("splits", "Splits")

    @cached_property
    def copies(self) -> Table:
        """Copies between backends: reading split, tensor, from and to."""
        return self._table("copies", "Copies")

    @cached_property
    def buffers(self) -> Table:
        """Compute buffers: backend, buffer_type, size, chunks, shared_with (an earlier row with the same memory)."""
        return self._table("buffers", "Buffers")

    @cached_property
    def allocations(self) -> Table:
        """Steps of the memory plan: event (allocate, reuse, free), tensor, buffer, offset, size, node (row of the
        schedule graph being placed, -1 for leafs and inputs)."""
        return self._table("allocations", "Allocations")

    @cached_property
    def backends(self) -> Table:
        """Backends by priority: device, kind, nodes, flops, and in bytes weights, cache, compute buffer and free memory
        (-1: not known)."""
        return self._table("backends", "Backends")

    @property
    def hazards(self) -> List[str]:
        """Known hazards of the real schedulers in this schedule."""
        return self._analysis.hazards()

    def why(self, tensor: str) -> Why:
        """The decisions on a tensor, by name or NAME@OP#N. Raises Error for an unknown tensor."""
        return Why(self._analysis.why(tensor))

    def replay(self, decisions: int) -> Table:
        """Backend of each tensor, by index, after the given number of decisions."""
        return Table._of(f"After {decisions} decisions", self._analysis.replayed(decisions))

    def compare_recorded(self) -> Optional[Comparison]:
        """Compares with the decisions of the log or recording; None for other files."""
        made = self._analysis.recorded()
        return Comparison(**made) if made else None

    def compare(self, other: "Schedule") -> Difference:
        """Compares with another schedule, such as of another machine, other options or another generation. Tensors are
        matched by identity and structure, backends by name."""
        made = self._analysis.compared(other._analysis)
        made["different"] = Table._of("Decided differently", made["different"])
        return Difference(**made)

    def to_json(self) -> str:
        """The output of 'splitscope schedule --json' (docs/file-formats.md)."""
        return self._analysis.json()

    def to_dict(self) -> Dict[str, Any]:
        """The parsed output of `json()`."""
        return json.loads(self.to_json())

    def log(self) -> str:
        """The log of the real scheduler with debug output enabled."""
        return self._analysis.log()

    def dot(self) -> str:
        """The graph in DOT."""
        return self._analysis.dot()

    def graph(self, timeout: float = 60) -> Drawing:
        """The graph drawn by Graphviz: a box per split, copies in red. Takes seconds for several hundred nodes;
        `overview()` is immediate. Raises Error without Graphviz and after `timeout` seconds."""
        program = shutil.which("dot")
        if program is None:
            raise Error("Graphviz is not installed", "graph()", "install it, or use overview()", "unsupported")
        try:
            drawn = subprocess.run(
                [program, "-Tsvg"], input=self.dot().encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                timeout=timeout, check=True,
            )
        except subprocess.TimeoutExpired:
            raise Error(f"Graphviz did not finish within {timeout} s", "graph()", "raise timeout, or use overview()",
                        "limit") from None
        except subprocess.CalledProcessError as failed:
            raise Error("Graphviz failed: " + failed.stderr.decode(errors="replace").strip(), "graph()", "use overview()",
                        "internal") from None
        return Drawing(drawn.stdout.decode())

    def overview(self) -> Drawing:
        """Splits as boxes in a lane per backend, copies as arrows."""
        return Drawing._of_figure(self._analysis.overview_svg())

    def memory_map(self, buffer: str) -> Drawing:
        """A compute buffer over the nodes of the graph: a rectangle per allocation. `buffer` is a name of `backends`,
        or "NAME, chunk 1". Raises KeyError with the existing names."""
        return Drawing._of_figure(self._figures_of(buffer)[0])

    def memory_use(self, buffer: str) -> Drawing:
        """Bytes in use of a compute buffer over the nodes of the graph."""
        return Drawing._of_figure(self._figures_of(buffer)[1])

    def _figures_of(self, buffer: str) -> Tuple[str, str]:
        figures = self._analysis.buffer_figures()
        if buffer not in figures:
            raise KeyError(f"no buffer {buffer!r}; there are {', '.join(figures)}")
        return figures[buffer]

    def csv(self, table: str) -> str:
        """A table of the report as CSV: "splits", "copies", "nodes", … Raises Error with the existing names."""
        return self._analysis.csv(table)

    def report(self, path: Any = None, format: Optional[str] = None) -> str:
        """The report as text: "html", "md", "json" or "csv", selected by `format` or the file name; default: HTML.
        Writes the file if one is given."""
        text = self._analysis.report(report_format(path, format) if path is not None else (format or "html"))
        if path is not None:
            Path(path).write_bytes(text.encode())
        return text

    def __repr__(self) -> str:
        return f"<splitscope.Schedule {self.title}: {self.error or self.headline}>"

    def _repr_html_(self) -> str:
        line = f"<p><b>{html.escape(self.title)}</b> {html.escape(self.error or self.headline)}</p>"
        return line + self.backends._repr_html_() + self.splits._repr_html_()
