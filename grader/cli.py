"""The command ``grader``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import cyclopts
from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ascend_lab import __version__
from ascend_lab.exercise import Bank, Task, TaskError, open_bank
from grader.collecting import Student, collect
from grader.grading import Grading, workers
from grader.journal import Journal
from grader.marks import Class, Exit
from grader.reports import table, write_csv, write_json, write_pages
from grader.words import word

Lang = Literal["zh", "en"]
_LONGEST_LIST = 12

app = cyclopts.App(
    name="grader",
    help="Grade submissions on the modelled chip. 在芯片模型上评分。",
    version=__version__,
)
app.command("grader.faults.command:faults")  # imported when it is called
app.command("grader.authoring.command:new")
app.command("grader.authoring.command:validate")
app.command("grader.troubleshooting.command:hunt")
app.command("grader.release.command:release")
app.command("grader.release.command:variant")
app.command("grader.exam.command:app", name="exam")
app.command("grader.exam.command:verify")
app.command("grader.similar.command:similar")


class Usage(Exception):
    """The command cannot be carried out as it was given; ``str()`` says why."""


@app.command
def grade(
    folder: Path,
    /,
    *,
    jobs: Annotated[str, Parameter(name=("--jobs", "-j"))] = "auto",
    only: str | None = None,
    out: Path = Path("grades"),
    json: Path | None = None,
    seed: str | None = None,
    lang: Lang = "en",
    fresh: bool = False,
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> Exit:
    """Grade every submission in FOLDER: one .py or .ipynb file, or one folder, for each student.

    Writes index.html, students/*.html, grades.csv, results.json and journal.jsonl. A run that was
    interrupted goes on where it stopped; unchanged answers are not judged again.

    Exit codes: 0 all passed, 1 points lost, 2 wrong usage, 3 some could not be graded, 130 interrupted.

    Parameters
    ----------
    folder
        Where the submissions are.
    jobs
        Number of workers, or "auto": one for each processor.
    only
        One lab ("03") or one task ("03/seed-add"). Without it: the labs that somebody has answered.
    out
        Folder for the reports and the journal.
    json
        Another place for results.json.
    seed
        Decides the inputs; keep it secret. Without it one is drawn, and kept in the journal.
    lang
        Language of the console, and the one that pages open in.
    fresh
        Forget the journal and judge everything again.
    bank
        Another exam bank.
    """
    try:
        size = _workers(jobs, lang)
        tasks_in, tasks = _tasks(bank, only, lang)
        students = _students(folder, lang)
        if only is None:
            tasks = _answered(tasks, students)
        return _grade(tasks_in, tasks, students, size, (out, json), seed, lang, fresh)
    except (Usage, TaskError) as error:
        text = error.message(lang) if isinstance(error, TaskError) else str(error)
        Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
        return Exit.USAGE


def _grade(
    tasks_in: Bank,
    tasks: Sequence[Task],
    students: Sequence[Student],
    size: int,
    places: tuple[Path, Path | None],
    seed: str | None,
    lang: Lang,
    fresh: bool,
) -> Exit:
    out, json = places
    try:
        with Journal(out / "journal.jsonl", seed, fresh) as journal:
            grading = Grading(tasks_in, tasks, students, journal, size)
            group = _with_progress(grading, lang)
            if group is None:
                return Exit.INTERRUPTED
            _write(group, out, json, journal.seed, lang)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Usage(word("in_the_way", lang, path=error.filename or out, reason=reason)) from None
    _conclude(group, out, lang)
    return group.exit


def _with_progress(grading: Grading, lang: Lang) -> Class | None:
    """Grade under a progress bar; None when it was interrupted."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
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
        json.parent.mkdir(parents=True, exist_ok=True)
        write_json(group, json, seed)


def _conclude(group: Class, out: Path, lang: Lang) -> None:
    console = Console(width=None if sys.stdout.isatty() else 200)
    console.print(table(group, lang))
    ungraded = sum(not report.is_graded for report in group.reports)
    full = sum(report.is_graded and report.points >= report.possible for report in group.reports)
    counts = {
        "students": len(group.reports),
        "tasks": len(group.tasks),
        "full": full,
        "lost": len(group.reports) - full - ungraded,
        "ungraded": ungraded,
    }
    for said in (word("summary", lang, **counts), word("written", lang, path=out / "index.html")):
        console.print(said, highlight=False, markup=False, soft_wrap=True)


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
    labs = {_lab(t.id) for t in tasks if any(paper.defines(t.kernel) for paper in papers)}
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``grader``; returns the exit code."""
    try:
        code = app(arguments, exit_on_error=False, result_action="return_value")
    except cyclopts.CycloptsError:
        return Exit.USAGE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    return int(code) if isinstance(code, int) else Exit.PASSED


if __name__ == "__main__":
    sys.exit(main())
