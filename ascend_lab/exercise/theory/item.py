"""A theory item as its TOML file says it. Data only: `topics` reads and checks it.

One file per topic, ``exam_bank/theory/<topic>.toml``; docs/authoring.md explains every key.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ascend_lab.exercise.expression import Expression
from ascend_lab.exercise.task import Both

Kind = Literal["single", "multi", "true_false", "compute"]
Value = bool | int | float | str


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a parameter is drawn: one of ``choices``, or a whole number of ``range`` in steps of ``step``.

    A choice that is a table sets each of its names, and not the name it stands under.
    """

    choices: tuple[Value | dict[str, Value], ...] = ()
    range: tuple[int, int] | None = None
    step: int = 1


class Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One answer. ``right`` may depend on the parameters; ``why`` says what is wrong about it.

    ``value`` is what the answer says as a number; the witness must find it for the right one. Of a "compute"
    item the wrong options are not shown: they explain numbers that people get wrong.
    """

    name: str
    zh: str = "{value}"
    en: str = "{value}"
    value: Expression | None = None
    right: bool | str = False
    why: Both | None = None


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question with parameters.

    ``draw`` and ``derive`` give the parameters, ``where`` the draws that are allowed. ``text``, ``code`` and
    the options name them as ``{count}``. "true_false" has no options: ``right`` says whether the text is true,
    and ``why`` is told to who is wrong. ``witness`` is a cell that leaves in ``answer`` what the model does.
    """

    id: str
    kind: Kind
    text: Both
    witness: str
    draw: dict[str, Draw] = {}
    derive: dict[str, Expression] = {}
    where: str | None = None
    code: str = ""
    options: tuple[Option, ...] = ()
    right: bool | str | None = None
    because: Both | None = None
    why: Both | None = None
    unit: Both | None = None
    tolerance: float = 0.0


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of items. ``prelude`` stands before each witness: what several of them need."""

    title: Both
    items: tuple[Item, ...]
    prelude: str = ""
