"""From an item and a seed to one question: parameters, options in order, key.

Everything is decided by HMAC(seed, item, what): the same seed gives the same question on every machine.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from ascend_lab.exercise.errors import TaskError
from ascend_lab.exercise.expression import Expression, evaluate
from ascend_lab.exercise.task import Both
from ascend_lab.exercise.theory.item import Draw, Item, Kind, Option, Value

ATTEMPTS = 300
LANGS = ("zh", "en")
_PLACEHOLDER = re.compile(r"\{([a-z_]\w*)\}")
_TRUE_FALSE = (
    ("true", Both("对", "True")),
    ("false", Both("错", "False")),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """One option as it is shown: its letter and its text."""

    letter: str
    text: Both


@dataclass(frozen=True, slots=True)
class Question:
    """What a student sees. It holds neither key nor witness.

    ``seed`` is not here: who knows it and has the bank knows the key.
    """

    id: str
    kind: Kind
    text: Both
    code: str
    choices: tuple[Choice, ...]
    unit: Both | None


@dataclass(frozen=True, slots=True)
class Explained:
    """An option with what it stands for. ``value`` is None when it is no number."""

    name: str
    letter: str
    text: Both
    value: Value | None
    is_right: bool
    why: Both | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A question and its key, for whoever judges."""

    question: Question
    parameters: Mapping[str, Value]
    options: tuple[Explained, ...]
    because: Both | None
    tolerance: float

    @property
    def key(self) -> tuple[str, ...]:
        """Letters of the right answers; of a "compute" item the number as text."""
        if self.question.kind == "compute":
            return (shown(self.number),)
        return tuple(option.letter for option in self.options if option.is_right)

    @property
    def number(self) -> Value:
        """The value of the right option."""
        value = next(option.value for option in self.options if option.is_right)
        assert value is not None
        return value


def draw(item: Item, seed: str | int, file: str = "", key: str = "") -> Drawn:
    """The question that ``seed`` makes of ``item``.

    Raises TaskError, with ``file`` and the item's ``key`` in it, when no draw is allowed.
    """
    chance = _Chance(str(seed), item.id)
    for attempt in range(ATTEMPTS):
        parameters = _parameters(item, chance, attempt)
        if item.where is not None and not evaluate(item.where, _numbers(parameters)):
            continue
        options = _options(item, parameters, chance)
        if _is_fair(item, options):
            return _drawn(item, parameters, options)
    raise TaskError(
        file or item.id,
        f"{key}.where".removeprefix("."),
        f"no allowed draw in {ATTEMPTS}: the condition, or options that say the same.",
        f"抽取 {ATTEMPTS} 次都不满足：条件太严，或有选项相同。",
    )


def fill(text: str, parameters: Mapping[str, Value], lang: str = "") -> str:
    """``text`` with its ``{name}``s; ``{word}`` may stand for ``word_zh`` or ``word_en``."""

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name in parameters:
            return shown(parameters[name])
        own = f"{name}_{lang}"
        return shown(parameters[own]) if own in parameters else found[0]

    return _PLACEHOLDER.sub(value, text)


def placeholders(text: str) -> list[str]:
    """The names that ``text`` has in braces, each once, in alphabetical order."""
    return sorted(set(_PLACEHOLDER.findall(text)))


def shown(value: Value) -> str:
    """A parameter or an answer as text: 3, 2.5, float16."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"
    return str(value)


def possible(item: Item) -> list[str]:
    """The names of all parameters of ``item``, drawn and derived."""
    names: list[str] = []
    for name, how in item.draw.items():
        tables = [choice for choice in how.choices if isinstance(choice, dict)]
        names += [key for table in tables for key in table] or [name]
    return list(dict.fromkeys([*names, *item.derive]))


class _Chance:
    """Draws by HMAC: no state, no order of calls."""

    def __init__(self, seed: str, item: str) -> None:
        self._key = seed.encode()
        self._item = item

    def number(self, *what: object) -> int:
        message = "\0".join(map(str, (self._item, *what))).encode()
        return int.from_bytes(hmac.new(self._key, message, hashlib.sha256).digest())

    def shuffled(self, options: Sequence[Option]) -> list[Option]:
        return sorted(options, key=lambda option: self.number("order", option.name))


def _parameters(item: Item, chance: _Chance, attempt: int) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name, how in item.draw.items():
        found |= _drawn_value(name, how, chance.number("draw", name, attempt))
    for name, text in item.derive.items():
        found[name] = evaluate(text, _numbers(found))
    return found


def _drawn_value(name: str, how: Draw, number: int) -> dict[str, Value]:
    if how.range is not None:
        low, high = how.range
        return {name: low + number % ((high - low) // how.step + 1) * how.step}
    choice = how.choices[number % len(how.choices)]
    return dict(choice) if isinstance(choice, dict) else {name: choice}


def _numbers(parameters: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if not isinstance(value, str)}


def _options(item: Item, parameters: Mapping[str, Value], chance: _Chance) -> list[Explained]:
    if item.kind == "true_false":
        return _true_false(item, parameters)
    compute = item.kind == "compute"
    ordered = item.options if compute else chance.shuffled(item.options)
    found = [
        _explained(option, parameters, letter)
        for option, letter in zip(ordered, ascii_uppercase, strict=False)
    ]
    return _distinct(found) if compute else found


def _distinct(options: Sequence[Explained]) -> list[Explained]:
    """Without foreseen mistakes that give the right number, or the number of another mistake."""
    seen: dict[Value | None, Explained] = {o.value: o for o in reversed(options)}
    seen |= {option.value: option for option in options if option.is_right}
    return [option for option in options if seen[option.value] is option]


def _true_false(item: Item, parameters: Mapping[str, Value]) -> list[Explained]:
    assert item.right is not None
    holds = _is_right(item.right, parameters)
    why = None if item.why is None else _filled(item.why.zh, item.why.en, parameters)
    return [
        Explained(name, letter, text, None, right, None if right else why)
        for letter, (name, text), right in zip("AB", _TRUE_FALSE, (holds, not holds), strict=True)
    ]


def _explained(option: Option, parameters: Mapping[str, Value], letter: str) -> Explained:
    value: Value | None = None
    known = dict(parameters)
    if option.value is not None:
        value = evaluate(option.value, _numbers(parameters))
        known["value"] = value
    return Explained(
        option.name,
        letter,
        _filled(option.zh, option.en, known),
        value,
        _is_right(option.right, parameters),
        None if option.why is None else _filled(option.why.zh, option.why.en, known),
    )


def _is_right(rule: Expression, parameters: Mapping[str, Value]) -> bool:
    return bool(evaluate(rule, _numbers(parameters)))


def _filled(zh: str, en: str, parameters: Mapping[str, Value]) -> Both:
    return Both(fill(zh, parameters, "zh").strip(), fill(en, parameters, "en").strip())


def _is_fair(item: Item, options: Sequence[Explained]) -> bool:
    """All options differ, in either language; the number of right ones is the kind's."""
    right = sum(option.is_right for option in options)
    if len(options) < 2 or (item.kind != "multi" and right != 1):
        return False
    if item.kind == "multi" and not 0 < right < len(options):
        return False
    values = [shown(option.value) for option in options if option.value is not None]
    texts = [[option.text.text(lang) for option in options] for lang in LANGS]
    return all(len(set(said)) == len(said) for said in (values, *texts))


def _drawn(item: Item, parameters: Mapping[str, Value], options: Sequence[Explained]) -> Drawn:
    choices = () if item.kind == "compute" else tuple(options)
    question = Question(
        item.id,
        item.kind,
        _filled(item.text.zh, item.text.en, parameters),
        fill(item.code, parameters).strip("\n"),
        tuple(Choice(option.letter, option.text) for option in choices),
        item.unit,
    )
    because = None
    if item.because is not None:
        because = _filled(item.because.zh, item.because.en, parameters)
    return Drawn(question, dict(parameters), tuple(options), because, item.tolerance)
