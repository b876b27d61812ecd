"""The commands ``grader new`` and ``grader validate``."""

from __future__ import annotations

import json as json_
import sys
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ascend_lab.exercise import TaskError, open_bank
from grader.authoring.problem import Report
from grader.authoring.scaffolding import Kind, Refused, scaffold
from grader.authoring.validating import Unknown, Validator, found_files
from grader.authoring.words import word

Lang = Literal["zh", "en"]


class Exit(IntEnum):
    """Exit codes of ``grader new`` and ``grader validate``."""

    RIGHT = 0
    PROBLEMS = 1
    USAGE = 2


def new(
    kind: Kind,
    name: str,
    /,
    *,
    lab: str = "mine",
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Write the files of a new task, theory topic or fault hunt, to be edited.

    They are complete and right as they are: `grader validate` passes them. Nothing is overwritten.

    Exit codes: 0 written, 2 wrong usage, or a file is there already.

    Parameters
    ----------
    kind
        What to write: task (with reference and start), theory (a topic with one item), hunt.
    name
        Its name: small letters, digits, hyphens.
    lab
        The lab it belongs to ("05"); a theory topic belongs to none.
    lang
        Language of the comments and of the console.
    bank
        Another exam bank.
    """
    try:
        files = scaffold(kind, name, lab, open_bank(bank).folder, lang)
    except (Refused, TaskError, OSError) as error:
        return _refuse(error, lang)
    for path in files:
        _say(word("written", lang, path=_shown(path)))
    _say(word("next", lang, path=_shown(files[0])))
    return Exit.RIGHT


def validate(
    *paths: Path,
    quick: bool = False,
    seeds: int = 5,
    json: bool = False,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Check tasks, theory items, fault hunts and troubleshooting tasks: PATHS, or the whole bank.

    A mistake is named with file, line and key, what is allowed, and near names. A task's reference has to
    earn all points and its start none; the witness of a theory item has to find the key, for several seeds;
    a troubleshooting task must have a fault to draw that is alive and found.

    Exit codes: 0 all right, 1 problems, 2 wrong usage.

    Parameters
    ----------
    paths
        Files or folders.
    quick
        Read the files only; run no kernel and no witness.
    seeds
        How often each theory item is drawn.
    json
        Print one JSON object instead of text.
    lang
        Language of the console.
    bank
        Another exam bank.
    """
    try:
        folder = open_bank(bank).folder if not paths else Path()
        files = found_files(paths, folder, lang)
        report = _checked(files, quick, seeds, lang)
    except (Unknown, TaskError, OSError) as error:
        return _refuse(error, lang)
    if json:
        sys.stdout.write(json_.dumps(report.data(), ensure_ascii=False, indent=1) + "\n")
    else:
        _show(report, quick, lang)
    return Exit.PROBLEMS if report.problems else Exit.RIGHT


def _checked(files: list[Path], quick: bool, seeds: int, lang: Lang) -> Report:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with (
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        Validator(quick, max(seeds, 1)) as validator,
    ):
        bar = progress.add_task(word("working", lang), total=None)

        def tick(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return validator.check([_near(file) for file in files], tick)


def _show(report: Report, quick: bool, lang: Lang) -> None:
    for problem in report.problems:
        _say(problem.message(lang))
    counts = report.data()["checked"]
    _say(word("summary", lang, **counts, problems=len(report.problems)))
    if quick:
        _say(word("quick", lang))


def _refuse(error: Exception, lang: Lang) -> int:
    match error:
        case TaskError():
            text = error.message(lang)
        case OSError():
            reason = error.strerror or type(error).__name__
            text = word("in_the_way", lang, path=error.filename or "", reason=reason)
        case _:
            text = str(error)
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _say(text: str) -> None:
    Console(soft_wrap=True).print(text, markup=False, highlight=False)


def _near(path: Path) -> Path:
    """The path as seen from here, when it lies below."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_absolute() and path.is_relative_to(here) else path


def _shown(path: Path) -> str:
    return _near(path).as_posix()
