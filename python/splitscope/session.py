# SPDX-License-Identifier: MIT
"""Files, machines and options."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import _engine
from .plan import Finding, Plan, Suggestion
from .run import Breakpoint, Run, Stop, Token, run_session
from .schedule import Schedule
from .table import Table
from .tensor import Tensor

# Backends keep the drivers that they load, so all sessions of the process share them.
_BACKENDS = _engine.Backends()

PathLike = Union[str, "os.PathLike[str]"]


def open(  # noqa: A001: as gzip.open and its like
    path: PathLike,
    *,
    devices: Sequence[str] = (),
    machine: Optional[PathLike] = None,
    computer: Sequence[str] = (),
    settings: Optional[Mapping[str, str]] = None,
    generation: Optional[str] = None,
    like: Optional[str] = None,
    switches: Optional[str] = None,
    graph_number: int = 0,
    any_memory: bool = False,
    **options: Any,
) -> "Session":
    """Opens a model (GGUF), a graph, a scheduler's log, a recording, a dump or a saved session.

    devices: presets, accelerators first: "rtx-3090", or "rtx-3090:20" to use 20 GiB of it, see `presets()`; "none" =
        only the CPU; ["this"] = the devices of this computer. With `machine` or `computer`, names of the backends to
        use.
    machine: a machine file.
    computer: devices of this computer by name, such as "blas" or "engine:CUDA0"; see `devices()`.
    settings: settings of backend kinds: {"engine": FOLDER} names a build of ggml, whose devices compute in a separate
        process; requires the program splitscope in PATH.
    generation: scheduler: "2024-01", "2024-10", "2025-06" or "2026-08".
    like: program whose defaults apply: "llama-server", "llama-cli" or "llama-bench"; default: llama-server, or the
        values of a saved session.
    switches: as for `Session.with_switches`.
    graph_number: of a log or recording with several graphs, from 1; 0 = the last decode. See `Session.graphs`.
    any_memory: allow files to take more memory than four times their size.
    options: see `Session.with_options`.

    Raises Error with file, place and remedy.
    """
    chosen = dict(settings or {})
    opened = _engine.open(
        os.fspath(path), graph_number, list(devices), os.fspath(machine) if machine is not None else "",
        list(computer), generation, like, _BACKENDS, chosen, any_memory,
    )
    if switches is not None:
        opened = opened.with_switches(switches)
    return Session(opened.with_options(options), chosen)


def presets() -> Table:
    """Device presets for plans: memory in bytes, rates per second."""
    return Table._of("Device presets", _engine.presets())


def devices(settings: Optional[Mapping[str, str]] = None) -> Table:
    """Devices of this computer, usable or not; loads drivers. `settings` as for `open`."""
    return Table._of("Devices", _engine.devices(_BACKENDS, dict(settings or {})))


def sample_model() -> str:
    """Path of the included sample model."""
    return _engine.sample_model()


class Weights(Mapping[str, Tensor]):
    """Weights of a model file by name, in file order. The arrays refer to the mapped file."""

    def __init__(self, session: "_engine.Session"):
        self._session = session
        self._names = session.weight_names()

    def __getitem__(self, name: str) -> Tensor:
        return Tensor(self._session.weight(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Session:
    """An opened file with a machine and options. Immutable: `with_options` returns a new session."""

    def __init__(self, session: "_engine.Session", settings: Optional[Mapping[str, str]] = None):
        self._session = session
        self._settings = dict(settings or {})

    @property
    def path(self) -> str:
        return self._session.path

    @property
    def title(self) -> str:
        return self._session.title

    @property
    def is_model(self) -> bool:
        """True for a model file; false for a graph."""
        return self._session.is_model

    @property
    def generation(self) -> str:
        """Generation of the scheduler, such as "2026-08"."""
        return self._session.generation

    @property
    def backends(self) -> List[str]:
        """Names of the machine's backends by priority; the last is the CPU."""
        return self._session.backends

    @property
    def options(self) -> Dict[str, Any]:
        """The options, as for `with_options`."""
        return self._session.options()

    @property
    def switches(self) -> Optional[str]:
        """The options in llama.cpp's spelling; None for a graph."""
        return self._session.switches

    @property
    def remarks(self) -> List[str]:
        """Assumptions where the file is incomplete."""
        return self._session.remarks

    @property
    def graphs(self) -> Table:
        """Graphs of a log or recording with several, else no rows; `number` as for `open`."""
        return Table._of("Graphs", self._session.graphs())

    @property
    def metadata(self) -> Dict[str, Any]:
        """Metadata of a model file by key, in file order."""
        return self._session.metadata()

    @property
    def weights(self) -> Weights:
        """Weights of a model file by name."""
        return Weights(self._session)

    def machine_json(self) -> str:
        """The machine as a machine file, with the known facts about its devices."""
        return self._session.machine_json()

    def with_options(self, **options: Any) -> "Session":
        """Returns a session with these options.

        Of a model: graph ("decode" or "prefill"), context (cells; 0 = the model's own, at most 4096), batch (tokens
        computed at once), logical_batch, gpu_layers (a number, "half" or "all"), flash_attention (True, False or
        "auto"), cache_type_k and cache_type_v ("f16", "q8_0", …; None = by size), sequences, unified_cache,
        results_per_sequence, full_window_cache, embeddings, pooling ("none", "mean", "cls", "last" or "rank"; None =
        as the file says), accelerators (names; ["none"] = only the CPU), split_mode ("none", "layer" or "row"), main_gpu, tensor_split (shares), overrides (["PATTERN=BUFFER", …]), cpu_experts,
        cpu_expert_blocks, kv_offload, memory_map, repack, pinned_host.
        Of any file: op_offload, pipeline.

        Raises TypeError for an unknown option, Error for a model option on a graph.
        """
        return Session(self._session.with_options(options), self._settings)

    def with_switches(self, line: str) -> "Session":
        """Returns a session placed by a command line of llama.cpp: "llama-cli -ngl 20 -c 8192 -fa on". The program
        determines the defaults; switches without effect on the placement are ignored. Raises Error for unknown
        switches, invalid values and graphs."""
        return Session(self._session.with_switches(line), self._settings)

    def with_generation(self, generation: str) -> "Session":
        """Returns a session with another generation of the scheduler."""
        return Session(self._session.with_generation(generation), self._settings)

    def save(self, path: PathLike) -> None:
        """Writes a session file (.splitscope.json) for the window and `open`. Raises Error."""
        self._session.save(os.fspath(path))

    def schedule(self) -> Schedule:
        """Builds the graph, schedules it and plans its memory. A failure of the scheduler is reported by
        `Schedule.error`. Raises Error if machine and graph do not match."""
        return Schedule(self._session.analyse(), self._settings)

    def plan(self) -> Plan:
        """Memory plan and estimated speed of the model. Raises Error for a graph."""
        return Plan(self._session.plan())

    def suggest(self, margin: float = 0.05) -> Suggestion:
        """Searches for the fastest placement that fits and keeps the share `margin` of each memory free; takes seconds.
        Raises Error for a graph, and if the speed of a device is not known."""
        return Suggestion(self._session.suggest(margin))

    def lint(self) -> List[Finding]:
        """Findings by severity, most severe first."""
        return [Finding(**made) for made in self._session.lint()]

    def why_not_runnable(self) -> Optional[str]:
        """Why the session cannot run, or None."""
        return self._session.why_not_runnable()

    def run(
        self,
        prompt: Optional[str] = None,
        *,
        prompt_tokens: Optional[Sequence[int]] = None,
        tokens: int = 32,
        forced_tokens: Sequence[int] = (),
        temperature: float = 0.0,
        top_k: int = 40,
        top_p: float = 0.95,
        seed: int = 0,
        threads: int = 0,
        stop_at_end: bool = True,
        time_nodes: bool = False,
        fuse: bool = True,
        logits: bool = False,
        on_token: Optional[Callable[[Token], Any]] = None,
        on_node: Optional[Callable[[Tensor], Any]] = None,
        breakpoints: Sequence[Union[str, Breakpoint]] = (),
        on_stop: Optional[Callable[[Stop], Optional[str]]] = None,
    ) -> Run:
        """Generates text by executing the schedule; the CPU computes for devices that this computer lacks.

        prompt, prompt_tokens: text to continue, or token ids.
        tokens: maximum to generate. forced_tokens: the first tokens, given instead of sampled.
        temperature: 0 = always the most likely token. threads: 0 = all cores.
        stop_at_end: stop at the model's end-of-generation token.
        time_nodes: time every node, for timelines with a row per node.
        fuse: let devices compute several nodes with one kernel; never with time_nodes, on_node or breakpoints.
        logits: keep `Run.logits` and `Token.logits`.
        on_token: called with each token.
        on_node: called after each computed node, without views; slow.
        breakpoints: as the stops of `attach` (nodes by name, glob or NAME@OP#N, "op=SOFT_MAX", "backend=CPU",
            "not-finite", narrowed down by ",graph=3", ",split=1", ",hits=2", ",outside=-10..10"), or `Breakpoint`s;
            on_stop is called at each and returns None or "continue", "step" (one node), "step-split" or "end".
            Not together with on_node. Raises Error for a breakpoint that no node matches; one that never
            stops the run, such as one in a graph after the last, is in `Run.unmet_breakpoints`, with a
            RuntimeWarning unless it waits for a value.

        Callbacks run on the calling thread; an exception in one, or KeyboardInterrupt, ends the run and is raised here.
        """
        if (prompt is None) == (prompt_tokens is None):
            raise TypeError("give prompt or prompt_tokens")
        given: Dict[str, Any] = {
            "tokens": tokens, "forced_tokens": list(forced_tokens), "temperature": temperature, "top_k": top_k,
            "top_p": top_p, "seed": seed, "threads": threads, "stop_at_end": stop_at_end, "time_nodes": time_nodes,
            "fuse": fuse, "settings": self._settings,
        }
        if prompt is not None:
            given["prompt"] = prompt
        else:
            given["prompt_tokens"] = list(prompt_tokens or ())
        return run_session(self._session, given, on_token, on_node, on_stop, breakpoints, logits)

    def __repr__(self) -> str:
        return f"<splitscope.Session {self.title} on {' + '.join(self.backends)}, {self.generation}>"
