"""Fault hunts: naming what is wrong in a kernel and where, by reading it.

The answers stand in ``exam_bank/hunts/<lab>.toml``. That each is true is not taken from there: a test runs
the kernels on the model and compares what it finds. In a student's edition the answers are sealed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ascend_lab.course.edition import Lang
from ascend_lab.exercise.sealing import seal, unseal


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault to be found: any of ``lines`` names its place; ``why`` is told to who has found it."""

    id: str
    lines: tuple[int, ...]
    why: Mapping[Lang, str]


@dataclass(frozen=True, slots=True)
class Hunt:
    """A kernel with faults. ``kernel`` is a path in the bank; ``extra`` are true but not asked for.

    ``sealed``: faults that can be read only by naming their class.
    """

    id: str
    kernel: str
    title: Mapping[Lang, str]
    faults: tuple[Fault, ...]
    extra: tuple[str, ...] = ()
    extra_why: Mapping[Lang, str] | None = None
    sealed: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many faults there are to be found."""
        return len(self.faults) + len(self.sealed)

    def fault(self, id: str) -> Fault | None:
        """The fault of class ``id``, if the kernel has it."""
        known = next((fault for fault in self.faults if fault.id == id), None)
        return known or next((f for text in self.sealed if (f := self._opened(id, text))), None)

    def found(self, ids: Collection[str]) -> int:
        """How many of the faults ``ids`` name."""
        return sum(self.fault(id) is not None for id in set(ids))

    def _opened(self, id: str, sealed: str) -> Fault | None:
        text = unseal(id, sealed, self.id)
        if text is None:
            return None
        told = json.loads(text)
        return Fault(id, tuple(told["lines"]), {"zh": told["zh"], "en": told["en"]})


def sealed_fault(hunt: str, fault: Mapping[str, Any]) -> str:
    """A fault of the file as a student's edition has it."""
    told = {name: fault[name] for name in ("lines", "zh", "en")}
    return seal(fault["id"], json.dumps(told, ensure_ascii=False), hunt)


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
        for fault in table.get("faults", ())
    )
    extra = tuple(table.get("extra", ()))
    why: Mapping[Lang, str] | None = None
    if extra:
        why = {"zh": table["extra_zh"], "en": table["extra_en"]}
    title: Mapping[Lang, str] = {"zh": table["title"]["zh"], "en": table["title"]["en"]}
    sealed = tuple(table.get("sealed", ()))
    return Hunt(table["id"], table["kernel"], title, faults, extra, why, sealed)
