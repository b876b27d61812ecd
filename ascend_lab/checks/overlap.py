"""Source and destination of one vector instruction that overlap in part.

I5: inside an iteration they are the same or disjoint, and no iteration writes what a later one reads.
H6: a widening Cast in place. Source: asc-devkit: docs/zh/api/SIMD-API/通用说明和约束.md.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import ITEMSIZE, Ref
from ascend_lab.engine.lanes import REPEAT, params_of
from ascend_lab.engine.semantics.form import lanes_of, operand_parts
from ascend_lab.engine.semantics.lanewise import OPS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

#: May accumulate: dst is src1 again and one of their repeat strides is 0.
_ACCUMULATE = frozenset(("Add", "Sub", "Mul", "Max", "Min", "AddRelu", "SubRelu"))


class Overlap(Check):
    """Lane-wise vector instructions only: reductions and Compare have rules of their own."""

    def wants(self, op: str) -> bool:
        return op in OPS

    def issued(self, core: Core, x: Issued) -> None:
        if not x.writes:
            return
        dst = x.instr.dst
        if dst is None:
            return
        region = x.writes[0].region
        for access in x.reads:
            other = access.region
            if other.low < region.high and region.low < other.high and access.space == dst.space:
                self._look(x, dst)
                return

    def _look(self, x: Issued, dst: Ref) -> None:
        for position, src in enumerate(x.instr.srcs, 1):
            if x.form.count < 0:
                self._repeated(x, position, dst, src)
            elif dst.addr != src.addr or ITEMSIZE[dst.dtype] != ITEMSIZE[src.dtype]:
                self._contiguous(x, position, dst, src)

    def _contiguous(self, x: Issued, position: int, dst: Ref, src: Ref) -> None:
        to, of = ITEMSIZE[dst.dtype], ITEMSIZE[src.dtype]
        shift = dst.addr - src.addr
        count = x.form.count
        low, high = max(dst.addr, src.addr), min(dst.addr + count * to, src.addr + count * of)
        if low >= high:
            return
        if to == of:
            step = min(REPEAT, count * to)
            if shift > 0 or -shift < step:
                self._report(x, position, high - low, shift)
        elif to > of and shift > -of * lanes_of(x.instr):
            lane = _first_overwritten(x, dst, src)
            if lane is not None:
                self._widening(x, position, dst, src, lane)
        elif to < of and shift > 0:
            self._report(x, position, high - low, shift)

    def _repeated(self, x: Issued, position: int, dst: Ref, src: Ref) -> None:
        """Iteration by iteration: dst of N against src of N and of every later one."""
        instr, form = x.instr, x.form
        steps = params_of(instr, 0)[1] * 32, params_of(instr, position)[1] * 32
        if instr.op in _ACCUMULATE and dst.addr == src.addr and 0 in steps:
            return
        one = form._replace(repeat=1, tail=0)
        writes = operand_parts(instr, one, 0, dst._replace(addr=0))
        reads = operand_parts(instr, one, position, src._replace(addr=0))
        to, of = ITEMSIZE[dst.dtype], ITEMSIZE[src.dtype]
        clash = _clash(dst.addr - src.addr, writes, reads, steps, form.repeat, to == of)
        if clash is None:
            return
        iteration, size = clash
        if to > of:
            self._widening(x, position, dst, src, iteration * lanes_of(instr))
        else:
            self._report(x, position, size, dst.addr - src.addr)

    def _report(self, x: Issued, position: int, overlap: int, shift: int) -> None:
        if self.reports.again("I5", x.instr.where):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, 0),
            "source": self.reports.operand(x, position),
            "overlap": overlap,
            "shift": abs(shift),
        }
        self.reports.add("I5", x, numbers)

    def _widening(self, x: Issued, position: int, dst: Ref, src: Ref, lane: int) -> None:
        if self.reports.again("H6", x.instr.where):
            return
        numbers = {
            "src_dtype": src.dtype,
            "dtype": dst.dtype,
            "operand": self.reports.operand(x, 0),
            "source": self.reports.operand(x, position),
            "lane": lane,
        }
        self.reports.add("H6", x, numbers)


def _first_overwritten(x: Issued, dst: Ref, src: Ref) -> int | None:
    """The first source element that an earlier iteration has overwritten, None when there is none."""
    lanes = lanes_of(x.instr)
    to, of = ITEMSIZE[dst.dtype], ITEMSIZE[src.dtype]
    count = x.form.count
    for first in range(lanes, count, lanes):
        written = dst.addr + first * to  # everything before this is written by then
        if dst.addr < src.addr + min(first + lanes, count) * of and written > src.addr + first * of:
            return first
    return None


Parts = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def _clash(
    shift: int, writes: Parts, reads: Parts, steps: tuple[int, int], repeat: int, same_lanes: bool
) -> tuple[int, int] | None:
    """The iteration that reads what was overwritten, and how many bytes; None when none does.

    ``shift`` is dst - src in bytes. Without ``same_lanes`` (types of different size) an iteration may
    overlap itself: it has read its lanes before it writes.
    """
    span = max(high for _, high in writes) if writes else 0
    for n in range(repeat):
        for m in range(n if same_lanes else n + 1, repeat):
            ahead = m * steps[1] - n * steps[0] - shift
            if m > n and steps[1] > 0 and ahead >= span:
                break  # this iteration and all later ones lie behind what is written
            size = _common(writes, reads, ahead)
            if size and not (m == n and ahead == 0 and writes == reads):
                return m, size
    return None


def _common(writes: Parts, reads: Parts, ahead: int) -> int:
    """Bytes in both, the reads moved on by ``ahead``."""
    return sum(
        max(min(high, other_high + ahead) - max(low, other_low + ahead), 0)
        for low, high in writes
        for other_low, other_high in reads
    )
