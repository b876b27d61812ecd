"""One run of the grader, from what was asked for to the reports; shared by ``grade`` and ``regrade``."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from ascend_lab.exercise import Bank, Task, TaskError, open_bank
from grader.collecting import Student, collect
from grader.grading import Grading, workers
from grader.journal import NAME, Journal
from grader.marks import Class, Exit
from grader.reports import write_csv, write_json, write_pages
from grader.words import word

Lang = Literal["zh", "en"]
_LONGEST_LIST = 12


class Usage(Exception):
    """The command cannot be carried out as it was given; ``str()`` says why."""


def grading(
    folder: Path,
    jobs: str,
    only: str | None,
    bank: Path | None,
    places: tuple[Path, Path | None],
    seed: str | None,
    lang: Lang,
    fresh: bool,
) -> Class | None:
    """Grade ``folder`` and write the reports to ``places``; None when it was interrupted.

    Raises Usage, TaskError.
    """
    size = _workers(jobs, lang)
    tasks_in, tasks = _tasks(bank, only, lang)
    students = _students(folder, lang)
    if only is None:
        tasks = _answered(tasks, students)
    out, json = places
    try:
        with Journal(out / NAME, seed, fresh) as journal:
            group = _with_progress(Grading(tasks_in, tasks, students, journal, size), lang)
            if group is not None:
                _write(group, out, json, journal.seed, lang)
            return group
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Usage(word("in_the_way", lang, path=error.filename or out, reason=reason)) from None
    except sqlite3.Error as error:
        raise Usage(word("no_journal", lang, path=out / NAME, reason=error)) from None


def refuse(error: Exception, lang: Lang) -> Exit:
    """Say why a command cannot be carried out. Raises anything that is no such reason."""
    if not isinstance(error, Usage | TaskError):
        raise error
    text = error.message(lang) if isinstance(error, TaskError) else str(error)
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _with_progress(grading: Grading, lang: Lang) -> Class | None:
    """Grade under a progress bar; None when it was interrupted."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn(word("remaining", lang)),
        TimeRemainingColumn(),
    )
    made = 0
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(word("judging", lang), total=None)

        def tick(done: int, total: int) -> None:
            nonlocal made
            made = done
            progress.update(bar, completed=done, total=total)

        try:
            return grading.run(tick)
        except KeyboardInterrupt:
            progress.stop()
            said = word("interrupted", lang, done=made)
            Console(stderr=True).print(said, highlight=False, soft_wrap=True)
            return None


def _write(group: Class, out: Path, json: Path | None, seed: str, lang: Lang) -> None:
    write_pages(group, out, lang)
    write_csv(group, out / "grades.csv")
    write_json(group, out / "results.json", seed)
    if json is not None:
        write_json(group, place_of(json), seed)


def place_of(path: Path) -> Path:
    """``path``, when its folder has been made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


# --- what was asked for ------------------------------------------------------------------------------


def _workers(asked: str, lang: Lang) -> int:
    try:
        return workers(asked)
    except ValueError:
        raise Usage(word("bad_jobs", lang, value=asked)) from None


def _tasks(folder: Path | None, only: str | None, lang: Lang) -> tuple[Bank, list[Task]]:
    found = open_bank(folder)
    ids = found.ids()
    chosen = [id for id in ids if only is None or _matches(id, only)]
    if not chosen:
        known = ", ".join(ids[:_LONGEST_LIST])
        raise Usage(word("no_task", lang, name=only, known=known))
    return found, [found.load(id) for id in chosen]


def _answered(tasks: list[Task], students: Sequence[Student]) -> list[Task]:
    """The tasks of the labs that somebody has answered; all of them when nobody has answered any."""
    papers = [paper for student in students for paper in student.papers]
    labs = {_lab(t.id) for t in tasks if any(paper.defines(t) for paper in papers)}
    return [task for task in tasks if _lab(task.id) in labs] or tasks


def _lab(id: str) -> str:
    return id.split("/", maxsplit=1)[0]


def _matches(id: str, only: str) -> bool:
    """ "03", "3" and "lab03" are one lab, "03/seed-add" is one task."""
    if "/" in only:
        return id == only
    lab = only.lower().removeprefix("lab").strip("-_ ")
    return id.partition("/")[0] == (lab.zfill(2) if lab.isdigit() else lab)


def _students(folder: Path, lang: Lang) -> tuple[Student, ...]:
    if not folder.is_dir():
        raise Usage(word("no_folder", lang, path=folder))
    try:
        students = collect(folder)
    except OSError as error:
        raise Usage(word("in_the_way", lang, path=folder, reason=error.strerror or "")) from None
    if not students:
        raise Usage(word("nothing", lang, path=folder))
    return students
