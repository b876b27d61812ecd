"""``grader regrade``: grade again, and say only which marks have changed, and why."""

from __future__ import annotations

import json as jsons
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.journal import NAME, Journal, Row, RunOf
from grader.marks import Exit
from grader.running import Lang, Usage, grading, place_of, refuse
from grader.words import word

_DATE = re.compile(r"\d{4}-\d\d(-\d\d(T[\d:+]*)?)?$")
#: What a mark depends on, by the field of a `Row`.
_REASONS = {
    "answer": "why_answer",
    "task_digest": "why_task",
    "lab": "why_lab",
    "seed": "why_seed",
}


@dataclass(frozen=True, slots=True)
class Change:
    """A mark that is not what it was. ``why`` are keys of the words: what else has changed."""

    student: str
    task: str
    before: Row | None
    after: Row | None
    why: tuple[str, ...]


def changes(before: Sequence[Row], after: Sequence[Row]) -> tuple[Change, ...]:
    """Marks that differ between two runs, by student and task."""
    old = {(row.student, row.task): row for row in before}
    new = {(row.student, row.task): row for row in after}
    found = []
    for student, task in sorted(old.keys() | new.keys()):
        was, now = old.get((student, task)), new.get((student, task))
        if _shown(was) != _shown(now):
            found.append(Change(student, task, was, now, _why(was, now)))
    return tuple(found)


def _shown(row: Row | None) -> tuple[object, ...]:
    return () if row is None else (row.verdict, row.points, row.possible)


def _why(was: Row | None, now: Row | None) -> tuple[str, ...]:
    if was is None or now is None:
        return ("why_new" if was is None else "why_gone",)
    found = [key for name, key in _REASONS.items() if getattr(was, name) != getattr(now, name)]
    return tuple(found) or ("why_again",)


def chosen(runs: Sequence[RunOf], since: str | None) -> RunOf | None:
    """The run to compare with: the last one; with ``since`` that number, or the last one by that date."""
    if since is None:
        return runs[-1] if runs else None
    if since.isdigit():
        return next((run for run in runs if run.number == int(since)), None)
    if not _DATE.match(since):
        return None
    earlier = [run for run in runs if run.at[: len(since)] <= since]
    return earlier[-1] if earlier else None


def regrade(
    folder: Path,
    /,
    *,
    since: str | None = None,
    jobs: Annotated[str, Parameter(name=("--jobs", "-j"))] = "auto",
    only: str | None = None,
    out: Path = Path("grades"),
    json: Path | None = None,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> Exit:
    """Grade FOLDER again, and list only the marks that changed, and why.

    What has not changed is not judged again: answer, task, lab and seed decide that. Reports are written as by
    ``grader grade``.

    Exit codes: 0 no mark changed, 1 some did, 2 wrong usage, 3 some could not be graded, 130 interrupted.

    Parameters
    ----------
    folder
        Where the submissions are.
    since
        The run to compare with: its number, or a date (2026-03-01, UTC): the last run by then. Without it: the
        last run.
    jobs
        Number of workers, or "auto": one for each processor.
    only
        One lab ("03") or one task ("03/seed-add").
    out
        Folder of the reports and the journal.
    json
        Where to write the changes.
    lang
        Language of the console.
    bank
        Another exam bank.
    """
    try:
        before, rows = _before(out, since, lang)
        group = grading(folder, jobs, only, bank, (out, None), None, lang, fresh=False)
        if group is None:
            return Exit.INTERRUPTED
        with Journal(out / NAME) as journal:
            found = changes(rows, journal.rows(journal.runs()[-1].number))
    except Exception as error:
        return refuse(error, lang)
    _tell(found, before, lang)
    if json is not None:
        data = {"since": asdict(before), "changes": [asdict(change) for change in found]}
        text = jsons.dumps(data, ensure_ascii=False, indent=1)
        place_of(json).write_text(text + "\n", encoding="utf-8")
    if not all(report.is_graded for report in group.reports):
        return Exit.UNGRADED
    return Exit.LOST if found else Exit.PASSED


def _before(out: Path, since: str | None, lang: Lang) -> tuple[RunOf, tuple[Row, ...]]:
    if not (out / NAME).is_file():
        raise Usage(word("no_runs", lang, path=out))
    with Journal(out / NAME) as journal:
        run = chosen(journal.runs(), since)
        if run is None:
            known = ", ".join(f"{one.number} ({one.at})" for one in journal.runs()[-10:]) or "-"
            raise Usage(word("no_run", lang, since=since or "", known=known))
        return run, journal.rows(run.number)


def _tell(found: Sequence[Change], before: RunOf, lang: Lang) -> None:
    console = Console(width=None if Console().is_terminal else 160)
    if not found:
        said = word("unchanged", lang, run=before.number, at=before.at)
        console.print(said, highlight=False, markup=False, soft_wrap=True)
        return
    table = Table(show_edge=False, pad_edge=False)
    for key in ("student", "task", "before", "after", "why"):
        table.add_column(word(key, lang), overflow="fold")
    for change in found:
        reasons = ", ".join(word(key, lang) for key in change.why)
        cells = (change.student, change.task, _cell(change.before), _cell(change.after), reasons)
        table.add_row(*map(Text, cells))
    console.print(table)


def _cell(row: Row | None) -> str:
    return "-" if row is None else f"{row.points:g}/{row.possible:g} {row.verdict}"
