"""GM as a host program holds it: allocations that are freed again, and copies for runs side by side."""

from __future__ import annotations

from bisect import bisect_left

from ascend_lab.engine.memory import POISON, Allocation, GlobalMemory


class DeviceMemory(GlobalMemory):
    """A `GlobalMemory` that outlives launches. An address is never given twice.

    ``fresh``: what the bytes of a new allocation are; by default what no program can mean.
    """

    def __init__(self, capacity: int, fresh: int = POISON) -> None:
        super().__init__(capacity)
        self._fresh = fresh

    def alloc(self, name: str, nbytes: int, dtype: str = "uint8", reserve: int = 0) -> Allocation:
        """As `GlobalMemory.alloc`."""
        allocation = super().alloc(name, nbytes, dtype, reserve)
        if self._fresh != POISON:
            allocation.contents()[:] = self._fresh
        return allocation

    def free(self, addr: int) -> Allocation | None:
        """Take back the allocation that starts at ``addr``; None when there is none."""
        position = bisect_left(self._bases, addr)
        if position == len(self._bases) or self._bases[position] != addr:
            return None
        del self._bases[position]
        return self.allocations.pop(position)

    def twin(self) -> DeviceMemory:
        """The same allocations at the same addresses, with bytes of their own."""
        other = DeviceMemory(self.capacity, self._fresh)
        other._cursor = self._cursor
        other._bases = list(self._bases)
        for mine in self.allocations:
            copy = Allocation(mine.name, mine.addr, mine.nbytes, mine.dtype, mine.reserve)
            copy.data[:] = mine.data
            other.allocations.append(copy)
        return other
