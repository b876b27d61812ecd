"""E8, E9: scalar accesses to GM go through a data cache of each core, and nothing keeps the caches alike.

E8: two cores store into one line of 64 B; whoever writes it back last takes the other's store away. E9: a store that
is still in the cache when somebody reads the memory, a read of a line that was fetched before others wrote, a copy
into a line that is dirty. Judged in program order of each core; between cores SyncAll and what blocks tell each other
order. At the end of a kernel the compiler cleans the cache, but nobody who waited at a barrier before can rely on that.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/DataCacheCleanAndInvalid.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_lab.checks.between import Between
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import Pipe

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.memory import Region
    from ascend_lab.engine.run import Run

_LINE = 64
_MTE2, _MTE3 = int(Pipe.MTE2), int(Pipe.MTE3)
_SCALAR = frozenset(("GetValue", "SetValue"))
_COPIES = frozenset(("DataCopy", "DataCopyPad"))
_CLEAN = "DataCacheCleanAndInvalid"


class Store(NamedTuple):
    """Bytes [low, high) written by ``x``, whose block had passed ``epoch`` SyncAll."""

    x: Issued
    low: int
    high: int
    epoch: int


class Fetched:
    """A line in a core's cache: since when, and the stores that are not written back."""

    __slots__ = ("dirty", "epoch", "x")

    def __init__(self, x: Issued, epoch: int) -> None:
        self.x = x
        self.epoch = epoch
        self.dirty: list[Store] = []


class Caches(Check):
    """Keeps what is in whose cache; costs nothing until the scalar unit touches GM."""

    def __init__(self, reports: Reports, between: Between) -> None:
        super().__init__(reports)
        self._between = between
        self._lines: dict[int, dict[int, Fetched]] = {}  # block -> line -> what it holds
        self._stores: dict[int, list[Store]] = {}  # line -> scalar stores, the last of each block
        self._arrived: list[Store] = []  # into tensors that some cache has lines of: in memory
        self._touched: set[int] = set()  # addresses of such tensors

    def launched(self, run: Run) -> None:
        self.gm = run.gm

    def wants(self, op: str) -> bool:
        return op in _SCALAR or op in _COPIES or op == _CLEAN

    def issued(self, core: Core, x: Issued) -> None:
        op = x.instr.op
        if op in _COPIES:
            if self._touched:
                self._copy(core, x)
        elif op == _CLEAN:
            self._clean(core, x)
        else:
            for access in (*x.reads, *x.writes):
                if access.space == "GM":
                    self._scalar(core, x, access.region)

    # --- the scalar unit ----------------------------------------------------------------------------

    def _scalar(self, core: Core, x: Issued, region: Region) -> None:
        allocation = self.gm.locate(region.low)
        if allocation is None:
            return
        self._touched.add(allocation.addr)
        if x.instr.params.get("bypass"):
            self._past_the_cache(core, x, region)
            return
        line = region.low - region.low % _LINE
        mine = self._lines.setdefault(x.block, {})
        found = mine.get(line)
        if found is None:
            found = mine[line] = Fetched(x, core.epoch)
        elif x.reads and not any(_meets(s, region.low, region.high) for s in found.dirty):
            self._stale(core, x, found, region)
        if x.writes:
            self._shared(core, x, line, region)
            found.dirty.append(Store(x, region.low, region.high, core.epoch))
        else:
            self._unseen(core, x, region.low, region.high)

    def _past_the_cache(self, core: Core, x: Issued, region: Region) -> None:
        """ReadGmByPassDCache and WriteGmByPassDCache: memory itself, as a copy does."""
        if x.reads:
            self._unseen(core, x, region.low, region.high)
        else:
            self._over_dirty(core, x, region.low, region.high)
            self._arrived.append(Store(x, region.low, region.high, core.epoch))

    def _stale(self, core: Core, x: Issued, found: Fetched, region: Region) -> None:
        """A line that is in the cache, and somebody has written these bytes since."""
        for store in self._arrived:
            if not _meets(store, region.low, region.high):
                continue
            same = store.x.block == x.block
            since = store.x.serial > found.x.serial if same else store.epoch >= found.epoch
            if since and (same or self._known(core, x, store)):
                self._report("E9", x, store.x, region.low, region.high, "stale")
                return

    def _unseen(self, core: Core, x: Issued, low: int, high: int) -> None:
        """Memory is read while the store to it is still in somebody's cache."""
        for block, lines in self._lines.items():
            if block == x.block and x.instr.op == "GetValue" and not x.instr.params.get("bypass"):
                continue
            for line in _lines_of(low, high, lines):
                for store in lines[line].dirty:
                    ours = block == x.block
                    if _meets(store, low, high) and (ours or self._known(core, x, store)):
                        self._report("E9", x, store.x, max(store.low, low), min(store.high, high))
                        return

    def _shared(self, core: Core, x: Issued, line: int, region: Region) -> None:
        """Another core has stored into this line, and nothing says that it is out of the cache."""
        stores = self._stores.setdefault(line, [])
        for store in stores:
            if store.x.block == x.block or _meets(store, region.low, region.high):
                continue
            lines = self._lines.get(store.x.block, {})
            kept = line in lines and store in lines[line].dirty
            if kept or not self._known(core, x, store):
                self._report("E8", x, store.x, region.low, region.high)
                break
        stores[:] = [store for store in stores if store.x.block != x.block]
        stores.append(Store(x, region.low, region.high, core.epoch))

    def _clean(self, core: Core, x: Issued) -> None:
        params, mine = x.instr.params, self._lines.get(x.block)
        if not mine or params.get("to") == "CACHELINE_UB":
            return
        if params.get("lines") == "ENTIRE_DATA_CACHE":
            for found in mine.values():
                self._arrived += found.dirty
            mine.clear()
            return
        addr = x.instr.srcs[0].addr
        line = addr - addr % _LINE
        cached = mine.get(line)
        if cached is not None:
            self._arrived += [store for store in cached.dirty if store.low >= addr]
            cached.dirty = [store for store in cached.dirty if store.low < addr]
            if not cached.dirty:
                del mine[line]

    # --- copies -----------------------------------------------------------------------------------------

    def _copy(self, core: Core, x: Issued) -> None:
        if x.pipe == _MTE2:
            for access in x.reads:
                if access.space == "GM" and self._is_touched(access.region):
                    for low, high in access.region.parts:
                        self._unseen(core, x, low, high)
        elif x.pipe == _MTE3:
            for access in x.writes:
                if access.space == "GM" and self._is_touched(access.region):
                    for low, high in access.region.parts:
                        self._over_dirty(core, x, low, high)
                        self._arrived.append(Store(x, low, high, core.epoch))

    def _over_dirty(self, core: Core, x: Issued, low: int, high: int) -> None:
        """A copy writes beside a store that is still in a cache: the line will come back over it."""
        for block, lines in self._lines.items():
            for line in _lines_of(low, high, lines):
                for store in lines[line].dirty:
                    if _meets(store, low, high):
                        continue
                    class_id = "E9" if block == x.block else "E8"
                    variant = "over" if block == x.block else "copy"
                    first, end = max(low, line), min(high, line + _LINE)
                    self._report(class_id, x, store.x, first, end, variant)
                    return

    def _is_touched(self, region: Region) -> bool:
        found = self.gm.locate(region.low)
        return found is not None and found.addr in self._touched

    # --- telling --------------------------------------------------------------------------------------

    def _known(self, core: Core, x: Issued, store: Store) -> bool:
        """Whether the other block's store is certainly done before ``x``."""
        return store.epoch < core.epoch or self._between.ordered(x, store.x)

    def _report(
        self, class_id: str, x: Issued, y: Issued, low: int, high: int, variant: str = ""
    ) -> None:
        if self.reports.again(class_id, x.instr.where, variant):
            return
        name, found = self.reports.array_at(low)
        assert found is not None
        first, last, _ = self.reports.elements(found, low, high)
        numbers: dict[str, Any] = {
            "op": x.instr.op,
            "op1": y.instr.op,
            "tensor": name,
            "first": first,
            "last": last,
            "other": y.block,
            "line1": self.reports.line(y.instr.where),
            "bytes": _LINE,
        }
        role = "writes"
        related = self.reports.other(y.instr.where, role)
        self.reports.add(class_id, x, numbers, variant=variant, related=related)


def _meets(store: Store, low: int, high: int) -> bool:
    return store.low < high and low < store.high


def _lines_of(low: int, high: int, lines: dict[int, Fetched]) -> Iterator[int]:
    """The lines of [low, high) that are in ``lines``."""
    if len(lines) * _LINE < high - low:
        yield from (line for line in lines if line < high and low < line + _LINE)
    else:
        first = low - low % _LINE
        yield from (line for line in range(first, high, _LINE) if line in lines)
