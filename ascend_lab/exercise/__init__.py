"""Tasks and how answers to them are judged; used by the course, the command line and the grader.

>>> from ascend_lab import exercise
>>> exercise.check("03/seed-add", source_text).points

The student's code runs in a confined child that has neither data nor device: it sends instructions. The device
runs here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_lab.exercise.answer import (
        CPP,
        from_session,
        from_text,
        is_project,
        printable,
        read,
        read_project,
    )
    from ascend_lab.exercise.bank import Bank, digest
    from ascend_lab.exercise.bank import bank as open_bank
    from ascend_lab.exercise.cpp_cells import answers
    from ascend_lab.exercise.digests import answer_digest, package_digest
    from ascend_lab.exercise.errors import TaskError
    from ascend_lab.exercise.faults import AnswerFault, ChildFault
    from ascend_lab.exercise.golden import case_seed
    from ascend_lab.exercise.judging import PRACTICE, Judge, check
    from ascend_lab.exercise.remote import Answer, RemoteKernel
    from ascend_lab.exercise.task import CHECKS, Both, Case, Hint, Task
    from ascend_lab.exercise.texts import say
    from ascend_lab.exercise.verdict import CaseOutcome, CheckOutcome, TaskResult, Told, Verdict

_HOMES = {
    "answer": (
        "CPP",
        "from_session",
        "from_text",
        "is_project",
        "printable",
        "read",
        "read_project",
    ),
    "bank": ("Bank", "digest"),
    "cpp_cells": ("answers",),
    "errors": ("TaskError",),
    "faults": ("AnswerFault", "ChildFault"),
    "golden": ("case_seed",),
    "digests": ("answer_digest", "package_digest"),
    "judging": ("PRACTICE", "Judge", "check"),
    "remote": ("Answer", "RemoteKernel"),
    "task": ("CHECKS", "Both", "Case", "Hint", "Task"),
    "texts": ("say",),
    "verdict": ("CaseOutcome", "CheckOutcome", "TaskResult", "Told", "Verdict"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHECKS",
    "CPP",
    "PRACTICE",
    "Answer",
    "AnswerFault",
    "Bank",
    "Both",
    "Case",
    "CaseOutcome",
    "CheckOutcome",
    "ChildFault",
    "Hint",
    "Judge",
    "RemoteKernel",
    "Task",
    "TaskError",
    "TaskResult",
    "Told",
    "Verdict",
    "answer_digest",
    "answers",
    "case_seed",
    "check",
    "digest",
    "from_session",
    "from_text",
    "is_project",
    "open_bank",
    "package_digest",
    "printable",
    "read",
    "read_project",
    "say",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for: the child imports this package and must stay small."""
    if name == "open_bank":  # in its module it is `bank`, which here is the module
        from ascend_lab.exercise.bank import bank

        return bank
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{home}"), name)
