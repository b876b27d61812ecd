"""One launch: blocks on cores in waves, the schedule, the pools, and what is recorded."""

from __future__ import annotations

import gc
import itertools
import random
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop
from typing import Any

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.clock import Clock
from ascend_lab.engine.core import Core
from ascend_lab.engine.cost import CostModel, ScalarCosts
from ascend_lab.engine.crossing import Crossing
from ascend_lab.engine.details import Details, collect
from ascend_lab.engine.dma import Dma
from ascend_lab.engine.errors import InternalError
from ascend_lab.engine.instruction import Argument, Crash, Door, Pipe, Where
from ascend_lab.engine.issued import Issued, Unit, Wait, Work
from ascend_lab.engine.memory import Access, GlobalMemory
from ascend_lab.engine.observer import Observer, Trap
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.trace import SPACE_IDS, Trace

Pair = tuple[tuple[Access, ...], tuple[Access, ...]]
#: Why an instruction waited, as the trace numbers it.
CAUSES = ("", "flag", "auto")
_CAUSE_IDS = {name: number for number, name in enumerate(CAUSES)}
_CACHE_LIMIT = 20_000
_PATIENCE = 1000  # values told while a pipe is held back
_IN_FOOTPRINT = ("mode", "index", "tree", "half")  # what else a count form's bytes depend on
MOVED_BY_DMA = (Pipe.MTE2, Pipe.MTE3)


class Run:
    """The state of one launch. Observers get it; nothing outlives it but the cores and GM.

    ``delayed`` None is the realistic schedule; a pipe makes the adversarial one in which that pipe goes on
    only when nothing else on the chip can. ``limit`` bounds the instructions of the whole launch.
    """

    def __init__(
        self,
        spec: ChipSpec,
        cores: Sequence[Core],
        gm: GlobalMemory,
        door: Door,
        blocks: int,
        *,
        arguments: Sequence[Argument] = (),
        observers: Sequence[Observer] = (),
        delayed: Pipe | None = None,
        seed: int = 0,
        auto_sync: bool = True,
        insert_sync: bool = False,
        outputs: frozenset[str] | None = None,
        undefined: frozenset[str] = frozenset(),
        limit: int = 5_000_000,
    ) -> None:
        self.spec = spec
        self.cores = cores
        self.gm = gm
        self.door = door
        self.blocks = blocks
        self.arguments = tuple(arguments)
        self.observers = tuple(observers)
        self.delayed = delayed
        self.seed = seed
        self.auto_sync = auto_sync
        self.insert_sync = insert_sync
        self.outputs = outputs
        self.undefined = undefined
        self.limit = limit
        self.clock = Clock()
        self.cost = CostModel(spec)
        realistic = delayed is None
        self.drain = self.cost.drain if realistic else 0.0
        self.after_barrier = self.cost.after_barrier if realistic else 0.0
        self.flag_hop = self.cost.flag_hop if realistic else 0.0
        self.queue_depth = int(spec.cost.sync.issue_queue_depth)
        self.system_counter_mhz = spec.cost.sync.system_counter_mhz
        self.crossing = Crossing(self)
        self.stopped = False
        self.over_limit: Core | None = None
        self._polls = 0
        self.crash: tuple[int, Crash] | None = None
        self.traps: list[Any] = []
        self.printed: list[str] = []
        self.ended = 0.0
        #: Cycles of the scalar unit by op; none in an adversarial schedule.
        self.issue_cost = self.cost.scalar if delayed is None else ScalarCosts(0.0)
        #: Serial numbers follow the order of issue.
        self.next_serial: Callable[[], int] = itertools.count(1).__next__
        self._random = random.Random(seed)
        self._counted = 0
        self._footprints: dict[Any, Pair] = {}
        self._waiting_blocks: deque[int] = deque()
        self._arrived: list[tuple[Core, Issued]] = []
        self._deferred: list[tuple[Core, Unit | None]] = []
        self._active = 0
        self._executed: list[Issued] = []
        self._pending: list[tuple[Issued, str]] = []
        #: Keeps an instruction for the trace, which is built when somebody asks for it.
        self.record: Callable[[Issued], None] = self._executed.append
        #: Who moves the bytes of MTE2 and MTE3; nobody in an adversarial schedule.
        self.dma = Dma(self) if realistic else None
        #: Cycles until the scalar unit has what its data cache does not hold.
        self.gm_latency = self.dma.latency if self.dma is not None else 0.0
        #: And until it knows the way past L2.
        self.hint_cycles = spec.cost.dma.hint_us * spec.clock_mhz if self.dma is not None else 0.0
        self._watch()

    def _watch(self) -> None:
        """Collect the overridden event methods, so that an unused event costs nothing."""

        def watchers(event: str, flags: bool = True) -> list[Callable[..., None]]:
            return [
                getattr(o, event)
                for o in self.observers
                if _overrides(o, event) and (flags or o.watches_flags)
            ]

        self.on_issued = _IssueWatchers(self.observers)
        self.on_started = watchers("started")
        self.on_committed = watchers("committed")
        self.on_synced = watchers("synced")
        self.on_flag = watchers("synced", flags=False)
        self.on_retired = watchers("retired")

    @property
    def sources(self) -> list[Where]:
        """The door's table of source places; ``instr.where`` indexes it."""
        return self.door.sources

    # --- running -----------------------------------------------------------------------

    def execute(self) -> None:
        """Run all blocks to the end, to a trap, or until nothing can proceed."""
        try:
            for observer in self.observers:
                observer.launched(self)
        except Trap as trap:  # the host refuses the launch: nothing runs
            self.traps.append(trap.finding)
            self.stopped = True
        order = list(range(min(self.blocks, len(self.cores))))
        if self.delayed is not None:
            self._random.shuffle(order)
        start = self.cost.prologue if self.delayed is None else 0.0
        self._active = len(order)
        self._waiting_blocks.extend(range(len(order), self.blocks))
        collecting = gc.isenabled()
        gc.disable()  # nothing a run keeps is garbage before its end
        try:
            if not self.stopped:
                for index in order:
                    self.cores[index].begin(self, index, start)
                self._loop()
        finally:
            if collecting:
                gc.enable()
            self.door.close()
        for observer in self.observers:
            observer.finished(self)

    def _loop(self) -> None:
        clock = self.clock
        events = clock.events
        while not self.stopped:
            if events:
                clock.now, _, action, argument = heappop(events)
                action(argument)
                continue
            if self._deferred:
                self._release_deferred()
                continue
            if self._active:
                self._stuck()
            break
        self.ended = max(self.ended, self.clock.now)
        self._pending = [
            found for core in self.cores if self._holds(core) for found in _unfinished(core)
        ]

    def _holds(self, core: Core) -> bool:
        return core.block >= 0 and core.run is self

    def defer(self, core: Core, unit: Unit | None) -> None:
        """The delayed pipe could go on: hold it until nothing else can."""
        if unit is None:
            if core.s_deferred:
                return
            core.s_deferred = True
        else:
            if unit.deferred:
                return
            unit.deferred = True
        self._deferred.append((core, unit))

    def _release_deferred(self) -> None:
        position = self._random.randrange(len(self._deferred))
        core, unit = self._deferred.pop(position)
        if unit is None:
            core.scalar_deferred()
        else:
            core.start_deferred(unit)

    def polled(self) -> None:
        """A core was told a value. One that polls a word of GM always goes on: it must not hold the delayed pipe
        for ever."""
        self._polls += 1
        if self._polls >= _PATIENCE and self._deferred:
            self._polls = 0
            self.clock.at(self.clock.now, self._release_one)

    def _release_one(self, _: object) -> None:
        if self._deferred:
            self._release_deferred()

    def _stuck(self) -> None:
        waits: list[Wait] = []
        for core in self.cores:
            if self._holds(core):
                waits.extend(core.waits())
        for observer in self.observers:
            observer.stuck(self, waits)

    def retire(self, core: Core) -> None:
        """``core`` has finished its block: give it the next one of the wave."""
        for watch in self.on_retired:
            watch(core)
        self.ended = max(self.ended, self.clock.now)
        if self._waiting_blocks:
            block = self._waiting_blocks.popleft()
            core.begin(self, block, self.clock.now)
        else:
            core.block = -1
            self._active -= 1

    def trapped(self, core: Core, x: Issued, finding: Any) -> None:
        """A check stopped ``core`` at ``x``; the launch ends at that moment of simulated time."""
        self.traps.append(finding)
        self.clock.at(x.issue, self._stop)

    def crashed(self, core: Core, crash: Crash | None) -> None:
        """The kernel of ``core`` raised; the launch ends where its scalar unit had come to."""
        if crash is None:
            raise InternalError("a door reported a crash without saying which")
        if self.crash is None:
            self.crash = (core.block, crash)
        self.clock.at(core.s_time, self._stop)

    def _stop(self, _: object) -> None:
        self.stopped = True

    def count(self, instructions: int, core: Core) -> None:
        """Bound the launch: an endless loop ends as a finding, not as a hang."""
        self._counted += max(instructions, 1)
        if self._counted > self.limit and self.over_limit is None:
            self.over_limit = core
            self.clock.at(self.clock.now, self._stop)
            self.stopped = True

    # --- between cores --------------------------------------------------------------------

    def arrive(self, core: Core, x: Issued) -> None:
        """``core`` has reached SyncAll; all go on when every block has."""
        self._arrived.append((core, x))
        used = int(x.instr.params.get("used", 0)) or self.blocks
        if len(self._arrived) < used:
            return
        soft = bool(x.instr.params.get("soft", False))
        cycles = self.cost.sync_all_soft if soft else self.cost.sync_all
        arrived, self._arrived = self._arrived, []
        time = self.clock.now + (cycles if self.delayed is None else 0.0)
        self.clock.at(time, self._open, arrived)

    def _open(self, arrived: list[tuple[Core, Issued]]) -> None:
        for core, x in arrived:
            core.synced_all(x, self.clock.now)

    def dissolve(self) -> None:
        """Undo the circles of a launch that has ended and been judged: its memory goes when its trace does,
        and not when Python next looks for garbage."""
        for core in self.cores:
            if getattr(core, "run", None) is self:
                core.leave()
        self.clock.events.clear()
        self.observers = ()
        self.on_issued.forget()
        for watchers in (self.on_started, self.on_committed, self.on_synced, self.on_flag):
            watchers.clear()
        self.on_retired.clear()
        self.dma = None
        del self.crossing

    # --- for those who look back -----------------------------------------------------------

    @property
    def counted(self) -> int:
        """How many instructions the doors have handed over."""
        return self._counted

    @property
    def executed(self) -> Sequence[Issued]:
        """What has ended, in the order of its ends."""
        return self._executed

    @property
    def unfinished(self) -> Sequence[Issued]:
        """At the end: what was issued and never ended."""
        return [x for x, _ in self._pending]

    # --- cost ------------------------------------------------------------------------------

    def vector_cycles(self, x: Issued) -> tuple[float, float]:
        """Cycles from start to commit, and by how many transfers are held up; one in an adversarial schedule."""
        return self.cost.vector(x.instr, x.form) if self.delayed is None else (1.0, 0.0)

    def transfer(self, core: Core, unit: Unit, x: Work) -> None:
        """Move the bytes of ``x``; in one cycle in an adversarial schedule."""
        if self.dma is None:
            self.clock.at(self.clock.now + 1.0, core.complete, (unit, x))
        else:
            self.dma.start(core, unit, x)

    # --- records ------------------------------------------------------------------------------

    def footprint(self, x: Issued) -> Pair:
        """The bytes ``x`` reads and writes; vector footprints repeat and are kept."""
        instr = x.instr
        if instr.pipe != Pipe.V:
            found = SEMANTICS[instr.op].footprint(instr, x.form)
            return found.reads, found.writes
        params = instr.params
        key = (
            instr.op,
            instr.dst,
            instr.srcs,
            x.form,
            tuple(params.values()) if x.form.count < 0 else (*map(params.get, _IN_FOOTPRINT),),
        )
        kept = self._footprints.get(key)
        if kept is None:
            found = SEMANTICS[instr.op].footprint(instr, x.form)
            kept = (found.reads, found.writes)
            if len(self._footprints) < _CACHE_LIMIT:
                self._footprints[key] = kept
        return kept

    def trace(self, meta: dict[str, Any]) -> Trace:
        """Everything that was executed, with ``meta`` about the run."""
        ops: dict[str, int] = {}
        rows = [_row(x, ops) for x in self._executed]

        def details() -> Details:
            return collect(self._executed, self.gm.allocations, self._pending, SPACE_IDS)

        return Trace.from_rows(rows, ops, self.sources, CAUSES, meta, details)


def _overrides(observer: Observer, event: str) -> bool:
    return getattr(type(observer), event) is not getattr(Observer, event)


class _IssueWatchers(dict[str, tuple[Callable[[Any, Issued], None], ...]]):
    """Who wants to see instructions called so when they are issued, in the observers' order."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        super().__init__()
        self._observers = [o for o in observers if _overrides(o, "issued")]

    def forget(self) -> None:
        """There is nothing left to watch."""
        self._observers.clear()
        self.clear()

    def __missing__(self, op: str) -> tuple[Callable[[Any, Issued], None], ...]:
        found = self[op] = tuple(o.issued for o in self._observers if o.wants(op))
        return found


def _unfinished(core: Core) -> Iterator[tuple[Issued, str]]:
    """What was issued to ``core`` and has not ended, with what it waits for ("" while it runs)."""
    kinds = {wait.x.serial: wait.kind for wait in core.waits() if wait.x is not None}
    running = {x.serial for unit in core.units.values() for x in unit.inflight}
    on_s = [core.s_wait.x] if core.s_wait is not None and core.s_wait.x is not None else []
    for x in (*core.outstanding(), *on_s):
        yield x, "" if x.serial in running else kinds.get(x.serial, "queued")


def _row(x: Issued, ops: dict[str, int]) -> tuple[Any, ...]:
    """One row of the trace; ``ops`` numbers the names in the order they appear."""
    reads, writes = x.reads, x.writes
    return (
        x.serial,
        x.block,
        x.core,
        x.pipe,
        ops.setdefault(x.instr.op, len(ops)),
        x.issue,
        x.start,
        x.end,
        x.instr.where,
        sum(access.region.nbytes for access in reads),
        sum(access.region.nbytes for access in writes),
        x.cause,
        _CAUSE_IDS[x.cause_kind],
        int(x.auto),
        *_operand(writes),
        *_operand(reads),
    )


def _operand(side: tuple[Access, ...]) -> tuple[int, int, int]:
    if not side:
        return -1, 0, 0
    region = side[0].region
    return SPACE_IDS[side[0].space], region.low, region.high - region.low
