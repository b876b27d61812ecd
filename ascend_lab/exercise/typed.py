"""A kernel in one Ascend C source, compiled for the element types that a case has.

The source names them as a project's kernel does: DTYPE_X is the type of parameter ``x`` of the task. One that
names none is compiled once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from ascend_lab.ascendc.project.types import by_name, macros
from ascend_lab.engine.instruction import Argument
from ascend_lab.exercise.task import Task

K = TypeVar("K")
_MACRO = "DTYPE_"


def uses_types(text: str) -> bool:
    """Whether a source is written for more than one combination of types."""
    return _MACRO in text


def said(defines: Iterable[str]) -> str:
    """The types among ``defines``, as a message names them."""
    return ", ".join(one for one in defines if one.startswith(_MACRO))


class ByTypes(Generic[K]):
    """What ``make`` returns for each combination of types, made when it is first asked for.

    ``make`` is given names to define, as ``DTYPE_X=half``.
    """

    def __init__(self, text: str, task: Task, make: Callable[[tuple[str, ...]], K]) -> None:
        self._text = text
        self._task = task
        self._make = make
        self._made: dict[tuple[str, ...], K] = {}

    def first(self) -> K:
        """For the types of the first case that is run."""
        case = (self._task.public_cases or self._task.cases)[0]
        arrays = [one for one in self._task.parameters if one.role not in ("scalar", "tiling")]
        return self._of({one.name: case.dtypes.get(one.name, one.dtype) for one in arrays})

    def of(self, arguments: Sequence[Any]) -> K:
        """For the types of a launch's arguments, in the task's order."""
        pairs = zip(self._task.parameters, arguments, strict=True)
        return self._of({one.name: a.dtype for one, a in pairs if isinstance(a, Argument)})

    def _of(self, dtypes: Mapping[str, str]) -> K:
        defines = self._defines(dtypes) if uses_types(self._text) else ()
        if defines not in self._made:
            self._made[defines] = self._make(defines)
        return self._made[defines]

    def _defines(self, dtypes: Mapping[str, str]) -> tuple[str, ...]:
        found = {name: by_name(dtype) for name, dtype in dtypes.items()}
        known = {name: kind for name, kind in found.items() if kind is not None}
        return tuple(macros(known, numbered="ORIG_DTYPE_" in self._text))
