"""Statistics of a class: how hard each item was, how well it tells students apart, which faults were met."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.marks import Class, Mark

#: With fewer students a correlation says nothing.
_FEWEST = 5


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """One item. ``share``: mean of the points reached, from 0 (nobody) to 1 (everybody).

    ``discrimination``: correlation of this item with all the others together, None where it says nothing:
    fewer than 5 students, or all the same. Below 0.2 an item is worth a look.
    """

    name: str
    students: int
    share: float
    discrimination: float | None


@dataclass(frozen=True, slots=True)
class FaultFigures:
    """One class of findings: how many students' answers have it, and how many have it first."""

    id: str
    students: int
    leading: int


def item_figures(table: Sequence[Mapping[str, tuple[float, float]]]) -> list[ItemFigures]:
    """Figures of each item. ``table``: for each student item -> (points, possible)."""
    names = dict.fromkeys(name for row in table for name in row)
    return [_item(name, [row for row in table if name in row]) for name in names]


def _item(name: str, rows: Sequence[Mapping[str, tuple[float, float]]]) -> ItemFigures:
    own = [_share([row[name]]) for row in rows]
    rest = [_share([pair for other, pair in row.items() if other != name]) for row in rows]
    mean = sum(own) / len(own)
    return ItemFigures(name, len(rows), mean, correlation(own, rest))


def _share(pairs: Iterable[tuple[float, float]]) -> float:
    points, possible = (sum(column) for column in zip(*pairs, strict=True)) if pairs else (0.0, 0.0)
    return points / possible if possible else 0.0


def correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Pearson's correlation; None with fewer than 5 pairs, or when one side does not vary."""
    if len(one) < _FEWEST:
        return None
    means = sum(one) / len(one), sum(other) / len(other)
    pairs = [(a - means[0], b - means[1]) for a, b in zip(one, other, strict=True)]
    spread = math.sqrt(sum(a * a for a, _ in pairs) * sum(b * b for _, b in pairs))
    return sum(a * b for a, b in pairs) / spread if spread > 1e-12 else None


def class_items(group: Class) -> list[ItemFigures]:
    """Figures of each check of each task. What was not judged does not count."""
    return item_figures([dict(_checks(report.marks)) for report in group.reports])


def _checks(marks: Iterable[Mark]) -> Iterable[tuple[str, tuple[float, float]]]:
    for mark in marks:
        if mark.result is None or not mark.is_graded:
            continue
        for check in mark.result.checks:
            if check.possible:
                yield f"{mark.task} · {check.name}", (check.points, check.possible)


def class_faults(group: Class) -> list[FaultFigures]:
    """The classes of findings that occurred, the most frequent first."""
    met: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for report in group.reports:
        results = [mark.result for mark in report.marks if mark.result is not None]
        met.update({f.id for result in results for f in result.findings if f.severity == "error"})
        first.update({mark.finding for mark in report.marks if mark.finding})
    return [
        FaultFigures(id, count, first[id])
        for id, count in sorted(met.items(), key=lambda pair: (-pair[1], pair[0]))
    ]
