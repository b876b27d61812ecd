"""B6: the temporary buffer of an instruction is too small; B7: what the library takes without asking is gone.

ReduceSum, ReduceMax and ReduceMin have a formula on their pages, the high-level interfaces say how much they need.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/{ReduceSum,ReduceMax}.md,
高阶API, 比较与选择/Select.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.extents import extent, in_blocks
from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.observer import Trap
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import lanes_of
from ascend_lab.engine.semantics.lanewise import OPS

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

#: Modes of Select with a scalar, or a mask tensor of their own: asc-devkit: 比较与选择/Select.md.
_RESERVING = (1, 2)
_RESERVE = 8192
_REDUCE = frozenset(("ReduceSum", "ReduceMax", "ReduceMin"))
#: Lane by lane and moves: they need no temporary buffer.
_NONE = frozenset((*OPS, "DataCopy", "DataCopyPad", "GetValue", "SetValue"))


class Temporary(Check):
    """Looks at the last source of whatever takes a temporary buffer, before its addresses are judged."""

    def launched(self, run: Run) -> None:
        self.ub_bytes = run.spec.memory.ub_bytes
        self.usable = run.spec.memory.ub_usable_bytes

    def wants(self, op: str) -> bool:
        return op in SEMANTICS and op not in _NONE

    def issued(self, core: Core, x: Issued) -> None:
        instr = x.instr
        if instr.op in _REDUCE:
            if len(instr.srcs) > 1 and x.writes:
                size = ITEMSIZE[instr.srcs[0].dtype]
                self._judge(x, len(instr.srcs), in_blocks(_elements(instr) * size))
        elif "tmp" in instr.params and x.writes:
            needed = int(instr.params["tmp"])
            self._judge(x, len(instr.srcs), needed)
            self._taken(x, instr.srcs[-1], needed)
        elif instr.op == "Select" and instr.params.get("mode") in _RESERVING:
            self._reserve(x)

    def _judge(self, x: Issued, position: int, needed: int) -> None:
        ref = x.instr.srcs[position - 1]
        has = self._has(x, ref)
        if has < 0 or has >= needed:
            return
        fatal = ref.addr + needed > self.ub_bytes
        if not fatal and self.reports.again("B6", x.instr.where):
            return
        numbers = {
            "op": x.instr.op,
            "operand": self.reports.operand(x, position),
            "needed": needed,
            "has": has,
            "elements": -(-needed // ITEMSIZE[ref.dtype]),
            "dtype": ref.dtype,
        }
        buffer = self.reports.buffer(x.block, ref)
        related = self.reports.other(buffer.where, "plans") if buffer is not None else ()
        made = self.reports.add("B6", x, numbers, related=related, fatal=fatal)
        if fatal:
            raise Trap(made)

    def _top(self, block: int) -> int:
        """The first byte that no InitBuffer has handed out; 0 without buffers."""
        return max((b.high for b in self.reports.buffers.get(block, {}).values()), default=0)

    def _taken(self, x: Issued, ref: Ref, needed: int) -> None:
        """A buffer that the library takes from what TPipe has not handed out: is there so much?"""
        top = self._top(x.block)
        if ref.buf >= 0 or not top or ref.addr < top or ref.addr + needed <= self.usable:
            return
        numbers = self._room(x, needed, self.usable - ref.addr)
        raise Trap(self.reports.add("B7", x, numbers, variant="stack", fatal=True))

    def _reserve(self, x: Issued) -> None:
        """Modes 1 and 2 of Select keep 8 KB at the end of UB for themselves."""
        free = self.usable - self._top(x.block)
        if free >= _RESERVE or self.reports.again("B7", x.instr.where):
            return
        numbers = self._room(x, _RESERVE, free)
        numbers["mode"] = x.instr.params["mode"]
        self.reports.add("B7", x, numbers)

    def _room(self, x: Issued, needed: int, free: int) -> dict[str, Any]:
        planned = self._top(x.block)
        return {
            "op": x.instr.op,
            "needed": needed,
            "free": max(free, 0),
            "planned": planned,
            "usable": self.usable,
        }

    def _has(self, x: Issued, ref: Ref) -> int:
        """Bytes from the start of the tensor to its end, in whole blocks; -1 when not known."""
        if ref.size >= 0:
            return in_blocks(ref.size * ITEMSIZE[ref.dtype])
        found = extent(self.reports, x, ref)
        return found.high - ref.addr if found.high >= 0 else -1


def _elements(instr: Instr) -> int:
    """Elements of sharedTmpBuffer that the page's formula asks for."""
    lanes = lanes_of(instr)
    per_block = 32 // ITEMSIZE[instr.srcs[0].dtype]
    count = instr.params.get("count", -1)
    rounds = max(count // lanes, 1) if count >= 0 else int(instr.params.get("repeat", 0))
    if instr.op == "ReduceSum":
        sequential = count >= 0 and not instr.params.get("tree", False)
        return 0 if sequential else _up(rounds, per_block)
    first = _up(2 * rounds, per_block)
    if not instr.params.get("index", False):
        return first
    second = -(-2 * rounds // lanes) * 2
    total = first + _up(second, per_block)
    if second > 2:
        total += _up(-(-second // lanes) * 2, per_block)
    return total


def _up(number: int, step: int) -> int:
    return -(-number // step) * step
