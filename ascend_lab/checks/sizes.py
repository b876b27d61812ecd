"""K13, K15: more blocks, or more buffers, than there is work for. Told as `checks.costs` tells.

Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化/头尾开销优化/设置合适的核数和算子Kernel类型.md (what
starting a core costs) and 流水编排/使能DoubleBuffer.md (little data in two buffers).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_lab.engine.instruction import Pipe

if TYPE_CHECKING:
    from ascend_lab.checks.costs import Ledger, Rows
    from ascend_lab.engine.details import Place

Told = tuple[str, int | None, dict[str, Any], str]
#: Of so few tiles one could be made. A loop of more has something to overlap, or its tiles are too small (K2).
_FEW = 4
#: So large a part of the whole task has to be lost: of very short kernels nearly everything is a fixed cost.
_PLAIN = 0.18
#: So many blocks have to stand idle. Tests with next to no data leave some idle in any kernel that divides well.
_MANY, _DATA = 16, 4096


# --- K13: blocks without work -----------------------------------------------------------------------


def idle_blocks(ledger: Ledger) -> Iterator[Told]:
    """Blocks that are started and touch no data."""
    trace, launch, mhz = ledger.trace, ledger.spec.cost.launch, ledger.spec.clock_mhz
    touched = trace.read_bytes + trace.write_bytes > 0
    working = touched & (trace.pipe != Pipe.S)
    busy = len(np.unique(trace.block[working]))
    idle = ledger.blocks - busy
    lost = idle * launch.per_block_us * mhz
    if not busy or idle < _MANY or not ledger.matters(lost):
        return
    if int(np.maximum(trace.read_bytes, trace.write_bytes)[working].sum()) < _DATA:
        return
    numbers = {
        "idle": idle,
        "blocks": ledger.blocks,
        "busy": busy,
        "each": f"{launch.per_block_us:g}",
        "head": f"{launch.head_us + launch.per_block_us * ledger.blocks + launch.prologue_us:.1f}",
        "now": f"{ledger.task() / mhz:.1f}",
        "gain": ledger.share(lost),
    }
    yield "K13", None, numbers, ""


# --- K15: two buffers for very little data ----------------------------------------------------------


def needless_buffers(ledger: Ledger) -> Iterator[Told]:
    """Two buffers and a few small tiles, which one tile in one buffer would do faster."""
    queues = _queues(ledger)
    tiles = {count for _, count in queues}
    if len(tiles) != 1 or not 1 < max(tiles) <= _FEW:
        return
    count = max(tiles)
    doubled = [place for place, _ in queues if place.num > 1]
    room = ledger.used + sum((count - place.num) * place.length for place, _ in queues)
    if not doubled or room > ledger.spec.memory.ub_usable_bytes:
        return
    then = _as_one_tile(ledger, count)
    lost = ledger.longest.time - then
    if lost < _PLAIN * ledger.task():
        return
    place = doubled[0]
    row = int(np.flatnonzero(ledger.trace.serial == place.serial)[0])
    numbers = {
        "queue": place.name or place.pos,
        "num": place.num,
        "tiles": count,
        "bytes": place.length,
        "whole": count * place.length,
        "now": round(ledger.longest.time),
        "then": round(then),
        "gain": ledger.share(lost),
    }
    yield "K15", int(ledger.trace.where[row]), numbers, ""


def _queues(ledger: Ledger) -> list[tuple[Place, int]]:
    """The queues of the longest block that hand out buffers, and how often each does."""
    trace, rows = ledger.trace, ledger.longest.rows
    block = int(trace.block[rows[0]])
    marks = trace.details.marks
    taken = ledger.named("AllocTensor")
    of = marks[np.isin(marks["serial"], trace.serial[taken])]
    queues, counts = np.unique(of["queue"], return_counts=True)
    count = dict(zip(queues.tolist(), counts.tolist(), strict=True))
    places = [p for p in trace.details.places if p.block == block and p.kind == "que"]
    return [(p, count[p.queue]) for p in places if count.get(p.queue)]


def _as_one_tile(ledger: Ledger, count: int) -> float:
    """Cycles of the block with all its data in one tile: the first tile as it was, and what only bytes cost for the rest."""
    trace, dma, mhz = ledger.trace, ledger.spec.cost.dma, ledger.spec.clock_mhz
    loads, stores, vector = (ledger.on(pipe) for pipe in (Pipe.MTE2, Pipe.MTE3, Pipe.V))
    if not len(loads) or not len(stores):
        return ledger.longest.time
    begin = float(trace.end[ledger.longest.rows].max()) - ledger.longest.time
    of_one = max(len(stores) // count, 1)
    first = float(trace.end[stores[:of_one]].max()) - begin
    rest = (count - 1) / count
    moved = _slow(ledger, loads) * rest * float(trace.read_bytes[loads].sum()) / dma.mte2_rate
    moved += _slow(ledger, stores) * rest * float(trace.write_bytes[stores].sum()) / dma.mte3_rate
    return first + moved * mhz / 1e3 + rest * ledger.spent(vector)  # a row may need its own


def _slow(ledger: Ledger, rows: Rows) -> float:
    """How much longer the transfers take than they would alone: other cores share the pools."""
    trace, dma, mhz = ledger.trace, ledger.spec.cost.dma, ledger.spec.clock_mhz
    loads = int(trace.pipe[rows[0]]) == Pipe.MTE2
    nbytes = (trace.read_bytes if loads else trace.write_bytes)[rows].astype(np.float64)
    start, rate = (
        (dma.mte2_loaded_us, dma.mte2_rate) if loads else (dma.mte3_latency_us, dma.mte3_rate)
    )
    alone = (start + nbytes / rate / 1e3) * mhz
    return max(float((trace.end[rows] - trace.start[rows]).sum() / alone.sum()), 1.0)
