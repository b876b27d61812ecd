"""Troubleshooting tasks as their TOML files say them: ``exam_bank/troubleshooting/<id>.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from ascend_lab.chips.errors import near
from ascend_lab.exercise import Bank, Both, TaskError, open_bank, schema
from grader.faults import CLASSES, NoReference, reference

#: Where the files are, in the exam bank.
FOLDER = "troubleshooting"
#: How many reasons stand beside the right one.
_WRONG = 3

#: What is seen from outside: wrong bytes, a core that traps, a kernel that never ends.
Outcome = Literal["silent", "abort", "hang"]


class Planted(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"class_id": "class"},
):
    """One fault. ``class`` is its id; ``place`` a regular expression for the line of the right kernel.

    ``why`` is the reason, in one sentence; ``wrong`` are three that sound right and are not.
    """

    class_id: str
    why: Both
    wrong: Annotated[tuple[Both, ...], Meta(min_length=_WRONG, max_length=_WRONG)]
    place: str = ""


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A troubleshooting task: a right kernel, one or two faults, and what the user of the kernel reports.

    ``kernel`` names a reference of the injector ("reference/add_queues", "exam/softmax"). Of two faults the
    first hides the second.
    """

    id: str
    title: Both
    kernel: str
    outcome: Outcome
    story: Both
    faults: Annotated[tuple[Planted, ...], Meta(min_length=1, max_length=2)]


def templates(bank: Bank | None = None) -> Iterator[Template]:
    """Every task, by id. Raises TaskError when a file is wrong."""
    found = bank or open_bank()
    for path in sorted(_folder(found).glob("*.toml")):
        yield read(path.read_bytes(), path.name, found)


def template(id: str, bank: Bank | None = None) -> Template:
    """The task ``id``. Raises TaskError when it is unknown or its file is wrong."""
    found = bank or open_bank()
    known = sorted(path.stem for path in _folder(found).glob("*.toml"))
    if id not in known:
        zh, en = "没有这道排错题。", "there is no such troubleshooting task."
        raise TaskError(id, "", en, zh, near(id, known) or known)
    path = _folder(found) / f"{id}.toml"
    return read(path.read_bytes(), path.name, found)


def read(data: bytes, file: str, bank: Bank | None = None) -> Template:
    """The task in the text of a TOML file. Raises TaskError that names ``file`` and the key."""
    made = schema.convert(schema.parse(data, file), Template, file)
    if f"{made.id}.toml" != file:
        stem = Path(file).stem
        raise TaskError(
            file, "id", f"is {made.id!r}, must be {stem!r}.", f"是 {made.id!r}，应为 {stem!r}。"
        )
    try:
        reference(made.kernel, bank)
    except NoReference:
        en, zh = f"there is no right kernel {made.kernel!r}.", f"没有正确的核函数 {made.kernel!r}。"
        raise TaskError(file, "kernel", en, zh) from None
    for index, planted in enumerate(made.faults):
        _check(planted, f"faults[{index}]", file)
    return made


def _check(planted: Planted, key: str, file: str) -> None:
    if planted.class_id not in CLASSES:
        en = f"no class {planted.class_id!r} can be injected."
        zh = f"没有可以注入的类别 {planted.class_id!r}。"
        raise TaskError(file, f"{key}.class", en, zh, near(planted.class_id, CLASSES))
    try:
        re.compile(planted.place)
    except re.error as error:
        en, zh = f"no regular expression: {error}.", f"不是正则表达式：{error}。"
        raise TaskError(file, f"{key}.place", en, zh) from None


def _folder(bank: Bank) -> Path:
    return bank.folder / FOLDER
