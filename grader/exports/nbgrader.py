"""Notebooks of nbgrader, metadata schema 3, read with nothing lost.

Source: nbgrader 0.9.5, nbgraderformat/v3.json and nbgrader/utils.py (`compute_checksum`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from grader.release import Problem

SCHEMA = 3
_LARGEST = 64 << 20


class Marking(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``cell.metadata.nbgrader``, as v3.json has it."""

    schema_version: int
    grade: bool
    locked: bool
    solution: bool
    task: bool = False
    grade_id: Annotated[str, Meta(pattern=r"^[a-zA-Z0-9_\-]*$")] = ""
    cell_type: Literal["raw", "code", "markdown"] | msgspec.UnsetType = msgspec.UNSET
    points: Annotated[float, Meta(ge=0)] | msgspec.UnsetType = msgspec.UNSET
    checksum: Annotated[str, Meta(min_length=32, max_length=32)] | msgspec.UnsetType = msgspec.UNSET

    @property
    def kind(self) -> str:
        """What nbgrader calls such a cell."""
        if self.task:
            return "task"
        if self.grade:
            return "manual" if self.solution else "tests"
        return "solution" if self.solution else "read-only" if self.locked else "plain"


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """One cell that nbgrader knows. ``is_unchanged``: None without a checksum to compare with."""

    index: int
    marking: Marking
    type: str
    source: str
    is_unchanged: bool | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A notebook: ``document`` is all of it as it was read, ``cells`` those that nbgrader marks."""

    name: str
    document: dict[str, Any]
    cells: tuple[MarkedCell, ...]

    @property
    def possible(self) -> float:
        """Points of all cells together."""
        return sum(
            points for c in self.cells if isinstance(points := c.marking.points, float | int)
        )

    def text(self) -> str:
        """The notebook again: equal to what was read, but for white space between values."""
        return json.dumps(self.document, ensure_ascii=False, indent=1) + "\n"


def read_assignment(path: Path) -> Assignment:
    """The notebook in ``path``. Raises Problem that names the cell when its metadata are no schema 3."""
    try:
        data = path.read_bytes()[:_LARGEST]
        document = json.loads(data)
        cells = document["cells"]
    except OSError as error:
        raise Problem("unreadable", path=path, reason=error.strerror or "") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Problem("no_notebook", path=path) from None
    try:
        found = [
            _cell(path, number, cell)
            for number, cell in enumerate(cells)
            if "nbgrader" in cell.get("metadata", {})
        ]
    except (AttributeError, KeyError, TypeError):  # cells that are none
        raise Problem("no_notebook", path=path) from None
    return Assignment(path.name, document, tuple(found))


def _cell(path: Path, index: int, cell: dict[str, Any]) -> MarkedCell:
    told = cell["metadata"]["nbgrader"]
    version = told.get("schema_version") if isinstance(told, dict) else None
    if version != SCHEMA:
        raise Problem("other_schema", path=path, cell=index + 1, version=version)
    try:
        marking = msgspec.convert(told, Marking)
    except msgspec.ValidationError as error:
        raise Problem("bad_metadata", path=path, cell=index + 1, reason=error) from None
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    kept = marking.checksum
    unchanged = (
        None if not isinstance(kept, str) else kept == checksum(marking, cell["cell_type"], text)
    )
    return MarkedCell(index, marking, cell["cell_type"], text, unchanged)


def checksum(marking: Marking, type: str, source: str) -> str:
    """The MD5 that nbgrader computes for a cell."""
    parts = [source, type]
    parts += [str(flag) for flag in (marking.grade, marking.solution, marking.locked)]
    if marking.grade_id:
        parts.append(marking.grade_id)
    if marking.grade and isinstance(marking.points, float | int):
        parts.append(str(float(marking.points)))
    return hashlib.md5("".join(parts).encode(), usedforsecurity=False).hexdigest()
