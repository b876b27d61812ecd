"""What can go wrong with a child, and what is said about it."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from typing import Any

from ascend_lab.engine.errors import NotModelled
from ascend_lab.exercise.death import Death
from ascend_lab.exercise.texts import say
from ascend_lab.exercise.wire import NotLoaded

#: Kinds that say nothing about the answer: they never cost points.
OURS = ("internal", "not_modelled", "no_cpp", "no_compiler")
#: Kinds that mean: there is no answer.
NO_ANSWER = ("empty", "not_handed_in")


class Fault(Exception):
    """Something in the answer, or about it, that keeps it from being judged.

    ``kind`` is a table of texts.toml; ``file`` and ``line`` are in the answer ("" and 0: unknown);
    ``numbers`` fill the text.
    """

    def __init__(self, kind: str, file: str = "", line: int = 0, **numbers: Any) -> None:
        super().__init__(kind, file, line, numbers)
        self.kind = kind
        self.file = file
        self.line = line
        self.numbers = numbers

    def message(self, lang: str) -> str:
        """What happened, where, and the next step."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return say(
            self.kind,
            lang,
            file=self.file,
            at_zh=f"{place}：" if place else "",
            at_en=f" at {place}" if place else "",
            **self.numbers,
        )

    def __str__(self) -> str:
        return self.message("en")


class AnswerFault(Fault):
    """A file that cannot be read as an answer."""


class ChildFault(Fault):
    """The answer could not be loaded, or its process did not bring the kernel to its end."""

    @property
    def is_ours(self) -> bool:
        """Whether it says nothing about the answer."""
        return self.kind in OURS

    @property
    def no_answer(self) -> bool:
        """Whether there is nothing to judge."""
        return self.kind in NO_ANSWER


def told(kind: str, message: str, about: Sequence[str]) -> str | tuple[str, str]:
    """What an exception says: (zh, en) when it is one of the lab's own, else the message."""
    if len(about) != 2:
        return message
    if kind == "NotModelled":
        error = NotModelled(*about)
        return error.message("zh"), error.message("en")
    return about[0], about[1]


def not_loaded(found: NotLoaded, kernel: str) -> ChildFault:
    """The fault that a child reports instead of a kernel."""
    message = told(found.detail, found.message, found.about)
    match found.kind:
        case "syntax":
            detail = found.message or found.detail
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


def ended(death: Death, cpu_s: int, file: str = "", line: int = 0) -> ChildFault:
    """Why a process is gone that should have answered; ``file`` and ``line``: where it was."""
    timed_out = death.signal == getattr(signal, "SIGKILL", -1) and death.cpu_s >= cpu_s
    if timed_out or death.signal == getattr(signal, "SIGXCPU", -1):
        return ChildFault("cpu", file, line, detail=cpu_s)
    if death.signal == getattr(signal, "SIGXFSZ", -1):
        return ChildFault("large_file", file, line)
    if death.signal == getattr(signal, "SIGKILL", -1):
        return ChildFault("killed", detail="SIGKILL")
    if death.signal:
        return ChildFault("crash", file, line, detail=signal_name(death.signal))
    return ChildFault("ended", detail=death.code)


def signal_name(number: int) -> str:
    """SIGSEGV for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
