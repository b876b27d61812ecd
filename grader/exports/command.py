"""The commands ``grader export`` and ``grader nbgrader``."""

from __future__ import annotations

import json as jsons
import sys
from enum import IntEnum
from pathlib import Path
from typing import Any, Literal

import msgspec
from rich.console import Console

from grader.exports.formats import write
from grader.exports.nbgrader import Assignment, MarkedCell, read_assignment
from grader.exports.scores import read_scores
from grader.exports.words import word
from grader.release import Problem, read_roster

Lang = Literal["zh", "en"]
Kind = Literal["csv", "json", "gradescope", "junit", "canvas"]
_SHOWN = 5


class Exit(IntEnum):
    """Exit codes of ``grader export`` and ``grader nbgrader``."""

    DONE = 0
    CHANGED = 1
    USAGE = 2


def export(
    results: Path,
    /,
    *,
    to: Kind,
    out: Path = Path("exports"),
    students: Path | None = None,
    json: bool = False,
    lang: Lang = "en",
) -> int:
    """Write results for another system: csv, json, gradescope (a results.json each), junit, canvas.

    RESULTS is the folder or results.json of ``grader grade``, or the folder of ``grader exam mark``.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    results
        Where the results are.
    to
        The format.
    out
        Folder for the files.
    students
        The roster; Canvas takes ids and sections from its columns (a roster exported by Canvas has them).
    json
        Print the files that were written as JSON.
    lang
        Language of the messages in the files and of the console.
    """
    try:
        people = read_roster(students) if students is not None else ()
        scores = read_scores(results)
        files = write(scores, to, out, people, lang)
    except Problem as problem:
        return _complain(problem.message(lang))
    except OSError as error:
        at = {"path": str(error.filename or out), "reason": error.strerror or ""}
        return _complain(word("unwritable", lang, **at))
    if json:
        _print_json({"format": to, "files": [str(path) for path in files]})
        return Exit.DONE
    for path in files[:_SHOWN]:
        _print(word("written", lang, path=path))
    if len(files) > _SHOWN:
        _print(word("more", lang, count=len(files)))
    open_ = [score.student for score in scores.scores if not score.is_decided]
    if open_:
        names = ", ".join(open_[:_SHOWN]) + (", ..." if len(open_) > _SHOWN else "")
        _print(word("undecided", lang, count=len(open_), names=names))
    return Exit.DONE


def nbgrader(notebook: Path, /, *, json: bool = False, lang: Lang = "en") -> int:
    """Read a notebook of nbgrader (metadata schema 3): its cells, points, and which locked cells were changed.

    ``grader grade`` takes such notebooks as they are.

    Exit codes: 0 as released, 1 a locked cell was changed, 2 wrong usage.

    Parameters
    ----------
    notebook
        The .ipynb.
    json
        Print everything as JSON.
    lang
        Language of the console.
    """
    try:
        found = read_assignment(notebook)
    except Problem as problem:
        return _complain(problem.message(lang))
    changed = any(cell.is_unchanged is False and cell.marking.locked for cell in found.cells)
    if json:
        _print_json(_plain(found))
    else:
        points = f"{found.possible:g}"
        _print(word("assignment", lang, name=found.name, count=len(found.cells), points=points))
        for cell in found.cells:
            _print(_line(cell, lang))
    return Exit.CHANGED if changed else Exit.DONE


def _line(cell: MarkedCell, lang: str) -> str:
    points = cell.marking.points
    worth = word("cell_points", lang, points=f"{points:g}") if isinstance(points, float) else ""
    changed = word("changed", lang) if cell.is_unchanged is False and cell.marking.locked else ""
    said = {"id": cell.marking.grade_id, "kind": cell.marking.kind, "number": cell.index + 1}
    return word("cell", lang, points=worth, changed=changed, **said)


def _plain(found: Assignment) -> dict[str, Any]:

    cells = [
        {
            "index": cell.index,
            "type": cell.type,
            "kind": cell.marking.kind,
            "nbgrader": msgspec.to_builtins(cell.marking),
            "unchanged": cell.is_unchanged,
            "source": cell.source,
        }
        for cell in found.cells
    ]
    return {"name": found.name, "possible": found.possible, "cells": cells}


def _complain(text: str) -> int:
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _print(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)


def _print_json(data: Any) -> None:
    sys.stdout.write(jsons.dumps(data, ensure_ascii=False, indent=1) + "\n")
