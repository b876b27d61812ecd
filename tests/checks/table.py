"""The table of classes: `python -m tests.checks.table` runs every failing kernel and says what was found."""

from __future__ import annotations

import json
from pathlib import Path

from ascend_lab import checks
from tests.checks import fixtures

#: Classes of wave 1 in the fault taxonomy.
WAVE_1 = (
    *("A1", "A2", "A3", "A4", "B1", "B3", "C1", "C6", "D1", "D2", "D3", "D9", "D11"),
    *("E1", "E2", "E3", "F1", "F4", "G1", "H3"),
)
_REASONS = {
    "A2": "DataCopyPad is absent on 310P3: its own sentence there",
    "A3": "needs DataCopyPad for the fix: 910B",
    "A4": "DataCopyPad: 910B",
    "A8": "DataCopyPad: 910B",
    "C6": "DataCopyPad: 910B",
    "F6": "a sentence of D2 (and D1): the queue was by-passed",
    "F8": "a sentence of D1, D2, D3: the buffer is a TBuf",
    "X3": "needs two schedules, GetSystemCycle: 910B",
}


def rows() -> list[tuple[str, str, str, str]]:
    """(id, wave, what the failing kernel gives, note) of every class."""
    found = []
    for class_id in fixtures.all_ids():
        fixture = fixtures.load(class_id)
        findings = fixture.launch("bad", fixture.chips[0], fixture.schedules[0]).findings
        if fixture.shown_by_output:
            outcome = f"by output: error {fixture.bad.errors[-1]:.0%}"
        elif findings.ids[:1] == (fixture.lead,):
            outcome = f"{findings[0].id} line {findings[0].line}"
        else:
            outcome = f"MISSED: {findings.ids}"
        wave = "1" if class_id in WAVE_1 else ""
        found.append((class_id, wave, outcome, _REASONS.get(class_id, "")))
    return found


def text() -> str:
    """The table."""
    lines = [f"{'class':6} {'wave':5} {'caught as':22} {'title':62} note"]
    for class_id, wave, outcome, note in rows():
        title = checks.entry(class_id).text("title", "en")
        lines.append(f"{class_id:6} {wave:5} {outcome:22} {title:62} {note}".rstrip())
    return "\n".join(lines)


def taxonomy(path: Path) -> dict[str, int | None]:
    """Id -> wave of a faults.json."""
    return {entry["id"]: entry["wave"] for entry in json.loads(path.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    print(text())
