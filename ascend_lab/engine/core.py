"""One core: the scalar unit issues in order to the pipes; pipes start in order and overlap.

A pipe instruction reads its operands when it starts and commits its bytes when it completes. The scalar
unit runs ahead of simulated time until something stops it: a full issue queue, a scalar value, a wait on S,
PipeBarrier<PIPE_ALL>, SyncAll.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_lab.engine.dcache import DCache
from ascend_lab.engine.decoding import Decoded, decode
from ascend_lab.engine.instruction import Batch, Instr, Pipe
from ascend_lab.engine.issued import NO_FORM, Flag, Issued, Unit, Wait, Work
from ascend_lab.engine.memory import commit
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.pipes import MTE3, PIPES, Pipes, S, V
from ascend_lab.engine.releases import Releases
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import FULL, resolve
from ascend_lab.engine.semantics.move import read_scalar
from ascend_lab.engine.state import SETTERS, mask_after
from ascend_lab.engine.stops import STOPS

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


class Core(Pipes):
    """A physical core. Mask, atomic mode and flags persist across blocks and launches."""

    # --- a block -------------------------------------------------------------------------

    def begin(self, run: Run, block: int, time: float) -> None:
        """Start ``block`` here at ``time``."""
        self.run = run
        self.gm = run.gm
        self.block = block
        self.ub.poison(0, self.ub.nbytes)
        self.registers.clear()
        self.hints = ()
        self.knows_way_past_l2 = False
        self.units: dict[int, Unit] = {pipe: Unit(pipe) for pipe in PIPES}
        self.s_time = time
        self.s_commits = 0  # scalar stores on their way
        self.s_flags = 0  # SetFlag of S on their way
        self.s_store_end = time
        self.batch: Batch = Batch([], "more")
        self.position = 0
        self.answer: Any = None
        self.s_wait = None
        self.s_done = False
        self.s_planned = False
        self.s_deferred = False
        self.releases = Releases(self.ub)
        self.dcache = DCache(run.gm)
        self.epoch = 0
        self._resume_on_drain = None
        self._resume_on_stores: Callable[[], None] | None = None
        self._resume_when_done = None
        run.clock.at(time, self._scalar, None)

    def leave(self) -> None:
        """Forget the launch; what survives one stays."""
        self.block = -1
        self.units = {}
        self.batch = Batch([], "done")
        self.s_wait = None
        self._resume_on_drain = self._resume_on_stores = self._resume_when_done = None
        del self.run, self.gm, self.releases, self.dcache

    # --- the scalar unit -------------------------------------------------------------------

    def _scalar(self, _: object) -> None:
        """Issue instructions until something stops the scalar unit."""
        self.s_planned = False
        run = self.run
        self.s_time = max(self.s_time, run.clock.now)
        if run.stopped or self.s_wait is not None or self.s_done:
            return
        issue, patient = self._issue, run.delayed == S
        while True:
            for instr in itertools.islice(self.batch.instrs, self.position, None):
                if not issue(instr):
                    return
                if patient:
                    run.defer(self, None)
                    return
            if not self._fetch() or run.stopped:
                return

    def _fetch(self) -> bool:
        """Ask the door for more; False when the block has no more to do now."""
        batch = self.batch
        if batch.state == "done":
            self.s_done = True
            self._retire_if_finished()
            return False
        if batch.state == "crash":
            self.s_done = True
            self.run.crashed(self, batch.crash)
            return False
        answer, self.answer = self.answer, None
        self.batch = self.run.door.resume(self.block, answer)
        self.position = 0
        self.run.count(len(self.batch.instrs), self)
        return True

    def again(self, time: float | None = None) -> None:
        """Let the scalar unit go on (at ``time``, default now)."""
        self.s_wait = None
        if time is not None:
            self.s_time = max(self.s_time, time)
        if self.run.delayed == S:
            self.run.defer(self, None)
        elif not self.s_planned:
            self.s_planned = True
            self.run.clock.at(self.run.clock.now, self._scalar, None)

    def _issue(self, instr: Instr) -> bool:
        """Issue one instruction; False when the scalar unit must stop, before it or after it."""
        run = self.run
        pipe = instr.pipe
        if pipe:
            unit = self.units[pipe]
            if len(unit.queue) >= run.queue_depth:
                self.s_wait = Wait(self.index, self.block, S, "queue", None)
                self._queue_wait = unit
                return False
        known: Decoded | None = instr.decoded
        if known is None:
            known = instr.decoded = decode(instr, _special(instr))
        if known.semantic is None:
            x = Issued(instr, run.next_serial(), self, self.s_time, known.flag)
        else:
            x = Work(instr, run.next_serial(), self, self.s_time)
            self._capture(x, known)
        op = instr.op
        try:
            for watch in run.on_issued[op]:
                watch(self, x)
        except Trap as trap:
            self.s_done = True
            run.trapped(self, x, trap.finding)
            return False
        self.position += 1
        if pipe:
            self.s_time += run.issue_cost[op]
            queue = unit.queue
            queue.append(x)
            if len(queue) == 1:
                self._plan(unit, x.issue if x.issue > unit.free_at else unit.free_at)
            return True
        if known.special is None:
            x.start = x.issue
            self.s_time = x.end = x.issue + run.issue_cost[op]
            run.record(x)
            return True
        known.special(self, x)
        return self.s_wait is None

    def _capture(self, x: Issued, known: Decoded) -> None:
        """What ``x`` takes with it: the state of the core now, and the bytes it will touch."""
        x.semantic = known.semantic
        x.loose = known.loose
        x.lives = self.releases.taken(known.uses) if known.uses and x.pipe else ()
        x.pad_value = self.pad_value
        x.pending = ()
        x.moved = False
        x.atomic = x.atomic_dtype = ""
        if known.form is not None:
            x.mask = self.mask = FULL  # what a count form works with and leaves behind
            x.form, x.reads, x.writes = known.form, known.reads, known.writes
            return
        instr = x.instr
        if instr.pipe == V:
            x.mask = self.mask = mask_after(instr, self.mask)
            x.form = resolve(instr, x.mask)
        else:
            x.mask, x.form = FULL, NO_FORM
            if self.atomic and instr.pipe in (MTE3, Pipe.FIX):
                x.atomic, x.atomic_dtype = self.atomic, self.atomic_dtype
        x.reads, x.writes = self.run.footprint(x)

    # --- markers and mode setters: done as soon as the scalar unit has issued them -----------

    def _set(self, x: Issued) -> None:
        SETTERS[x.instr.op](self, x.instr)
        self._past(x)

    def _free(self, x: Issued) -> None:
        if x.instr.dst is not None:
            self.releases.free(x, self.run.clock, self.s_time)
        self._past(x)

    def _take_nothing(self, x: Issued) -> None:
        """AllocTensor without a free buffer, DeQue of an empty queue."""
        kind = "alloc" if x.instr.op == "AllocTensor" else "deque"
        self.s_wait = Wait(self.index, self.block, S, kind, x)
        self._past(x)

    def _past(self, x: Issued) -> None:
        self.s_time = x.end = x.issue + self.run.issue_cost[x.instr.op]
        x.start = x.issue
        self.run.record(x)

    # --- scalar instructions that can stop S --------------------------------------------------

    def _get_value(self, x: Issued) -> None:
        blocker = self._scalar_blocker(x)
        if blocker is not None:
            self.when_done(blocker, x, self._get_value)
            return
        self.s_time = max(self.s_time, self.s_store_end)  # S sees its own stores
        self.run.clock.at(self.s_time, self._read_value, x)
        self.s_wait = Wait(self.index, self.block, S, "value", x)

    def _read_value(self, x: Issued) -> None:
        x.start, waited = self.run.clock.now, 0.0
        for watch in self.run.on_started:
            watch(self, x)
        if x.instr.op == "GetSystemCycle":
            self.answer = int(x.start / self.run.spec.clock_mhz * self.run.system_counter_mhz)
        else:
            fetched = self.dcache.fetched
            self.answer = read_scalar(x, self)
            if self.dcache.fetched != fetched or x.instr.params.get("bypass"):
                waited = self.run.gm_latency
        x.end = x.start + self.run.issue_cost[x.instr.op] + waited
        self.finish_on_s(x)
        if self.run.delayed is not None:
            self.run.polled()
        self.again(x.end)

    def _set_value(self, x: Issued) -> None:
        blocker = self._scalar_blocker(x)
        if blocker is not None:
            self.when_done(blocker, x, self._set_value)
            return
        cost = self.run.issue_cost["SetValue"]
        self.s_commits += 1
        self.s_store_end = self.s_time + cost
        # Both ends are scheduled now: what S issues later at the same moment must see the store.
        self.run.clock.at(self.s_time, self._start_store, x)
        self.run.clock.at(self.s_time + cost, self._commit_store, x)
        # With automatic sync later instructions see the store; without, S goes on at once.
        self.s_time += cost if self.run.auto_sync else self.run.issue_cost[""]

    def _start_store(self, x: Issued) -> None:
        x.start = self.run.clock.now
        for watch in self.run.on_started:
            watch(self, x)
        x.pending = SEMANTICS["SetValue"].evaluate(x, self)

    def _commit_store(self, x: Issued) -> None:
        x.end = self.run.clock.now
        commit(x.pending)
        x.pending = ()
        self.s_commits -= 1
        self.finish_on_s(x)
        if self.s_commits == 0 and self._resume_on_stores is not None:
            resume, self._resume_on_stores = self._resume_on_stores, None
            resume()
        self._after_drain()

    def finish_on_s(self, x: Issued) -> None:
        """A scalar instruction that reads or writes is complete."""
        x.done = True
        for watch in self.run.on_committed:
            watch(self, x)
        self.run.record(x)

    def _scalar_blocker(self, x: Issued) -> Issued | None:
        """The last unfinished pipe instruction that automatic sync orders before this scalar access."""
        if not self.run.auto_sync:
            return None
        found = [y for y in self.outstanding() if y.conflicts(x)]
        return max(found, key=lambda y: y.serial) if found else None

    def when_done(
        self, blocker: Issued, x: Issued, action: Callable[[Issued], None], *, auto: bool = True
    ) -> None:
        """Retry ``action(x)`` once ``blocker`` is complete; ``auto`` marks the inserted edge."""
        if auto:
            x.auto = True
            x.cause, x.cause_kind = blocker.serial, "auto"

        def resume() -> None:
            self.s_time = max(self.s_time, self.run.clock.now)
            self.s_wait = None
            action(x)
            if self.s_wait is None:
                self.again()

        self._resume_when_done = (blocker, resume)
        self.s_wait = Wait(self.index, self.block, S, "value", x)

    def _barrier(self, x: Issued) -> None:
        pipe = x.instr.params["pipe"]
        if pipe == Pipe.ALL:
            self.drain_then(x, self._barrier_done)
            return
        if pipe in self.units:
            x.pipe = pipe
            unit = self.units[pipe]
            self.s_time += self.run.issue_cost["PipeBarrier"]
            unit.queue.append(x)
            if len(unit.queue) == 1:
                self._plan(unit, max(x.issue, unit.free_at))

    def _barrier_done(self, x: Issued) -> None:
        x.start = x.issue
        x.end = self.s_time = (
            max(self.s_time, self.run.clock.now) + self.run.issue_cost["PipeBarrier"]
        )
        self._synced(x)
        self.again()

    def drain_then(self, x: Issued, action: Callable[[Issued], None]) -> None:
        """Run ``action`` once every pipe of this core is empty."""
        self.s_wait = Wait(self.index, self.block, S, "drain", x)
        self._resume_on_drain = lambda: action(x)
        self.run.clock.at(self.s_time, self._check_drain, None)

    def _check_drain(self, _: object) -> None:
        self._after_drain()

    def _after_drain(self) -> None:
        resume = self._resume_on_drain
        if resume is not None and self.drained and not (self.s_commits or self.s_flags):
            if self.run.clock.now < self.s_time:
                self.run.clock.at(self.s_time, self._check_drain, None)
                return
            self._resume_on_drain = None
            resume()
        self._retire_if_finished()

    def _sync_all(self, x: Issued) -> None:
        self.drain_then(x, lambda x: self.run.arrive(self, x))

    def synced_all(self, x: Issued, time: float) -> None:
        """The barrier between cores has opened."""
        x.start, x.end = x.issue, time
        self.epoch += 1
        self._synced(x)
        self.again(time)

    def crossed(self, x: Issued, time: float) -> None:
        """Another block has answered, or has been told."""
        x.start, x.end = x.issue, time
        self._synced(x)
        self.again(time)

    def _set_flag_on_s(self, x: Issued) -> None:
        if self.s_commits:
            self._drain_stores_then(x)
            return
        self._raise_flag_at(x)

    def _drain_stores_then(self, x: Issued) -> None:
        """SetFlag of S rises only when the scalar stores before it have landed."""
        self.s_wait = Wait(self.index, self.block, S, "drain", x)

        def resume() -> None:
            self.s_time = max(self.s_time, self.run.clock.now)
            self._raise_flag_at(x)
            self.again()

        self._resume_on_stores = resume

    def _raise_flag_at(self, x: Issued) -> None:
        self.s_time += self.run.issue_cost["SetFlag"]
        self.s_flags += 1
        self.run.clock.at(self.s_time, self._raise_flag, x)

    def _raise_flag(self, x: Issued) -> None:
        x.start = x.end = self.run.clock.now
        self.s_flags -= 1
        for watch in self.run.on_flag:
            watch(self, x)
        self._flag_up(x)

    def _wait_flag_on_s(self, x: Issued) -> None:
        self.run.clock.at(self.s_time, self._try_wait_on_s, x)
        self.s_wait = Wait(self.index, self.block, S, "flag", x, x.flag)

    def _try_wait_on_s(self, x: Issued) -> None:
        if self._flag_down(x):
            x.start = x.issue
            x.end = self.run.clock.now
            self._synced(x)
            self.again(x.end + self.run.issue_cost["WaitFlag"])

    # --- hooks of the pipes ---------------------------------------------------------------------

    def _has_room(self, unit: Unit) -> None:
        wait = self.s_wait
        if wait is not None and wait.kind == "queue" and self._queue_wait is unit:
            self.again(self.run.clock.now)

    def _flag_for_s(self, key: Flag) -> None:
        wait = self.s_wait
        if wait is not None and wait.flag == key and wait.x is not None:
            self._try_wait_on_s(wait.x)

    def scalar_deferred(self) -> None:
        """The schedule lets the delayed scalar unit take one step."""
        self.s_deferred = False
        self._scalar(None)

    # --- the end -----------------------------------------------------------------------------------------

    def _retire_if_finished(self) -> None:
        if not self.s_done or self.s_commits or self.s_flags or not self.drained or self.block < 0:
            return
        if self.run.clock.now < self.s_time:
            self.run.clock.at(self.s_time, self._check_drain, None)
        else:
            self.dcache.clean_all()  # the compiler puts a DataCacheCleanAndInvalid at the end
            self.run.retire(self)

    def waits(self) -> list[Wait]:
        """Every unit of this core that cannot go on."""
        found = [self.s_wait] if self.s_wait is not None else []
        for unit in self.units.values():
            if unit.queue and unit.queue[0].instr.op == "WaitFlag":
                x = unit.queue[0]
                found.append(Wait(self.index, self.block, unit.pipe, "flag", x, x.flag))
        return found


_SCALAR: dict[str, Callable[[Core, Issued], None]] = {
    "GetValue": Core._get_value,
    "GetSystemCycle": Core._get_value,
    **STOPS,
    "SetValue": Core._set_value,
    "PipeBarrier": Core._barrier,
    "SyncAll": Core._sync_all,
    "SetFlag": Core._set_flag_on_s,
    "WaitFlag": Core._wait_flag_on_s,
    **dict.fromkeys(SETTERS, Core._set),
    "FreeTensor": Core._free,
}


def _special(instr: Instr) -> Callable[[Core, Issued], None] | None:
    """What the scalar unit does for ``instr``; None when it only takes note of it."""
    if instr.op in ("AllocTensor", "DeQue"):
        return Core._take_nothing if instr.dst is None else None
    return _SCALAR.get(instr.op)
