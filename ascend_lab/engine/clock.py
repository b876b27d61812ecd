"""Simulated time: one heap of events, and the pools that transfers share."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

Action = Callable[[Any], None]


class Clock:
    """Events in order of time; equal times in the order they were scheduled. Who runs the clock takes ``events``.

    Times are cycles of the chip's clock. The same schedule of calls gives the same order in every process.
    """

    __slots__ = ("_serial", "events", "now")

    def __init__(self) -> None:
        self.now = 0.0
        self.events: list[tuple[float, int, Action, Any]] = []
        self._serial = 0

    def at(self, time: float, action: Action, argument: Any = None) -> None:
        """Run ``action(argument)`` at ``time`` (not before now)."""
        self._serial = serial = self._serial + 1
        heappush(self.events, (time if time > self.now else self.now, serial, action, argument))


class Pool:
    """A bandwidth that transfers share equally: processor sharing in virtual time.

    With n transfers each moves at ``min(cap, total / n)`` bytes per cycle. A transfer of s bytes that joins
    at virtual time V ends at V + s, so joins and ends cost O(log n) whatever n is.
    """

    __slots__ = (
        "_clock",
        "_epoch",
        "_heap",
        "_last",
        "_planned",
        "_serial",
        "_virtual",
        "cap",
        "total",
    )

    def __init__(self, clock: Clock, total: float, cap: float) -> None:
        self.total = total
        self.cap = cap
        self._clock = clock
        self._heap: list[tuple[float, int, Action, Any]] = []
        self._virtual = 0.0
        self._last = 0.0
        self._epoch = 0
        self._serial = 0
        self._planned = (0.0, 0)  # (rate, serial) of the end that is scheduled

    def join(self, size: float, done: Action, argument: Any) -> None:
        """Move ``size`` bytes from now on; call ``done(argument)`` when they have moved."""
        self._advance()
        self._serial += 1
        heappush(self._heap, (self._virtual + size, self._serial, done, argument))
        self._plan()

    def enter(self, transfer: tuple[float, Action, Any]) -> None:
        """`join` as an event: its arguments come as one."""
        self.join(*transfer)

    def _rate(self) -> float:
        share = self.total / len(self._heap)
        return share if share < self.cap else self.cap

    def _advance(self) -> None:
        now = self._clock.now
        if self._heap:
            self._virtual += (now - self._last) * self._rate()
        self._last = now

    def _plan(self) -> None:
        """Schedule the next end, unless the one that is scheduled still holds."""
        heap = self._heap
        if not heap:
            return
        rate = self._rate()
        first = heap[0]
        planned = (rate, first[1])
        if planned == self._planned:
            return
        self._planned = planned
        self._epoch += 1
        left = max(first[0] - self._virtual, 0.0)
        self._clock.at(self._clock.now + left / rate, self._complete, self._epoch)

    def _complete(self, epoch: int) -> None:
        if epoch != self._epoch:
            return  # another transfer joined meanwhile: a newer plan exists
        self._advance()
        finish, _, done, argument = heappop(self._heap)
        self._virtual = max(self._virtual, finish)
        self._planned = (0.0, 0)
        self._plan()
        done(argument)
