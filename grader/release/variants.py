"""Variants: what a student's own secret makes of a task. Derived whenever it is needed, stored nowhere.

``exam_bank/variants.toml`` names the tasks that may vary, and in what.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ascend_lab.exercise import Bank, Both, Case, Task, TaskError, schema
from ascend_lab.exercise.expression import evaluate

FILE = "variants.toml"
#: A size keeps whether it is a multiple of these: what is aligned, odd or a tail stays so.
_KEPT = (2, 8, 16, 32, 64)
#: How far a size may go from the author's, as a fraction.
_SPREAD = 0.3
#: Sizes up to this one are there for what they are: one element, fewer than cores.
_SMALL = 8


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What may vary in one task.

    ``sizes``: names of sizes that may vary, each for itself. ``kernel``: names the kernel may have.
    ``names``: for a parameter, names it may have. ``types``: for the first case, alternatives for its types.
    """

    sizes: tuple[str, ...] = ()
    kernel: tuple[str, ...] = ()
    names: dict[str, tuple[str, ...]] = {}
    types: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Draw:
    secret: str

    def number(self, *what: object) -> int:
        message = "\0".join(map(str, what)).encode()
        return int.from_bytes(hmac.new(self.secret.encode(), message, hashlib.sha256).digest())

    def one(self, options: tuple[Any, ...], *what: object) -> Any:
        return options[self.number(*what) % len(options)]


def rules(bank: Bank) -> Mapping[str, Rule]:
    """The rules of a bank, by task. Raises TaskError when the file is wrong."""
    path = bank.folder / FILE
    if not path.is_file():
        return {}
    said = schema.convert(schema.parse(path.read_bytes(), FILE), dict[str, Rule], FILE)
    known = bank.ids()
    for id in said:
        if id not in known:
            raise TaskError(FILE, id, "there is no such task.", "没有这个任务。", list(known))
    return said


def vary(task: Task, rule: Rule, secret: str) -> Task:
    """The task that ``secret`` makes of ``task``: sizes, tails and tile counts, types, names."""
    draw = _Draw(secret)
    cases = tuple(_case(task, case, rule, draw) for case in task.cases)
    if rule.types:
        first = msgspec.structs.replace(cases[0], dtypes=dict(draw.one(rule.types, "types")))
        cases = (first, *cases[1:])
    changed = msgspec.structs.replace(task, cases=cases)
    return _renamed(changed, _names(task, rule, draw))


def vary_source(task: Task, rule: Rule, secret: str, source: str) -> str:
    """A source for ``task`` with the names that ``secret`` gives."""
    return _replaced(source, _names(task, rule, _Draw(secret)))


# --- sizes -----------------------------------------------------------------------------------------


def _case(task: Task, case: Case, rule: Rule, draw: _Draw) -> Case:
    blocks = case.blocks if case.blocks is not None else task.blocks
    sizes = dict(case.sizes)
    kept = {*_KEPT, max(int(evaluate(blocks, dict(case.sizes))), 1)}
    for name in rule.sizes:
        if name in sizes:
            sizes[name] = _size(sizes[name], kept, draw.number("size", case.name, name))
    return msgspec.structs.replace(case, sizes=sizes)


def _size(value: int, kept: Iterable[int], number: int) -> int:
    """A size near ``value`` that is a multiple of the same numbers."""
    if value <= _SMALL:
        return value
    reach = int(value * _SPREAD)
    step = 64 if reach > 1024 else 1  # of long ones a few are enough to choose from
    near = range(value - reach // step * step, value + reach + 1, step)
    alike = [n for n in near if all((n % m == 0) == (value % m == 0) for m in kept)]
    return alike[number % len(alike)]


# --- names -----------------------------------------------------------------------------------------


def _names(task: Task, rule: Rule, draw: _Draw) -> dict[str, str]:
    """New name of everything that is called otherwise; names that collide stay as they are."""
    found = {}
    taken = {parameter.name for parameter in task.parameters}
    if rule.kernel:
        found[task.kernel] = draw.one(rule.kernel, "kernel")
    for name, options in rule.names.items():
        chosen = draw.one(options, "name", name)
        if chosen not in taken:
            taken.add(chosen)
            found[name] = chosen
    return {old: new for old, new in found.items() if old != new}


def _replaced(text: str, names: Mapping[str, str]) -> str:
    if not names:
        return text
    words = "|".join(re.escape(name) for name in names)
    return re.sub(rf"(?<![A-Za-z0-9_.])({words})(?![A-Za-z0-9_])", lambda m: names[m[0]], text)


def _renamed(task: Task, names: Mapping[str, str]) -> Task:
    if not names:
        return task
    text = task.text
    golden = task.golden
    inner = {old: new for old, new in names.items() if old != task.kernel}
    return msgspec.structs.replace(
        task,
        kernel=names.get(task.kernel, task.kernel),
        parameters=tuple(
            msgspec.structs.replace(p, name=names.get(p.name, p.name)) for p in task.parameters
        ),
        golden=_replaced(golden, inner)
        if isinstance(golden, str)
        else {inner.get(n, n): _replaced(line, inner) for n, line in golden.items()},
        text=text and Both(_replaced(text.zh, inner), _replaced(text.en, inner)),
        cases=tuple(_renamed_case(case, names) for case in task.cases),
    )


def _renamed_case(case: Case, names: Mapping[str, str]) -> Case:
    def keys(table: Mapping[str, Any]) -> dict[str, Any]:
        return {names.get(name, name): value for name, value in table.items()}

    return msgspec.structs.replace(
        case, dtypes=keys(case.dtypes), ranges=keys(case.ranges), edges=keys(case.edges)
    )
