"""The command ``grader``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import cyclopts
from cyclopts import Parameter
from rich.console import Console

from ascend_lab import __version__
from ascend_lab.exercise import TaskError
from grader.marks import Class, Exit
from grader.reports import table
from grader.running import Lang, Usage, grading, refuse
from grader.words import word

app = cyclopts.App(
    name="grader",
    help="Grade submissions on the modelled chip. 在芯片模型上评分。",
    version=__version__,
)
# Imported when they are called, so their help stands here.
for _name, _place, _help in (
    (
        "regrade",
        "grader.regrading:regrade",
        "Judge again, and list the marks that changed and why.",
    ),
    (
        "appeal",
        "grader.appeals:appeal",
        "Pack one hidden case that failed, for the student to see.",
    ),
    ("replay", "grader.appeals:replay", "Run the case of such a pack again."),
    (
        "doctor",
        "grader.doctor:doctor",
        "What confines an answer on this machine, and what is missing.",
    ),
    (
        "release",
        "grader.release.command:release",
        "A bundle for each student, with nothing secret inside.",
    ),
    (
        "variant",
        "grader.release.command:variant",
        "Derive a student's variants again from key and id.",
    ),
    ("exam", "grader.exam.command:app", "A mock exam: new, start, submit, mark."),
    ("verify", "grader.exam.command:verify", "Check a signed record of an exam."),
    ("similar", "grader.similar.command:similar", "Pairs of answers that are alike."),
    ("export", "grader.exports.command:export", "Marks for Gradescope, Canvas, JUnit, CSV, JSON."),
    ("nbgrader", "grader.exports.command:nbgrader", "Read notebooks of nbgrader."),
    (
        "faults",
        "grader.faults.command:faults",
        "Inject faults into right kernels, and see them caught.",
    ),
    ("hunt", "grader.troubleshooting.command:hunt", "Draw a troubleshooting paper, or mark one."),
    ("new", "grader.authoring.command:new", "A task, item or paper to start from."),
    (
        "validate",
        "grader.authoring.command:validate",
        "What is wrong with the files of an exam bank.",
    ),
):
    app.command(_place, name=_name, help=_help)


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

    Writes index.html, students/*.html, grades.csv, results.json and journal.sqlite. A run that was
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
        group = grading(folder, jobs, only, bank, (out, json), seed, lang, fresh)
    except (Usage, TaskError) as error:
        return refuse(error, lang)
    if group is None:
        return Exit.INTERRUPTED
    _conclude(group, out, lang)
    return group.exit


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
