"""A lint note: what pyasc would refuse, where, the rule and one next step, in zh and en (lint.toml)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from ascend_lab.checks.texts import fill

FAMILY = "lint"
_LABELS = {"zh": ("。下一步：", "。"), "en": (". Next: ", ".")}


@cache
def catalogue() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Every rule: id -> language -> "text" and "next"."""
    text = resources.files(__package__).joinpath("lint.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@dataclass(frozen=True, slots=True)
class Note:
    """One place that pyasc's code generator refuses, or reads otherwise than Python.

    ``rule`` is a key of the catalogue; ``file`` is the name the source was given with, ``line`` counts
    from 1, ``function`` is the kernel function it stands in ("" for the file as a whole).
    """

    rule: str
    file: str
    line: int
    function: str = ""
    column: int = 0
    numbers: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def text(self, lang: str = "en") -> str:
        """What stands there, and the rule."""
        return self._fill("text", lang)

    def next(self, lang: str = "en") -> str:
        """The next step."""
        return self._fill("next", lang)

    def message(self, lang: str = "en") -> str:
        """One line: place, rule, what, next step."""
        label, stop = _LABELS[lang]
        next_step = self.next(lang)
        step = next_step[:1].upper() + next_step[1:]
        place = f"{self.file}:{self.line}"
        return f"{place}: {FAMILY}/{self.rule}: {self.text(lang)}{label}{step}{stop}"

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON, with both texts."""
        return {
            "family": FAMILY,
            "rule": self.rule,
            "file": self.file,
            "line": self.line,
            "function": self.function,
            "zh": self.message("zh"),
            "en": self.message("en"),
        }

    def _fill(self, part: str, lang: str) -> str:
        return fill(catalogue()[self.rule][lang][part], self.numbers, lang)
