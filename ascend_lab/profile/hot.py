"""Which lines of the source the time goes into."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile.lanes import in_order, lanes


@dataclass(frozen=True, slots=True)
class HotLine:
    """What one line cost on one pipe: ``cycles`` of all cores, ``count`` instructions, ``share`` of the core time.

    ``waits``: these are cycles in which the pipe was held up at the line.
    """

    file: str
    line: int
    pipe: Pipe
    ops: tuple[str, ...]
    count: int
    cycles: float
    share: float
    waits: bool

    @property
    def place(self) -> str:
        """ "add.py:40"."""
        return f"{self.file}:{self.line}" if self.file else "?"


def hot_lines(trace: Trace, most: int = 10) -> list[HotLine]:
    """The lines that hold their pipes longest, longest first; working and waiting count separately."""
    whole = _core_time(trace)
    cycles: dict[tuple[int, int, bool], float] = {}
    count: Counter[tuple[int, int, bool]] = Counter()
    ops: dict[tuple[int, int, bool], dict[str, None]] = {}
    for (_, pipe), spans in lanes(trace, in_order(trace)).items():
        for span in spans:
            key = (span.row.where, pipe, span.waiting)
            cycles[key] = cycles.get(key, 0.0) + span.end - span.begin
            count[key] += 1
            ops.setdefault(key, {})[trace.ops[span.row.op]] = None
    found = [
        _line(trace, key, tuple(ops[key]), count[key], spent, spent / whole)
        for key, spent in cycles.items()
        if spent > 0
    ]
    return sorted(found, key=lambda line: (-line.cycles, line.file, line.line, line.pipe))[:most]


def _line(
    trace: Trace,
    key: tuple[int, int, bool],
    ops: tuple[str, ...],
    count: int,
    cycles: float,
    share: float,
) -> HotLine:
    where, pipe, waits = key
    known = 0 <= where < len(trace.sources)
    file, line = trace.sources[where][:2] if known else ("", 0)
    return HotLine(file, line, Pipe(pipe), ops, count, cycles, share, waits)


def _core_time(trace: Trace) -> float:
    """The time of all cores that worked, each until its own end."""
    return float(sum(trace.end[trace.core == core].max() for core in np.unique(trace.core)))
