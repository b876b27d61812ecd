"""The formats. Each is one small function from scores to a file, or to a file for each student.

Sources: Gradescope autograder documentation, "Output format"; junit-10.xsd of Jenkins' xUnit plugin; Canvas guides,
"How do I import grades in the Gradebook?".
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from grader.exports.scores import Item, Score, Scores
from grader.release import Person
from grader.reports.files import harmless

#: Characters that XML has no way to say.
_NO_XML = dict.fromkeys(
    [*(n for n in range(32) if chr(n) not in "\t\n\r"), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]
)


def write(
    scores: Scores, kind: str, out: Path, people: Sequence[Person] = (), lang: str = "en"
) -> list[Path]:
    """Write ``scores`` as ``kind`` into the folder ``out``; gives the files. Raises KeyError, OSError."""
    known = {person.id: person for person in people}
    written = []
    for name, text in FORMATS[kind](scores, known, lang).items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        # What a student's program said may have halves of characters, which no encoding has.
        path.write_text(text, encoding="utf-8", errors="replace", newline="")
        written.append(path)
    return written


def _csv(scores: Scores, people: Mapping[str, Person], lang: str) -> dict[str, str]:
    """A line for each student; what was not judged is left empty."""
    rows = [["student", "name", *scores.names, "total", "possible", "graded"]]
    for score in scores.scores:
        points = {item.name: f"{item.points:g}" for item in score.items if item.is_decided}
        person = people.get(score.student)
        cells = [points.get(name, "") for name in scores.names]
        name = person.name if person else ""
        sums = (f"{score.points:g}", f"{score.possible:g}", "yes" if score.is_decided else "no")
        rows.append([score.student, name, *cells, *sums])
    # A byte order mark: without it a spreadsheet takes Chinese names for something else.
    return {"grades.csv": "\ufeff" + _table(rows)}


def _table(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerows([[harmless(cell) for cell in row] for row in rows])
    return text.getvalue()


def _json(scores: Scores, people: Mapping[str, Person], lang: str) -> dict[str, str]:
    students = [
        {
            "student": score.student,
            "points": score.points,
            "possible": score.possible,
            "graded": score.is_decided,
            "items": [
                {
                    "name": item.name,
                    "points": item.points,
                    "possible": item.possible,
                    "state": item.state,
                    "zh": item.zh,
                    "en": item.en,
                }
                for item in score.items
            ],
        }
        for score in scores.scores
    ]
    return {"grades.json": _dumped({"format": 1, "title": scores.title, "students": students})}


def _dumped(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _gradescope(scores: Scores, people: Mapping[str, Person], lang: str) -> dict[str, str]:
    """``<student>/results.json``. What was not judged for a fault of ours has no status."""
    return {
        f"{score.student}/results.json": _dumped(_gradescope_one(score, lang))
        for score in scores.scores
    }


def _gradescope_one(score: Score, lang: str) -> dict[str, Any]:
    tests = []
    for number, item in enumerate(score.items, 1):
        test: dict[str, Any] = {
            "name": item.name,
            "number": str(number),
            "score": item.points,
            "max_score": item.possible,
            "output": item.text(lang),
            "output_format": "text",
            "visibility": "visible",
        }
        if item.is_decided:
            test["status"] = "passed" if item.state == "pass" else "failed"
        tests.append(test)
    return {
        "score": score.points,
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def _junit(scores: Scores, people: Mapping[str, Person], lang: str) -> dict[str, str]:
    root = ElementTree.Element("testsuites", {"name": scores.title})
    for score in scores.scores:
        count = {state: sum(i.state == state for i in score.items) for state in _OUTCOMES}
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            {
                "name": score.student,
                "tests": str(len(score.items)),
                "failures": str(count["fail"]),
                "errors": str(count["error"]),
                "skipped": str(count["skipped"]),
                "time": "0",
            },
        )
        for item in score.items:
            _testcase(suite, score.student, item, lang)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return {"junit.xml": f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'}


_OUTCOMES = {"fail": "failure", "error": "error", "skipped": "skipped"}


def _testcase(suite: ElementTree.Element, student: str, item: Item, lang: str) -> None:
    attributes = {"classname": student, "name": item.name, "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", attributes)
    outcome = _OUTCOMES.get(item.state)
    if outcome is None:
        return
    said = item.text(lang).translate(_NO_XML)
    child = ElementTree.SubElement(case, outcome)
    if outcome != "skipped":
        child.set("message", f"{item.points:g} / {item.possible:g}")
        child.set("type", item.state)
        child.text = said


def _canvas(scores: Scores, people: Mapping[str, Person], lang: str) -> dict[str, str]:
    """The Gradebook's own columns; ids come from the roster, as Canvas exports it.

    A mark that does not stand is left empty: Canvas then keeps what it has.
    """
    possible = max((score.possible for score in scores.scores), default=0.0)
    heads = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", scores.title]
    rows = [heads, ["    Points Possible", "", "", "", "", f"{possible:g}"]]
    for score in scores.scores:
        person = people.get(score.student) or Person(score.student, score.student)
        ids = [person.column("ID"), person.column("SIS User ID") or person.id]
        more = [person.column("SIS Login ID", "email"), person.column("Section")]
        mark = f"{score.points:g}" if score.is_decided else ""
        rows.append([person.name, *ids, *more, mark])
    return {"canvas.csv": _table(rows)}


#: Name -> what makes its files.
FORMATS: Mapping[str, Callable[[Scores, Mapping[str, Person], str], dict[str, str]]] = {
    "csv": _csv,
    "json": _json,
    "gradescope": _gradescope,
    "junit": _junit,
    "canvas": _canvas,
}
