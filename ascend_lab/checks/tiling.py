"""G1, the part that can be seen: tiling read as 0 and nothing stored at all.

Source: asc-devkit: docs/zh/guide/编程指南/附录/FAQ/kernel侧获取Tiling信息不正确.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.conflicts import Conflicts
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run


class Tiling(Check):
    """Watches scalars that are read from GM."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts
        self._zero: Issued | None = None
        self._stuck = False

    def started(self, core: Core, x: Issued) -> None:
        if self._zero is not None or x.instr.op != "GetValue" or not x.instr.srcs:
            return
        ref = x.instr.srcs[0]
        if ref.space == "GM" and not core.gm.read(ref.addr, ITEMSIZE[ref.dtype]).any():
            self._zero = x

    def stuck(self, run: Run, waits: list[Any]) -> None:
        self._stuck = True

    def finished(self, run: Run) -> None:
        x = self._zero
        if any(finding.id == "G1" for finding in self.reports.found):
            return
        cut = bool(run.traps) or run.crash is not None or self._stuck
        if x is None or cut or any(t.written for t in self._conflicts.tensors.values()):
            return
        ref = x.instr.srcs[0]
        found = run.gm.locate(ref.addr)
        if found is None:
            return
        first, _, _ = self.reports.elements(found, ref.addr, ref.addr + 1)
        numbers = {"op": "GetValue", "tensor": self.reports.array_name(found), "index": first}
        self.reports.add("G1", x, numbers, variant="zero", time=x.start)
