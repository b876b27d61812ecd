"""Judging an answer to a question: right or wrong, nothing between, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ascend_lab.exercise.task import Both
from ascend_lab.exercise.theory.drawing import Drawn, Explained, shown

#: What a student may give: a letter, several, true or false, a number, or text that says one of these.
Given = str | bool | int | float | Iterable[str] | None

_WORDS = {"true": "A", "t": "A", "对": "A", "false": "B", "f": "B", "错": "B"}


@dataclass(frozen=True, slots=True)
class Marked:
    """The judgement: ``given`` and ``key`` as text, and a sentence for each choice that was wrong.

    ``given`` is empty when nothing that can be read was given; the key is then not told.
    """

    is_right: bool
    given: tuple[str, ...]
    key: tuple[str, ...]
    whys: tuple[tuple[str, Both], ...]
    because: Both | None


def mark(drawn: Drawn, given: Given) -> Marked:
    """Judge ``given``. Of a "multi" item all right choices and no wrong one are wanted."""
    if drawn.question.kind == "compute":
        return _number(drawn, given)
    letters = _letters(drawn, given)
    is_right = bool(letters) and letters == drawn.key
    wrong = [option for option in drawn.options if (option.letter in letters) != option.is_right]
    whys = tuple((option.letter, why) for option in wrong if (why := option.why) is not None)
    return _marked(drawn, is_right, letters, whys)


def _number(drawn: Drawn, given: Given) -> Marked:
    value = _value(given)
    if value is None:
        return _marked(drawn, False, (), ())
    is_right = _same(value, drawn.number, drawn.tolerance)
    whys: tuple[tuple[str, Both], ...] = ()
    if not is_right:
        whys = tuple((shown(value), why) for why in _mistakes(drawn.options, value))
    return _marked(drawn, is_right, (shown(value),), whys)


def _mistakes(options: Iterable[Explained], value: float) -> list[Both]:
    """The explanation of a wrong number that the author has foreseen."""
    return [
        option.why
        for option in options
        if option.why is not None and not option.is_right and _same(value, option.value, 1e-9)
    ]


def _same(value: float, wanted: object, tolerance: float) -> bool:
    if not isinstance(wanted, int | float):
        return False
    return abs(value - wanted) <= max(tolerance, 1e-9) * abs(wanted)


def _value(given: Given) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return None
    try:
        return float(given)
    except ValueError:
        return None


def _letters(drawn: Drawn, given: Given) -> tuple[str, ...]:
    """The letters that were given, in order, each once; none when one of them is no option."""
    known = [option.letter for option in drawn.options]
    if drawn.question.kind == "true_false" and str(given).strip().casefold() in _WORDS:
        said = [_WORDS[str(given).strip().casefold()]]
    elif given is None or isinstance(given, int | float):
        said = []
    elif isinstance(given, str):
        said = _spelled(given)
    else:
        said = [letter for part in given for letter in _spelled(str(part))]
    if any(letter not in known for letter in said):
        return ()
    return tuple(sorted(set(said)))


def _spelled(text: str) -> list[str]:
    parts = [part for part in re.split(r"[\s,;、，；]+", text.strip().upper()) if part]
    return [letter for part in parts for letter in part]


def _marked(
    drawn: Drawn,
    is_right: bool,
    given: tuple[str, ...],
    whys: tuple[tuple[str, Both], ...],
) -> Marked:
    key = drawn.key if given else ()
    return Marked(is_right, given, key, whys, drawn.because if given else None)
