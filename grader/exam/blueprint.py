"""The blueprint of an exam: parts, weights, time, pass rule."""

from __future__ import annotations

import hashlib
from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from ascend_lab.exercise import Both, TaskError, schema

FILE = "exam.toml"
DEFAULT = "blueprint.toml"
PARTS = ("theory", "practical", "troubleshooting", "performance")

Weight = Annotated[float, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]


class Theory(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Items of each kind."""

    weight: Weight = 20
    single: Count = 0
    multi: Count = 0
    true_false: Count = 0
    compute: Count = 0


class PracticalPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One task of ``pool``."""

    weight: Weight = 40
    pool: Annotated[tuple[str, ...], Meta(min_length=1)]


class TroubleshootingPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A paper for each of ``outcomes``; ``pool`` are the papers to draw from.

    An empty pool stands for all papers whose kernel is Python: those in Ascend C need a compiler.
    """

    weight: Weight = 25
    outcomes: tuple[str, ...] = ("silent", "abort", "hang")
    two_faults: bool = True
    pool: tuple[str, ...] = ()


class PerformancePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``sizes`` of the timed case by task, ``ranges`` of its inputs; all points at a HAP of ``full_at``.

    0.5 is as fast as the reference in Python. An answer in four files reads its tiling data besides: what that takes
    must not cost points.
    """

    weight: Weight = 15
    full_at: Annotated[float, Meta(gt=0, le=1)] = 0.45
    blocks: Annotated[int, Meta(ge=1)] = 40
    sizes: dict[str, dict[str, int]] = {}
    ranges: dict[str, dict[str, tuple[float, float]]] = {}


class Blueprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exam in the abstract; a course's key and a student make one of it."""

    id: str
    title: Both
    minutes: Annotated[int, Meta(ge=1)] = 120
    grace_s: Count = 60
    pass_total: Weight = 60
    pass_parts: dict[str, Share] = {}
    theory: Theory = Theory()
    practical: PracticalPart
    troubleshooting: TroubleshootingPart = TroubleshootingPart()
    performance: PerformancePart = PerformancePart()

    @property
    def weights(self) -> dict[str, float]:
        """Points of each part."""
        return {part: getattr(self, part).weight for part in PARTS}

    @property
    def digest(self) -> str:
        """Hash of everything that it says."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:16]


def default_text() -> str:
    """The blueprint that a course without its own has."""
    return resources.files(__package__).joinpath(DEFAULT).read_text(encoding="utf-8")


def read_blueprint(path: Path | None = None) -> Blueprint:
    """The blueprint in ``path``, else the usual one. Raises TaskError with file and key."""
    file = DEFAULT if path is None else path.name
    try:
        data = default_text().encode() if path is None else path.read_bytes()
    except OSError as error:
        said = error.strerror or ""
        raise TaskError(file, "", f"cannot be read: {said}.", f"读不了：{said}。") from None
    made = schema.convert(schema.parse(data, file), Blueprint, file)
    for part in made.pass_parts:
        if part not in PARTS:
            raise TaskError(
                file,
                "pass_parts",
                f"{part!r} is no part.",
                f"没有 {part!r} 这一部分。",
                list(PARTS),
            )
    if made.pass_total > sum(made.weights.values()):
        en, zh = "is more than all parts give.", "超过了各部分分值之和。"
        raise TaskError(file, "pass_total", en, zh)
    return made
