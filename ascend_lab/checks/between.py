"""What a block knows of the others: which of their instructions are certainly complete.

A signal (IBSet, NotifyNextBlock, CrossCoreSetFlag) carries what its block has finished and what it knows of
others; a wait that answers it (`Issued.after`) learns it. SyncAll is an epoch, see `conflicts`.
A word of GM is a signal too when one block stores it and another polls it, which must then read memory and
not its own cache: ReadGmByPassDCache, or GetValue of a line that the block cleans and invalidates.
asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步, 标量计算/ReadGmByPassDCache(ISASI).md,
缓存控制/DataCacheCleanAndInvalid.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.order import PIPES, Order, join
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.dcache import LINE
from ascend_lab.engine.instruction import Pipe

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

#: block -> for each pipe the serial up to which its instructions are complete
Knowledge = dict[int, list[int]]
SIGNALS = ("IBSet", "NotifyNextBlock", "CrossCoreSetFlag", "GroupArrive")
_OF_ITS_PIPE = (
    "CrossCoreSetFlag",
    "SetValue",
)  # they tell of their pipe, and what it has waited for
WAITS = ("IBWait", "WaitPreBlock", "CrossCoreWaitFlag", "GroupWait")
_S = int(Pipe.S)
_CLEAN = "DataCacheCleanAndInvalid"


class Between(Check):
    """Knowledge of every block, as it grows with its waits. Must watch before those who ask it."""

    watches_flags = False

    def __init__(self, reports: Reports, order: Order) -> None:
        super().__init__(reports)
        self._order = order
        self._told: dict[int, Knowledge] = {}  # serial of a signal -> what it carries
        self._learned: dict[int, list[tuple[int, Knowledge]]] = {}  # block -> (from serial on, ...)
        self._cleaned: set[tuple[int, int]] = set()  # (block, line it has cleaned, -1: all)
        self._stored: dict[int, Issued] = {}  # address -> the last scalar store there

    def launched(self, run: Run) -> None:
        self.cores = run.cores

    def wants(self, op: str) -> bool:
        return op == _CLEAN

    def issued(self, core: Core, x: Issued) -> None:
        """From now on what the block reads there is what is in memory."""
        if x.instr.params.get("to") == "CACHELINE_UB":
            return
        if x.instr.params.get("lines") == "ENTIRE_DATA_CACHE":
            self._cleaned.add((x.block, -1))
        else:
            self._cleaned.add((x.block, x.instr.srcs[0].addr // LINE))

    def synced(self, core: Core, x: Issued) -> None:
        """A signal was given, or a wait was answered."""
        op = x.instr.op
        if op in SIGNALS:
            self._told[x.serial] = self._carried(x)
        elif op in WAITS and x.after:
            self._learn(x, x.after)

    def started(self, core: Core, x: Issued) -> None:
        """A scalar read that finds what another block has stored."""
        if x.pipe != _S or not self._stored or not self.polls(x):
            return
        store = self._stored.get(x.instr.srcs[0].addr)
        if store is not None and store.block != x.block and self._arrived(store):
            self._learn(x, (store.serial,))

    def committed(self, core: Core, x: Issued) -> None:
        """A scalar store tells whoever will read it what S knew."""
        if x.pipe == _S and x.writes and x.writes[0].space == "GM":
            self._stored[x.writes[0].region.low] = x
            self._told[x.serial] = self._carried(x)

    def ordered(self, x: Issued, y: Issued) -> bool:
        """Whether ``y``, of another block, is certainly complete before ``x`` starts."""
        for since, known in reversed(self._learned.get(x.block, ())):
            if since < x.serial:
                limits = known.get(y.block)
                return limits is not None and y.serial <= limits[y.pipe]
        return False

    def signals(self, x: Issued, y: Issued) -> bool:
        """Whether one of the two, of different blocks, polls what the other stores: that is no race."""
        return x.pipe == _S == y.pipe and (self.polls(x) or self.polls(y))

    def polls(self, x: Issued) -> bool:
        """Whether ``x`` is a scalar read of GM that is meant to see what others write meanwhile."""
        if x.instr.op != "GetValue" or not x.reads or x.reads[0].space != "GM":
            return False
        line = x.reads[0].region.low // LINE
        keys = ((x.block, line), (x.block, -1))
        return bool(x.instr.params.get("bypass")) or any(key in self._cleaned for key in keys)

    # --- knowledge ---------------------------------------------------------------------------------

    def _arrived(self, store: Issued) -> bool:
        """Whether a scalar store is in memory and no longer only in the cache of its core."""
        core = self.cores[store.core]
        return core.block != store.block or not core.dcache.is_dirty(store.writes[0].region.low)

    def _learn(self, x: Issued, signals: tuple[int, ...]) -> None:
        known = self._before(x.block, x.serial)
        for serial in signals:
            _merge(known, self._told.get(serial, {}))
        self._learned.setdefault(x.block, []).append((x.serial, known))

    def _carried(self, x: Issued) -> Knowledge:
        known = self._before(x.block, x.serial)
        if x.instr.op in _OF_ITS_PIPE:
            own = list(self._order.of(x.block).before(x.pipe, x.serial))
            own[x.pipe] = max(own[x.pipe], x.serial)
        else:  # the others come when nothing is on its way
            own = [x.serial] * PIPES
        known[x.block] = own
        return known

    def _before(self, block: int, serial: int) -> Knowledge:
        """A copy of what ``block`` knew when it issued ``serial``."""
        for since, known in reversed(self._learned.get(block, ())):
            if since < serial:
                return {other: list(limits) for other, limits in known.items()}
        return {}


def _merge(known: Knowledge, other: Knowledge) -> None:
    for block, limits in other.items():
        if block in known:
            join(known[block], limits)
        else:
            known[block] = list(limits)
