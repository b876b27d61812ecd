"""H5: a queue gives a tensor out as another type than the one it was filled as.

What the bytes are is what EnQue says; a view on purpose goes through ReinterpretCast and shows in the source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check, Reports

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued


class Views(Check):
    """The type of every buffer in a queue."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._types: dict[tuple[int, int], tuple[str, int]] = {}

    def wants(self, op: str) -> bool:
        return op in ("EnQue", "DeQue")

    def issued(self, core: Core, x: Issued) -> None:
        dst = x.instr.dst
        if dst is None or dst.buf < 0:
            return
        if x.instr.op == "EnQue":
            self._types[x.block, dst.buf] = (dst.dtype, x.instr.where)
            return
        found = self._types.pop((x.block, dst.buf), None)
        if found is None or found[0] == dst.dtype or self.reports.again("H5", x.instr.where):
            return
        dtype, where = found
        numbers = {
            "queue": x.instr.params.get("name") or f"queue {x.instr.params.get('queue', '')}",
            "dtype": dst.dtype,
            "filled": dtype,
            "line1": self.reports.line(where),
        }
        related = self.reports.other(where, "enques")
        self.reports.add("H5", x, numbers, related=related)
