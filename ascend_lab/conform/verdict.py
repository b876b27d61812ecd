"""What became of a sample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

Status = Literal[
    "pass",
    "wrong",
    "finding",
    "not modelled",
    "build error",
    "needs matrix",
    "crash",
    "too long",
    "not driven",
    "other chip",
]
#: How the reason begins of a finding on a sample whose own verification passes.
RIGHT = "its verification passes"
#: From the one that says most about a sample to the one that says least.
_ORDER: tuple[Status, ...] = (
    "crash",
    "build error",
    "not modelled",
    "needs matrix",
    "finding",
    "too long",
    "wrong",
    "not driven",
    "pass",
    "other chip",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One run of a sample, or several taken together. ``case``: which of its scenarios."""

    status: Status
    reason: str = ""
    case: str = ""
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    def plain(self) -> dict[str, Any]:
        """As JSON takes it, without the time: that differs from run to run."""
        made = asdict(self)
        del made["seconds"]
        return made


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """The worst of several runs, named with its case; the ids of all."""
    given = list(verdicts)
    if not given:
        return Verdict("not driven", "nothing to run was found")
    worst = min(given, key=lambda v: _ORDER.index(v.status))
    ids = tuple(dict.fromkeys(name for v in given for name in v.findings))
    notes = tuple(dict.fromkeys(name for v in given for name in v.notes))
    passed = sum(v.status == "pass" for v in given)
    others = sum(v.status == "other chip" for v in given)
    tried = len(given) - others
    several = f"{passed}/{tried} cases" if tried > 1 or 0 < others < len(given) else ""
    if several and others:
        several += f", {others} for another chip"
    where = f"{worst.case}: " if worst.case and worst.status != "pass" else ""
    reason = "; ".join(filter(None, [several, f"{where}{worst.reason}" if worst.reason else ""]))
    return Verdict(worst.status, reason, "", ids, notes, sum(v.seconds for v in given))
