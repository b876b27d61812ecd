"""The texts of a class: what a user would report, and three hints."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ascend_lab.exercise import Both


@dataclass(frozen=True, slots=True)
class Wording:
    """``story`` tells the symptoms and names no cause; ``hints`` lead from where to look to the repair."""

    title: Both
    story: Both
    hints: tuple[Both, Both, Both]


def wording(class_id: str) -> Wording:
    """The texts of a class. Raises KeyError when there are none."""
    table = _texts()[class_id]
    first, second, third = (_both(hint) for hint in table["hints"])
    return Wording(_both(table["title"]), _both(table["story"]), (first, second, third))


def told() -> tuple[str, ...]:
    """Ids that have texts."""
    return tuple(_texts())


@cache
def _texts() -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    folder = resources.files(__package__).joinpath("texts")
    for file in sorted(folder.iterdir(), key=lambda path: path.name):
        if file.name.endswith(".toml"):
            found |= tomllib.loads(file.read_text(encoding="utf-8"))
    return found


def _both(table: Mapping[str, str]) -> Both:
    return Both(table["zh"], table["en"])
