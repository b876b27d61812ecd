"""The matrix as tables on the console, as JSON, as one HTML page, and the faulty kernels as files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.table import Table
from rich.text import Text

from ascend_lab.exercise import Both
from grader.faults.cpp.syntax import is_cpp
from grader.faults.matrices import Cell, Matrix, Try, diff
from grader.faults.verifying import Status
from grader.faults.words import word
from grader.reports.frame import environment
from grader.words import LANGS

_MARKS = {
    Status.EQUIVALENT: "≡",
    Status.TOLERATED: "≈",
    Status.UNCHECKED: "?",
    Status.ESCAPED: "!",
    Status.MISNAMED: "!",
    Status.BROKEN: "!",
}
_COLOURS = {
    Status.CAUGHT: "green",
    Status.MISNAMED: "red",
    Status.ESCAPED: "red",
    Status.BROKEN: "red",
    Status.UNCHECKED: "yellow",
    Status.EQUIVALENT: "dim",
    Status.TOLERATED: "dim",
}


def mark(cell: Cell | None) -> str:
    """A cell in a few characters: the leading id, with a sign when that is not the whole story."""
    if cell is None or cell.status is None or cell.best is None:
        return ""
    found = cell.best.verification
    leading = found.named or found.leading
    return f"{_MARKS.get(cell.status, '')}{leading}"


def table(found: Matrix, lang: str) -> Table:
    """Classes down, kernels across by their numbers, which `numbered` explains."""
    made = Table(
        show_edge=False, pad_edge=False, caption=word("legend", lang), collapse_padding=True
    )
    made.add_column(word("class", lang))
    made.add_column(word("wave", lang))
    for number, _ in enumerate(found.references, 1):
        made.add_column(str(number))
    for row in found.rows:
        if row.absent is None:
            cells = [row.cells.get(reference.name) for reference in found.references]
            made.add_row(row.class_id, str(row.wave or ""), *map(_coloured, cells))
    return made


def numbered(found: Matrix, lang: str) -> Iterator[str]:
    """What the numbers of the columns mean, and why a class has no row."""
    for number, reference in enumerate(found.references, 1):
        yield f"{number:>4}  {reference.name}"
    for row in found.rows:
        if row.absent is not None:
            yield f"{row.class_id:>4}  {row.absent.text(lang)}"


def short(name: str) -> str:
    """The last part of a kernel's name."""
    return name.removeprefix("reference/")


def _coloured(cell: Cell | None) -> Text:
    style = _COLOURS.get(cell.status, "") if cell is not None and cell.status is not None else ""
    return Text(mark(cell), style=style)


def listing(found: Matrix, lang: str) -> Table:
    """One row for each mutant."""
    made = Table(show_edge=False, pad_edge=False)
    for key in ("class", "title", "outcome", "places", "line", "status", "found"):
        made.add_column(word(key, lang), overflow="fold")
    for row in found.rows:
        for cell in row.cells.values():
            for each in cell.tries:
                made.add_row(*_fields(row.title, cell, each, lang))
    return made


def _fields(title: Both, cell: Cell, each: Try, lang: str) -> Iterator[Text]:
    status = each.status
    seen = each.verification
    yield Text(cell.class_id)
    yield Text(title.text(lang))
    yield Text(word(each.mutant.outcome, lang))
    yield Text(str(len(cell.places)))
    yield Text(str(each.mutant.line))
    yield Text(word(status.value, lang), style=_COLOURS[status])
    yield Text(f"{seen.named or seen.leading} {seen.line or ''}".strip())


def summary(found: Matrix, lang: str) -> Iterator[str]:
    """What escaped, what is not clean, and the totals."""
    for row in found.rows:
        for name, cell in row.cells.items():
            for each in cell.tries:
                if each in found.escaped:
                    yield _escape(name, each, lang)
    for name, texts in found.unclean.items():
        for text in texts:
            yield word("unclean", lang, kernel=name, text=text)
    yield totals(found, lang)


def _escape(name: str, each: Try, lang: str) -> str:
    return word(
        "escapes",
        lang,
        class_id=each.mutant.class_id,
        kernel=name,
        line=each.mutant.line,
        status=word(each.status.value, lang),
        found=", ".join(each.verification.found) or word("nothing", lang),
    )


def totals(found: Matrix, lang: str) -> str:
    """The sentence with all the sums."""
    sums = found.totals
    return word(
        "totals",
        lang,
        living=sums["classes alive"],
        unchecked=sums["check missing"],
        unclean=sums["findings on references"],
        **{key: value for key, value in sums.items() if " " not in key},
    )


# --- files --------------------------------------------------------------------------------------------------


def as_dict(found: Matrix) -> dict[str, Any]:
    """Plain values for JSON."""
    return {
        "seed": found.seed,
        "totals": found.totals,
        "kernels": [
            {
                "name": r.name,
                "chips": list(r.chips),
                "findings": list(found.unclean.get(r.name, ())),
            }
            for r in found.references
        ],
        "classes": [
            {
                "id": row.class_id,
                "wave": row.wave,
                "title": _texts(row.title),
                "absent": None if row.absent is None else _texts(row.absent),
                "cells": [_cell(found, cell) for cell in row.cells.values()],
            }
            for row in found.rows
        ],
    }


def _texts(text: Both) -> dict[str, str]:
    return {"zh": text.zh, "en": text.en}


def _cell(found: Matrix, cell: Cell) -> dict[str, Any]:
    return {
        "kernel": cell.reference,
        "places": list(cell.places),
        "status": None if cell.status is None else cell.status.value,
        "mutants": [_try(each) for each in cell.tries],
    }


def _try(each: Try) -> dict[str, Any]:
    mutant, seen = each.mutant, each.verification
    return {
        "line": mutant.line,
        "lines": list(mutant.lines),
        "outcome": mutant.outcome,
        "difficulty": mutant.difficulty,
        "blocks": mutant.blocks,
        "status": seen.status.value,
        "leading": seen.leading,
        "found": list(seen.found),
        "found_line": seen.line,
        "case": seen.case,
        "schedule": seen.schedule,
    }


def write_json(found: Matrix, path: Path) -> None:
    """The whole matrix in one file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(as_dict(found), ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def write_mutants(found: Matrix, folder: Path) -> None:
    """The faulty kernels, ``<kernel>/<class>.py`` (or .cpp), each with its story and hints in ``<class>.json``."""
    for row in found.rows:
        for name, cell in row.cells.items():
            for number, each in enumerate(t for t in cell.tries if t.status.is_alive):
                stem = row.class_id if not number else f"{row.class_id}-{number + 1}"
                place = folder / short(name).replace("/", "-")
                place.mkdir(parents=True, exist_ok=True)
                suffix = ".cpp" if is_cpp(each.mutant.source) else ".py"
                (place / f"{stem}{suffix}").write_text(each.mutant.source, encoding="utf-8")
                text = json.dumps(_told(name, each), ensure_ascii=False, indent=1)
                (place / f"{stem}.json").write_text(text + "\n", encoding="utf-8")


def _told(name: str, each: Try) -> dict[str, Any]:
    mutant = each.mutant
    return {
        "class": mutant.class_id,
        "kernel": name,
        "story": _texts(mutant.story),
        "hints": [_texts(hint) for hint in mutant.hints],
        **_try(each),
    }


def page(found: Matrix, lang: str) -> str:
    """One self-contained HTML page."""
    by_name = {reference.name: reference for reference in found.references}
    made = environment(
        "faults",
        lang,
        word,
        mark=mark,
        short=short,
        two=_two,
        changed=lambda cell, each: diff(each.mutant, by_name[cell.reference]).splitlines(),
        totals=lambda language: totals(found, language),
    )
    return made.get_template("matrix.html").render(matrix=found)


def _two(text: Both) -> Markup:
    spans = (Markup('<span lang="{}">{}</span>').format(lang, text.text(lang)) for lang in LANGS)
    return Markup("").join(spans)
