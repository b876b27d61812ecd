"""Cells of a notebook that are Ascend C: ``%%ascendc`` stands in their first line.

Such a cell is a source of its own. One that defines a task's kernel is the answer to it, before any in Python.
"""

from __future__ import annotations

import re

from ascend_lab.exercise.remote import Answer
from ascend_lab.exercise.task import Task
from ascend_lab.exercise.wire import Cell

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FIRST = re.compile(r"\s*%%ascendc\b")
_MAIN = re.compile(r"\bmain\s*\(")


def in_cpp(answer: Answer, task: Task) -> Answer:
    """The last cell in Ascend C that defines the kernel of ``task`` as an answer, else ``answer`` itself.

    A program that happens to have a kernel of that name and other parameters is none: labs show such ones.
    """
    if answer.form != "python" or answer.live:
        return answer
    found = [cell for cell in answer.cells if _FIRST.match(cell.text) and _answers(cell, task)]
    if not found:
        return answer
    source = Cell(found[-1].name, _FIRST.sub("// %%ascendc", found[-1].text, count=1))
    besides = tuple(c.name for c in answer.cells if _in_python(c.text, task.kernel))
    return Answer((source,), form="cpp", besides=besides)


def answers(answer: Answer, task: Task) -> bool:
    """Whether ``answer`` has a definition of the kernel of ``task``."""
    chosen = in_cpp(answer, task)
    if chosen.form == "python":
        return any(_in_python(cell.text, task.kernel) for cell in chosen.cells)
    return any(parameters(cell.text, task.kernel) is not None for cell in chosen.cells)


def parameters(text: str, kernel: str) -> str | None:
    """What stands between the parentheses where an Ascend C source defines ``kernel``, None where it does not."""
    pattern = (
        rf"__global__[^;{{}}()]*(?:\([^()]*\)[^;{{}}()]*)*?\b{re.escape(kernel)}\s*\(([^()]*)\)?"
    )
    found = re.search(pattern, COMMENT.sub(" ", text))
    return None if found is None else found[1]


def _answers(cell: Cell, task: Task) -> bool:
    given = parameters(cell.text, task.kernel)
    if given is None or not _MAIN.search(COMMENT.sub(" ", cell.text)):
        return given is not None
    return len([part for part in given.split(",") if part.strip()]) == len(task.parameters)


def _in_python(text: str, kernel: str) -> bool:
    pattern = rf"^[ \t]*(async[ \t]+)?def[ \t]+{re.escape(kernel)}\b"
    return re.search(pattern, text, re.MULTILINE) is not None
