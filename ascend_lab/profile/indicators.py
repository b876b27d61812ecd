"""Three indicators of an operator that is too slow: copy time, compute time, and how long queues stand empty.

A queue is idle while its consumer stands ready for data that has not come: V for its input (copies are the
brake), MTE3 for a result, MTE2 for a free buffer (the queue is full, the others are the brake).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile.counters import BlockCounters, counters

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec


@dataclass(frozen=True, slots=True)
class Indicators:
    """Means over the blocks, in us. ``copy_in`` and ``copy_out`` are MTE2 and MTE3; ``compute`` is V, ``scalar`` S.

    ``copy``: time in which MTE2 or MTE3 works. ``queue_idle``: time in which V waits for data, and
    ``full_idle`` in which MTE2 waits for a free buffer. ``overlap``: share of the shorter of copy and compute
    that happens at the same time as the other.
    """

    total: float
    copy_in: float
    copy_out: float
    copy: float
    compute: float
    scalar: float
    queue_idle: float
    full_idle: float
    overlap: float

    @property
    def advice(self) -> str:
        """What to look at: "copy" when copies take longer than computing, "scalar", else "compute"."""
        if self.scalar > max(self.copy, self.compute):
            return "scalar"
        return "copy" if self.copy >= self.compute else "compute"


def indicators(trace: Trace, spec: ChipSpec) -> Indicators:
    """The indicators of one launch."""
    blocks = counters(trace, spec)
    union, common = _copies(trace)
    mean = _Mean(blocks, spec.clock_mhz)
    compute = mean(lambda b: b.busy[Pipe.V])
    copy = union / spec.clock_mhz / max(len(blocks), 1)
    shorter = min(compute, copy)
    prologue = spec.cost.launch.prologue_scalar_us * spec.clock_mhz  # no work of the kernel
    overlap = common / spec.clock_mhz / max(len(blocks), 1) / shorter if shorter else 0.0
    return Indicators(
        total=mean(lambda b: b.total),
        copy_in=mean(lambda b: b.busy[Pipe.MTE2]),
        copy_out=mean(lambda b: b.busy[Pipe.MTE3]),
        copy=copy,
        compute=compute,
        scalar=mean(lambda b: b.busy[Pipe.S] - (0.0 if b.begin else prologue)),
        queue_idle=mean(lambda b: b.waiting[Pipe.V]),
        full_idle=mean(lambda b: b.waiting[Pipe.MTE2]),
        overlap=min(overlap, 1.0),
    )


class _Mean:
    def __init__(self, blocks: tuple[BlockCounters, ...], mhz: float) -> None:
        self.blocks = blocks
        self.mhz = mhz

    def __call__(self, of: Callable[[BlockCounters], float]) -> float:
        if not self.blocks:
            return 0.0
        return sum(map(of, self.blocks)) / len(self.blocks) / self.mhz


def _copies(trace: Trace) -> tuple[float, float]:
    """Cycles of all cores in which a copy runs, and in which a copy and V run at once."""
    union = common = 0.0
    for core in np.unique(trace.core).tolist():
        mine = (trace.core == core) & (trace.read_bytes + trace.write_bytes > 0)
        copies = spans(trace, mine & np.isin(trace.pipe, (int(Pipe.MTE2), int(Pipe.MTE3))))
        vector = spans(trace, mine & (trace.pipe == Pipe.V))
        union += length(copies)
        common += shared(copies, vector)
    return union, common


Spans = NDArray[np.float64]


def spans(trace: Trace, rows: NDArray[np.bool_]) -> Spans:
    """The stretches of time that ``rows`` cover: (n, 2), sorted and disjoint."""
    return merged(trace.start[rows], trace.end[rows])


def merged(start: NDArray[Any], end: NDArray[Any]) -> Spans:
    """[start, end) as sorted, disjoint stretches: (n, 2)."""
    order = np.argsort(start, kind="stable")
    start, reach = start[order], np.maximum.accumulate(end[order])
    if not len(start):
        return np.empty((0, 2))
    first = np.concatenate(([True], start[1:] > reach[:-1]))
    last = np.concatenate((np.flatnonzero(first)[1:] - 1, [len(start) - 1]))
    return np.stack((start[first], reach[last]), axis=1)


def length(of: Spans) -> float:
    """The time they cover."""
    return float((of[:, 1] - of[:, 0]).sum())


def shared(first: Spans, second: Spans) -> float:
    """The time that lies in both."""
    if not len(first) or not len(second):
        return 0.0
    edges = np.unique(np.concatenate((first.reshape(-1), second.reshape(-1))))
    middle = (edges[1:] + edges[:-1]) / 2
    inside = [
        np.searchsorted(of[:, 0], middle, "right") > np.searchsorted(of[:, 1], middle, "right")
        for of in (first, second)
    ]
    return float((edges[1:] - edges[:-1])[inside[0] & inside[1]].sum())
