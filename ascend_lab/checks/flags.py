"""Flags in program order: set again while in flight, left over at the end, ids that are not the kernel's.

D10 unconsumed set, D11 id reused, out of range or reserved, D12 half of a pair in a branch.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/SetFlag-WaitFlag(ISASI).md.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ascend_lab.checks.names import Names, SourceFile, flaggings
from ascend_lab.checks.reports import PIPE_NAMES, Check, Reports
from ascend_lab.engine.instruction import Where

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

Key = tuple[int, int, int]


class Counter:
    """One flag of one core, in program order."""

    __slots__ = ("again", "flying", "sets", "waits")

    def __init__(self) -> None:
        self.sets = 0
        self.waits = 0
        self.flying: deque[Issued] = deque()  # SetFlag that no wait has taken
        self.again: list[tuple[Issued, Issued]] = []  # set again: (the later, the earlier)


class Flags(Check):
    """Counts every flag of every core. ``counters`` also tells the deadlock report what happened."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self.counters: dict[int, dict[Key, Counter]] = {}
        self._static: dict[int, bool] = {}

    def launched(self, run: Run) -> None:
        self.limits = run.spec.limits

    def wants(self, op: str) -> bool:
        return op in ("SetFlag", "WaitFlag", "TPipe")

    def issued(self, core: Core, x: Issued) -> None:
        if x.flag is None:  # TPipe
            self.counters.pop(core.index, None)
            return
        mine = self.counters.get(core.index)
        counter = mine.get(x.flag) if mine is not None else None
        if counter is None:
            counter = self._begin(core, x)
        if x.instr.op == "WaitFlag":
            counter.waits += 1
            if counter.flying:
                counter.flying.popleft()
            return
        if counter.flying:
            counter.again.append((x, counter.flying[-1]))
        counter.sets += 1
        # A wait issued before its set has already taken this one.
        if counter.sets > counter.waits:
            counter.flying.append(x)

    def retired(self, core: Core) -> None:
        for key, counter in self.counters.pop(core.index, {}).items():
            if counter.sets <= counter.waits:  # else a wait is missing, not an id
                self._reused(key, counter)
            left = [x for x in counter.flying if not _of_queue(x)]
            if left and counter.sets > counter.waits:
                self._left_over(key, counter, left)

    def finished(self, run: Run) -> None:
        """Cores that did not come to their end."""
        for counters in self.counters.values():
            for key, counter in counters.items():
                self._reused(key, counter)

    def _begin(self, core: Core, x: Issued) -> Counter:
        key = x.flag
        assert key is not None
        found = self.counters.setdefault(core.index, {})[key] = Counter()
        if not _of_queue(x):
            self._check_id(x, key)
        return found

    def _reused(self, key: Key, counter: Counter) -> None:
        """D11, unless nobody ever waits: then the wait is what is missing."""
        if counter.waits:
            for later, earlier in counter.again:
                self._twice(key, later, earlier)

    def _twice(self, key: Key, later: Issued, earlier: Issued) -> None:
        if _of_queue(earlier) and _of_queue(later):
            return
        variant = "queue" if _of_queue(earlier) or _of_queue(later) else ""
        hand, other = (earlier, later) if _of_queue(later) else (later, earlier)
        if self.reports.again("D11", hand.instr.where, variant):
            return
        numbers = {
            "event": event_name(key),
            "id": key[2],
            "line1": self.reports.line(other.instr.where),
        }
        related = self.reports.other(other.instr.where, "sets")
        self.reports.add("D11", hand, numbers, variant=variant, related=related)

    def _check_id(self, x: Issued, key: Key) -> None:
        ids, reserved = self.limits.event_ids, self.limits.reserved_event_ids
        static = not self.reports.buffers.get(x.block)
        if not 0 <= key[2] < ids:
            variant, severity = "range", "error"
        elif key[2] in reserved and static:
            variant, severity = "reserved", "note"
        else:
            return
        if self.reports.again("D11", x.instr.where, variant):
            return
        numbers = {
            "event": event_name(key),
            "id": key[2],
            "most": ids - 1,
            "usable": min((*reserved, ids)) - 1,
            "reserved": ", ".join(map(str, reserved)),
        }
        self.reports.add("D11", x, numbers, variant=variant, severity=severity)

    def _left_over(self, key: Key, counter: Counter, left: list[Issued]) -> None:
        first = left[0]
        numbers = {
            "event": event_name(key),
            "id": key[2],
            "left": len(left),
            "sets": counter.sets,
            "waits": counter.waits,
        }
        branch = other_in_branch(
            self.reports.names, first.instr.where, event_name(key), "wait_flag"
        )
        if branch is None:
            self.reports.add("D10", first, numbers)
        else:
            numbers["line1"] = branch
            self.reports.add("D12", first, numbers, variant="leak")


def _of_queue(x: Issued) -> bool:
    """Whether a queue made it."""
    return "queue" in x.instr.params


def event_name(key: Key) -> str:
    """ "MTE2_V" for a flag."""
    return f"{PIPE_NAMES[key[0]]}_{PIPE_NAMES[key[1]]}"


def other_in_branch(names: Names, where: int, event: str, call: str) -> int | None:
    """The line of ``call`` of this event when each of them stands in a branch that ``where`` is not in."""
    place: Where = names.place(where)
    if not place.file:
        return None
    source: SourceFile = names.source(place.file)
    own = set(source.branches(place.line))
    same = [flagging for flagging in flaggings(source) if flagging.event == event]
    first, last = source.scope(place.line)
    here = [flagging for flagging in same if first <= flagging.line <= last]
    if any(flagging.call == call for flagging in here):
        same = here  # a file may have several kernels
    partners = [set(source.branches(f.line)) for f in same if f.call != call]
    lines = [
        f.line
        for f in same
        if f.call == call and not _paired(set(source.branches(f.line)) - own, partners)
    ]
    if lines and all(set(source.branches(line)) - own for line in lines):
        return lines[0]
    return None


def _paired(branches: set[tuple[int, int]], partners: list[set[tuple[int, int]]]) -> bool:
    """Whether the other half of a pair stands in the same branch: then the pair is whole there."""
    return any(branches & partner for partner in partners)
