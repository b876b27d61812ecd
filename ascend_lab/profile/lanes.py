"""The trace as lanes: what each pipe of each core did, one span after the other.

An instruction that waits is issued long before its pipe comes to it, and vector instructions drain while
the next one starts. To draw them, spans of a lane must not overlap: a span begins where the lane has
been drawn up to. Exact times stay in the row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Row, Trace

#: Instructions that order others and do no work of their own.
SYNC_OPS = frozenset({"SetFlag", "WaitFlag", "PipeBarrier", "SyncAll"})

#: The order in which data passes through the pipes; lanes are drawn in it.
PIPE_ORDER = (Pipe.S, Pipe.MTE2, Pipe.MTE1, Pipe.M, Pipe.V, Pipe.FIX, Pipe.MTE3)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a lane in cycles: an instruction at work, or (``waiting``) held up."""

    row: Row
    begin: float
    end: float
    waiting: bool


Lanes = Mapping[tuple[int, int], list[Span]]


def in_order(trace: Trace, cores: Iterable[int] | None = None) -> list[Row]:
    """The rows in order of issue; only those of ``cores`` when given."""
    if cores is None:
        rows = list(trace.rows())
    else:
        rows = [row for core in sorted(set(cores)) for row in trace.rows(core=core)]
    return sorted(rows, key=lambda row: row.serial)


def lanes(trace: Trace, rows: Iterable[Row]) -> Lanes:
    """(core, pipe) -> its spans without overlap, from ``rows`` in order of issue.

    Cores ascend; the pipes of a core stand in the order in which data passes.
    """
    order = {int(pipe): rank for rank, pipe in enumerate(PIPE_ORDER)}
    by_lane: dict[tuple[int, int], list[Row]] = defaultdict(list)
    for row in rows:
        by_lane[row.core, row.pipe].append(row)
    keys = sorted(by_lane, key=lambda key: (key[0], order[key[1]]))
    return {key: _spans(trace, by_lane[key]) for key in keys}


def _spans(trace: Trace, rows: list[Row]) -> list[Span]:
    reach = 0.0
    spans: list[Span] = []
    for row in rows:
        if trace.ops[row.op] in SYNC_OPS:
            begin = max(row.start, reach)
            spans.append(Span(row, begin, max(row.end, begin), waiting=True))
        else:
            held = max(row.issue, reach)
            if row.cause >= 0 and row.start > held:
                spans.append(Span(row, held, row.start, waiting=True))
            begin = max(row.start, reach)
            spans.append(Span(row, begin, max(row.end, begin), waiting=False))
        reach = max(reach, spans[-1].end)
    return spans


def producers(trace: Trace, rows: Iterable[Row]) -> Mapping[int, Row]:
    """Serial of a SetFlag -> the work it reports: the last before it in its pipe and block.

    ``rows`` in order of issue.
    """
    last: dict[tuple[int, int], Row] = {}
    found: dict[int, Row] = {}
    for row in rows:
        name = trace.ops[row.op]
        key = (row.block, row.pipe)
        if name == "SetFlag":
            if key in last:
                found[row.serial] = last[key]
        elif name not in SYNC_OPS:
            last[key] = row
    return found
