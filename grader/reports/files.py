"""Results for other programs: JSON with everything, CSV with the points."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import msgspec

from grader.marks import Class, Mark, Report

_FORMAT = 1
#: A cell that starts with one of these is a formula to a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_json(group: Class, path: Path, seed: str) -> None:
    """Everything but the pictures."""
    data = {
        "format": _FORMAT,
        "seed": seed,
        "exit": int(group.exit),
        "tasks": [{"id": id, "title": _plain(title)} for id, title in group.tasks],
        "students": [_report(report) for report in group.reports],
    }
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _report(report: Report) -> dict[str, Any]:
    return {
        "student": report.student,
        "files": list(report.files),
        "points": report.points,
        "possible": report.possible,
        "graded": report.is_graded,
        "marks": [_mark(mark) for mark in report.marks],
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "task": mark.task,
        "verdict": mark.word,
        "points": mark.points,
        "possible": mark.possible,
        "reason": _plain(mark.reason),
        "result": _plain(mark.result),
    }


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


def write_csv(group: Class, path: Path) -> None:
    """One row per student: points and verdict of each task, and the sum. All cells are quoted."""
    columns = [f"{id} {what}" for id, _ in group.tasks for what in ("points", "verdict")]
    # A byte order mark: without it a spreadsheet takes Chinese names for something else.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["student", *columns, "total", "possible", "graded"])
        for report in group.reports:
            cells = [cell for mark in report.marks for cell in (f"{mark.points:g}", mark.word)]
            graded = "yes" if report.is_graded else "no"
            sums = [f"{report.points:g}", f"{report.possible:g}", graded]
            writer.writerow([harmless(cell) for cell in (report.student, *cells, *sums)])


def harmless(cell: str) -> str:
    """``cell`` as text even to a spreadsheet: a student may be called "=cmd()"."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
