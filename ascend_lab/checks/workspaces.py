"""C9: the workspace that cores synchronise through is not zero, or too small.

Source: asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核间同步/{SyncAll,IBSet}.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE, Instr

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_FLAG = 32  # bytes a block or a flag has in the workspace
_OPS = frozenset(("SyncAll", "IBSet", "IBWait"))


class Workspaces(Check):
    """Sizes when issued, contents once everything before has landed."""

    watches_flags = False

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._seen: set[int] = set()
        self._set: set[int] = set()

    def launched(self, run: Run) -> None:
        self.run = run

    def wants(self, op: str) -> bool:
        return op in _OPS

    def issued(self, core: Core, x: Issued) -> None:
        if not x.instr.srcs:
            return
        ref = x.instr.srcs[0]
        found = core.gm.locate(ref.addr)
        needed = _needed(x.instr, self.run.blocks)
        has = found.end - ref.addr if found is not None else 0
        if found is not None and has < needed and not self.reports.again("C9", x.instr.where):
            numbers = self._numbers(x, needed)
            numbers["has"] = has
            self.reports.add("C9", x, numbers)

    def synced(self, core: Core, x: Issued) -> None:
        op = x.instr.op
        if op == "IBSet":
            self._set.add(self._flag(x.instr))
        elif op == "SyncAll" and x.instr.srcs and x.instr.srcs[0].addr not in self._seen:
            ref = x.instr.srcs[0]
            self._seen.add(ref.addr)
            self._contents(x, ref.addr, _needed(x.instr, self.run.blocks))

    def stuck(self, run: Run, waits: list[Any]) -> None:
        for wait in waits:
            x = wait.x
            if x is not None and x.instr.op == "IBSet":
                flag = self._flag(x.instr)
                if flag not in self._set:
                    self._contents(x, flag, 4)

    def _flag(self, instr: Instr) -> int:
        params = instr.params
        number = self.run.blocks * int(params["event"]) + int(params["idx"])
        return instr.srcs[0].addr + number * _FLAG

    def _contents(self, x: Issued, addr: int, nbytes: int) -> None:
        found = self.run.gm.locate(addr)
        if found is None or addr + nbytes > found.end:
            return
        words = self.run.gm.read(addr, nbytes // 4 * 4).view(np.int32)
        wrong = np.flatnonzero(words)
        if not wrong.size or self.reports.again("C9", x.instr.where, "dirty"):
            return
        numbers = self._numbers(x, nbytes)
        base = (addr - found.addr) // ITEMSIZE[found.dtype]
        numbers["index"] = base + int(wrong[0]) * 4 // ITEMSIZE[found.dtype]
        numbers["word"] = int(words[wrong[0]])
        self.reports.add("C9", x, numbers, variant="dirty", time=self.run.clock.now)

    def _numbers(self, x: Issued, needed: int) -> dict[str, Any]:
        name, _ = self.reports.array_at(x.instr.srcs[0].addr)
        return {
            "op": x.instr.op,
            "array": name,
            "needed": needed,
            "blocks": self.run.blocks,
            "flag": _FLAG,
        }


def _needed(instr: Instr, blocks: int) -> int:
    """Bytes of the workspace in GM that the call uses."""
    if instr.op == "SyncAll":
        return blocks * _FLAG
    event, index = int(instr.params["event"]), int(instr.params["idx"])
    return blocks * _FLAG * event + index * _FLAG + _FLAG
