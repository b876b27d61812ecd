"""Writes the folder of one exam: the notebook, the sheet, and a bank with the public cases. No key is in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ascend_lab.course.exam.sheet import FILE as SHEET
from ascend_lab.exercise import Bank, Task
from grader.exam.drawing import Exam, public
from grader.exam.words import word
from grader.release import write_bank

NOTEBOOK = "exam.ipynb"
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_NAMES = {"theory": 1, "practical": 2, "troubleshooting": 3, "performance": 4}


def write_folder(exam: Exam, bank: Bank, folder: Path) -> None:
    """Everything that a student needs. What is there is overwritten; a log and answers are left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SHEET).write_bytes(msgspec.json.format(msgspec.json.encode(exam.sheet), indent=1))
    task = public(exam)
    assert task.given is not None
    write_bank(bank, folder / "bank", [task], {task.given: exam.start})
    text = json.dumps(notebook(exam, task), ensure_ascii=False, indent=1)
    (folder / NOTEBOOK).write_text(text + "\n", encoding="utf-8")


def notebook(exam: Exam, task: Task) -> dict[str, Any]:
    """The notebook, without outputs."""
    lang = exam.sheet.lang
    metadata = {
        "kernelspec": _KERNEL,
        "ascend_lab": {"lang": lang},
        "language_info": {"name": "python"},
    }
    cells = [_cell(id, kind, text) for id, kind, text in _cells(exam, task, lang)]
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _cell(id: str, kind: str, text: str) -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": id, "metadata": {}, "source": text}
    if kind == "code":
        cell |= {"outputs": [], "execution_count": None}
    return cell


def _cells(exam: Exam, task: Task, lang: str) -> Iterator[tuple[str, str, str]]:
    sheet = exam.sheet
    weights = {name: f"{value:g}" for name, value in sheet.weights.items()}

    def text(key: str, **values: object) -> str:
        return word(key, lang, **values).strip()

    title = sheet.title.text(lang)
    yield "title", "markdown", text("nb_title", title=title, minutes=sheet.minutes)
    opening = "from ascend_lab.course import exam\n\npaper = exam.open()"
    yield "open", "code", opening
    yield "start", "code", "paper.start()"
    yield "theory", "markdown", text("nb_theory", weight=weights["theory"], n=len(sheet.theory))
    yield "theory-form", "code", "paper.theory()"
    practical = text("nb_practical", weight=weights["practical"])
    asked = (practical, *_task(task, lang), text("nb_cpp", kernel=task.kernel))
    yield "practical", "markdown", "\n\n".join(asked)
    yield "practical-answer", "code", f"%%exam practical\n{exam.start.strip()}"
    yield (
        "trouble",
        "markdown",
        text("nb_trouble", weight=weights["troubleshooting"], n=len(sheet.papers)),
    )
    for number, paper in enumerate(sheet.papers, 1):
        body = paper.text.text(lang).replace("\n## ", "\n#### ").replace("# ", "### ", 1)
        yield f"paper-{number}", "markdown", body.partition(f"#### {text('nb_cut')}")[0].strip()
        yield f"paper-{number}-form", "code", f"paper.paper({number})"
        yield f"paper-{number}-repaired", "code", f"%%exam repaired {number}\n{paper.source}"
    if sheet.performance is not None:
        sizes = ", ".join(f"{name} = {n}" for name, n in sheet.performance.sizes.items())
        yield "performance", "markdown", text(
            "nb_performance", weight=weights["performance"], sizes=sizes,
            blocks=exam.blueprint.performance.blocks,
        )  # fmt: skip
    yield "hand-in", "markdown", text("nb_submit")
    yield "submit", "code", "paper.submit()"


def _task(task: Task, lang: str) -> Iterator[str]:
    yield f"### {task.title.text(lang)}"
    if task.text is not None:
        yield task.text.text(lang)
    lines = []
    for p in task.parameters:
        shape = f"{p.dtype} [{', '.join(map(str, p.shape))}]" if p.shape else str(p.value or "")
        lines.append(f"- `{p.name}` ({p.role}): {shape}")
    yield "\n".join(lines)
    formulas = "\n".join(f"- `{name} = {line}`" for name, line in task.formulas.items())
    yield formulas
    rules = []
    for key in ("uses", "forbids"):
        names = getattr(task.requirements, key)
        if names:
            rules.append(word(f"nb_{key}", lang, names=", ".join(f"`{n}`" for n in names)))
    yield "\n".join(rules)
