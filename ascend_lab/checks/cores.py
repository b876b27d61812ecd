"""What unordered accesses to GM mean: D6 D7 within a core, A3 E2 E7 between cores.

Which class an overlap of stores belongs to needs the whole picture: that is `coverage`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ascend_lab.checks.conflicts import Conflicts, Pair
from ascend_lab.checks.races import READS, WRITES
from ascend_lab.checks.reports import PIPE_NAMES, Check, Reports

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


class Cores(Check):
    """Reads against writes, and stores of one core against each other."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts

    def finished(self, run: Run) -> None:
        for number, pair in enumerate(self._conflicts.pairs):
            both = pair.first.writes and pair.second.writes
            if pair.first.x.block == pair.second.x.block:
                if not (both and self._conflicts.equal(number)):
                    self._within(pair)
            elif not both or pair.first.x.atomic or pair.second.x.atomic:
                self._between(pair)

    def _within(self, pair: Pair) -> None:
        x, y = pair.second.x, pair.first.x
        same = x.pipe == y.pipe
        class_id, variant = ("D7", "same") if same else ("D6", "")
        if self.reports.again(class_id, x.instr.where, variant):
            return
        numbers = self._numbers(pair)
        if same:
            first, last = numbers["first"], numbers["last"]
            numbers["operand"] = f"{numbers['array']}[{first}..{last}]"
        role = "writes" if pair.first.writes else "reads"
        self.reports.add(
            class_id,
            x,
            numbers,
            variant=variant,
            related=self.reports.other(y.instr.where, role),
            time=x.start,
        )

    def _between(self, pair: Pair) -> None:
        """Told at the core that reads, whichever came first in this run."""
        if pair.second.writes and not pair.first.writes:
            pair = pair._replace(first=pair.second, second=pair.first)
        x, y = pair.second.x, pair.first.x
        if self.reports.again("E7", x.instr.where):
            return
        role = "writes" if pair.first.writes else "reads"
        related = self.reports.other(y.instr.where, role)
        self.reports.add("E7", x, self._numbers(pair), related=related, time=x.start)

    def _numbers(self, pair: Pair) -> dict[str, Any]:
        x, y = pair.second.x, pair.first.x
        first, last, _ = self.reports.elements(pair.allocation, pair.low, pair.high)
        return {
            "op": x.instr.op,
            "start": x.start,
            "array": self.reports.array_name(pair.allocation),
            "first": first,
            "last": last,
            "other": y.block,
            "op1": y.instr.op,
            "line1": self.reports.line(y.instr.where),
            "pipe1": PIPE_NAMES[y.pipe],
            "end1": y.end,
            "access": WRITES if pair.second.writes else READS,
            "access1": WRITES if pair.first.writes else READS,
        }
