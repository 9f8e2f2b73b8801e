# SPDX-License-Identifier: MIT
"""Memory plans, speed estimates, placement search and findings."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from .table import format_bytes


@dataclass(frozen=True)
class Verdict:
    """Whether a model runs on the planned machine."""

    kind: str
    """"fits", "lacks", "need-known" (the memory of the devices is not known), "not-known" or "cannot-run"."""
    text: str
    """One sentence."""
    reason: str
    """Reason if not known or not runnable; else empty."""
    shortages: Dict[str, int]
    """Missing bytes by device name."""


@dataclass(frozen=True)
class DevicePlan:
    """Memory required on one device, in bytes."""

    name: str
    layers: int
    """Layers on the device; the output layer counts as one."""
    weights: int
    cache: int
    compute: Optional[int]
    """None: not known."""
    output: int
    """Results, on the host."""
    companions: int
    """Projector, draft model and adapters, counted by `splitscope plan` only; else 0."""
    total: Optional[int]
    memory: Optional[int]
    """Free memory; None: not known."""
    fits: Optional[bool]
    pipeline: int
    """Part of `compute` required only for pipelining."""
    offload_from: Optional[int]
    """Minimum batch in tokens for op offload; None: never."""


@dataclass(frozen=True)
class GraphPlan:
    """A graph of a plan: prompt or one token."""

    tokens: int
    reserved_tokens: int
    """Tokens of the graph for which the compute buffers are reserved; decode reserves one per sequence."""
    nodes: int
    splits: int
    copied_bytes: int
    uploaded_weight_bytes: int
    """Part of `copied_bytes` that is weights."""
    links: List[Tuple[Optional[str], str, int, int]]
    """`copied_bytes` by link: from device, to device, copies and bytes; the most bytes first."""
    seconds: Optional[float]
    """Estimated, for one pass; None: not known."""
    copy_seconds: Optional[float]
    compute: Dict[str, int]
    """Bytes of the compute buffer by device."""
    peaks: Dict[str, List[Tuple[str, str, int]]]
    """By device: name, operation and bytes of the contents of its buffer at its peak, the largest first."""


class Plan:
    """The memory plan and estimates of a model on a machine, without a run."""

    def __init__(self, made: Dict[str, Any]):
        self._made = made
        self.verdict = Verdict(**made["verdict"])
        self.devices = [DevicePlan(**device) for device in made["devices"]]
        self.decode = GraphPlan(**made["decode"]) if made["decode"] else None
        self.prompt = GraphPlan(**made["prompt"]) if made["prompt"] else None
        self.machine: str = made["machine"]
        self.switches: str = made["switches"]
        """The options in llama.cpp's spelling."""
        self.context: int = made["context"]
        """Cells of the cache of a sequence, or of the one that all share."""
        self.context_total: int = made["context_total"]
        """Cells of all caches together."""
        self.flash_attention: bool = made["flash_attention"]
        self.notes: List[str] = made["notes"]
        self.assumptions: str = made["assumptions"]
        """Assumptions of the estimates."""

    @property
    def fits(self) -> Optional[bool]:
        """None if not known."""
        return self._made["fits"]

    @property
    def tokens_per_second(self) -> Optional[float]:
        """Estimated rate of generation; None if not known."""
        return self._made["tokens_per_second"]

    @property
    def prompt_tokens_per_second(self) -> Optional[float]:
        """Estimated rate of prompt processing; None if not known."""
        return self._made["prompt_tokens_per_second"]

    def to_dict(self) -> Dict[str, Any]:
        """All members as plain values."""
        return self._made

    def __repr__(self) -> str:
        return f"<splitscope.Plan on {self.machine}: {self.verdict.text}>"

    def _repr_html_(self) -> str:
        def size(count: Optional[int]) -> str:
            return "not known" if count is None else format_bytes(count)

        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{html.escape(text)}</td>"
                for text in (d.name, str(d.layers), size(d.weights), size(d.cache), size(d.compute), size(d.output),
                             size(d.total), size(d.memory))
            )
            + "</tr>"
            for d in self.devices
        )
        head = "".join(
            f"<th>{name}</th>" for name in ("device", "layers", "weights", "cache", "compute", "output", "total", "memory")
        )
        speed = ""
        if self.tokens_per_second:
            speed = f"; estimated to generate {self.tokens_per_second:.3g} tokens/s"
            if self.prompt_tokens_per_second:
                speed += f" and to read prompts at {self.prompt_tokens_per_second:.3g}"
        return (
            f"<p><b>{html.escape(self.verdict.text)}</b>{speed}. {html.escape(self.machine)}: "
            f"{html.escape(self.switches)}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        )


class Suggestion:
    """The fastest fitting placement found by a search over layers, experts and caches."""

    def __init__(self, made: Dict[str, Any]):
        self._made = made
        best = made["best"]
        self.verdict = Verdict(**made["verdict"])
        self.plan = Plan(best["plan"]) if best else None
        """Plan of the best placement; None if nothing fits."""
        self.default_plan = Plan(made["default"]["plan"]) if made["default"] else None
        """Plan of the default: as many layers as fit, no other switches."""
        self.switches: List[str] = best["switches"] if best else []
        """Switches for llama.cpp and 'splitscope plan'."""
        self.options: Dict[str, Any] = {}
        """Options for `Session.with_options`."""
        if best:
            self.options = {
                "gpu_layers": best["gpu_layers"],
                "cpu_experts": False,
                "cpu_expert_blocks": best["cpu_expert_blocks"],
                "kv_offload": best["kv_offload"],
                "op_offload": best["op_offload"],
            }
            if best["device_layers"]:
                self.options["tensor_split"] = best["device_layers"]
        self.reason: str = made["reason"]
        """The gain and its origin, or what is missing."""
        self.placements: int = made["placements"]
        self.exact: bool = made["exact"]
        """Whether all placements were considered."""

    def to_dict(self) -> Dict[str, Any]:
        """All members as plain values."""
        return self._made

    def __repr__(self) -> str:
        return f"<splitscope.Suggestion {' '.join(self.switches) or 'none'}: {self.reason}>"


@dataclass(frozen=True)
class Finding:
    """A cause of an abort, wrong results or a silent slowdown of the engine."""

    severity: str
    """"note", "warning" or "error"."""
    rule: str
    """Stable name of the rule."""
    what: str
    cause: str
    remedy: str
