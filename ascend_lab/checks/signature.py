"""G9: the kernel calls its arguments by other names than the host that passes them.

Arguments go by position. When the kernel's name of a number is the host's of another argument, the one is taken for
the other. Alone it is a note; where something is wrong, it is the cause.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.checks.finding import Finding
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.engine.shown import shown

if TYPE_CHECKING:
    from ascend_lab.engine.run import Run


@dataclass(frozen=True, slots=True)
class Call:
    """A launch: the kernel's names of its parameters, the host's, and where the kernel is.

    ``numbers``: positions of the arguments that are no arrays; only these are compared.
    """

    own: Sequence[str]
    host: Sequence[str]
    numbers: Sequence[int]
    file: str = ""
    line: int = 0


class Signature(Check):
    """Compares the names once the run is over."""

    def __init__(self, reports: Reports, call: Call | None) -> None:
        super().__init__(reports)
        self._call = call

    def finished(self, run: Run) -> None:
        call = self._call
        if call is None or len(call.own) != len(call.host):
            return
        moved = [
            place
            for place in call.numbers
            if call.own[place] != call.host[place] and call.own[place] in call.host
        ]
        if not moved:
            return
        place = moved[0]
        wrong = any(found.severity == "error" for found in self.reports.found)
        numbers = {
            "position": place + 1,
            "own": call.own[place],
            "host": call.host[place],
            "order": ", ".join(call.host),
            "kernel_order": ", ".join(call.own),
        }
        severity = "error" if wrong else "note"
        file = shown(call.file)
        self.reports.found.append(  # fatal: it comes before whatever stopped a core
            Finding("G9", severity, file=file, line=call.line, numbers=numbers, fatal=wrong)
        )
