"""Records and pages of marked exams."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ascend_lab
from ascend_lab.exercise import CHECKS, package_digest, say
from grader.exam.marking import Item, Part, Result
from grader.exam.records import FORMAT, signed
from grader.exam.words import word
from grader.reports.frame import environment
from grader.reports.html import excerpt
from grader.reports.statistics import ItemFigures, item_figures
from grader.troubleshooting.words import word as paper_word


def record(result: Result, course: str, name: str) -> dict[str, Any]:
    """Everything of a result that is to be kept: scores, versions, hashes, seeds, remarks."""
    exam, handed_in = result.exam, result.submission
    started = datetime.datetime.fromtimestamp(handed_in.started, datetime.UTC)
    judged = result.practical
    return {
        "format": FORMAT,
        "course": course,
        "exam": exam.blueprint.id,
        "student": exam.student,
        "name": name,
        "total": result.total,
        "passed": result.passed,
        "decided": result.is_decided,
        "parts": {part.name: _part(part) for part in result.parts},
        "remarks": remark_texts(result, "en"),
        "started": started.isoformat() if handed_in.started else "",
        "minutes": handed_in.minutes,
        "versions": {
            "lab": ascend_lab.__version__,
            "lab_digest": package_digest(),
            "blueprint": exam.blueprint.digest,
            "task": judged.provenance.task_digest if judged else "",
            "chip": judged.provenance.chip_digest if judged else "",
        },
        "hashes": {
            "submission": handed_in.digest,
            "log": handed_in.head,
            "answer": judged.provenance.answer_digest if judged else "",
        },
        "seeds": {
            "inputs": exam.inputs,
            "papers": {drawn.template.id: drawn.fingerprint for drawn in exam.papers},
        },
    }


def _part(part: Part) -> dict[str, Any]:
    items = [
        {"name": i.name, "points": i.points, "possible": i.possible, "undecided": i.undecided}
        for i in part.items
    ]
    return {"points": part.points, "weight": part.weight, "items": items}


def remark_texts(result: Result, lang: str) -> list[str]:
    """What the instructor should look at, as sentences."""
    found = [
        word(f"remark_{r.kind}", lang, number=r.number, seconds=f"{r.seconds:g}")
        for r in result.submission.remarks
    ]
    if result.submission.late:
        found.append(word("late_answers", lang, names=", ".join(result.submission.late)))
    return found


def write_record(result: Result, course: str, key: str, name: str, folder: Path) -> Path:
    """The signed record of one student; gives its place."""
    path = folder / f"{result.exam.student}.record.json"
    text = json.dumps(signed(record(result, course, name), key), ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def write_pages(results: Sequence[Result], names: dict[str, str], folder: Path, lang: str) -> None:
    """``index.html`` with a line for each student, and a page for each."""
    known = {"remarks": remark_texts, "rule": rule_text, "title": item_title, "excerpt": excerpt}
    known["figure"] = figure_title
    made = environment("exam", lang, word, names=names, **known)
    index = made.get_template("exam_class.html").render(
        results=results, items=exam_items(results), caught=caught(results)
    )
    (folder / "index.html").write_text(index, encoding="utf-8")
    for result in results:
        page = made.get_template("exam_result.html").render(result=result)
        (folder / f"{result.exam.student}.html").write_text(page, encoding="utf-8")


def exam_items(results: Sequence[Result]) -> list[ItemFigures]:
    """Figures of each item of the class, by part; students have different ones."""
    parts = [part.name for part in results[0].parts] if results else []
    found = item_figures(
        [
            {
                f"{part.name} · {item.name}": (item.points, item.possible)
                for part in result.parts
                for item in part.items
                if item.possible and not item.undecided
            }
            for result in results
        ]
    )
    return sorted(found, key=lambda item: parts.index(item.name.partition(" · ")[0]))


def figure_title(name: str, lang: str) -> str:
    """An item of these figures in ``lang``."""
    part, _, item = name.partition(" · ")
    paper, _, kind = item.partition(": ")
    if part == "practical" and item in CHECKS:
        item = say(f"check_{item}", lang)
    elif part == "troubleshooting":
        key = f"mark_{kind.replace(' ', '_')}"
        item = f"{paper} · {paper_word(key, lang)}"
    elif part == "performance":
        item = word("hap", lang)
    return f"{word(part, lang)} · {item}"


@dataclass(frozen=True, slots=True)
class Caught:
    """One class of faults: in how many papers it was, and in how many it was located, named, repaired."""

    id: str
    papers: int
    located: int
    named: int
    fixed: int


def caught(results: Sequence[Result]) -> list[Caught]:
    """How often each class of faults was caught. A paper with two faults counts for both, when all is right."""
    met: dict[str, list[tuple[bool, ...]]] = {}
    for result in results:
        points = {i.name: i.points >= i.possible for part in result.parts for i in part.items}
        for drawn in result.exam.papers:
            names = ("locate", "name", "fix")
            right = tuple(points[f"{drawn.template.id}: {name}"] for name in names)
            for truth in drawn.truths:
                met.setdefault(truth.names[0], []).append(right)
    return [
        Caught(id, len(found), *(sum(column) for column in zip(*found, strict=True)))
        for id, found in sorted(met.items())
    ]


def item_title(result: Result, part: Part, item: Item, lang: str) -> str:
    """What an item is called on a page."""
    if part.name == "theory":
        return f"{part.items.index(item) + 1}. {item.name}"
    if part.name == "performance":
        return word("hap", lang)
    if part.name == "practical" and item.name in CHECKS:
        return say(f"check_{item.name}", lang)
    if part.name == "troubleshooting":
        id, _, name = item.name.partition(": ")
        titles = {drawn.template.id: drawn.template.title for drawn in result.exam.papers}
        kind = paper_word(f"mark_{name.replace(' ', '_')}", lang)
        return f"{titles[id].text(lang)} · {kind}"
    return item.name


def rule_text(result: Result, lang: str) -> str:
    """The pass rule in words."""
    rule = result.exam.blueprint
    parts = [
        word("rule_part", lang, part=word(name, lang), share=f"{100 * share:g}")
        for name, share in rule.pass_parts.items()
    ]
    joined = ("、" if lang == "zh" else ", ").join(parts)
    return word("rule", lang, total=f"{rule.pass_total:g}", parts=joined)
