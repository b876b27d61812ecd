"""Reductions that meet bytes without meaning: never written (C1), or padding that changes the result (C6).

Whether padding matters is a question of values, so it is decided when the instruction starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.meaning import Meaning
from ascend_lab.checks.reports import Reports
from ascend_lab.checks.shadow import Origin, Origins, States
from ascend_lab.engine.semantics.flow import Flow

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_PADDING = frozenset(("pad", "fill", "beyond"))


class Pending(NamedTuple):
    """One row of a reduction with padding in it."""

    row: NDArray[np.int64]
    padding: NDArray[np.bool_]
    origin: Origin


class Reductions:
    """``meet`` in program order, ``started`` when the values are there."""

    def __init__(self, reports: Reports, origins: Origins, told: Meaning) -> None:
        self._reports = reports
        self._told = told
        self._origins = origins
        self.pending: dict[int, list[Pending]] = {}

    def meet(self, x: Issued, flow: Flow, found: list[States]) -> None:
        """A reduction reads elements of which some mean nothing."""
        if not found or not found[0].any():
            return
        states = found[0]
        rows = flow.srcs[0][2]
        for number in np.flatnonzero(states.any(axis=-1)).tolist():
            codes = states[number]
            for code in np.unique(codes[codes != 0]).tolist():
                origin = self._origins[code]
                assert origin is not None
                if origin.kind in _PADDING:
                    padding = codes == code
                    self.pending.setdefault(x.serial, []).append(
                        Pending(rows[number], padding, origin)
                    )
                elif origin.kind == "packed":
                    self._told.packed(origin, "")
                else:
                    self._told.reduced(x, int((codes != 0).sum()) * flow.srcs[0][1])

    def started(self, core: Core, x: Issued) -> None:
        """The operands are there: does the padding change the result?"""
        for pending in self.pending.pop(x.serial, ()):
            if self._reports.again("C6", x.instr.where):
                return
            ref = x.instr.srcs[0]
            offsets = pending.row - ref.addr
            present = pending.row >= 0
            values = core.local(ref.space).gather(ref, offsets[present]).astype(np.float64)
            padding = pending.padding[present]
            whole, without = _reduced(x.instr.op, values), _reduced(x.instr.op, values[~padding])
            if not _same(whole, without):
                self._report(x, pending, values, padding, (whole, without))

    def _report(
        self,
        x: Issued,
        pending: Pending,
        values: NDArray[np.float64],
        padding: NDArray[np.bool_],
        results: tuple[float, float],
    ) -> None:
        numbers: dict[str, Any] = {
            "op": x.instr.op,
            "operand": self._reports.operand(x, 1),
            "lanes": int(padding.sum()),
            "valid": int((~padding).sum()),
            "values": _listed(values[padding]),
            "with_": f"{results[0]:.6g}",
            "without": f"{results[1]:.6g}",
            "origin_line": self._reports.line(pending.origin.where),
        }
        related = self._reports.other(pending.origin.where, "loads")
        self._reports.add("C6", x, numbers, related=related, time=x.start)


def _reduced(op: str, values: NDArray[np.float64]) -> float:
    """What the reduction ``op`` makes of the values; rows of the library are summed."""
    if op.endswith("Max") and "Reduce" in op:
        return float(values.max(initial=-np.inf))
    if op.endswith("Min"):
        return float(values.min(initial=np.inf))
    return float(values.sum())


def _same(a: float, b: float) -> bool:
    return a == b or (np.isnan(a) and np.isnan(b))


def _listed(values: NDArray[np.float64]) -> str:
    """The first few distinct values."""
    distinct = list(dict.fromkeys(f"{value:.6g}" for value in values.tolist()))
    return ", ".join(distinct[:3]) + (", ..." if len(distinct) > 3 else "")
