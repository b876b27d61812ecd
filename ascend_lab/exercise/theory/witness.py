"""The witness of a question: a cell that runs on the model and shows the key.

The cell is the author's, so it runs here and not in a child. It is complete: a student who has answered can
put it into a notebook and run it.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ascend_lab.exercise.errors import TaskError
from ascend_lab.exercise.theory.drawing import Drawn, shown
from ascend_lab.exercise.theory.item import Item, Topic

_IMPORTS = """\
import numpy as np

import ascend_lab.asc as asc
from ascend_lab.device import Device
"""
_CODE = re.compile(r"^(?P<indent>[ \t]*)\{code\}[ \t]*$", re.MULTILINE)


def cell(topic: Topic, item: Item, drawn: Drawn) -> str:
    """The text of the cell: imports, the parameters as variables, the topic's prelude, the witness.

    A line ``{code}`` of the witness stands for the code that the question shows.
    """
    parameters = "".join(f"{name} = {value!r}\n" for name, value in drawn.parameters.items())
    code = drawn.question.code.splitlines()

    def shown_code(found: re.Match[str]) -> str:
        return "\n".join(f"{found['indent']}{line}".rstrip() for line in code)

    body = _CODE.sub(shown_code, item.witness.strip("\n"))
    parts = (_IMPORTS, parameters, topic.prelude.strip("\n") + "\n", body + "\n")
    return "\n".join(part for part in parts if part.strip())


def run(text: str, name: str = "witness") -> Any:
    """What the cell leaves in ``answer``. Exceptions of the cell come out as they are."""
    file = f"<{name}>"
    lines = text.splitlines(keepends=True)
    linecache.cache[file] = (len(text), None, lines, file)  # kernels are read from their source
    try:
        names: dict[str, Any] = {"__name__": name}
        with np.errstate(all="ignore"):
            exec(compile(text, file, "exec", dont_inherit=True), names)  # the bank author's cell
        return names["answer"]
    finally:
        linecache.cache.pop(file, None)


def prove(topic: Topic, item: Item, drawn: Drawn, file: str = "", key: str = "") -> None:
    """Run the witness and compare it with the key.

    Raises TaskError, with ``file`` and the item's ``key`` in it, when they disagree or the cell fails.
    """
    place = (file or item.id, f"{key}.witness".removeprefix("."))
    try:
        found = run(cell(topic, item, drawn), item.id)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise _error(place, item, drawn, f"the cell fails: {said}", f"单元出错：{said}") from error
    wanted = _wanted(item, drawn)
    got = _plain(found)
    if not _agrees(wanted, got, drawn.tolerance):
        raise _error(
            place,
            item,
            drawn,
            f"the key says {wanted!r}, the model {got!r}.",
            f"答案是 {wanted!r}，模型给出 {got!r}。",
        )


def _error(place: tuple[str, str], item: Item, drawn: Drawn, en: str, zh: str) -> TaskError:
    parameters = ", ".join(f"{name}={shown(value)}" for name, value in drawn.parameters.items())
    return TaskError(
        *place,
        f"{item.id} ({parameters}): {en}",
        f"{item.id}（{parameters}）：{zh}",
    )


def _wanted(item: Item, drawn: Drawn) -> Any:
    """The key in the form in which the witness gives it."""
    right = [option for option in drawn.options if option.is_right]
    if item.kind == "true_false":
        return right[0].name == "true"
    if item.kind == "multi":
        return sorted(option.name for option in right)
    return right[0].name if right[0].value is None else right[0].value


def _plain(found: Any) -> Any:
    if isinstance(found, np.generic):
        return found.item()
    if isinstance(found, Iterable) and not isinstance(found, str | dict):
        return sorted(found)
    return found


def _agrees(wanted: Any, got: Any, tolerance: float) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    if isinstance(wanted, int | float) and isinstance(got, int | float):
        return abs(wanted - got) <= tolerance * abs(wanted)
    return bool(wanted == got)
