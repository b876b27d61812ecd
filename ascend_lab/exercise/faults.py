"""What can go wrong with a child, and what is said about it."""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from ascend_lab.exercise.wire import NotLoaded

#: Kinds that say nothing about the answer: they never cost points.
OURS = ("internal", "not_modelled")
#: Kinds that mean: there is no answer.
NO_ANSWER = ("empty", "not_handed_in")


@cache
def _texts() -> Mapping[str, Mapping[str, str]]:
    text = resources.files(__package__).joinpath("faults.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


class ChildFault(Exception):
    """The answer could not be loaded, or its process did not bring the kernel to its end.

    ``kind`` is a table of faults.toml; ``file`` and ``line`` are in the answer ("" and 0: unknown);
    ``numbers`` fill the text.
    """

    def __init__(self, kind: str, file: str = "", line: int = 0, **numbers: Any) -> None:
        super().__init__(kind, file, line, numbers)
        self.kind = kind
        self.file = file
        self.line = line
        self.numbers = numbers

    @property
    def is_ours(self) -> bool:
        """Whether it says nothing about the answer."""
        return self.kind in OURS

    @property
    def no_answer(self) -> bool:
        """Whether there is nothing to judge."""
        return self.kind in NO_ANSWER

    def message(self, lang: str) -> str:
        """What happened, where, and the next step."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        values = {
            "at_zh": f"{place}：" if place else "",
            "at_en": f" at {place}" if place else "",
            **{name: _in(value, lang) for name, value in self.numbers.items()},
        }
        return _texts()[self.kind][lang].format(**values).strip()

    def __str__(self) -> str:
        return self.message("en")


def _in(value: Any, lang: str) -> Any:
    """A value in ``lang``: texts of the lab's own errors come with both, en first."""
    if isinstance(value, tuple):
        return value[0 if lang == "zh" else 1]
    return value


def both(message: str) -> str | tuple[str, str]:
    """(zh, en) of an error text that has both, as `LabError` and `NotModelled` write it; else itself."""
    lines = message.splitlines()
    half = len(lines) // 2
    english, chinese = "\n".join(lines[:half]), "\n".join(lines[half:])
    if english and len(lines) % 2 == 0 and english.isascii() and not chinese.isascii():
        return chinese, english
    return message


def not_loaded(found: NotLoaded, kernel: str) -> ChildFault:
    """The fault that a child reports instead of a kernel."""
    message = both(found.message)
    match found.kind:
        case "syntax":
            detail = message if message else found.detail
            return ChildFault("syntax", found.file, found.line, kernel=kernel, detail=detail)
        case "missing" if found.names:
            near_zh = f"名字相近的有：{'、'.join(found.names)}。"
            near_en = f" Close to it: {', '.join(found.names)}."
            return ChildFault("missing", kernel=kernel, near_zh=near_zh, near_en=near_en)
        case "missing":
            return ChildFault("not_handed_in", kernel=kernel)
        case "broken":
            return ChildFault("internal", message=message)
    kind = found.kind.replace(" ", "_")
    return ChildFault(
        kind, found.file, found.line, kernel=kernel, detail=found.detail, message=message
    )


def signal_name(number: int) -> str:
    """SIGSEGV for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
