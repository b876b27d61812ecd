"""What was measured on silicon beside what the model says: the table that ``benchmarks/silicon.py`` writes."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Where the table lies; a build of the lab without it has no table to show.
TABLE = Path(__file__).with_name("silicon.json")


@dataclass(frozen=True, slots=True)
class Measured:
    """One published quantity of one case, what the model says of it, and where it is published.

    ``use`` says whether a parameter was fitted to it ("fit") or not.
    """

    id: str
    chip: str
    kind: str
    quantity: str
    unit: str
    measured: float
    predicted: float
    source: str
    use: str

    @property
    def error(self) -> float:
        """(predicted - measured) / measured."""
        return self.predicted / self.measured - 1.0


def silicon(
    ids: Sequence[str] | None = None, path: str | os.PathLike[str] | None = None
) -> list[Measured]:
    """The rows of the table, or those of ``ids`` in that order; empty where there is no table."""
    file = Path(path) if path is not None else TABLE
    if not file.is_file():
        return []
    rows = [_row(raw) for raw in json.loads(file.read_text(encoding="utf-8"))]
    if ids is None:
        return rows
    return [row for wanted in ids for row in rows if row.id == wanted]


def _row(raw: dict[str, Any]) -> Measured:
    return Measured(
        id=str(raw["id"]),
        chip=str(raw.get("chip", "")),
        kind=str(raw.get("class", "")),
        quantity=str(raw.get("quantity", "")),
        unit=str(raw.get("unit", "")),
        measured=float(raw["measured"]),
        predicted=float(raw["predicted"]),
        source=str(raw.get("source", "")),
        use=str(raw.get("use", "")),
    )
