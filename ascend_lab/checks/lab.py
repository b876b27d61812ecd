"""What the lab itself has to say: X1 the kernel raised, X2 it did not end, X3 the schedule decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.finding import Finding
from ascend_lab.checks.reports import Check
from ascend_lab.engine.instruction import ITEMSIZE
from ascend_lab.engine.memory import Allocation

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


class Ending(Check):
    """How the launch ended, when it did not end well."""

    def finished(self, run: Run) -> None:
        if run.crash is not None:
            block, crash = run.crash
            numbers = {"block": block, "kind": crash.kind, "message": crash.message}
            self.reports.add("X1", None, numbers, where=crash.where, time=run.clock.now, fatal=True)
        if run.over_limit is not None:
            core = run.over_limit
            numbers = {"block": core.block, "limit": run.limit}
            where = core.batch.instrs[-1].where if core.batch.instrs else -1
            self.reports.add("X2", None, numbers, where=where, time=run.clock.now, fatal=True)


def schedule_decides(runs: Sequence[Run]) -> Finding:
    """X3: the outputs of the runs of one launch differ; the first element that does."""
    first = runs[0]
    for run in runs[1:]:
        for mine, theirs in zip(first.gm.allocations, run.gm.allocations, strict=True):
            differ = np.flatnonzero(mine.contents() != theirs.contents())
            if differ.size:
                return _schedule(first, mine, differ)
    return Finding("X3", "error", numbers={"array": "", "differing": 0, "size": 0, "first": 0})


def _schedule(run: Run, allocation: Allocation, differ: NDArray[np.intp]) -> Finding:
    size = ITEMSIZE[allocation.dtype]
    name = next((a.name for a in run.arguments if a.addr == allocation.addr), allocation.name)
    numbers = {
        "array": name,
        "differing": len(np.unique(differ // size)),
        "size": allocation.nbytes // size,
        "first": int(differ[0]) // size,
    }
    return Finding("X3", "error", time=run.clock.now, numbers=numbers)
