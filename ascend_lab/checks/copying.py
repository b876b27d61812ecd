"""K10: rows that one copy could move. Told as `checks.costs` tells.

Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化/内存访问/高效的使用搬运API.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile.rows import WAYS, Rows, Sides, row_runs

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

Told = tuple[str, int | None, dict[str, Any], str]


def row_copies(
    trace: Trace, spec: ChipSpec, rows: Rows, matters: Callable[[float], bool]
) -> Iterator[Told]:
    """A line that moves equal rows at equal distances, one copy each, with nothing to wait for between them.

    ``rows`` are those of the block that took longest, in order of issue.
    """
    for way in WAYS:
        on = rows[trace.pipe[rows] == way.pipe]
        lines: dict[int, list[Rows]] = {}
        for run in row_runs(trace, on, way):
            lines.setdefault(int(trace.where[run[0]]), []).append(run)
        for line, runs in sorted(lines.items()):
            spent = sum(float(trace.end[run].max() - trace.start[run[0]]) for run in runs)
            needed = sum(_as_one(trace, spec, run, way) for run in runs)
            if matters(spent - needed):
                yield "K10", line, _numbers(trace, runs, way, spent, needed), way.pipe.name


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
