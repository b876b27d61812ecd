"""What stays in a core: the mask register, its mode, atomic mode.

C7 a mask of earlier code, C8 atomic mode still on. Source: asc-devkit:
docs/zh/api/SIMD-API/基础API/Memory矢量计算/掩码操作, 原子操作/SetAtomicAdd.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_lab.checks.reports import Check, Reports
from ascend_lab.checks.texts import Say
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.memory import Allocation
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import FULL, lanes_of

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_V, _MTE3 = int(Pipe.V), int(Pipe.MTE3)
_MASKS = frozenset(("SetMask", "SetMaskCount", "SetMaskNorm", "ResetMask"))
_RESETS = frozenset(("TPipe", "InitSocState"))
EARLIER, CLEAN, BY_HAND, BY_CALL = "earlier", "clean", "by hand", "by call"
_LANED = frozenset(("mask", "repeat"))  # either makes it a form with a mask
_OWN_MASK = frozenset(("GatherMask", "BilinearInterpolation"))  # leave a mask that is no argument


class Registers:
    """One block's view: who set the mask last, and since when atomic mode is on."""

    __slots__ = ("array", "atomic", "atomic_where", "counter_where", "lost", "origin", "where")

    def __init__(self) -> None:
        self.origin = EARLIER
        self.where = -1
        self.counter_where = -1
        self.lost: tuple[int, str, int] | None = None  # set at, reset by, there
        self.atomic = ""
        self.atomic_where = -1
        self.array: Allocation | None = None


class State(Check):
    """Sticky registers of a core."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(reports)
        self._blocks: dict[int, Registers] = {}

    def wants(self, op: str) -> bool:
        return op in SEMANTICS or op in _MASKS or op in _RESETS or op == "SetAtomic"

    def issued(self, core: Core, x: Issued) -> None:
        op = x.instr.op
        if x.pipe == _V:
            if op != "PipeBarrier" and x.form.count < 0 and _LANED & x.instr.params.keys():
                self._masked(x)
            elif op in _OWN_MASK:
                own = self._registers(x.block)
                own.origin, own.lost = BY_CALL, None
            elif "count" in x.instr.params:
                registers = self._blocks.get(x.block)
                if registers is not None and registers.origin == BY_HAND:
                    self._reset_by(registers, x)
        elif x.atomic:
            self._atomic_store(x)
        elif op in _MASKS:
            self._set_mask(x)
        elif op in _RESETS:
            self._blocks[x.block] = registers = Registers()
            registers.origin = CLEAN
        elif op == "SetAtomic":
            registers = self._registers(x.block)
            mode = x.instr.params["mode"]
            registers.atomic = "" if mode == "none" else mode
            registers.atomic_where, registers.array = x.instr.where, None

    def retired(self, core: Core) -> None:
        registers = self._blocks.get(core.block)
        if registers is not None and registers.atomic:
            numbers = {
                "block": core.block,
                "mode": registers.atomic,
                "set_line": self.reports.line(registers.atomic_where),
            }
            self.reports.add(
                "C8",
                None,
                numbers,
                variant="end",
                where=registers.atomic_where,
                time=core.run.clock.now,
            )

    def _registers(self, block: int) -> Registers:
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = Registers()
        return found

    # --- mask -----------------------------------------------------------------------------------------

    def _set_mask(self, x: Issued) -> None:
        registers = self._registers(x.block)
        registers.origin, registers.where, registers.lost = BY_HAND, x.instr.where, None
        counter = x.instr.params.get("counter")
        if x.instr.op == "SetMaskCount" or counter:
            registers.counter_where = x.instr.where

    def _reset_by(self, registers: Registers, x: Issued) -> None:
        """A count form has put the mask back to full: a mask set by hand is gone."""
        registers.lost = (registers.where, x.instr.op, x.instr.where)
        registers.origin = BY_CALL

    def _masked(self, x: Issued) -> None:
        registers = self._registers(x.block)
        params = x.instr.params
        mask = params.get("mask")
        if mask is None:
            self._from_register(registers, x)
        else:
            if x.mask.counter and isinstance(mask, int):
                self._in_counter_mode(registers, x, mask, params.get("repeat", 1))
            registers.origin = BY_CALL
            registers.lost = None

    def _from_register(self, registers: Registers, x: Issued) -> None:
        if registers.lost is not None:
            if self.reports.again("C7", x.instr.where, "lost"):
                return
            where, by, by_where = registers.lost
            numbers = {
                "op": x.instr.op,
                "set_line": self.reports.line(where),
                "by": by,
                "by_line": self.reports.line(by_where),
            }
            related = self.reports.other(where, "modes") + self.reports.other(by_where, "resets")
            self.reports.add("C7", x, numbers, variant="lost", related=related)
        elif registers.origin == EARLIER and x.mask != FULL:
            if self.reports.again("C7", x.instr.where, "kernel"):
                return
            mask = x.mask
            if mask.counter:
                state = Say(f"counter mode, {mask.low}", f"counter 模式，{mask.low}")
            else:
                bits = f"{mask.high:#x}, {mask.low:#x}"
                state = Say(f"mask {bits}", f"mask {bits}")
            self.reports.add("C7", x, {"op": x.instr.op, "state": state}, variant="kernel")

    def _in_counter_mode(self, registers: Registers, x: Issued, mask: int, repeat: int) -> None:
        """A call written for normal mode: mask x repeat elements are meant, mask are computed."""
        lanes = lanes_of(x.instr)
        if repeat <= 1 or mask > lanes or self.reports.again("C7", x.instr.where):
            return
        where = registers.counter_where
        numbers = {
            "op": x.instr.op,
            "set_line": self.reports.line(where),
            "computed": mask,
            "meant": mask * repeat,
            "mask": mask,
            "repeat": repeat,
        }
        self.reports.add("C7", x, numbers, related=self.reports.other(where, "modes"))

    # --- atomic -------------------------------------------------------------------------------------------

    def _atomic_store(self, x: Issued) -> None:
        registers = self._registers(x.block)
        found = self.reports.run.gm.locate(x.writes[0].region.low) if x.writes else None
        if found is None or found is registers.array:
            return
        if registers.array is None:
            registers.array = found
            return
        if self.reports.again("C8", x.instr.where):
            return
        numbers = {
            "op": x.instr.op,
            "array": self.reports.array_name(found),
            "mode": registers.atomic or x.atomic,
            "set_line": self.reports.line(registers.atomic_where),
            "before": self.reports.array_name(registers.array),
        }
        related = self.reports.other(registers.atomic_where, "modes")
        self.reports.add("C8", x, numbers, related=related)
