"""E4: the last core works on as much as the others, though less is left for it.

Told at the end, from who touched what: the cores lie one behind the other, and only the last one reaches past the
tensor, because its part is as long as theirs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ascend_lab.checks.conflicts import Conflicts, Tensor
from ascend_lab.checks.finding import Finding
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE
from ascend_lab.engine.memory import Allocation

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run

_BEYOND = ("B3", "B4")


class Part(NamedTuple):
    """Bytes from ``low`` to ``high`` that one core read, or wrote, in so many ``pieces``."""

    low: int
    high: int
    pieces: int


class TailCore(Check):
    """Looks at what went past the end of a tensor on the last core."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts

    def finished(self, run: Run) -> None:
        if run.blocks < 2:
            return
        for finding in list(self.reports.found):
            last = finding.block == run.blocks - 1
            if finding.id in _BEYOND and last and not (finding.variant or finding.hints):
                self._judge(run, finding)

    def _judge(self, run: Run, finding: Finding) -> None:
        writes = finding.id == "B4"
        for tensor in self._conflicts.tensors.values():
            if self.reports.array_name(tensor.allocation) != finding.numbers.get("array"):
                continue
            parts = _parts(tensor, writes, run.blocks)
            if _alike(parts, run.blocks, tensor.allocation, bool(run.traps)):
                self._report(finding, tensor, parts)
                return

    def _report(self, finding: Finding, tensor: Tensor, parts: dict[int, Part]) -> None:
        if any(found.id == "E4" for found in self.reports.found):
            return
        allocation = tensor.allocation
        size = ITEMSIZE[allocation.dtype]
        mine = parts[finding.block]
        numbers = {
            "tensor": finding.numbers["array"],
            "length": (mine.high - mine.low) // size,
            "owns": max(allocation.end - mine.low, 0) // size,
            "size": allocation.nbytes // size,
            "op": finding.numbers["op"],
        }
        made = Finding(
            "E4",
            self.reports.entry("E4").severity,
            file=finding.file,
            line=finding.line,
            block=finding.block,
            core=finding.core,
            pipe=finding.pipe,
            time=finding.time,
            numbers=numbers,
        )
        self.reports.found.append(made)


def _parts(tensor: Tensor, writes: bool, blocks: int) -> dict[int, Part]:
    """What every core touched."""
    found: dict[int, Part] = {}
    touches = tensor.reads if not writes and tensor.reads else tensor.touches()
    for touch in touches:
        if touch.writes == writes:
            known = found.get(touch.x.block)
            low, high, pieces = touch.region.low, touch.region.high, 1
            if known is not None:
                low, high = min(low, known.low), max(high, known.high)
                pieces += known.pieces
            found[touch.x.block] = Part(low, high, pieces)
    return found


def _alike(parts: dict[int, Part], blocks: int, allocation: Allocation, cut: bool) -> bool:
    """Whether the cores follow each other from the start on, the last as long as the others, and only it ends too
    late. A launch that was ``cut`` says nothing about lengths."""
    if len(parts) != blocks:
        return False
    ordered = [parts[block] for block in range(blocks)]
    *others, last = ordered
    if others[0].low != allocation.addr or not last.low <= allocation.end < last.high:
        return False
    if last.low == allocation.end and last.pieces < 2:
        return False  # nothing is left: one tile too many looks the same, while a share has several
    if any(part.high > after.low for part, after in pairwise(ordered)):
        return False
    lengths = [part.high - part.low for part in others]
    return cut or min(lengths) <= last.high - last.low <= max(lengths)
