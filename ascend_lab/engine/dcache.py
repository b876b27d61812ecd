"""The data cache of a core's scalar unit: GetValue and SetValue of GM go through it, copies do not, nor do
ReadGmByPassDCache and WriteGmByPassDCache.

Lines of 64 B are fetched when first touched and stay until they are cleaned, pushed out, or the block ends, when the
compiler has put a DataCacheCleanAndInvalid. What others write meanwhile is not seen; a dirty line is written back
whole, over what others wrote beside it. Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/
DataCacheCleanAndInvalid.md, 数据结构/GlobalTensor/{GetValue,SetValue}.md,
docs/zh/guide/算子实践参考/SIMD算子性能优化/头尾开销优化/设置DCI编译选项来减少算子尾开销.md.
"""

from __future__ import annotations

import numpy as np

from ascend_lab.engine.memory import Bytes, GlobalMemory, Write, commit

LINE = 64
_LINES = 32 * 1024 // LINE


class Line:
    """One line: its bytes, and which of them the scalar unit has written."""

    __slots__ = ("data", "dirty")

    def __init__(self, data: Bytes) -> None:
        self.data = data
        self.dirty = np.zeros(LINE, dtype=np.bool_)


class DCache:
    """The lines of one core, oldest first. Which line goes first when all are taken is not documented: the oldest."""

    __slots__ = ("_gm", "_lines", "fetched")

    def __init__(self, gm: GlobalMemory) -> None:
        self._gm = gm
        self.fetched = 0  # lines that came from GM
        self._lines: dict[int, Line] = {}

    def read(self, addr: int, nbytes: int) -> Bytes:
        """The bytes as the scalar unit sees them."""
        parts = [self._line(line).data[low:high] for line, low, high in _pieces(addr, nbytes)]
        return parts[0].copy() if len(parts) == 1 else np.concatenate(parts)

    def peek(self, addr: int, nbytes: int) -> Bytes:
        """The bytes as the scalar unit would see them; fetches nothing."""
        found = self._gm.read(addr, nbytes)
        at = 0
        for line, low, high in _pieces(addr, nbytes):
            if line in self._lines:
                found[at : at + high - low] = self._lines[line].data[low:high]
            at += high - low
        return found

    def is_dirty(self, addr: int) -> bool:
        """Whether the byte at ``addr`` has been stored and not written back."""
        line = addr - addr % LINE
        found = self._lines.get(line)
        return found is not None and bool(found.dirty[addr - line])

    def writes(self, addr: int, values: Bytes) -> list[Write]:
        """Pending writes of ``values`` into lines, which are dirty from now on."""
        found, done = [], 0
        for line, low, high in _pieces(addr, values.size):
            here = self._line(line)
            here.dirty[low:high] = True
            part = values[done : done + high - low]
            found.append(Write(here.data[low:high], slice(None), part))
            done += high - low
        return found

    def clean(self, addr: int) -> None:
        """Write back and drop the line of ``addr``, from ``addr`` on to the end of the line."""
        line = addr - addr % LINE
        found = self._lines.get(line)
        if found is None:
            return
        low = addr - line
        if found.dirty[low:].any():
            self._write_back(line + low, found.data[low:])
        found.dirty[low:] = False
        if not found.dirty.any():
            del self._lines[line]

    def clean_all(self) -> None:
        """Write back and drop every line."""
        lines, self._lines = self._lines, {}
        for line, found in lines.items():
            if found.dirty.any():
                self._write_back(line, found.data)

    def _line(self, line: int) -> Line:
        found = self._lines.get(line)
        if found is None:
            if len(self._lines) >= _LINES:
                self.clean(next(iter(self._lines)))
            self.fetched += 1
            found = self._lines[line] = Line(self._gm.read(line, LINE))
        return found

    def _write_back(self, addr: int, data: Bytes) -> None:
        commit(self._gm.writes(addr, data.copy()))


def _pieces(addr: int, nbytes: int) -> list[tuple[int, int, int]]:
    """(line, first byte, end) of what [addr, addr + nbytes) has in each line."""
    found, at, end = [], addr, addr + nbytes
    while at < end:
        line = at - at % LINE
        stop = min(line + LINE, end)
        found.append((line, at - line, stop - line))
        at = stop
    return found
