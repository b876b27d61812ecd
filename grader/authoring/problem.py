"""What is wrong with a file of the bank, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ascend_lab.exercise import TaskError
from ascend_lab.exercise.locating import line_of


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: ``file`` as it was given, ``line`` and ``key`` in it, what is wrong, near names."""

    file: str
    line: int
    key: str
    zh: str
    en: str
    near: tuple[str, ...] = ()

    def message(self, lang: str) -> str:
        """``file:line: key: what is wrong``, as compilers write it."""
        key = f"{self.key}: " if self.key else ""
        return f"{self.file}:{self.line}: {key}{self.zh if lang == 'zh' else self.en}"

    def data(self) -> Mapping[str, Any]:
        """For JSON."""
        return {
            "file": self.file,
            "line": self.line,
            "key": self.key,
            "zh": self.zh,
            "en": self.en,
            "near": list(self.near),
        }


@dataclass(slots=True)
class Report:
    """What was checked, and what is wrong."""

    tasks: int = 0
    items: int = 0
    hunts: int = 0
    troubles: int = 0
    problems: list[Problem] = field(default_factory=list)

    def data(self) -> Mapping[str, Any]:
        """For JSON."""
        return {
            "checked": {
                "tasks": self.tasks,
                "items": self.items,
                "hunts": self.hunts,
                "troubleshooting": self.troubles,
            },
            "problems": [problem.data() for problem in self.problems],
        }


def located(error: TaskError, file: str, text: str) -> Problem:
    """The problem that ``error`` tells of a file with this text."""
    zh, en = error.text("zh"), error.text("en")
    line = line_of(text, error.key, "" if error.key else en)
    return Problem(file, line, error.key, zh, en, error.near)
