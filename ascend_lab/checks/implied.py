"""C10: a conversion multiplies by a scale that nobody has set. I13: the kernel writes into its tiling.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md and
docs/zh/guide/算子实践参考/功能调试/精度正常.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE, Instr
from ascend_lab.engine.observer import Trap

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_SCALED = frozenset(("AddDeqRelu", "CastDequant"))


class Implied(Check):
    """What an instruction takes from elsewhere than its operands."""

    def wants(self, op: str) -> bool:
        return op == "Cast" or op in _SCALED

    def issued(self, core: Core, x: Issued) -> None:
        instr = x.instr
        if instr.dst is None or not _takes_scale(instr) or instr.params.get("vector"):
            return
        if instr.params.get("deq_scale") is None:
            numbers = {
                "op": instr.op,
                "src_dtype": instr.srcs[0].dtype,
                "dtype": instr.dst.dtype,
            }
            raise Trap(self.reports.add("C10", x, numbers, fatal=True))


def _takes_scale(instr: Instr) -> bool:
    if instr.op in _SCALED:
        return True
    assert instr.dst is not None
    return instr.srcs[0].dtype == "int32" and instr.dst.dtype == "float16"


class Given(Check):
    """Scalars of GM that the host has filled in, that the kernel reads and then overwrites.

    Only where outputs are declared: in an array that is neither output nor workspace nobody expects new values.
    """

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._read: set[int] = set()
        self._written: set[int] = set()

    def launched(self, run: Run) -> None:
        self.outputs = run.outputs
        self.undefined = run.undefined
        self.gm = run.gm

    def wants(self, op: str) -> bool:
        return op in ("GetValue", "SetValue")

    def issued(self, core: Core, x: Issued) -> None:
        if self.outputs is None:
            return
        if x.instr.op == "GetValue":
            src = x.instr.srcs[0]
            if src.space == "GM" and src.addr not in self._written:
                self._read.add(src.addr)
            return
        dst = x.instr.dst
        if dst is None or dst.space != "GM":
            return
        self._written.add(dst.addr)
        if dst.addr in self._read:
            self._overwrites(x, dst.addr, ITEMSIZE[dst.dtype])

    def _overwrites(self, x: Issued, addr: int, size: int) -> None:
        assert self.outputs is not None
        name, found = self.reports.array_at(addr)
        known = {*self.outputs, *self.undefined}
        if found is None or self.reports.is_among(found, known):
            return
        if not self.gm.read(addr, size).any() or self.reports.again("I13", x.instr.where):
            return
        first, _, _ = self.reports.elements(found, addr, addr + 1)
        self.reports.add("I13", x, {"tensor": name, "index": first})
