"""The pipes of one core: instructions start in order, read when they start, commit when they complete.

SetFlag and WaitFlag are instructions of the pipes they name; flags count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.issued import Flag, Issued, Unit
from ascend_lab.engine.memory import LocalMemory, commit
from ascend_lab.engine.releases import Releases
from ascend_lab.engine.semantics import DYNAMIC, SEMANTICS
from ascend_lab.engine.semantics.form import FULL, MaskState

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.run import Run

S, V, MTE2, MTE3 = Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3
#: The pipes of a vector core.
PIPES = (V, MTE2, MTE3)


class Pipes:
    """Everything of a core but its scalar unit, which is told what happens through the hooks below."""

    run: Run
    block: int
    units: dict[int, Unit]
    releases: Releases

    def __init__(self, index: int, ub_bytes: int) -> None:
        self.index = index
        self.ub = LocalMemory("UB", ub_bytes)
        self._locals = {"UB": self.ub}
        self.flags: dict[Flag, deque[int]] = {}
        self.registers: dict[str, Any] = {}  # what instructions leave for others: CMPMASK and such
        self.reset_state()
        self.block = -1

    def reset_state(self) -> None:
        """What InitSocState clears: mask register, mask mode, atomic mode, padding value."""
        self.mask: MaskState = FULL
        self.atomic = ""
        self.atomic_dtype = ""
        self.pad_value: float | None = None

    def local(self, space: str) -> LocalMemory:
        """The local memory called ``space``."""
        return self._locals[space]

    def outstanding(self) -> Iterator[Issued]:
        """Everything issued to a pipe and not yet complete."""
        for unit in self.units.values():
            yield from unit.inflight
            yield from unit.queue

    @property
    def drained(self) -> bool:
        return all(unit.idle for unit in self.units.values())

    # --- what the scalar unit may wait for ---------------------------------------------------

    def _has_room(self, unit: Unit) -> None:
        """An instruction has left the queue of ``unit``."""
        raise NotImplementedError

    def _has_finished(self, x: Issued) -> None:
        """``x`` has committed."""
        raise NotImplementedError

    def _has_moved(self) -> None:
        """Something has finished: the core may be drained now."""
        raise NotImplementedError

    def _flag_for_s(self, key: Flag) -> None:
        """A flag for S is up."""
        raise NotImplementedError

    # --- flags ----------------------------------------------------------------------------------

    def _flag_up(self, x: Issued) -> None:
        params = x.instr.params
        key = (params["src"], params["dst"], params["id"])
        self.flags.setdefault(key, deque()).append(x.serial)
        self._synced(x)
        if params["dst"] == S:
            self._flag_for_s(key)
        else:
            self._advance(self.units[params["dst"]])

    def _flag_down(self, x: Issued) -> bool:
        params = x.instr.params
        tokens = self.flags.get((params["src"], params["dst"], params["id"]))
        if not tokens:
            return False
        x.cause, x.cause_kind = tokens.popleft(), "flag"
        return True

    def _synced(self, x: Issued) -> None:
        x.done = True
        for watch in self.run.on_synced:
            watch(self, x)
        self.run.record(x)
        self._has_moved()

    # --- the pipes ---------------------------------------------------------------------------------

    def _plan(self, unit: Unit, time: float) -> None:
        """Wake ``unit`` at ``time`` unless a wake-up at that time or earlier is on its way."""
        now = self.run.clock.now
        if now <= unit.planned <= time:
            return
        unit.planned = time
        self.run.clock.at(time, self._wake, unit)

    def _wake(self, unit: Unit) -> None:
        unit.planned = -1.0
        self._advance(unit)

    def _advance(self, unit: Unit) -> None:
        """Start everything at the head of the queue that can start now."""
        run = self.run
        now = run.clock.now
        queue = unit.queue
        while queue and not run.stopped:
            x = queue[0]
            if x.issue > now:
                self._plan(unit, x.issue)
                return
            op = x.instr.op
            if op == "WaitFlag":
                if not self._flag_down(x):
                    return
                self._pass(unit, x)
            elif op == "SetFlag":
                if unit.inflight:
                    return
                self._pop(unit)
                x.start = x.end = now
                self._flag_up(x)
            elif op == "CrossCoreSetFlag":
                if unit.inflight:
                    return
                self._pass(unit, x)
                run.crossing.report(x)
            elif op == "PipeBarrier":
                if unit.inflight:
                    return
                self._pass(unit, x)
            elif not self._may_start(unit, x, now):
                return
            elif run.delayed == unit.pipe:
                run.defer(cast("Core", self), unit)
                return
            else:
                self._start(unit, x)

    def _pass(self, unit: Unit, x: Issued) -> None:
        """A WaitFlag or PipeBarrier at the head of its pipe is satisfied."""
        self._pop(unit)
        x.start, x.end = x.issue, self.run.clock.now
        self._synced(x)

    def _pop(self, unit: Unit) -> None:
        unit.queue.popleft()
        self._has_room(unit)

    def _may_start(self, unit: Unit, x: Issued, now: float) -> bool:
        if unit.pipe == V:
            if now < unit.free_at:
                self._plan(unit, unit.free_at)
                return False
            if self.run.auto_sync and unit.inflight:
                for y in unit.inflight:
                    if x.conflicts(y):
                        x.auto, x.cause, x.cause_kind = True, y.serial, "auto"
                        return False
        elif unit.inflight:
            return False
        return not self.run.insert_sync or self._sync_inserted(unit, x)

    def _sync_inserted(self, unit: Unit, x: Issued) -> bool:
        """pyasc's insert_sync: every hazard with an earlier unfinished instruction waits."""
        for other in self.units.values():
            if other is unit:
                continue
            for y in (*other.inflight, *other.queue):
                if y.serial < x.serial and y.conflicts(x):
                    x.auto, x.cause, x.cause_kind = True, y.serial, "auto"
                    return False
        return True

    def start_deferred(self, unit: Unit) -> None:
        """The schedule lets the delayed unit take one step."""
        unit.deferred = False
        head = unit.queue[0] if unit.queue else None
        if head is not None and head.instr.op in SEMANTICS:
            if self._may_start(unit, head, self.run.clock.now):
                self._start(unit, head)
        else:
            self._advance(unit)

    def _start(self, unit: Unit, x: Issued) -> None:
        run = self.run
        now = run.clock.now
        self._pop(unit)
        x.start = now
        unit.inflight.append(x)
        dynamic = DYNAMIC.get(x.instr.op)
        if dynamic is not None:  # now the values are there that say which bytes
            found = dynamic.touched(x.instr, x.form, cast("Core", self))
            x.reads, x.writes = found.reads, found.writes
        if self.releases:
            self.releases.used(x)
        for watch in run.on_started:
            watch(self, x)
        x.pending = SEMANTICS[x.instr.op].evaluate(x, cast("Core", self))
        if unit.pipe == V:
            cycles = run.vector_cycles(x)
            x.end = now + cycles
            unit.free_at = max(x.end - run.drain, now)
            run.clock.at(x.end, self.complete, (unit, x))
        else:
            run.transfer(cast("Core", self), unit, x, now == unit.last_end)

    def complete(self, pair: tuple[Unit, Issued]) -> None:
        unit, x = pair
        run = self.run
        x.end = unit.last_end = run.clock.now
        unit.inflight.remove(x)
        commit(x.pending)
        x.pending = ()
        x.done = True
        for watch in run.on_committed:
            watch(self, x)
        run.record(x)
        self.releases.completed(x)
        self._has_finished(x)
        self._advance(unit)
        if run.insert_sync:
            for other in self.units.values():
                if other is not unit:
                    self._advance(other)
        self._has_moved()
