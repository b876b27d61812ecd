"""The commands ``grader release`` and ``grader variant``."""

from __future__ import annotations

import json as jsons
import sys
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ascend_lab.exercise import Bank, Task, TaskError, open_bank
from grader import troubleshooting
from grader.release.bundling import release as make_bundles
from grader.release.course import FILE, Course, open_course
from grader.release.problem import Problem
from grader.release.roster import read_roster
from grader.release.variants import rules, vary
from grader.release.words import word

Lang = Literal["zh", "en"]


class Exit(IntEnum):
    """Exit codes of ``grader release`` and ``grader variant``."""

    DONE = 0
    USAGE = 2


def release(
    course: Path,
    /,
    *,
    students: Path,
    edition: Lang = "en",
    out: Path | None = None,
    zip: bool = False,
    json: bool = False,
    lang: Lang | None = None,
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Write a bundle for each student: the lab, blank notebooks, public checks, own troubleshooting papers.

    COURSE is a folder with course.toml (id, labs, papers) and course.key; a new one is made when it is not
    there. No bundle holds a solution, a hidden case, a key or an answer. The same key and roster give the same bundles.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    course
        Folder of the course.
    students
        The roster: CSV with a column "student" (or "id", "学号"), and "name" if you like.
    edition
        Language of the notebooks and papers.
    out
        Where the bundles go; COURSE/bundles unless given.
    zip
        One zip file for each student instead of a folder.
    json
        Print what was written as JSON.
    lang
        Language of the console; the edition's unless given.
    bank
        Another exam bank.
    """
    spoken = lang or edition
    try:
        found = open_bank(bank)
        is_new = not (course / FILE).is_file()
        opened = open_course(course, found, make=True)
        people = read_roster(students)
        place = out or course / "bundles"
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task(word("releasing", spoken), total=len(people))
            made = make_bundles(
                opened, found, people, edition, place, zipped=zip,
                tick=lambda done, _: progress.update(bar, completed=done),
            )  # fmt: skip
    except (Problem, TaskError) as error:
        return _complain(error.message(spoken))
    except troubleshooting.NothingToDraw as error:
        at = {"name": error.template.id, "kernel": error.template.kernel}
        return _complain(word("nothing_to_draw", spoken, **at))
    except OSError as error:
        at = {"path": str(error.filename or out or course), "reason": error.strerror or ""}
        return _complain(word("unwritable", spoken, **at))
    if json:
        _print_json(
            {"course": opened.id, "edition": edition, "bundles": [str(path) for path in made]}
        )
        return Exit.DONE
    if is_new:
        _print(word("made_course", spoken, path=course))
    said = {"count": len(made), "out": place, "course": opened.id, "edition": edition}
    _print(word("released", spoken, **said))
    return Exit.DONE


def variant(
    course: Path,
    student: str,
    /,
    *,
    json: bool = False,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Derive again what STUDENT got: sizes, types and names of each task, places and classes of each paper.

    Nothing is looked up: the course's key and the id decide it. For the instructor's eyes only.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    course
        Folder of the course.
    student
        Id in the roster.
    json
        Print it as JSON.
    lang
        Language of the console.
    bank
        Another exam bank.
    """
    try:
        found = open_bank(bank)
        opened = open_course(course, found)
        told = derived(opened, found, student)
    except (Problem, TaskError) as error:
        return _complain(error.message(lang))
    if json:
        _print_json(told)
        return Exit.DONE
    for task in told["tasks"]:
        cases = "; ".join(f"{name} {sizes}" for name, sizes in task["sizes"].items())
        names = ", ".join(task["parameters"])
        said = {"task": task["task"], "kernel": task["kernel"], "parameters": names, "cases": cases}
        _print(word("variant_task", lang, **said))
    for paper in told["papers"]:
        lines = ", ".join(str(fault["lines"][0]) for fault in paper["faults"])
        classes = ", ".join(fault["class"] for fault in paper["faults"])
        said = {"name": paper["paper"], "lines": lines, "classes": classes, "seed": paper["seed"]}
        _print(word("variant_paper", lang, **said))
    return Exit.DONE


def derived(course: Course, bank: Bank, student: str) -> dict[str, Any]:
    """Everything that the key decides for ``student``, as data."""
    tasks = []
    for id, rule in rules(bank).items():
        if id.partition("/")[0] in course.labs:
            tasks.append(_told(vary(bank.load(id), rule, course.secret(student, id))))
    papers = []
    for name in course.papers:
        seed = course.secret(student, f"paper/{name}")
        drawn = troubleshooting.draw(troubleshooting.template(name, bank), seed, bank=bank)
        faults = [{"class": t.names[0], "lines": list(t.lines), "why": t.why} for t in drawn.truths]
        papers.append(
            {"paper": name, "fingerprint": drawn.fingerprint, "seed": seed, "faults": faults}
        )
    return {"course": course.id, "student": student, "tasks": tasks, "papers": papers}


def _told(task: Task) -> dict[str, Any]:
    return {
        "task": task.id,
        "kernel": task.kernel,
        "parameters": [parameter.name for parameter in task.parameters],
        "sizes": {case.name: dict(case.sizes) for case in task.public_cases},
        "types": {case.name: dict(case.dtypes) for case in task.public_cases if case.dtypes},
    }


def _complain(text: str) -> int:
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _print(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)


def _print_json(data: Any) -> None:
    sys.stdout.write(jsons.dumps(data, ensure_ascii=False, indent=1) + "\n")
