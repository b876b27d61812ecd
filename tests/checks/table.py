"""The table of classes: `python -m tests.checks.table` runs every failing kernel and says what was found.

After the classes that are caught come those of the taxonomy's groups A to I, and K1 and K3, that have no check of
their own, each with the reason.
"""

from __future__ import annotations

import json
from pathlib import Path

from ascend_lab import checks
from tests.checks import fixtures

#: Classes of the three waves in the fault taxonomy.
WAVE_1 = (
    *("A1", "A2", "A3", "A4", "B1", "B3", "C1", "C6", "D1", "D2", "D3", "D9", "D11"),
    *("E1", "E2", "E3", "F1", "F4", "G1", "H3"),
)
WAVE_2 = (
    *("A6", "B2", "B6", "B8", "C4", "C7", "D4", "D6", "D10", "E4", "E6", "E8", "E10"),
    *("F2", "F5", "G7", "G9", "H1", "I1", "I10"),
)
WAVE_3 = ("D12", "D14", "E5", "E9", "H4", "H6", "I5", "I11", "J4", "J5", "K1", "K3")
_NOTES = {
    "A2": "DataCopyPad is absent on 310P3: its own sentence there",
    "A3": "needs DataCopyPad for the fix: 910B",
    "A4": "DataCopyPad: 910B",
    "A6": "DataCopyPad: 910B",
    "A8": "DataCopyPad: 910B",
    "B9": "a sentence of B4 (and B3): the array is a workspace",
    "C6": "DataCopyPad: 910B",
    "F6": "a sentence of D2 (and D1): the queue was by-passed",
    "F8": "a sentence of D1, D2, D3: the buffer is a TBuf",
    **dict.fromkeys(
        ("G2", "G3", "G8", "G13"), "a sentence of E3: what the lengths say of the tiling"
    ),
    "G4": "a sentence of B4 (and B3): offsets in bytes",
    "I15": "a sentence of C1: what should have written had nothing to do",
    "F12": "a sentence of K1: the depth is no number of buffers",
    "I14": "a sentence of K3: the elements are in GM",
    "K1": "only when asked for: Device(performance=True)",
    **dict.fromkeys(
        ("K2", "K3", "K5", "K7", "K8", "K10", "K12", "K15", "K18"),
        "only when asked for: Device(performance=True)",
    ),
    **dict.fromkeys(
        ("K4", "K6", "K9", "K11", "K13", "K14"),
        "only when asked for; what it says of costs is 910B",
    ),
    "X3": "needs two schedules, GetSystemCycle: 910B",
}
_CUBE = "cube core: the Python door runs kernels of the vector cores"
_ARITHMETIC = "arithmetic of the kernel: told by what it leaves out or overruns, "
_VALUES = "right bytes, wrong numbers: only outputs show it"
#: Classes without a check of their own, and why.
EXPLAINED = {
    "A7": _CUBE,
    "B10": _CUBE,
    "B11": "stack and code size of compiled code: there is none here",
    "C11": _CUBE,
    "D13": _CUBE,
    "D14": _CUBE + "; between vector cores it is told as D9",
    "D15": "host: streams",
    "E11": "legal: float atomics in any order (a clean kernel)",
    "E12": "told as A2 or A3: what crosses the border of a core is a length that is no whole block",
    "E14": _CUBE,
    "F11": "depth 0 works as the in-place form; the wrong calls raise X1",
    "G6": "host arithmetic",
    "G10": "told as E3: the output is never written",
    "H9": "golden and tolerance: belongs to the task",
    "H10": "legal: another order",
    "H13": "before any kernel",
    "I3": "told as C7 (counter mode left on) or I2 (a count as mask)",
    "I10": "high-level Matmul API: not modelled",
    "I11": "high-level Matmul API: not modelled",
    "I12": "the door converts scalars to the type of the tensor",
    "J4": "host: aclrtMemcpy",
    "J5": "host: streams",
}


def wave(class_id: str) -> str:
    """ "1", "2" or "3", "" for a class outside the waves."""
    for number, ids in enumerate((WAVE_1, WAVE_2, WAVE_3), 1):
        if class_id in ids:
            return str(number)
    return ""


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
        found.append((class_id, wave(class_id), outcome, _NOTES.get(class_id, "")))
    return found


def text() -> str:
    """The table."""
    lines = [f"{'class':6} {'wave':5} {'caught as':22} {'title':62} note"]
    for class_id, number, outcome, note in rows():
        title = checks.entry(class_id).text("title", "en")
        lines.append(f"{class_id:6} {number:5} {outcome:22} {title:62} {note}".rstrip())
    host = fixtures.of_the_host()
    lines += [f"{class_id:6} {wave(class_id):5} {'-':22} host program" for class_id in sorted(host)]
    for class_id, reason in EXPLAINED.items():
        if class_id in host:
            continue
        lines.append(f"{class_id:6} {wave(class_id):5} {'-':22} {reason}".rstrip())
    return "\n".join(lines)


def unexplained(path: Path) -> list[str]:
    """Ids of a faults.json, of groups A to I and of the waves, that are neither caught nor explained."""
    known = {*checks.catalogue(), *EXPLAINED}
    classes = json.loads(path.read_text(encoding="utf-8"))
    wanted = [entry["id"] for entry in classes if entry["id"][0] in "ABCDEFGHI" or entry["wave"]]
    return [class_id for class_id in wanted if class_id not in known]


if __name__ == "__main__":
    print(text())
