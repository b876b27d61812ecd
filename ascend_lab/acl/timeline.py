"""Streams and their tasks in simulated time.

A stream does its tasks one after another. Copies in one direction share one engine, kernels share the cores.
A task takes its bytes when it starts and leaves its results when it ends; whoever looks in between sees the old ones.
Besides time there is order: a task's ``clock`` says which tasks are sure to be done before it, whatever the times are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ascend_lab.acl.ledger import Spot

FOREVER = float("inf")
Clock = Mapping[int, int]


class Use(NamedTuple):
    """Addresses [low, high) that a task touches; ``writes`` None: not known before it has run."""

    low: int
    high: int
    writes: bool | None

    def meets(self, other: Use) -> bool:
        """Whether they have bytes in common."""
        return self.low < other.high and other.low < self.high


@dataclass(eq=False, slots=True)
class Task:
    """One task of a stream. ``begin`` starts it and says how long it takes; ``finish`` leaves its results."""

    kind: str
    name: str
    stream: Stream
    spot: Spot
    uses: tuple[Use, ...] = ()
    begin: Callable[[], float] = lambda: 0.0
    finish: Callable[[], None] = lambda: None
    after: Task | None = None  # an event's record
    cores: int = 0
    serial: int = 0
    sequence: int = 0
    queued: float = 0.0
    start: float = -1.0
    end: float = -1.0
    done: bool = False
    clock: dict[int, int] = field(default_factory=dict)

    def before(self, clock: Clock) -> bool:
        """Whether who has this ``clock`` comes after the task."""
        return clock.get(self.stream.number, -1) >= self.sequence


class Stream:
    """A queue of tasks. ``error`` is the code of the task that stopped it."""

    def __init__(self, number: int, handle: int, context: int, spot: Spot) -> None:
        self.number = number
        self.handle = handle
        self.context = context
        self.spot = spot
        self.waiting: deque[Task] = deque()
        self.running: Task | None = None
        self.free_at = 0.0
        self.error = 0
        self.sequence = -1
        self.clock: dict[int, int] = {}
        self.subscribed = False
        self.alive = True

    @property
    def busy(self) -> bool:
        """Whether a task is waiting or running."""
        return self.running is not None or bool(self.waiting)


@dataclass(eq=False, slots=True)
class Event:
    """An event: the record that was asked for last."""

    handle: int
    spot: Spot
    timed: bool = True
    record: Task | None = None


class Timeline:
    """Every stream, and the host's own clock. `now` is the host's time in us."""

    def __init__(self, cores: int, submit_us: float) -> None:
        self.now = 0.0
        self.streams: list[Stream] = []
        self.live: list[Task] = []  # tasks the host has not waited for
        self.history: list[Task] = []
        self.host_clock: dict[int, int] = {}
        self.exclusive = False  # nobody can look before the task that starts has ended
        self._cores = cores
        self._submit_us = submit_us
        self._engines: dict[str, float] = {}
        self._busy_cores: list[tuple[float, int]] = []
        self._serial = 0
        self._moving = False

    def create(self, handle: int, context: int, spot: Spot) -> Stream:
        """A new stream."""
        stream = Stream(len(self.streams), handle, context, spot)
        self.streams.append(stream)
        return stream

    def enqueue(self, task: Task) -> None:
        """Put a task at the end of its stream."""
        stream = task.stream
        stream.sequence += 1
        self._serial += 1
        task.sequence, task.serial, task.queued = stream.sequence, self._serial, self.now
        _merge(stream.clock, self.host_clock)
        if task.after is not None:
            _merge(
                stream.clock, {**task.after.clock, task.after.stream.number: task.after.sequence}
            )
        task.clock = dict(stream.clock)
        stream.clock[stream.number] = stream.sequence
        stream.waiting.append(task)
        self.live.append(task)
        self.history.append(task)

    # --- time ------------------------------------------------------------------------------------------

    def advance(self, until: float) -> None:
        """Let everything happen that happens up to ``until``."""
        while self._step(until):
            continue

    def spend(self, us: float) -> None:
        """The host is busy for ``us``; the streams go on."""
        self.now += us
        self.advance(self.now)

    def wait_for(self, streams: list[Stream], timeout_us: float = FOREVER) -> bool:
        """The host waits until these streams are empty. False when the time is over before."""
        limit = self.now + timeout_us
        others = any(s.busy for s in self.streams if s not in streams)
        self.exclusive = not others and len([s for s in streams if s.busy]) == 1
        self.exclusive = self.exclusive and timeout_us == FOREVER
        try:
            while any(stream.busy for stream in streams):
                if not self._step(limit):
                    self.now = max(self.now, limit if limit < FOREVER else self.now)
                    return False
        finally:
            self.exclusive = False
        self.now = max([self.now, *(stream.free_at for stream in streams)])
        for stream in streams:
            _merge(self.host_clock, {**stream.clock, stream.number: stream.sequence})
        self._forget()
        return True

    def wait_for_task(self, task: Task) -> None:
        """The host waits for one task."""
        while not task.done and self._step(FOREVER):
            continue
        self.now = max(self.now, task.end)
        _merge(self.host_clock, {**task.clock, task.stream.number: task.sequence})
        self._forget()

    def drop(self, stream: Stream) -> None:
        """Forget what a stream has not started."""
        for task in stream.waiting:
            task.done, task.start, task.end = True, self.now, self.now
        stream.waiting.clear()
        self._forget()

    def unordered(self, clock: Clock, uses: tuple[Use, ...]) -> list[tuple[Task, Use, Use]]:
        """Tasks that may still run for who has ``clock``, with the use of theirs and of ``uses`` that meet."""
        found = []
        for task in self.live:
            if task.before(clock):
                continue
            pairs = ((old, new) for old in task.uses for new in uses if old.meets(new))
            pair = next(pairs, None)
            if pair is not None:
                found.append((task, *pair))
        return found

    def uses(self, low: int, high: int) -> bool:
        """Whether a task that has not ended touches these addresses."""
        probe = Use(low, high, None)
        return any(not t.done and any(u.meets(probe) for u in t.uses) for t in self.live)

    def _forget(self) -> None:
        self.live = [t for t in self.live if not (t.done and t.before(self.host_clock))]

    def _step(self, until: float) -> bool:
        """Do the next thing if its time is not after ``until``."""
        if self._moving:  # a callback of the host calls the runtime
            return False
        ending = min(
            (s.running for s in self.streams if s.running is not None),
            key=lambda t: (t.end, t.serial),
            default=None,
        )
        starting, when = self._next()
        if ending is not None and (starting is None or ending.end <= when):
            if ending.end > until:
                return False
            self._end(ending)
            return True
        if starting is None or when > until:
            return False
        self._start(starting, when)
        return True

    def _next(self) -> tuple[Task | None, float]:
        best, at = None, FOREVER
        for stream in self.streams:
            if stream.running is not None or not stream.waiting:
                continue
            task = stream.waiting[0]
            if task.after is not None and not task.after.done:
                continue
            when = self._ready(task)
            if best is None or (when, task.serial) < (at, best.serial):
                best, at = task, when
        return best, at

    def _ready(self, task: Task) -> float:
        when = max(task.queued + self._submit_us, task.stream.free_at)
        if task.after is not None:
            when = max(when, task.after.end)
        if task.kind in _ENGINES:
            when = max(when, self._engines.get(task.kind, 0.0))
        if task.cores:
            when = self._cores_free(when, task.cores)
        return when

    def _cores_free(self, when: float, wanted: int) -> float:
        for moment in sorted({when, *(end for end, _ in self._busy_cores if end > when)}):
            busy = sum(cores for end, cores in self._busy_cores if end > moment)
            if busy + wanted <= self._cores:
                return moment
        return when

    def _start(self, task: Task, when: float) -> None:
        stream = task.stream
        stream.waiting.popleft()
        stream.running = task
        task.start = when
        self._moving = True
        try:
            took = 0.0 if stream.error else task.begin()
        finally:
            self._moving = False
        task.end = when + took
        if task.kind in _ENGINES:
            self._engines[task.kind] = task.end
        if task.cores:
            self._busy_cores = [entry for entry in self._busy_cores if entry[0] > when]
            self._busy_cores.append((task.end, task.cores))

    def _end(self, task: Task) -> None:
        stream = task.stream
        stream.running, stream.free_at, task.done = None, task.end, True
        if not stream.error or task.kind == "kernel":
            task.finish()


_ENGINES = frozenset({"h2d", "d2h", "d2d", "h2h"})


def _merge(into: dict[int, int], other: Clock) -> None:
    for stream, sequence in other.items():
        into[stream] = max(into.get(stream, -1), sequence)
