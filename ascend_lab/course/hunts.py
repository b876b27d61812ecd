"""Fault hunts: naming what is wrong in a kernel and where, by reading it.

The answers stand in ``exam_bank/hunts/<lab>.toml``. That each is true is not taken from there: a test runs
the kernels on the model and compares what it finds.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ascend_lab.course.edition import Lang


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault to be found: any of ``lines`` names its place; ``why`` is told to who has found it."""

    id: str
    lines: tuple[int, ...]
    why: Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Hunt:
    """A kernel with faults. ``kernel`` is a path in the bank; ``extra`` are true but not asked for."""

    id: str
    kernel: str
    title: Mapping[Lang, str]
    faults: tuple[Fault, ...]
    extra: tuple[str, ...] = ()
    extra_why: Mapping[Lang, str] | None = None

    def fault(self, id: str) -> Fault | None:
        """The fault of class ``id``, if the kernel has it."""
        return next((fault for fault in self.faults if fault.id == id), None)


def load(bank: Path, lab: str) -> dict[str, Hunt]:
    """The hunts of a lab by id; none when the bank has no file for it."""
    path = bank / "hunts" / f"{lab}.toml"
    if not path.is_file():
        return {}
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["hunts"]
    return {table["id"]: _hunt(table) for table in tables}


def _hunt(table: Mapping[str, Any]) -> Hunt:
    faults = tuple(
        Fault(fault["id"], tuple(fault["lines"]), {"zh": fault["zh"], "en": fault["en"]})
        for fault in table["faults"]
    )
    extra = tuple(table.get("extra", ()))
    why: Mapping[Lang, str] | None = None
    if extra:
        why = {"zh": table["extra_zh"], "en": table["extra_en"]}
    title: Mapping[Lang, str] = {"zh": table["title"]["zh"], "en": table["title"]["en"]}
    return Hunt(table["id"], table["kernel"], title, faults, extra, why)
