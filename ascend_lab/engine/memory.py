"""Memories of the model: GM with exact extents, local memories per core, and byte regions.

Fresh memory is poison. GM is one address space of allocations with red zones between them; one array
passed twice is one allocation.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, Ref
from ascend_lab.engine.lanes import Interval

POISON = 0xFF  # NaN in every float type, -1 in signed integers
GM_BASE = 1 << 32  # so that an address near zero is recognisably wrong
GM_ALIGN = 512
RED_ZONE = 512

Bytes = NDArray[np.uint8]


class Region:
    """A set of bytes: sorted, disjoint intervals [low, high)."""

    __slots__ = ("high", "low", "nbytes", "parts")

    def __init__(self, parts: tuple[Interval, ...]) -> None:
        self.parts = parts
        if len(parts) == 1:
            self.low, self.high = parts[0]
            self.nbytes = self.high - self.low
        else:
            self.low = parts[0][0] if parts else 0
            self.high = parts[-1][1] if parts else 0
            self.nbytes = sum(high - low for low, high in parts)

    def overlaps(self, other: Region) -> bool:
        """Whether any byte belongs to both."""
        if self.low >= other.high or other.low >= self.high:
            return False
        if len(self.parts) == 1 and len(other.parts) == 1:
            return True
        return self.first_common(other) is not None

    def first_common(self, other: Region) -> Interval | None:
        """The first interval of bytes that belongs to both, or None."""
        mine, theirs = iter(self.parts), iter(other.parts)
        a, b = next(mine, None), next(theirs, None)
        while a is not None and b is not None:
            low, high = max(a[0], b[0]), min(a[1], b[1])
            if low < high:
                return low, high
            if a[1] <= b[1]:
                a = next(mine, None)
            else:
                b = next(theirs, None)
        return None

    def __repr__(self) -> str:
        return f"Region({self.parts})"


EMPTY = Region(())


class Access(NamedTuple):
    """Bytes of one memory that an instruction reads or writes. ``space`` "GM", "UB", ..."""

    space: str
    region: Region


class Write(NamedTuple):
    """A pending write: at commit ``target[index] = values``, combined first if ``atomic``."""

    target: NDArray[Any]
    index: Any
    values: NDArray[Any]
    atomic: str = ""


class Allocation:
    """One GM allocation. ``data`` has ``nbytes`` bytes and a red zone behind them.

    ``reserve``: bytes behind ``end`` that whoever allocated has besides, and that are nobody else's.
    """

    __slots__ = ("addr", "data", "dtype", "end", "limit", "name", "nbytes", "reserve")

    def __init__(self, name: str, addr: int, nbytes: int, dtype: str, reserve: int = 0) -> None:
        self.name = name
        self.addr = addr
        self.nbytes = nbytes
        self.end = addr + nbytes
        self.limit = self.end + RED_ZONE  # past the red zone
        self.dtype = dtype
        self.reserve = reserve
        self.data: Bytes = np.full(nbytes + RED_ZONE, POISON, dtype=np.uint8)

    def contents(self) -> Bytes:
        """The bytes the program owns, without the red zone."""
        return self.data[: self.nbytes]

    def __repr__(self) -> str:
        return f"Allocation({self.name}, {self.nbytes} B)"


class GlobalMemory:
    """GM: allocations in one address space. Bytes outside every allocation read as poison."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.allocations: list[Allocation] = []
        self._bases: list[int] = []
        self._cursor = GM_BASE

    def alloc(self, name: str, nbytes: int, dtype: str = "uint8", reserve: int = 0) -> Allocation:
        """Give ``nbytes`` (>= 0) exact bytes, 512 B aligned. MemoryError beyond the chip's GM."""
        if self._cursor + nbytes > GM_BASE + self.capacity:
            raise MemoryError(f"GM holds {self.capacity} B; {name} asks for {nbytes} B more")
        allocation = Allocation(name, self._cursor, nbytes, dtype, reserve)
        self.allocations.append(allocation)
        self._bases.append(self._cursor)
        self._cursor = -(-(allocation.end + RED_ZONE) // GM_ALIGN) * GM_ALIGN
        return allocation

    def locate(self, addr: int) -> Allocation | None:
        """The allocation (red zone included) that holds ``addr``, or None."""
        position = bisect_right(self._bases, addr) - 1
        if position < 0:
            return None
        found = self.allocations[position]
        return found if addr < found.limit else None

    def _chunks(self, addr: int, nbytes: int) -> Iterator[tuple[int, int, Allocation | None]]:
        """(offset in the request, length, allocation or None) pieces of [addr, addr + nbytes)."""
        done = 0
        while done < nbytes:
            here = addr + done
            found = self.locate(here)
            if found is not None:
                step = min(nbytes - done, found.end + RED_ZONE - here)
            else:
                following = bisect_right(self._bases, here)
                limit = self._bases[following] if following < len(self._bases) else addr + nbytes
                step = min(nbytes - done, max(limit - here, 1))
            yield done, step, found
            done += step

    def span(self, addr: int, nbytes: int) -> Bytes | None:
        """A live view of the bytes when one allocation holds them all, else None."""
        found = self.locate(addr)
        if found is None or addr + nbytes > found.limit:
            return None
        low = addr - found.addr
        return found.data[low : low + nbytes]

    def read(self, addr: int, nbytes: int) -> Bytes:
        """A copy of the bytes; poison where nothing is allocated."""
        view = self.span(addr, nbytes)
        if view is not None:
            return view.copy()
        result = np.full(nbytes, POISON, dtype=np.uint8)
        for offset, length, found in self._chunks(addr, nbytes):
            if found is not None:
                low = addr + offset - found.addr
                result[offset : offset + length] = found.data[low : low + length]
        return result

    def writes(self, addr: int, values: Bytes, atomic: str = "", dtype: str = "") -> list[Write]:
        """Pending writes of ``values`` at ``addr``; bytes outside every allocation are dropped.

        With ``atomic`` "add"/"max"/"min" the values combine with memory as ``dtype`` at commit.
        """
        result = []
        for offset, length, found in self._chunks(addr, values.size):
            if found is None:
                continue
            low = addr + offset - found.addr
            target, part = found.data[low : low + length], values[offset : offset + length]
            if atomic:
                whole = length - length % DTYPES[dtype].itemsize
                view = target[:whole].view(DTYPES[dtype])
                result.append(Write(view, slice(None), part[:whole].view(DTYPES[dtype]), atomic))
            else:
                result.append(Write(target, slice(None), part))
        return result


class LocalMemory:
    """One local memory of one core (UB, L1, ...). Accesses outside it read poison, write nothing."""

    __slots__ = ("_views", "data", "nbytes", "space")

    def __init__(self, space: str, nbytes: int) -> None:
        self.space = space
        self.nbytes = nbytes
        self.data: Bytes = np.full(nbytes, POISON, dtype=np.uint8)
        self._views = {name: self.data.view(dtype) for name, dtype in DTYPES.items()}

    def poison(self, low: int, high: int) -> None:
        """Forget what [low, high) held."""
        self.data[low:high] = POISON

    def view(self, dtype: str) -> NDArray[Any]:
        """The whole memory as elements of ``dtype`` (a live view)."""
        return self._views[dtype]

    def contiguous(self, ref: Ref, count: int) -> NDArray[Any]:
        """A copy of ``count`` elements from ``ref.addr`` on."""
        itemsize = DTYPES[ref.dtype].itemsize
        low, high = ref.addr, ref.addr + count * itemsize
        if 0 <= low and high <= self.nbytes:
            if low % itemsize == 0:
                return self._views[ref.dtype][low // itemsize : high // itemsize].copy()
            return self.data[low:high].copy().view(DTYPES[ref.dtype])
        return self.gather(ref, np.arange(count, dtype=np.int64) * itemsize)

    def store_contiguous(self, ref: Ref, values: NDArray[Any]) -> Write:
        """The pending write of ``values`` (of ``ref.dtype``) from ``ref.addr`` on."""
        itemsize = values.dtype.itemsize
        low, high = ref.addr, ref.addr + values.size * itemsize
        if 0 <= low and high <= self.nbytes:
            return Write(self.data, slice(low, high), values.view(np.uint8))
        return self.scatter(ref, np.arange(values.size, dtype=np.int64) * itemsize, values)

    def gather(self, ref: Ref, offsets: NDArray[np.int64]) -> NDArray[Any]:
        """Elements at ``ref.addr + offsets`` (bytes)."""
        dtype = DTYPES[ref.dtype]
        where = ref.addr + offsets
        inside = (where >= 0) & (where + dtype.itemsize <= self.nbytes)
        if ref.addr % dtype.itemsize == 0 and bool(inside.all()):
            view = self._views[ref.dtype]
            return np.asarray(view[where // dtype.itemsize])
        result = np.full((where.size, dtype.itemsize), POISON, dtype=np.uint8)
        spread = where[inside][:, None] + np.arange(dtype.itemsize)
        result[inside] = self.data[spread]
        return result.reshape(-1).view(dtype)

    def scatter(self, ref: Ref, offsets: NDArray[np.int64], values: NDArray[Any]) -> Write:
        """The pending write of ``values`` at ``ref.addr + offsets`` (bytes)."""
        itemsize = values.dtype.itemsize
        where = ref.addr + offsets
        inside = (where >= 0) & (where + itemsize <= self.nbytes)
        if ref.addr % itemsize == 0 and bool(inside.all()):
            return Write(self._views[ref.dtype], where // itemsize, values)
        spread = where[inside][:, None] + np.arange(itemsize)
        return Write(self.data, spread, values.view(np.uint8).reshape(-1, itemsize)[inside])


_COMBINE = {"add": np.add, "max": np.maximum, "min": np.minimum}


def commit(writes: Sequence[Write]) -> None:
    """Carry out pending writes; an atomic one reads, combines and writes indivisibly."""
    for write in writes:
        if write.atomic:
            old = write.target[write.index]
            with np.errstate(all="ignore"):
                write.target[write.index] = _COMBINE[write.atomic](old, write.values)
        else:
            write.target[write.index] = write.values
