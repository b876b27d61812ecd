"""What a block knows of the others: which of their instructions are certainly complete.

A signal (IBSet, NotifyNextBlock, CrossCoreSetFlag) carries what its block has finished and what it knows of
others; a wait that answers it (`Issued.after`) learns it. SyncAll is an epoch, see `conflicts`.
asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.order import PIPES, Order, join

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

#: block -> for each pipe the serial up to which its instructions are complete
Knowledge = dict[int, list[int]]
SIGNALS = ("IBSet", "NotifyNextBlock", "CrossCoreSetFlag")
WAITS = ("IBWait", "WaitPreBlock", "CrossCoreWaitFlag")


class Between:
    """Knowledge of every block, as it grows with its waits."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._told: dict[int, Knowledge] = {}  # serial of a signal -> what it carries
        self._learned: dict[int, list[tuple[int, Knowledge]]] = {}  # block -> (from serial on, ...)

    def synced(self, x: Issued) -> None:
        """A signal was given, or a wait was answered."""
        op = x.instr.op
        if op in SIGNALS:
            self._told[x.serial] = self._carried(x)
        elif op in WAITS and x.after:
            known = self._before(x.block, x.serial)
            for serial in x.after:
                _merge(known, self._told.get(serial, {}))
            self._learned.setdefault(x.block, []).append((x.serial, known))

    def _carried(self, x: Issued) -> Knowledge:
        known = self._before(x.block, x.serial)
        if x.instr.op == "CrossCoreSetFlag":  # its own pipe, and what that pipe has waited for
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

    def ordered(self, x: Issued, y: Issued) -> bool:
        """Whether ``y``, of another block, is certainly complete before ``x`` starts."""
        for since, known in reversed(self._learned.get(x.block, ())):
            if since < x.serial:
                limits = known.get(y.block)
                return limits is not None and y.serial <= limits[y.pipe]
        return False


def _merge(known: Knowledge, other: Knowledge) -> None:
    for block, limits in other.items():
        if block in known:
            join(known[block], limits)
        else:
            known[block] = list(limits)
