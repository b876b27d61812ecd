"""Simulated time: one heap of events, and the pools that transfers share."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

Action = Callable[[Any], None]


class Clock:
    """Events in order of time; equal times in the order they were scheduled.

    Times are cycles of the chip's clock. The same schedule of calls gives the same order in every process.
    """

    __slots__ = ("_heap", "_serial", "now")

    def __init__(self) -> None:
        self.now = 0.0
        self._heap: list[tuple[float, int, Action, Any]] = []
        self._serial = 0

    def at(self, time: float, action: Action, argument: Any = None) -> None:
        """Run ``action(argument)`` at ``time`` (not before now)."""
        self._serial += 1
        heapq.heappush(self._heap, (max(time, self.now), self._serial, action, argument))

    def step(self) -> bool:
        """Run the next event; False when there is none."""
        if not self._heap:
            return False
        self.now, _, action, argument = heapq.heappop(self._heap)
        action(argument)
        return True


class Pool:
    """A bandwidth that transfers share equally: processor sharing in virtual time.

    With n transfers each moves at ``min(cap, total / n)`` bytes per cycle. A transfer of s bytes that joins
    at virtual time V ends at V + s, so joins and ends cost O(log n) whatever n is.
    """

    __slots__ = (
        "_active",
        "_clock",
        "_epoch",
        "_heap",
        "_last",
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
        self._active = 0
        self._epoch = 0
        self._serial = 0

    def join(self, size: float, done: Action, argument: Any) -> None:
        """Move ``size`` bytes from now on; call ``done(argument)`` when they have moved."""
        self._advance()
        self._serial += 1
        heapq.heappush(self._heap, (self._virtual + size, self._serial, done, argument))
        self._active += 1
        self._plan()

    def _rate(self) -> float:
        return min(self.cap, self.total / self._active)

    def _advance(self) -> None:
        now = self._clock.now
        if self._active:
            self._virtual += (now - self._last) * self._rate()
        self._last = now

    def _plan(self) -> None:
        self._epoch += 1
        if self._heap:
            left = max(self._heap[0][0] - self._virtual, 0.0)
            self._clock.at(self._clock.now + left / self._rate(), self._complete, self._epoch)

    def _complete(self, epoch: int) -> None:
        if epoch != self._epoch:
            return  # another transfer joined meanwhile: a newer plan exists
        self._advance()
        finish, _, done, argument = heapq.heappop(self._heap)
        self._virtual = max(self._virtual, finish)
        self._active -= 1
        self._plan()
        done(argument)
