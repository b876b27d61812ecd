"""What is said about bytes without meaning, once they have reached something that matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.reports import Reports
from ascend_lab.checks.shadow import Origin

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued


class Meaning:
    """The findings of `defined`: C1, C6 of a scalar, A4, A3, G1. Each line is told once."""

    def __init__(self, reports: Reports) -> None:
        self._reports = reports
        self.idle: dict[tuple[int, int], Issued] = {}  # (block, dst) -> what had nothing to do

    def packed(self, origin: Origin, array: str) -> None:
        """A4: rows in slots were read as if packed; ``array`` is where they went, if anywhere."""
        if self._reports.again("A4", origin.where):
            return
        slots = origin.slots
        assert slots is not None
        numbers = {
            **self._operand(origin),
            "load": "DataCopyPad",
            "origin_line": self._reports.line(origin.load),
            "rows": slots.rows,
            "row": slots.row,
            "slot": slots.slot,
            "packed": slots.packed,
            "array": array,
        }
        related = self._reports.other(origin.load, "loads")
        self._reports.add("A4", origin.x, numbers, related=related)

    def unwritten(self, origin: Origin, array: str) -> None:
        """C1: an output holds what nothing has written."""
        variant = "gm" if origin.kind == "gm" else ""
        if not self._reports.again("C1", origin.where, variant):
            numbers = {**self._operand(origin), "bytes": origin.nbytes, "array": array}
            hints = self._idle(origin, numbers)
            self._reports.add("C1", origin.x, numbers, variant=variant, hints=hints)

    def _idle(self, origin: Origin, numbers: dict[str, Any]) -> tuple[str, ...]:
        """I15: what should have written these bytes had a count of 0."""
        srcs = origin.x.instr.srcs
        if not 0 < origin.position <= len(srcs):
            return ()
        found = self.idle.get((origin.x.block, srcs[origin.position - 1].addr))
        if found is None:
            return ()
        numbers["idle_op"], numbers["idle_line"] = (
            found.instr.op,
            self._reports.line(found.instr.where),
        )
        return ("I15",)

    def rest(self, origin: Origin, array: str) -> None:
        """C1 as a note: what lies beside the result of a reduction is stored with it."""
        if not self._reports.again("C1", origin.where, "rest"):
            numbers = {**self._operand(origin), "bytes": origin.nbytes, "array": array}
            self._reports.add("C1", origin.x, numbers, variant="rest", severity="note")

    def padding(self, origin: Origin, store: Issued, array: str, nbytes: int, first: int) -> None:
        """A3: filler, or what lay behind a tensor, was stored into an output by ``store``."""
        if self._reports.again("A3", store.instr.where, "pad"):
            return
        numbers = {
            "op": store.instr.op,
            "bytes": nbytes,
            "array": array,
            "first": first,
            "origin_line": self._reports.line(origin.where),
        }
        related = self._reports.other(origin.where, "loads")
        self._reports.add("A3", store, numbers, variant="pad", related=related)

    def reduced(self, x: Issued, nbytes: int) -> None:
        """C1: a reduction reads what nothing has written."""
        if not self._reports.again("C1", x.instr.where, "reduce"):
            numbers = {"op": x.instr.op, "operand": self._reports.operand(x, 1), "bytes": nbytes}
            self._reports.add("C1", x, numbers, variant="reduce")

    def scalar(self, x: Issued, origin: Origin | None) -> None:
        """C1 or C6: the scalar unit reads it. ``origin`` None: local memory nothing has written."""
        if origin is not None and origin.kind == "packed":
            self.packed(origin, "")
            return
        if origin is not None and origin.kind == "fill":
            return  # a value that the kernel chose
        padding = origin is not None and origin.kind == "pad"
        class_id = "C6" if padding else "C1"
        if self._reports.again(class_id, x.instr.where, "scalar"):
            return
        numbers: dict[str, Any] = {"op": x.instr.op, "operand": self._reports.operand(x, 1)}
        if padding and origin is not None:
            numbers["origin_line"] = self._reports.line(origin.where)
        self._reports.add(class_id, x, numbers, variant="scalar")

    def tiling(self, x: Issued, addr: int) -> None:
        """G1: a scalar of GM that neither host nor kernel has written."""
        if self._reports.again("G1", x.instr.where):
            return
        name, found = self._reports.array_at(addr)
        assert found is not None
        first, _, _ = self._reports.elements(found, addr, addr + 1)
        self._reports.add("G1", x, {"op": x.instr.op, "tensor": name, "index": first})

    def _operand(self, origin: Origin) -> dict[str, Any]:
        x = origin.x
        return {"op": x.instr.op, "operand": self._reports.operand(x, origin.position)}
