"""The L2 cache: which lines of GM it holds, which of them are dirty, and what it drops for new ones.

Reads and writes allocate; the lines unused for longest go first. A launch begins with an empty cache.
Source: accesses and hits that asc-devkit publishes for its data_copy example (see the chip file).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from ascend_lab.engine.lanes import Interval

#: Lines are kept in pages, each a pair of bit masks: held lines and dirty lines.
_LINES = 32


class Outcome(NamedTuple):
    """Bytes of an access that were held, that were not, and dirty bytes that were dropped for it."""

    hit: int
    missed: int
    dropped: int


class L2:
    """One launch's cache of ``capacity`` bytes in lines of ``line`` bytes."""

    __slots__ = ("_capacity", "_line", "_page", "_pages", "_used")

    def __init__(self, capacity: int, line: int) -> None:
        self._capacity = capacity // line
        self._line = line
        self._page = line * _LINES
        self._pages: OrderedDict[int, list[int]] = OrderedDict()
        self._used = 0

    def touch(self, parts: Iterable[Interval], dirty: bool) -> Outcome:
        """Read the lines of ``parts``, or write them (``dirty``), and keep them."""
        pages, size, line = self._pages, self._page, self._line
        hit = asked = 0
        for low, high in parts:
            while low < high:
                number, offset = divmod(low, size)
                end = min(high - number * size, size)
                first, last = offset // line, -(-end // line)
                mask = (1 << last) - (1 << first)
                page = pages.get(number)
                if page is None:
                    page = pages[number] = [0, 0]
                else:
                    pages.move_to_end(number)
                    hit += (page[0] & mask).bit_count()
                asked += last - first
                page[0] |= mask
                if dirty:
                    page[1] |= mask
                low = (number + 1) * size
        self._used += asked - hit
        dropped = self._shrink() if self._used > self._capacity else 0
        return Outcome(hit * line, (asked - hit) * line, dropped * line)

    def look(self, parts: Iterable[Interval]) -> Outcome:
        """What a read that allocates nothing finds."""
        pages, size, line = self._pages, self._page, self._line
        hit = asked = 0
        for low, high in parts:
            while low < high:
                number, offset = divmod(low, size)
                end = min(high - number * size, size)
                first, last = offset // line, -(-end // line)
                page = pages.get(number)
                if page is not None:
                    hit += (page[0] & ((1 << last) - (1 << first))).bit_count()
                asked += last - first
                low = (number + 1) * size
        return Outcome(hit * line, (asked - hit) * line, 0)

    def _shrink(self) -> int:
        """Drop the pages unused for longest; how many dirty lines that were."""
        dirty = 0
        while self._used > self._capacity:
            _, (held, written) = self._pages.popitem(last=False)
            self._used -= held.bit_count()
            dirty += written.bit_count()
        return dirty
