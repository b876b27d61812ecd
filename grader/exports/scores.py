"""Points of a class, whichever command they come from: results.json of ``grader grade``, records of an exam."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.release import Problem

_RECORDS = "*.record.json"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was marked. ``state``: "pass", "fail", "error" (ours) or "skipped" (not attempted)."""

    name: str
    points: float
    possible: float
    state: str
    zh: str = ""
    en: str = ""

    @property
    def is_decided(self) -> bool:
        """Whether it has been judged."""
        return self.state != "error"

    def text(self, lang: str) -> str:
        """Why, in ``lang``."""
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Score:
    """One student."""

    student: str
    items: tuple[Item, ...]

    @property
    def points(self) -> float:
        """Sum over the items."""
        return round(sum(item.points for item in self.items), 4)

    @property
    def possible(self) -> float:
        """What could be reached."""
        return round(sum(item.possible for item in self.items), 4)

    @property
    def is_decided(self) -> bool:
        """Whether every item has been judged: else the sum is not the student's mark."""
        return all(item.is_decided for item in self.items)


@dataclass(frozen=True, slots=True)
class Scores:
    """A class. ``title`` names what was graded."""

    title: str
    scores: tuple[Score, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """All items, in order of first occurrence."""
        return tuple(dict.fromkeys(item.name for score in self.scores for item in score.items))


def read_scores(place: Path) -> Scores:
    """The points in a results.json, one record, or a folder with one of these. Raises Problem."""
    for path in (place, place / "results.json"):
        if path.is_file():
            return _read(path)
    records = sorted(place.glob(_RECORDS))
    if not records:
        raise Problem("no_results", path=place)
    read = [_read(path) for path in records]
    return Scores(read[0].title, tuple(score for each in read for score in each.scores))


def _read(path: Path) -> Scores:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if "students" in data:
            scores = tuple(_graded(student) for student in data["students"])
            labs = sorted({item.name.partition("/")[0] for score in scores for item in score.items})
            return Scores("ascend-lab " + ", ".join(labs), scores)
        return Scores(str(data["exam"]), (_examined(data),))
    except OSError as error:
        raise Problem("unreadable", path=path, reason=error.strerror or "") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Problem("no_results", path=path) from None


def _graded(student: Mapping[str, Any]) -> Score:
    return Score(student["student"], tuple(_mark(mark) for mark in student["marks"]))


def _mark(mark: Mapping[str, Any]) -> Item:
    states = {"pass": "pass", "not attempted": "skipped", "error": "error", "ungraded": "error"}
    said = list(_said(mark))
    return Item(
        mark["task"],
        float(mark["points"]),
        float(mark["possible"]),
        states.get(mark["verdict"], "fail"),
        "\n".join(zh for zh, _ in said),
        "\n".join(en for _, en in said),
    )


def _said(mark: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The sentences about a mark, in both languages."""
    if mark["result"] is None:
        if mark["reason"] is not None:
            yield mark["reason"]["zh"], mark["reason"]["en"]
        return
    for check in mark["result"]["checks"]:
        if check["verdict"] not in ("pass", "blocked") and check["en"]:
            yield check["zh"], check["en"]


def _examined(told: Mapping[str, Any]) -> Score:
    """Parts of an exam as items."""
    items = []
    for name, part in told["parts"].items():
        undecided = any(item["undecided"] for item in part["items"])
        full = part["points"] >= part["weight"]
        state = "error" if undecided else "pass" if full else "fail"
        items.append(Item(name, float(part["points"]), float(part["weight"]), state))
    return Score(told["student"], tuple(items))
