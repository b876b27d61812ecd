"""I1: a repeat stride that makes iterations meet, though the data lie one iteration after the other.

A source: the load brought exactly as many whole iterations as the instruction repeats, but a short stride reads the
first part again and again and leaves the rest. A destination: iterations overwrite what earlier ones have written.
Windows that overlap on purpose load less than whole iterations, sums that pile up have stride 0 on both sides:
neither is meant. Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/SIMD计算说明/高维切分.md.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Pipe, Ref
from ascend_lab.engine.lanes import REPEAT, Interval, params_of
from ascend_lab.engine.semantics.form import lanes_of, operand_parts
from ascend_lab.engine.semantics.lanewise import OPS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_MTE2 = int(Pipe.MTE2)
_BLOCK = 32
_LOADS = frozenset(("DataCopy", "DataCopyPad"))


class Repeats(Check):
    """Loads are remembered by where they put their data; repeats of whole masks are held against them."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._loaded: dict[tuple[int, int], int] = {}  # (block, address in UB) -> bytes

    def wants(self, op: str) -> bool:
        return op in OPS or op in _LOADS

    def issued(self, core: Core, x: Issued) -> None:
        if x.pipe == _MTE2:
            if x.writes:
                region = x.writes[0].region
                self._loaded[x.block, region.low] = region.high - region.low
        elif x.form.repeat > 1 and x.writes and not x.mask.counter:
            self._repeated(x)

    def _repeated(self, x: Issued) -> None:
        instr, dst = x.instr, x.instr.dst
        if dst is None or not _is_whole(x.form.mask, x.form.lanes):
            return
        step = params_of(instr, 0)[1] * _BLOCK
        if instr.op != "Duplicate" and not _piles_up(instr, dst):
            lost = _overwritten(_one(x, 0, dst), step, x.form.repeat)
            if lost:
                self._report(x, 0, step, lost, "dst")
                return
        for position, src in enumerate(instr.srcs, 1):
            self._source(x, position, src)

    def _source(self, x: Issued, position: int, src: Ref) -> None:
        loaded = self._loaded.get((x.block, src.addr), 0)
        whole = lanes_of(x.instr) * ITEMSIZE[src.dtype] * x.form.repeat
        if not whole <= loaded < whole + REPEAT:
            return
        if params_of(x.instr, position)[0] == 0:  # one DataBlock for a whole repeat: it is meant
            return
        parts = operand_parts(x.instr, x.form, position, src)
        read = sum(high - low for low, high in parts)
        if read < whole:
            step = params_of(x.instr, position)[1] * _BLOCK
            self._report(x, position, step, whole - read, "")

    def _report(self, x: Issued, position: int, step: int, lost: int, variant: str) -> None:
        if self.reports.again("I1", x.instr.where, variant):
            return
        ref = x.instr.srcs[position - 1] if position else x.instr.dst
        assert ref is not None
        natural = lanes_of(x.instr) * ITEMSIZE[ref.dtype] // _BLOCK
        names = ("dst", "src0", "src1") if len(x.instr.srcs) > 1 else ("dst", "src")
        blk = params_of(x.instr, position)[0]
        field = f"{names[position]}RepStride" if blk == 1 else f"{names[position]}BlkStride"
        numbers: dict[str, Any] = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, position),
            "field": field,
            "value": step // _BLOCK if blk == 1 else blk,
            "step": step,
            "lost": lost,
            "repeat": x.form.repeat,
            "natural": natural if blk == 1 else 1,
        }
        self.reports.add("I1", x, numbers, variant=variant)


def _is_whole(mask: Any, lanes: int) -> bool:
    """Whether every lane takes part."""
    if isinstance(mask, int):
        return mask >= lanes
    low, high = mask
    return bool((high << 64 | low) & (1 << lanes) - 1 == (1 << lanes) - 1)


def _piles_up(instr: Instr, dst: Ref) -> bool:
    """dst is a source again, and one of the two stands still: a sum over the iterations, or I5."""
    return any(
        src.addr == dst.addr and 0 in (params_of(instr, 0)[1], params_of(instr, position)[1])
        for position, src in enumerate(instr.srcs, 1)
    )


def _one(x: Issued, position: int, ref: Ref) -> tuple[Interval, ...]:
    """The bytes of one iteration, from the operand's address on."""
    one = x.form._replace(repeat=1, tail=0)
    return tuple(operand_parts(x.instr, one, position, ref._replace(addr=0)))


@lru_cache(maxsize=1024)
def _overwritten(parts: tuple[Interval, ...], step: int, repeat: int) -> int:
    """Bytes of an iteration that the next ones write again."""
    if not parts:
        return 0
    span = parts[-1][1]
    for further in range(1, repeat):
        ahead = further * step
        if ahead >= span:
            return 0
        common = sum(
            max(min(high, other_high + ahead) - max(low, other_low + ahead), 0)
            for low, high in parts
            for other_low, other_high in parts
        )
        if common:
            return common
    return 0
