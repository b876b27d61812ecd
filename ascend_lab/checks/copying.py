"""K10: rows that one copy could move. Told as `checks.costs` tells.

Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化/内存访问/高效的使用搬运API.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

Rows = NDArray[np.intp]
Told = tuple[str, int | None, dict[str, Any], str]
_GM = SPACE_IDS["GM"]
_ROWS = 4


@dataclass(frozen=True, slots=True)
class Sides:
    """Of a transfer: where it is in GM, and where in UB."""

    pipe: Pipe
    gm: str
    ub: str


_WAYS = (Sides(Pipe.MTE2, "src", "dst"), Sides(Pipe.MTE3, "dst", "src"))


def row_copies(
    trace: Trace, spec: ChipSpec, rows: Rows, matters: Callable[[float], bool]
) -> Iterator[Told]:
    """A line that moves equal rows at equal distances, one copy each, with nothing to wait for between them.

    ``rows`` are those of the block that took longest, in order of issue.
    """
    for way in _WAYS:
        on = rows[trace.pipe[rows] == way.pipe]
        lines: dict[int, list[Rows]] = {}
        for run in _runs(trace, on, way):
            lines.setdefault(int(trace.where[run[0]]), []).append(run)
        for line, runs in sorted(lines.items()):
            spent = sum(float(trace.end[run].max() - trace.start[run[0]]) for run in runs)
            needed = sum(_as_one(trace, spec, run, way) for run in runs)
            if matters(spent - needed):
                yield "K10", line, _numbers(trace, runs, way, spent, needed), way.pipe.name


def _runs(trace: Trace, on: Rows, way: Sides) -> Iterator[Rows]:
    """Stretches of a pipe that one strided copy could be."""
    nbytes = trace.read_bytes[on] if way.gm == "src" else trace.write_bytes[on]
    at, to = getattr(trace, f"{way.gm}_addr")[on], getattr(trace, f"{way.ub}_addr")[on]
    plain = (nbytes > 0) & (getattr(trace, f"{way.gm}_space")[on] == _GM)
    plain &= getattr(trace, f"{way.gm}_len")[on] == nbytes  # in one piece
    first = 0
    while first < len(on):
        last = first
        if plain[first]:
            while last + 1 < len(on) and _goes_on(trace, on, plain, nbytes, at, to, first, last):
                last += 1
        if last - first + 1 >= _ROWS:
            yield on[first : last + 1]
        first = last + 1


def _goes_on(
    trace: Trace, on: Rows, plain: Any, nbytes: Any, at: Any, to: Any, first: int, last: int
) -> bool:
    """Whether the row behind ``last`` continues what began with ``first``."""
    after = last + 1
    if not plain[after] or nbytes[after] != nbytes[first]:
        return False
    if trace.where[on[after]] != trace.where[on[first]]:
        return False
    step, placed = at[first + 1] - at[first], to[first + 1] - to[first]
    if step < nbytes[first] or placed < nbytes[first] or placed % 32:
        return False
    return bool(at[after] - at[last] == step and to[after] - to[last] == placed)


def _as_one(trace: Trace, spec: ChipSpec, run: Rows, way: Sides) -> float:
    """Cycles of the same bytes as one copy, when no other core disturbs it."""
    dma, mhz = spec.cost.dma, spec.clock_mhz
    nbytes = float((trace.read_bytes[run] if way.gm == "src" else trace.write_bytes[run]).sum())
    loads = way.pipe == Pipe.MTE2
    start = dma.mte2_loaded_us if loads else dma.mte3_latency_us
    rate = dma.mte2_rate if loads else dma.mte3_rate
    return max(start * mhz + nbytes * mhz / 1e3 / dma.mte2_burst_rate, nbytes * mhz / 1e3 / rate)


def _numbers(
    trace: Trace, runs: list[Rows], way: Sides, spent: float, needed: float
) -> dict[str, Any]:
    run = runs[0]
    at, to = getattr(trace, f"{way.gm}_addr")[run], getattr(trace, f"{way.ub}_addr")[run]
    nbytes = int((trace.read_bytes if way.gm == "src" else trace.write_bytes)[run[0]])
    padded = -(-nbytes // 32) * 32
    return {
        "rows": len(run),
        "count": sum(len(found) for found in runs),
        "bytes": nbytes,
        "gap": int(at[1] - at[0]) - nbytes,
        "ub_gap": (int(to[1] - to[0]) - padded) // 32,
        "cycles": round(spent),
        "needed": round(needed),
    }
