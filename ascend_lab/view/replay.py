"""A run again, moment by moment: what each unit does, which flags are up, what the buffers hold.

Everything is derived from the trace; findings only mark moments. A step is a moment at which something
starts, ends, is set, is waited for, or comes to a stop.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Row
from ascend_lab.profile.lanes import PIPE_ORDER, SYNC_OPS, lanes
from ascend_lab.view.memory_map import Race, memory_map
from ascend_lab.view.origin import Origin
from ascend_lab.view.uses import Buffer, Use, buffers, uses

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding
    from ascend_lab.engine.details import Pending

#: (source pipe, destination pipe, id)
Flag = tuple[int, int, int]
MARKS = ("AllocTensor", "EnQue", "DeQue", "FreeTensor")
#: Shown even when nothing was ever issued to them.
ALWAYS = (Pipe.S, Pipe.MTE2, Pipe.V, Pipe.MTE3)
#: The order in which the events of one moment are told.
KINDS = ("finding", "end", "set", "wait", "mark", "stall", "start")


@dataclass(frozen=True, slots=True)
class Event:
    """``kind`` of :data:`KINDS`; ``row`` is None for a finding."""

    kind: str
    row: Row | None
    finding: Finding | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A moment in cycles, and what happens then."""

    time: float
    events: tuple[Event, ...]

    def has(self, kind: str) -> bool:
        return any(event.kind == kind for event in self.events)


@dataclass(frozen=True, slots=True)
class UnitState:
    """A pipe: what runs on it, what is queued, and the head of the queue when it waits for a flag.

    ``held`` names why nothing of the queue may start: "flag", "own" (its own pipe must drain), "auto" (an
    edge of automatic sync), "full" (S: the queue of ``full`` is full), "" when nothing holds it.
    """

    pipe: Pipe
    running: tuple[Row, ...]
    queue: tuple[Row, ...]
    held: str
    flag: Flag | None
    full: Pipe | None
    finished: bool


@dataclass(frozen=True, slots=True)
class FlagState:
    """A flag of this core, how often it is up, and the buffer whose queue uses it ("" for none)."""

    flag: Flag
    count: int
    owner: str


@dataclass(frozen=True, slots=True)
class BufferState:
    """A buffer: the last step of its life in its queue ("" before the first), and who uses it now.

    ``content`` is the instruction whose bytes it holds, None when nothing was written yet.
    """

    buffer: Buffer
    mark: str
    reading: tuple[Row, ...]
    writing: tuple[Row, ...]
    content: Row | None
    races: tuple[Race, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A core after everything of one step has happened."""

    number: int
    step: Step
    units: tuple[UnitState, ...]
    flags: tuple[FlagState, ...]
    buffers: tuple[BufferState, ...]


class Replay:
    """The steps of one core, and its state after each of them."""

    def __init__(self, source: Origin, core: int) -> None:
        self.source = source
        self.core = core
        trace = source.trace
        self.rows = sorted(trace.rows(core=core), key=lambda row: row.serial)
        self.pending = tuple(p for p in trace.details.pending if p.core == core)
        self.buffers = buffers(trace, core)
        self.uses = uses(trace, core)
        self.races = memory_map(source, core).races
        self.end = max((row.end for row in self.rows), default=0.0)
        self.steps = tuple(self._steps())
        self._times = [step.time for step in self.steps]
        self._depth = int(source.spec.cost.sync.issue_queue_depth)
        self._flag_of = {row[0]: tuple(row) for row in self._mine("flags")}
        self._mark_of = {row[0]: tuple(row) for row in self._mine("marks")}

    def _mine(self, name: str) -> list[tuple[int, ...]]:
        serials = {row.serial for row in self.rows} | {p.serial for p in self.pending}
        table = self.source.trace.details.columns[name]
        return [tuple(row) for row in table.tolist() if row[0] in serials]

    def op(self, row: Row) -> str:
        return self.source.trace.ops[row.op]

    # --- steps ----------------------------------------------------------------------------

    def _steps(self) -> Iterator[Step]:
        moments: dict[float, list[Event]] = defaultdict(list)
        for row in self.rows:
            for time, kind in self._moments(row):
                moments[time].append(Event(kind, row))
        for time, row in self._stalls():
            moments[time].append(Event("stall", row))
        for finding in self.source.on(self.core):
            time = min(max(finding.time, 0.0), self.end)
            near = min(moments, key=lambda t: abs(t - time), default=time)
            moments[near if abs(near - time) < 1e-6 else time].append(
                Event("finding", None, finding)
            )
        for time in sorted(moments):
            events = sorted(moments[time], key=lambda e: KINDS.index(e.kind))
            yield Step(time, tuple(events))

    def _moments(self, row: Row) -> Iterator[tuple[float, str]]:
        name = self.op(row)
        if name == "SetFlag":
            yield row.end, "set"
        elif name in SYNC_OPS:
            yield row.end, "wait"
        elif name in MARKS:
            yield row.start, "mark"
        elif row.pipe != Pipe.S or row.read_bytes or row.write_bytes:
            yield row.start, "start"
            yield row.end, "end"

    def _stalls(self) -> Iterator[tuple[float, Row]]:
        """Where a pipe comes to a stop: its wait begins when everything before it has been started."""
        for spans in lanes(self.source.trace, self.rows).values():
            for span in spans:
                if span.waiting and span.end > span.begin:
                    yield span.begin, span.row
        seen: set[int] = set()
        for stuck in self.pending:  # for ever
            if stuck.kind and stuck.pipe not in seen:
                seen.add(stuck.pipe)
                before = [row.end for row in self.rows if row.pipe == stuck.pipe]
                yield max([stuck.issue, *before]), self._as_row(stuck)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The lines of the source that start or end something, ascending."""
        rows = [event.row for step in self.steps for event in step.events if event.row is not None]
        return tuple(sorted({self.source.line(row.where) for row in rows} - {0}))

    def find(self, number: int, kind: str, direction: int = 1, line: int = 0) -> int:
        """The nearest step after (before) ``number`` that has an event of ``kind``; itself if none.

        "" is any kind; ``line`` asks for an event of that line.
        """
        beyond = range(number + 1, len(self.steps)) if direction > 0 else range(number - 1, -1, -1)
        for k in beyond:
            if any(self._is(event, kind, line) for event in self.steps[k].events):
                return k
        return number

    def _is(self, event: Event, kind: str, line: int) -> bool:
        if kind and event.kind != kind:
            return False
        return not line or (event.row is not None and self.source.line(event.row.where) == line)

    def number_at(self, time: float) -> int:
        """The last step at or before ``time``."""
        return max(bisect_right(self._times, time + 1e-6) - 1, 0)

    # --- state ----------------------------------------------------------------------------

    def at(self, number: int) -> State:
        """The state after step ``number`` (0-based)."""
        number = range(len(self.steps))[number]
        step = self.steps[number]
        time = step.time
        block = self._block(time)
        return State(
            number,
            step,
            tuple(self._units(time)),
            tuple(self._flags(time)),
            tuple(self._buffers(time, block)),
        )

    def _block(self, time: float) -> int:
        """The block that runs at ``time``."""
        begun = [row for row in self.rows if row.issue <= time]
        return begun[-1].block if begun else (self.rows[0].block if self.rows else 0)

    def _units(self, time: float) -> Iterator[UnitState]:
        on: dict[int, list[Row]] = {int(p): [] for p in PIPE_ORDER}
        for row in self.rows:
            on[row.pipe].append(row)
        waiting = {pipe: self._waiting(rows, time) for pipe, rows in on.items()}
        for stuck in self.pending:
            if stuck.issue <= time and stuck.pipe in waiting:
                waiting[stuck.pipe] += (self._as_row(stuck),)
        never = {row.pipe for row in self.pending}
        for pipe in PIPE_ORDER:
            if on[pipe] or pipe in never or pipe in ALWAYS:
                yield self._unit(pipe, on[pipe], waiting, time)

    def _as_row(self, pending: Pending) -> Row:
        """An instruction that never ended, as a row that is still waiting at the end of time."""
        ops = self.source.trace.ops
        op = ops.index(pending.op) if pending.op in ops else -1
        where, never = pending.where, float("inf")
        nothing = (0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0)
        head = (pending.serial, pending.block, pending.core, pending.pipe, op, pending.issue)
        return Row(*head, never, never, where, *nothing)

    def _waiting(self, rows: list[Row], time: float) -> tuple[Row, ...]:
        """Issued at ``time`` and not begun, in order; sync instructions are never running."""
        return tuple(
            row
            for row in rows
            if row.issue <= time
            and (row.end > time if self.op(row) in SYNC_OPS else row.start > time)
        )

    def _unit(
        self, pipe: Pipe, rows: list[Row], waiting: Mapping[int, tuple[Row, ...]], time: float
    ) -> UnitState:
        running = tuple(
            row for row in rows if row.start <= time < row.end and self.op(row) not in SYNC_OPS
        )
        queue = waiting[pipe]
        held, flag = self._held(queue[0], running) if queue else ("", None)
        full = None
        if pipe == Pipe.S and not (running or queue):
            full = next((Pipe(p) for p, q in waiting.items() if len(q) >= self._depth), None)
            held = "full" if full is not None else ""
        stuck = any(p.pipe == pipe for p in self.pending)
        later = any(row.end > time or row.issue > time for row in rows)
        return UnitState(pipe, running, queue, held, flag, full, not (later or stuck))

    def _held(self, head: Row, running: tuple[Row, ...]) -> tuple[str, Flag | None]:
        name = self.name(head)
        if name == "WaitFlag":
            return "flag", self.flag_of(head)
        if name in SYNC_OPS:
            return "own", None
        return ("auto" if head.auto and not running else ""), None

    def flag_of(self, row: Row) -> Flag | None:
        """The flag of a SetFlag or WaitFlag, when the trace has it."""
        known = self._flag_of.get(row.serial)
        return (known[1], known[2], known[3]) if known else None

    def buffer_of(self, row: Row) -> str:
        """The name of the buffer a queue marker is about, "" when the trace does not have it."""
        number = self._mark_of.get(row.serial, (0, -1, 0))[1]
        mine = [b for b in self.buffers if b.id == number >= 0 and b.block == row.block]
        return mine[0].label if mine else ""

    def name(self, row: Row) -> str:
        """The instruction of a row, also of one that never ended."""
        if row.op >= 0:
            return self.op(row)
        return next(p.op for p in self.pending if p.serial == row.serial)

    def _flags(self, time: float) -> Iterator[FlagState]:
        """Sets less waits until ``time``; the owner is who waits for the flag, else who used it last."""
        counts: dict[Flag, int] = {}
        users: dict[Flag, int] = {}
        waiting: dict[Flag, int] = {}
        for row in sorted(self.rows, key=lambda row: (row.end, row.serial)):
            if self.op(row) == "TPipe" and row.start <= time:
                counts = dict.fromkeys(counts, 0)
            flag = self.flag_of(row)
            if flag is None:
                continue
            change = (1 if self.op(row) == "SetFlag" else -1) if row.end <= time else 0
            counts[flag] = max(counts.get(flag, 0) + change, 0)
            user = self._flag_of[row.serial][4]
            if change:
                users[flag] = user
            elif row.issue <= time and self.op(row) == "WaitFlag":
                waiting.setdefault(flag, user)
            users.setdefault(flag, user)
        for stuck in self.pending:
            flag = self.flag_of(self._as_row(stuck))
            if flag is not None:
                counts.setdefault(flag, 0)
        names = {buffer.id: buffer.label for buffer in self.buffers if buffer.id >= 0}
        for flag in sorted(counts):
            user = waiting.get(flag, users.get(flag, -1))
            yield FlagState(flag, counts[flag], names.get(user, ""))

    def _buffers(self, time: float, block: int) -> Iterator[BufferState]:
        marks = self._last_marks(time, block)
        for buffer in self.buffers:
            if buffer.block != block or buffer.born > time:
                continue
            mine = [use for use in self.uses if buffer.holds(use.low, use.high)]
            yield BufferState(
                buffer,
                marks.get(buffer.id, ""),
                _now(mine, time, False),
                _now(mine, time, True),
                self._content(mine, time, buffer),
                tuple(
                    r for r in self.races if r.begin <= time < r.end and buffer.holds(r.low, r.high)
                ),
            )

    def _last_marks(self, time: float, block: int) -> dict[int, str]:
        found: dict[int, str] = {}
        for row in self.rows:
            if row.serial in self._mark_of and row.block == block and row.start <= time:
                found[self._mark_of[row.serial][1]] = self.op(row)
        return found

    def _content(self, mine: list[Use], time: float, buffer: Buffer) -> Row | None:
        done = [
            u.row for u in mine if u.writes and buffer.born <= u.row.start and u.row.end <= time
        ]
        return max(done, key=lambda row: (row.end, row.serial), default=None)


def _now(mine: list[Use], time: float, writes: bool) -> tuple[Row, ...]:
    rows = [u.row for u in mine if u.writes == writes and u.row.start <= time < u.row.end]
    return tuple({row.serial: row for row in rows}.values())
