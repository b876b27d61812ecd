"""The table of a run, and its last lines."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_lab.conform.runner import Judged
from ascend_lab.conform.verdict import RIGHT


def row(judged: Judged) -> str:
    """One line: number, status, path, reason."""
    entry, verdict = judged.entry, judged.verdict
    matrix = "matrix" if entry.matrix else ""
    return (
        f"{entry.number:>4}  {verdict.status:<12}  {matrix:<6}  {entry.path}"
        f"{'  ' + verdict.reason if verdict.reason else ''}"
    )


def table(judged: Sequence[Judged]) -> str:
    """All rows."""
    return "\n".join(map(row, judged))


def summary(judged: Sequence[Judged]) -> str:
    """How many of each status, and the shares that pass: without matrix APIs, and of all."""
    counts: dict[str, int] = {}
    for found in judged:
        counts[found.verdict.status] = counts.get(found.verdict.status, 0) + 1
    by_status = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
    right = sum(RIGHT in found.verdict.reason for found in judged)
    told = f"; {right} with findings pass their own verification" if right else ""
    plain = [found for found in judged if not found.entry.matrix]
    return "\n".join(
        (
            (by_status or "nothing to run") + told,
            f"without matrix APIs: {_share(plain)}",
            _share(judged),
        )
    )


def _share(judged: Sequence[Judged]) -> str:
    """Samples for another chip do not count."""
    tried = [found for found in judged if found.verdict.status != "other chip"]
    passed = sum(found.verdict.status == "pass" for found in tried)
    percent = 100 * passed / len(tried) if tried else 0.0
    return f"passed {passed}/{len(tried)} ({percent:.1f} %)"
