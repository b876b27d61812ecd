"""One page for the class and one for each student: self-contained, in both languages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.exercise import say
from grader.marks import Class, Report
from grader.reports.console import remark, verdict
from grader.reports.frame import environment
from grader.reports.statistics import class_faults, class_items
from grader.words import word

_AROUND = 2
_UNSAFE = re.compile(r"[^\w.\- ]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an excerpt."""

    number: int
    text: str
    is_meant: bool


def write_pages(group: Class, folder: Path, lang: str) -> None:
    """``index.html`` and ``students/<id>.html`` in ``folder``. ``lang`` is what the pages open in."""
    known = {"verdict": verdict, "remark": remark, "excerpt": excerpt, "anchor": anchor}
    made = environment("reports", lang, word, item=item_title, **known)
    students = folder / "students"
    students.mkdir(parents=True, exist_ok=True)
    names = {report.student: page_name(report.student) for report in group.reports}
    index = made.get_template("class.html").render(
        group=group, pages=names, items=class_items(group), faults=class_faults(group)
    )
    (folder / "index.html").write_text(index, encoding="utf-8")
    for report in group.reports:
        page = made.get_template("student.html").render(report=report)
        (students / names[report.student]).write_text(page, encoding="utf-8")


def item_title(name: str, lang: str) -> str:
    """An item of the statistics in ``lang``: a task's id, and its check in words."""
    task, _, check = name.partition(" · ")
    return f"{task} · {say(f'check_{check}', lang)}"


def page_name(student: str) -> str:
    """File name of a student's page: the id where a file system takes it, else with a hash."""
    plain = _UNSAFE.sub("_", student)
    if plain == student:
        return f"{plain}.html"
    return f"{plain}-{hashlib.sha256(student.encode()).hexdigest()[:6]}.html"


def excerpt(texts: Mapping[str, str], file: str, line: int) -> list[Line]:
    """A line that a finding is about, and its neighbours. ``texts``: the sources, by file."""
    lines = texts.get(file, "").splitlines()
    if not 0 < line <= len(lines):
        return []
    first, last = max(line - _AROUND, 1), min(line + _AROUND, len(lines))
    return [Line(n, lines[n - 1], n == line) for n in range(first, last + 1)]


def anchor(report: Report, file: str, line: int) -> str:
    """Where a line stands in the listing at the end of a student's page; "" when it is not there."""
    text = report.texts.get(file)
    if text is None or not 0 < line <= len(text.splitlines()):
        return ""
    return f"L{list(report.texts).index(file)}-{line}"
