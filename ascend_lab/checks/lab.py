"""What the lab itself has to say: X1 the kernel raised, X2 it did not end, X3 the schedule decides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.finding import Finding
from ascend_lab.checks.names import without_memory
from ascend_lab.checks.reports import Check
from ascend_lab.checks.texts import Say
from ascend_lab.engine.instruction import ITEMSIZE, Crash
from ascend_lab.engine.memory import Allocation

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


class Ending(Check):
    """How the launch ended, when it did not end well."""

    def finished(self, run: Run) -> None:
        if run.crash is not None:
            self._crash(run, *run.crash)
        if run.over_limit is not None:
            core = run.over_limit
            numbers = {"block": core.block, "limit": run.limit}
            where = core.batch.instrs[-1].where if core.batch.instrs else -1
            self.reports.add("X2", None, numbers, where=where, time=run.clock.now, fatal=True)

    def _crash(self, run: Run, block: int, crash: Crash) -> None:
        """X1; or the class that names what a tensor or queue without memory lacks."""
        numbers: dict[str, Any] = {"block": block, "kind": crash.kind, "message": crash.message}
        class_id, variant = "X1", ""
        if crash.kind == "Ended":  # a C++ kernel: what it died of, in both languages
            variant = "native"
            numbers["message"] = Say(crash.about[1], crash.about[0])
        elif crash.kind == "LabError":
            variant = "call"
            if crash.about:
                numbers["message"] = Say(crash.about[1], crash.about[0])
            place = self.reports.names.place(crash.where)
            missing = without_memory(self.reports.names.source(place.file), place.line)
            if missing is not None:
                class_id, numbers = missing
                variant = "unbound" if class_id == "C2" else ""
        self.reports.add(
            class_id,
            None,
            numbers,
            variant=variant,
            where=crash.where,
            time=run.clock.now,
            fatal=True,
        )


def schedule_decides(runs: Sequence[Run], added: set[str]) -> Finding | None:
    """X3: the outputs of the runs of one launch differ; the first element that does.

    ``added`` are the arrays that atomic stores added to: the order of floating-point additions is free.
    """
    first = runs[0]
    for run in runs[1:]:
        for mine, theirs in zip(first.gm.allocations, run.gm.allocations, strict=True):
            if mine.name in added:
                continue
            differ = np.flatnonzero(mine.contents() != theirs.contents())
            if differ.size:
                return _schedule(first, mine, differ)
    return None


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
