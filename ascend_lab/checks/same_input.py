"""E1 of an input: every core loads the same part of an array, and stores its own part of one as long.

Such a kernel writes every byte it should, so only values betray it. It may be meant (the head of an array that all
cores use), so this is a note beside a wrong result, never a fault by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.conflicts import Conflicts, Tensor, Touch
from ascend_lab.checks.coverage import Spans, Stores, begins_with, merged, nbytes_of
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.instruction import ITEMSIZE, Pipe
from ascend_lab.engine.memory import Allocation

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_LOADS = int(Pipe.MTE2)


class SameInput(Check):
    """Judged at the end, from what `conflicts` has recorded."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts
        self._bound: dict[int, int] = {}  # allocation address -> where it was bound
        self._stuck = False

    def wants(self, op: str) -> bool:
        return op == "BindGlobal"

    def issued(self, core: Core, x: Issued) -> None:
        if x.instr.dst is not None:
            found = core.gm.locate(x.instr.dst.addr)
            if found is not None:
                self._bound.setdefault(found.addr, x.instr.where)

    def stuck(self, run: Run, waits: list[Any]) -> None:
        self._stuck = True

    def finished(self, run: Run) -> None:
        cut = bool(run.traps) or run.crash is not None or run.over_limit is not None or self._stuck
        if cut or run.blocks < 2:
            return
        tensors = self._conflicts.tensors.values()
        outputs = [Stores(tensor) for tensor in tensors if tensor.written]
        for tensor in tensors:
            if not tensor.written:
                self._judge(tensor, outputs)

    def _judge(self, tensor: Tensor, outputs: list[Stores]) -> None:
        loads = [touch for touch in tensor.reads if touch.x.pipe == _LOADS]
        spans = _by_block(loads)
        if len(spans) < 2 or len(loads) < len(tensor.reads):
            return
        longest = max(spans.values(), key=nbytes_of)
        if not all(begins_with(longest, other) for other in spans.values()):
            return
        left = tensor.allocation.nbytes - nbytes_of(longest)
        if left < nbytes_of(longest) * (len(spans) - 1) // 2:
            return
        if any(_is_split(found, tensor.allocation, set(spans)) for found in outputs):
            self._report(tensor.allocation, loads[0], longest, len(spans))

    def _report(self, allocation: Allocation, load: Touch, spans: Spans, cores: int) -> None:
        bound = self._bound.get(allocation.addr)
        first, last, size = self.reports.elements(allocation, spans[0][0], spans[-1][1])
        numbers = {
            "cores": cores,
            "array": self.reports.array_name(allocation),
            "first": first,
            "last": last,
            "length": last - first + 1,
            "size": size,
        }
        related = self.reports.other(load.x.instr.where, "loads") if bound is not None else ()
        self.reports.add(
            "E1",
            load.x,
            numbers,
            variant="input",
            severity="note",
            where=bound,
            time=load.x.start,
            related=related,
        )


def _by_block(touches: list[Touch]) -> dict[int, Spans]:
    parts: dict[int, Spans] = {}
    for touch in touches:
        parts.setdefault(touch.x.block, []).extend(touch.region.parts)
    return {block: merged(found) for block, found in parts.items()}


def _is_split(stores: Stores, source: Allocation, readers: set[int]) -> bool:
    """Whether the cores share out an array that is as long as ``source``."""
    mine = stores.allocation
    elements = mine.nbytes // ITEMSIZE[mine.dtype]
    if elements != source.nbytes // ITEMSIZE[source.dtype] or set(stores.by_block) != readers:
        return False
    covered = nbytes_of(stores.written)
    return covered == sum(map(nbytes_of, stores.by_block.values())) and 2 * covered >= mine.nbytes
