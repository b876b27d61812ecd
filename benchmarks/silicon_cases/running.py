"""Runs a case on the model: times as msprof counts them, from the engine's own events."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.chip import Chip
from ascend_lab.engine.instruction import DTYPES, Argument, Pipe
from ascend_lab.engine.memory import GlobalMemory
from ascend_lab.engine.observer import Observer
from ascend_lab.engine.run import Run
from ascend_lab.profile.lanes import SYNC_OPS
from benchmarks.silicon_cases.kernels import KERNELS
from benchmarks.silicon_cases.vocabulary import Model

_ONCE = {"InitSocState", "BindGlobal", "Static", "SetL2CacheHint"}
PIPES = {Pipe.V: "vec", Pipe.MTE2: "mte2", Pipe.MTE3: "mte3"}


class Stopwatch(Observer):
    """Busy cycles of the pipes of all cores, and when each core ended."""

    watches_flags = False

    def __init__(self) -> None:
        self.busy = dict.fromkeys(PIPES, 0.0)
        self.ends: list[float] = []
        self._reached: dict[tuple[int, int], float] = {}

    def committed(self, core: Any, x: Any) -> None:
        if x.pipe not in PIPES:
            return
        key = (core.index, x.pipe)
        begin = max(x.start, self._reached.get(key, 0.0))
        self._reached[key] = max(x.end, begin)
        self.busy[x.pipe] += max(x.end - begin, 0.0)

    def retired(self, core: Any) -> None:
        self.ends.append(core.run.clock.now)


def predict(model: Model, spec: ChipSpec) -> dict[str, float]:
    """What the model says of a case, under msprof's names; times in us."""
    share = model.share
    if share > 1:
        model, spec = _smaller(model, spec)
    gm = GlobalMemory(spec.memory.gm_bytes)
    arguments: list[Any] = []
    for name, (kind, size) in _arrays(model).items():
        allocation = gm.alloc(name, size * DTYPES[kind].itemsize, kind)
        allocation.contents()[:] = 0
        arguments.append(Argument(name, allocation.addr, kind, size))
    watch = Stopwatch()
    door = KERNELS[model.kind](model).open(arguments, model.cores, spec)
    run = Run(spec, Chip(spec).cores, gm, door, model.cores, observers=[watch], limit=1 << 30)
    run.execute()
    if run.crash is not None or len(watch.ends) != model.cores:
        why = run.crash[1].message if run.crash is not None else "its cores wait for each other"
        raise ValueError(f"the kernel did not end: {why}\n核函数没有结束：{why}")
    if model.kind == "stream":
        return {"system_cycles_50MHz": float(gm.allocations[0].contents()[:4].view(np.int32)[0])}
    return _figures(watch, _on_s(run, share), spec, model.cores, share)


def _on_s(run: Run, share: int) -> float:
    """Cycles that msprof counts on S, of all cores: S's own work, and the operands of transfers.

    What comes once for each core does so however large the share is.
    """
    found = 0.0
    for x in run.executed:
        if x.pipe != Pipe.S:
            found += run.cost.counted(x.instr.op, x.pipe)
        elif x.instr.op not in SYNC_OPS:
            found += (x.end - x.start) / (share if x.instr.op in _ONCE else 1)
    return found


def _smaller(model: Model, spec: ChipSpec) -> tuple[Model, ChipSpec]:
    """1/share of the rows (nd2nz: of the columns) against 1/share of L2."""
    rows, columns = model.shape
    memory = replace(spec.memory, l2_bytes=spec.memory.l2_bytes // model.share)
    if model.kind == "nd2nz":  # its rows are not split evenly, and that is part of the case
        shape = (rows, columns // model.share)
    else:
        shape = (rows // model.share, columns)
    return (
        replace(model, shape=shape, share=1),
        replace(spec, memory=memory),
    )


def _arrays(model: Model) -> dict[str, tuple[str, int]]:
    """Name -> (type, elements) of the kernel's arguments."""
    size = model.shape[0] * model.shape[1]
    if model.kind == "stream":
        return {"seen": ("int32", 8)}
    if model.kind == "empty":
        return {"x": (model.dtype, 8)}
    if model.kind == "copy":
        return {"x": (model.dtype, size)}
    inputs = len(model.inputs) if model.kind == "elementwise" else 1
    return {"x": (model.dtype, inputs * size), "z": (model.dtype, size)}


def _figures(
    watch: Stopwatch, on_s: float, spec: ChipSpec, cores: int, share: int
) -> dict[str, float]:
    launch, clock = spec.cost.launch, spec.clock_mhz
    prologue = launch.prologue_us
    ends = [prologue + (end / clock - prologue) * share for end in watch.ends]
    each = share / clock / cores
    return {
        "task_duration_us": max(ends) + launch.head_us + launch.per_block_us * cores,
        "aiv_time_us": sum(ends) / len(ends),
        "aiv_scalar_time_us": on_s * each + launch.prologue_scalar_us,
        **{f"aiv_{name}_time_us": watch.busy[pipe] * each for pipe, name in PIPES.items()},
    }
