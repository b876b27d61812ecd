"""Two instructions of one core touch the same local bytes, one writes, and nothing orders them.

D1 MTE2→V, D2 V→MTE3, D3 a buffer refilled too early, D4 D5 with the scalar unit, D7 one pipe or a barrier
on the wrong one, D8 a flag the wrong way round. F6 and F8 add a sentence about the buffer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.finding import Place
from ascend_lab.checks.order import Clocks, Order
from ascend_lab.checks.reports import PIPE_NAMES, Check, Reports
from ascend_lab.checks.texts import Say
from ascend_lab.engine.instruction import Pipe, Ref
from ascend_lab.engine.lanes import Interval
from ascend_lab.engine.memory import Access, Region

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_S, _V, _MTE2, _MTE3 = int(Pipe.S), int(Pipe.V), int(Pipe.MTE2), int(Pipe.MTE3)
_KEPT = 20_000
_SHIFT = 9  # slots are looked up by 512 B
NOBODY, SEVERAL = -2, -1
WRITES, READS = Say("writes", "写"), Say("reads", "读")


class Slot:
    """The last accesses to one region, per pipe: (serial, instruction)."""

    __slots__ = ("near", "number", "only", "reads", "region", "writes")

    def __init__(self, region: Region, number: int) -> None:
        self.region = region
        self.number = number  # slots in the order they were made
        self.only = NOBODY  # the one pipe that has touched it, SEVERAL when there are more
        self.writes: dict[int, Issued] = {}
        self.reads: dict[int, Issued] = {}
        self.near: list[Slot] = [self]


class Board:
    """All regions of one block's UB that were ever touched, with who overlaps whom."""

    __slots__ = ("by_parts", "by_region", "clocks", "first", "places")

    def __init__(self, clocks: Clocks) -> None:
        self.clocks = clocks
        self.first: dict[int, int] = {}  # pipe -> serial of its first instruction
        self.by_region: dict[Region, Slot] = {}
        self.by_parts: dict[tuple[str, tuple[Interval, ...]], Slot] = {}
        self.places: dict[tuple[str, int], list[Slot]] = {}  # slots by memory and 512 B they touch

    def slot(self, space: str, region: Region, keep: bool) -> Slot:
        """The slot of ``region``; ``keep`` when the same object will come again."""
        key = (space, region.parts)
        found = self.by_parts.get(key)
        if found is None:
            found = self.by_parts[key] = Slot(region, len(self.by_parts))
            self._place(space, found)
        if keep:
            if len(self.by_region) > _KEPT:
                self.by_region.clear()
            self.by_region[region] = found
        return found

    def _place(self, space: str, slot: Slot) -> None:
        """Tell a new slot and those that share bytes with it of each other."""
        region = slot.region
        shared: dict[int, Slot] = {}
        for place in range(region.low >> _SHIFT, (region.high - 1 >> _SHIFT) + 1):
            here = self.places.setdefault((space, place), [])
            shared |= {other.number: other for other in here}
            here.append(slot)
        for number in sorted(shared):
            other = shared[number]
            if other.region.overlaps(region):
                other.near.append(slot)
                slot.near.append(other)


class Races(Check):
    """Judged when an instruction starts, against everything that started before."""

    def __init__(self, reports: Reports, order: Order) -> None:
        super().__init__(reports)
        self._order = order
        self._boards: dict[int, Board] = {}
        # (where, where, writes, writes) -> the later and the earlier one in program order
        self._pairs: dict[tuple[int, int, bool, bool], tuple[Issued, Issued, Region]] = {}

    def launched(self, run: Run) -> None:
        self.auto_sync = run.auto_sync
        self.inserted = run.insert_sync

    def started(self, core: Core, x: Issued) -> None:
        if self.inserted:
            return
        pipe = x.pipe
        board = self._boards.get(x.block)
        if board is None:
            board = self._boards[x.block] = Board(self._order.of(x.block))
        if pipe not in board.first:
            board.first[pipe] = x.serial
        known = board.clocks.before(pipe, x.serial)
        waited: list[tuple[int, int]] = []
        for access in x.reads:
            if access.space != "GM":
                self._touch(x, access, board, known, waited)
        for access in x.writes:
            if access.space != "GM":
                self._touch(x, access, board, known, waited, writes=True)
        if pipe == _S:
            self._order.scalar(x, waited)

    def _touch(
        self,
        x: Issued,
        access: Access,
        board: Board,
        known: list[int],
        waited: list[tuple[int, int]],
        writes: bool = False,
    ) -> None:
        """Compare with every region that shares bytes, then remember the access."""
        pipe, region = x.pipe, access.region
        slot = board.by_region.get(region) or board.slot(access.space, region, pipe == _V)
        ordered_here = pipe == _S or (pipe == _V and self.auto_sync)
        quiet = pipe if ordered_here else NOBODY  # slots of this pipe alone need no look
        for near in slot.near:
            if near.only == quiet:
                continue
            for other, y in near.writes.items():
                if y.serial > known[other] and not (other == pipe and ordered_here):
                    self._conflict(x, y, near.region, writes, True, waited)
            if writes:
                for other, y in near.reads.items():
                    # A pipe reads in the order it starts, so its own earlier reads are safe.
                    if y.serial > known[other] and other != pipe:
                        self._conflict(x, y, near.region, True, False, waited)
        (slot.writes if writes else slot.reads)[pipe] = x
        if slot.only != pipe:
            slot.only = pipe if slot.only == NOBODY else SEVERAL

    def _conflict(
        self,
        x: Issued,
        y: Issued,
        region: Region,
        x_writes: bool,
        y_writes: bool,
        waited: list[tuple[int, int]],
    ) -> None:
        if self.auto_sync and _S in (x.pipe, y.pipe):
            waited.append((y.pipe, y.serial))
            return
        if x.serial < y.serial:  # in time the later one came first: that is the race
            x, y, x_writes, y_writes = y, x, y_writes, x_writes
        key = (x.instr.where, y.instr.where, x_writes, y_writes)
        known = self._pairs.get(key)
        # The nearest two are told: what lies between them says why nothing orders them.
        if known is None or x.serial - y.serial < known[0].serial - known[1].serial:
            self._pairs[key] = (x, y, region)

    def finished(self, run: Run) -> None:
        """Now that all end times are known, tell each pair of lines once."""
        crossed = {
            where
            for x, y, _ in self._pairs.values()
            if x.pipe != y.pipe
            for where in (x.instr.where, y.instr.where)
        }
        for (_, _, x_writes, y_writes), (x, y, region) in self._pairs.items():
            # A pipe that overtakes another meets itself again: that is no fault of its own.
            if x.pipe == y.pipe and crossed & {x.instr.where, y.instr.where}:
                continue
            self._report(x, y, region, x_writes, y_writes)

    # --- telling --------------------------------------------------------------------------------------

    def _report(self, x: Issued, y: Issued, region: Region, x_writes: bool, y_writes: bool) -> None:
        position, ref = touched(x, region, x_writes)
        numbers: dict[str, Any] = {
            "op": x.instr.op,
            "start": x.start,
            "operand": self.reports.operand(x, position),
            "op1": y.instr.op,
            "line1": self.reports.line(y.instr.where),
            "start1": y.start,
            "end1": y.end,
            "pipe1": PIPE_NAMES[y.pipe],
            "access1": WRITES if y_writes else READS,
            "pipe": PIPE_NAMES[x.pipe],
        }
        related = self.reports.other(y.instr.where, "writes" if y_writes else "reads")
        class_id, variant, more = self._class(x, y, x_writes, y_writes)
        for name, sync, role in more:
            numbers[f"{name}_line"] = self.reports.line(sync.instr.where)
            numbers[name] = PIPE_NAMES[sync.instr.params.get("pipe", x.pipe)]
            related += self.reports.other(sync.instr.where, role)
        hints = self._hints(x, ref, class_id, numbers)
        self._add(class_id, x, numbers, variant, related, hints)

    def _add(
        self,
        class_id: str,
        x: Issued,
        numbers: dict[str, Any],
        variant: str,
        related: tuple[Place, ...],
        hints: tuple[str, ...],
    ) -> None:
        if not self.reports.again(class_id, x.instr.where, variant):
            self.reports.add(
                class_id,
                x,
                numbers,
                variant=variant,
                related=related,
                hints=hints,
                time=x.start,
            )

    def _class(
        self, x: Issued, y: Issued, x_writes: bool, y_writes: bool
    ) -> tuple[str, str, list[tuple[str, Issued, str]]]:
        """Class, variant, and the sync that misleads: (name of its number, sync, role)."""
        if x.pipe == y.pipe:
            return "D7", "same", []
        if x.pipe == _S:
            return "D4", "", []
        if y.pipe == _S:
            return "D5", "", []
        between = self._between(x, y)
        reverse = self._reversed(x, y, between)
        if reverse is not None:
            return "D8", "", [("flag", reverse, "sets")]
        last = between[-1] if between else None
        if last is not None and last.instr.params.get("pipe") in (x.pipe, y.pipe):
            return "D7", "", [("barrier", last, "bars")]
        if y_writes and not x_writes:
            return "D2" if x.pipe == _MTE3 else "D1", "", []
        return "D3", "", []

    def _reversed(self, x: Issued, y: Issued, between: list[Issued]) -> Issued | None:
        """A flag the wrong way round: raised before its pipe had anything to report, or waited for
        in place of the one that was raised."""
        raised = any(_is_flag(s, "SetFlag", y, x) for s in between)
        for sync in between:
            if "queue" in sync.instr.params:
                continue
            if not raised and _is_flag(sync, "SetFlag", x, y) and self._premature(x, sync):
                return sync
            if raised and _is_flag(sync, "WaitFlag", x, y) and self._starved(x, y):
                return sync
        return None

    def _starved(self, x: Issued, y: Issued) -> bool:
        """Whether more waits than sets go the wrong way: one of them was meant the other way."""
        syncs = self._order.syncs(x.block)
        waits = sum(_is_flag(s, "WaitFlag", x, y) for s in syncs)
        return waits > sum(_is_flag(s, "SetFlag", x, y) for s in syncs)

    def _premature(self, x: Issued, sync: Issued) -> bool:
        """Whether the first set of this line came before any work of its pipe."""
        first = self._order.first(x.block, sync.instr.where) or sync.serial
        begun = self._boards[x.block].first.get(x.pipe)
        return begun is None or first < begun

    def _between(self, x: Issued, y: Issued) -> list[Issued]:
        return [s for s in self._order.syncs(x.block) if y.serial < s.serial < x.serial]

    def _hints(
        self, x: Issued, ref: Ref | None, class_id: str, numbers: dict[str, Any]
    ) -> tuple[str, ...]:
        """A queue that was by-passed, or a TBuf that never syncs."""
        buffer = self.reports.buffer(x.block, ref) if ref is not None else None
        if buffer is None or class_id not in ("D1", "D2", "D3"):
            return ()
        numbers["buffer"] = buffer.name
        if buffer.kind == "buf":
            return ("F8",)
        return ("F6",) if class_id in ("D1", "D2") else ()


def _is_flag(sync: Issued, op: str, source: Issued, target: Issued) -> bool:
    """Whether ``sync`` is a flag that makes the pipe of ``target`` wait for that of ``source``."""
    params = sync.instr.params
    return sync.instr.op == op and (params["src"], params["dst"]) == (source.pipe, target.pipe)


def touched(x: Issued, region: Region, writes: bool) -> tuple[int, Ref | None]:
    """Which operand of ``x`` (0 = dst) shares bytes with ``region``."""
    if writes:
        return 0, x.instr.dst
    low = region.low
    for access in x.reads:
        if access.space != "GM" and access.region.overlaps(region):
            low = access.region.low
            break
    best = 1
    for position, ref in enumerate(x.instr.srcs, 1):
        chosen = x.instr.srcs[best - 1].addr
        if ref.space != "GM" and ref.addr <= low and (ref.addr >= chosen or chosen > low):
            best = position
    return best, x.instr.srcs[best - 1] if x.instr.srcs else None
