"""K1, K3: the kernel is right, but slow. Watched only when asked for: ``all_checks(performance=True)``.

K1: loads and computation take turns, or the loads wait for each other's buffer, because a queue has one. K3: the scalar unit works element by element.
Source: asc-devkit: docs/zh/guide/算子实践参考/SIMD算子性能优化.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Buffer, Check, Reports
from ascend_lab.engine.instruction import Pipe

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_V, _MTE2 = int(Pipe.V), int(Pipe.MTE2)
_SCALAR = ("GetValue", "SetValue")
#: So many tiles, and so small a part of the shorter side's time that both work: then nothing overlaps.
_TILES, _OVERLAP = 2, 0.1
#: So large a part of the time of the loads, where MTE2 is the busiest, has to be gaps between them.
_GAPS = 0.15
#: So many elements, and so large a part of a core's time: of all, or of a line that reads and writes elements.
_ELEMENTS, _SHARE, _LINE_SHARE = 64, 0.5, 0.05

Spans = list[tuple[float, float]]


class Activity:
    """What one block did: when each pipe was busy, and which lines touched elements one by one."""

    __slots__ = ("allocated", "busy", "elements", "first", "kinds", "last", "outside", "spent")

    def __init__(self) -> None:
        self.busy: dict[int, Spans] = {_V: [], _MTE2: []}
        self.elements: Counter[int] = Counter()
        self.outside: Counter[int] = Counter()
        self.spent: dict[int, float] = {}
        self.kinds: set[tuple[int, str]] = set()
        self.allocated: Counter[int] = Counter()
        self.first = -1.0
        self.last = 0.0


class Pace(Check):
    """Adds up times as instructions end."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._blocks: dict[int, Activity] = {}
        self._queues: dict[int, Buffer] = {}
        self._depths: dict[int, int] = {}

    def wants(self, op: str) -> bool:
        return op in ("InitBuffer", "AllocTensor")

    def issued(self, core: Core, x: Issued) -> None:
        params = x.instr.params
        if x.instr.op == "AllocTensor":
            self._of(x.block).allocated[params["queue"]] += 1
        elif params.get("kind") == "que":
            buffer = Buffer(params, 0, x.instr.where)
            self._queues.setdefault(buffer.queue, buffer)
            self._depths.setdefault(buffer.queue, params.get("depth", 1))

    def committed(self, core: Core, x: Issued) -> None:
        found = self._of(x.block)
        if found.first < 0:
            found.first = x.start
        found.last = max(found.last, x.end)
        if x.pipe in found.busy:
            found.busy[x.pipe].append((x.start, x.end))
        elif x.instr.op in _SCALAR:
            found.elements[x.instr.where] += 1
            spent = found.spent.get(x.instr.where, 0.0)
            found.spent[x.instr.where] = spent + x.end - x.start
            found.kinds.add((x.instr.where, x.instr.op))
            ref = x.instr.dst or x.instr.srcs[0]
            found.outside[x.instr.where] += ref.space == "GM"

    def _of(self, block: int) -> Activity:
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = Activity()
        return found

    def finished(self, run: Run) -> None:
        if run.delayed is not None or not self._blocks:
            return
        self._turns()
        self._elements()

    # --- K1 ---------------------------------------------------------------------------------------

    def _turns(self) -> None:
        _, found = max(self._blocks.items(), key=lambda pair: len(pair[1].busy[_MTE2]))
        loads, others = found.busy[_MTE2], merged_times(found.busy[_V])
        single = [
            queue
            for number, queue in self._queues.items()
            if queue.num == 1 and queue.pos == "VECIN" and found.allocated[number] >= _TILES
        ]
        if len(loads) < _TILES or not others or not single:
            return
        loading = merged_times(loads)
        shorter = min(total_time(loading), total_time(others))
        share = shared_time(loading, others) / shorter
        span = loading[-1][1] - loading[0][0]
        gaps = span - total_time(loading)
        bound = total_time(loading) >= total_time(others)
        if share >= _OVERLAP and not (bound and gaps >= _GAPS * span):
            return
        queue = single[0]
        depth = self._depths[queue.queue]
        numbers = {
            "queue": queue.name or queue.pos,
            "share": f"{share:.0%}",
            "tiles": found.allocated[queue.queue],
            "loading": round(total_time(loading)),
            "working": round(total_time(others)),
            "depth": depth,
            "bytes": queue.high - queue.low,
            "gaps": round(gaps),
            "span": round(span),
        }
        hints = ("F12",) if depth > 1 else ()
        variant = "gaps" if share >= _OVERLAP else ""
        self.reports.add("K1", None, numbers, where=queue.where, hints=hints, variant=variant)

    # --- K3 ---------------------------------------------------------------------------------------

    def _elements(self) -> None:
        _, found = max(self._blocks.items(), key=lambda pair: pair[1].elements.total())
        count, whole = found.elements.total(), found.last - found.first
        if count < _ELEMENTS or whole <= 0:
            return
        where, here = max(found.elements.items(), key=lambda pair: (pair[1], -pair[0]))
        spent = sum(found.spent.values())
        both = all((where, op) in found.kinds for op in _SCALAR) and here >= _ELEMENTS
        if spent < _SHARE * whole and not (both and found.spent[where] >= _LINE_SHARE * whole):
            return
        outside = found.outside.total()
        numbers = {
            "count": count,
            "here": here,
            "share": f"{min(spent / whole, 1.0):.0%}",
            "cycles": round(spent),
            "outside": outside,
        }
        hints = ("I14",) if 2 * outside >= count else ()
        self.reports.add("K3", None, numbers, where=where, hints=hints)


def merged_times(spans: Iterable[tuple[float, float]]) -> Spans:
    """Sorted, disjoint stretches of time."""
    result: Spans = []
    for low, high in sorted(spans):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result


def total_time(spans: Spans) -> float:
    """The time they cover."""
    return sum(high - low for low, high in spans)


def shared_time(first: Spans, second: Spans) -> float:
    """Time that lies in both."""
    total, index = 0.0, 0
    for low, high in first:
        while index < len(second) and second[index][1] <= low:
            index += 1
        at = index
        while at < len(second) and second[at][0] < high:
            total += min(high, second[at][1]) - max(low, second[at][0])
            at += 1
    return total
