"""One page for the class and one for each student: self-contained, in both languages."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import jinja2

from ascend_lab.exercise import Told
from grader.marks import Class, Report
from grader.reports.console import remark, verdict
from grader.reports.statistics import class_faults, class_items
from grader.words import LANGS, word

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
    environment = _environment(lang)
    students = folder / "students"
    students.mkdir(parents=True, exist_ok=True)
    names = {report.student: page_name(report.student) for report in group.reports}
    index = environment.get_template("class.html").render(
        group=group, pages=names, items=class_items(group), faults=class_faults(group)
    )
    (folder / "index.html").write_text(index, encoding="utf-8")
    for report in group.reports:
        page = environment.get_template("student.html").render(report=report)
        (students / names[report.student]).write_text(page, encoding="utf-8")


def page_name(student: str) -> str:
    """File name of a student's page: the id where a file system takes it, else with a hash."""
    plain = _UNSAFE.sub("_", student)
    if plain == student:
        return f"{plain}.html"
    return f"{plain}-{hashlib.sha256(student.encode()).hexdigest()[:6]}.html"


def _environment(lang: str) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.reports", "pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals.update(
        lang=lang,
        langs=LANGS,
        word=word,
        verdict=verdict,
        remark=remark,
        excerpt=excerpt,
        anchor=anchor,
    )
    environment.filters["number"] = lambda value: f"{value:g}"
    return environment


def excerpt(texts: Mapping[str, str], finding: Told) -> list[Line]:
    """The line a finding is about, and its neighbours. ``texts``: the sources, by file."""
    lines = texts.get(finding.file, "").splitlines()
    if not 0 < finding.line <= len(lines):
        return []
    first = max(finding.line - _AROUND, 1)
    last = min(finding.line + _AROUND, len(lines))
    return [Line(n, lines[n - 1], n == finding.line) for n in range(first, last + 1)]


def anchor(report: Report, file: str, line: int) -> str:
    """Where a line stands in the listing at the end of a student's page; "" when it is not there."""
    text = report.texts.get(file)
    if text is None or not 0 < line <= len(text.splitlines()):
        return ""
    return f"L{list(report.texts).index(file)}-{line}"
