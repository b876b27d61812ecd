"""A class made up for benchmarks: notebooks with right, wrong, crashing and hanging kernels."""

from __future__ import annotations

import ast
import json
import random
import shutil
from pathlib import Path
from typing import Any

from ascend_lab.exercise import Bank, Task, open_bank

#: What a student's kernel does, and how often in a hundred.
KINDS = {"right": 70, "wrong": 18, "crashing": 10, "hanging": 2}
_LINES = {
    "right": (),
    "wrong": ("return",),
    "crashing": ("raise ValueError('not today')",),
    "hanging": ("while True: pass",),
}
#: Eight exercises of the labs.
EXERCISES = (
    *("02/fill", "02/hello", "02/uneven", "03/cuda-add"),
    *("03/seed-add", "03/sigmoid", "04/bytes", "04/copy"),
)


def make_bank(folder: Path, exercises: int) -> Bank:
    """The bank with the first ``exercises`` of `EXERCISES` and nothing else."""
    whole = open_bank()
    shutil.copytree(whole.folder / "kernels", folder / "kernels")
    for id in EXERCISES[:exercises]:
        path = folder / f"tasks/{id}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(whole.folder / f"tasks/{id}.toml", path)
    return open_bank(folder)


def make_class(folder: Path, bank: Bank, students: int, seed: int = 0) -> dict[str, int]:
    """A notebook for each student, with an answer to every task; how many there are of each kind."""
    chance = random.Random(seed)
    tasks = [bank.load(id) for id in bank.ids()]
    sources = {task.id: bank.source(task.reference) for task in tasks}
    counts = dict.fromkeys(KINDS, 0)
    folder.mkdir(parents=True)
    for number in range(students):
        cells = []
        for task in tasks:
            kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
            counts[kind] += 1
            text = spoiled(sources[task.id], task, _LINES[kind])
            cells.append(f"{text}\n# student {number}\n")
        (folder / f"s{number:03}.ipynb").write_text(notebook(cells), encoding="utf-8")
    return counts


def spoiled(source: str, task: Task, lines: tuple[str, ...]) -> str:
    """``source`` with ``lines`` at the start of the task's kernel."""
    tree = ast.parse(source)
    found = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == task.kernel
    )
    first = found.body[0]
    text = source.splitlines()
    at = first.lineno - 1
    text[at:at] = [" " * first.col_offset + line for line in lines]
    return "\n".join(text)


def notebook(cells: list[str], metadata: dict[int, dict[str, Any]] | None = None) -> str:
    """A notebook of code cells; ``metadata`` of some of them, by number."""
    made = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell-{number}",
            "metadata": (metadata or {}).get(number, {}),
            "outputs": [],
            "source": text,
        }
        for number, text in enumerate(cells)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": made,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1)
