"""What one program run tells, as a verdict."""

from __future__ import annotations

from ascend_lab.ascendc.program import Outcome
from ascend_lab.ascendc.telling import told
from ascend_lab.conform.printed import says_wrong
from ascend_lab.conform.verdict import Verdict
from ascend_lab.engine.errors import NotModelled

OVER_LIMIT = "X2"


def of_outcome(outcome: Outcome, printed: str, case: str, limit: int) -> Verdict:
    """The verdict on a program's run; ``printed`` is what it wrote, ``limit`` the device's of instructions."""
    found = [finding for _, result in outcome.results for finding in result.findings]
    found += list(outcome.host)
    ids = tuple(dict.fromkeys(f.id for f in found if f.severity == "error"))
    notes = tuple(dict.fromkeys(f.id for f in found if f.severity != "error"))
    if isinstance(outcome.error, NotModelled):
        api = " ".join(filter(None, (outcome.error.api, outcome.error.argument)))
        return Verdict("not modelled", api, case, ids, notes)
    if outcome.said is not None and outcome.said.kind == "N":  # the host program asked for it
        return Verdict("not modelled", " ".join(outcome.said.texts).strip(), case, ids, notes)
    if ids == (OVER_LIMIT,):
        return Verdict("too long", f"the model ends a launch after {limit} instructions", case, ids)
    if ids:
        first = next(f for f in found if f.severity == "error").message("en")
        return Verdict("finding", f"{', '.join(ids)}: {_line(first)}", case, ids, notes)
    reason = _went_wrong(outcome, printed)
    return Verdict("wrong" if reason else "pass", reason, case, ids, notes)


def _went_wrong(outcome: Outcome, printed: str) -> str:
    if outcome.error is not None:
        return _line(outcome.error.message("en"))
    if outcome.said is not None or outcome.timed_out or outcome.signal:
        return _line(" ".join(told(outcome, "en")))
    if outcome.code:
        return f"exit code {outcome.code}"
    return says_wrong(printed)


def _line(text: str) -> str:
    return " ".join(text.split())[:200]
