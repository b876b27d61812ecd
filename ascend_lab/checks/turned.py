"""What a source gives away that nothing has written.

I6: destination and source of a copy, or of a vector instruction, in the wrong order: as a destination the source would
make sense. A4 of a store: narrow blocks are taken one from each 32 B, but lie packed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.defined import Defined
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import Pipe, Ref
from ascend_lab.engine.semantics.lanewise import OPS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_COPIES = frozenset(("DataCopy", "DataCopyPad"))
_STORES = int(Pipe.MTE3)
_IN, _OUT = "VECIN", "VECOUT"


class Turned(Check):
    """Stands before `defined`, which would mark what an instruction writes."""

    def __init__(self, reports: Reports, defined: Defined) -> None:
        super().__init__(reports)
        self._defined = defined
        self._read: dict[tuple[int, int], tuple[Issued, int]] = {}  # (block, address) -> who

    def launched(self, run: Run) -> None:
        self.outputs = run.outputs
        self.undefined = run.undefined

    def wants(self, op: str) -> bool:
        return op in _COPIES or op in OPS

    def issued(self, core: Core, x: Issued) -> None:
        if x.instr.op not in _COPIES:
            self._vector(x)
        elif x.pipe == _STORES and x.reads and x.writes:
            if self._never(x, 0):
                self._store(x)
            elif x.instr.op == "DataCopyPad":
                self._packed(x)

    def _vector(self, x: Issued) -> None:
        dst, srcs = x.instr.dst, x.instr.srcs
        if dst is None or dst.pos != _IN or len(srcs) < 2 or len(x.reads) != len(srcs):
            return
        for position, src in enumerate(srcs):
            if src.pos == _OUT and self._never(x, position):
                self._read[x.block, src.addr] = x, position + 1

    def _store(self, x: Issued) -> None:
        src, dst = x.instr.srcs[0], x.instr.dst
        assert dst is not None
        found = self._read.get((x.block, src.addr))
        if found is not None:
            self._report(found[0], found[1], "dst")
        elif src.pos == _IN and self._is_input(dst):
            self._report(x, 1, "ends")

    def _packed(self, x: Issued) -> None:
        params, low = x.instr.params, x.instr.srcs[0].addr
        count, length = int(params["block_count"]), int(params["block_len"])
        slot = -(-length // 32) * 32
        if count < 2 or slot == length or params["src_stride"] or x.reads[0].space == "GM":
            return
        whole = low + count * length
        written = self._defined.all_written(x.block, low, whole)
        first = max(-(-whole // 32) * 32, low + slot)
        if not written or not self._defined.never_written(x.block, first, low + count * slot):
            return
        if self.reports.again("A4", x.instr.where, "store"):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 1),
            "rows": count,
            "row": length,
            "slot": slot,
            "packed": count * length,
        }
        self.reports.add("A4", x, numbers, variant="store")

    def _is_input(self, dst: Ref) -> bool:
        """Whether the array that is stored to is, for all we know, no output and no workspace."""
        _, allocation = self.reports.array_at(dst.addr)
        if allocation is None or self.outputs is None:
            return allocation is not None
        known = {*self.outputs, *self.undefined}
        return not self.reports.is_among(allocation, known)

    def _never(self, x: Issued, position: int) -> bool:
        """Whether nothing has written any byte of a source in local memory."""
        access = x.reads[position]
        return access.space != "GM" and self._defined.never_written(
            x.block, access.region.low, access.region.high
        )

    def _report(self, x: Issued, source: int, variant: str) -> None:
        if self.reports.again("I6", x.instr.where, variant):
            return
        numbers = {
            "op": x.instr.op,
            "source": self.reports.operand(x, source),
            "target": self.reports.operand(x, 0),
        }
        self.reports.add("I6", x, numbers, variant=variant)
