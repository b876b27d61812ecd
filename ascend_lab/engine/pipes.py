"""The pipes of one core: instructions start in order, read when they start, commit when they complete.

SetFlag and WaitFlag are instructions of the pipes they name; flags count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.issued import Flag, Issued, Unit, Wait, Work
from ascend_lab.engine.memory import LocalMemory, commit
from ascend_lab.engine.releases import Releases
from ascend_lab.engine.semantics import DYNAMIC
from ascend_lab.engine.semantics.form import FULL, MaskState

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.dma import Hint
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
    s_wait: Wait | None
    s_done: bool
    _resume_on_drain: Callable[[], None] | None
    _resume_when_done: tuple[Issued, Callable[[], None]] | None

    def __init__(self, index: int, ub_bytes: int) -> None:
        self.index = index
        self.ub = LocalMemory("UB", ub_bytes)
        self._locals = {"UB": self.ub}
        self.flags: dict[Flag, deque[int]] = {}
        self.registers: dict[str, Any] = {}  # what instructions leave for others: CMPMASK and such
        self.hints: tuple[Hint, ...] = ()  # tensors that pass L2 by
        self.knows_way_past_l2 = False
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

    def _after_drain(self) -> None:
        """Something has finished that somebody waits for: the core may be drained now."""
        raise NotImplementedError

    def _flag_for_s(self, key: Flag) -> None:
        """A flag for S is up."""
        raise NotImplementedError

    # --- flags ----------------------------------------------------------------------------------

    def _flag_up(self, x: Issued) -> None:
        key = x.flag
        assert key is not None
        tokens = self.flags.get(key)
        if tokens is None:
            tokens = self.flags[key] = deque()
        tokens.append(x.serial)
        self._recorded(x)
        if key[1] == S:
            self._flag_for_s(key)
            return
        unit = self.units[key[1]]
        if unit.queue and unit.queue[0].flag == key:  # nobody else waits for it
            self._advance(unit)

    def _flag_down(self, x: Issued) -> bool:
        assert x.flag is not None
        tokens = self.flags.get(x.flag)
        if not tokens:
            return False
        x.cause, x.cause_kind = tokens.popleft(), "flag"
        return True

    def _synced(self, x: Issued) -> None:
        run = self.run
        for watch in run.on_synced if x.flag is None else run.on_flag:
            watch(self, x)
        self._recorded(x)

    def _recorded(self, x: Issued) -> None:
        x.done = True
        self.run.record(x)
        if self.s_done or self._resume_on_drain is not None:
            self._after_drain()

    # --- the pipes ---------------------------------------------------------------------------------

    def _plan(self, unit: Unit, time: float) -> None:
        """Wake ``unit`` at ``time`` unless a wake-up at that time or earlier is on its way."""
        clock = self.run.clock
        if clock.now <= unit.planned <= time:
            return
        unit.planned = time
        clock.at(time, self._wake, unit)

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
            flag = x.flag
            if flag is not None:
                if flag[1] == unit.pipe:  # WaitFlag
                    tokens = self.flags.get(flag)
                    if not tokens:
                        return
                    x.cause, x.cause_kind = tokens.popleft(), "flag"
                    x.start = x.issue
                    x.end = now
                elif unit.inflight:
                    return
                else:
                    x.start = now
                queue.popleft()
                if self.s_wait is not None:
                    self._has_room(unit)
                if flag[1] == unit.pipe:
                    self._synced(x)
                    continue
                for watch in run.on_flag:  # now: it carries what its pipe knows at this moment
                    watch(self, x)
                if run.flag_hop:
                    unit.raising += 1
                    run.clock.at(now + run.flag_hop, self._raise_of_pipe, (unit, x))
                else:
                    x.end = now
                    self._flag_up(x)
                continue
            if x.semantic is not None:
                if not self._may_start(unit, x, now):
                    return
                if run.delayed == unit.pipe:
                    run.defer(cast("Core", self), unit)
                    return
                self._start(unit, x)
                continue
            if unit.inflight:
                return
            queue.popleft()
            if self.s_wait is not None:
                self._has_room(unit)
            x.start, x.end = x.issue, now
            if unit.pipe == V:
                unit.free_at = max(unit.free_at, now + run.after_barrier)
            self._synced(x)
            if x.instr.op == "CrossCoreSetFlag":
                run.crossing.report(x)

    def _raise_of_pipe(self, pair: tuple[Unit, Issued]) -> None:
        unit, x = pair
        unit.raising -= 1
        x.end = self.run.clock.now
        self._flag_up(x)

    def _may_start(self, unit: Unit, x: Issued, now: float) -> bool:
        run = self.run
        if now < unit.free_at:
            self._plan(unit, unit.free_at)
            return False
        if unit.inflight:
            if unit.pipe != V:
                if run.dma is None or not run.dma.room(unit, x):
                    return False
            elif run.auto_sync:
                for y in unit.inflight:
                    if x.conflicts(y):
                        x.auto, x.cause, x.cause_kind = True, y.serial, "auto"
                        unit.free_at = y.end + run.after_barrier
                        return False
        return not run.insert_sync or self._sync_inserted(unit, x)

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
        if head is not None and head.semantic is not None:
            if self._may_start(unit, head, self.run.clock.now):
                self._start(unit, head)
        else:
            self._advance(unit)

    def _start(self, unit: Unit, x: Issued) -> None:
        run = self.run
        now = run.clock.now
        core = cast("Core", self)
        unit.queue.popleft()
        if self.s_wait is not None:
            self._has_room(unit)
        x.start = now
        unit.inflight.append(x)
        if x.instr.op in DYNAMIC:  # now the values are there that say which bytes
            found = DYNAMIC[x.instr.op].touched(x.instr, x.form, core)
            x.reads, x.writes = found.reads, found.writes
        if x.lives or x.loose:
            self.releases.started(x)
        for watch in run.on_started:
            watch(self, x)
        assert x.semantic is not None
        x.pending = x.semantic.evaluate(x, core)
        if unit.pipe == V:
            cycles, held = run.vector_cycles(x)
            if held:
                self.units[MTE2].held += held
            x.end = now + cycles
            free_at = x.end - run.drain
            unit.free_at = free_at if free_at > now else now
            run.clock.at(x.end, self.complete, (unit, x))
        else:
            run.transfer(core, unit, cast("Work", x))

    def arrived(self, pair: tuple[Unit, Work]) -> None:
        """The bytes of a transfer are there; transfers of a pipe complete in order."""
        unit, x = pair
        if unit.held:  # by bank conflicts of V
            held, unit.held = unit.held, 0.0
            self.run.clock.at(self.run.clock.now + held, self.arrived, pair)
            return
        unit.moving -= x.reads[0].region.nbytes if x.reads else 0
        unit.ended = self.run.clock.now
        if unit.inflight[0] is not x:
            x.moved = True
            return
        self.complete(pair)
        while unit.inflight and unit.inflight[0].moved:
            self.complete((unit, unit.inflight[0]))

    def complete(self, pair: tuple[Unit, Issued]) -> None:
        unit, x = pair
        run = self.run
        x.end = run.clock.now
        unit.inflight.remove(x)
        commit(x.pending)
        x.pending = ()
        x.done = True
        for watch in run.on_committed:
            watch(self, x)
        run.record(x)
        if x.lives:
            self.releases.completed(x)
        waiting = self._resume_when_done
        if waiting is not None and waiting[0] is x:
            self._resume_when_done = None
            waiting[1]()
        if unit.queue:
            self._advance(unit)
        if run.insert_sync:
            for other in self.units.values():
                if other is not unit:
                    self._advance(other)
        if self.s_done or self._resume_on_drain is not None:
            self._after_drain()
