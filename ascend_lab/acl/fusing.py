"""K12 between launches: an array that one kernel writes and only the next one reads, tile by tile.

Told at the end, when it is asked for what is slow. That the two could be one kernel is read from their traces: the
first stores the array, and the second loads it, in step with its other transfers, so that no tile waits for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ascend_lab.acl.ledger import Block
from ascend_lab.acl.session import OWN, Session
from ascend_lab.acl.timeline import Task
from ascend_lab.device import Result
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import SPACE_IDS, Trace
from ascend_lab.profile.figures import covered

_GM = SPACE_IDS["GM"]
#: So large a part of both launches has to be saved; so many tiles ahead is still in step (two buffers, and one on its way).
_WORTH, _AHEAD = 0.1, 3


@dataclass(frozen=True, slots=True)
class Ran:
    """A launch that has run: its task, what it was given, and its result."""

    task: Task
    blocks: tuple[Block, ...]
    result: Result


def program_ends(session: Session, ran: Sequence[Ran]) -> None:
    """Tell the pairs of launches that move an array through GM for each other."""
    streams: dict[int, list[Ran]] = {}
    for one in ran:
        if one.task.spot != OWN and not one.result.findings.errors:
            streams.setdefault(one.task.stream.number, []).append(one)
    for launches in streams.values():
        for first, then in pairwise(launches):
            for block in _passed(first, then):
                if _only_between(block, first, then, ran, session) and _in_step(first, then, block):
                    _tell(session, first, then, block)


def _passed(first: Ran, then: Ran) -> Iterator[Block]:
    """Blocks that the first launch writes whole and the second reads and does not write; nothing else may pass."""
    shared = [
        block
        for block in dict.fromkeys(first.blocks)
        if block in then.blocks and _touches(first.result.trace, block, Pipe.MTE3)
    ]
    read = [block for block in shared if _touches(then.result.trace, block, Pipe.MTE2)]
    if len(shared) == len(read) == 1 and not _touches(then.result.trace, read[0], Pipe.MTE3):
        yield read[0]


def _touches(trace: Trace, block: Block, pipe: Pipe) -> int:
    """Bytes of a block that the instructions of a pipe move."""
    rows = _rows(trace, block, pipe)
    nbytes = trace.read_bytes if pipe == Pipe.MTE2 else trace.write_bytes
    return int(nbytes[rows].sum())


def _rows(trace: Trace, block: Block, pipe: Pipe) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    side = "src" if pipe == Pipe.MTE2 else "dst"
    space, address = getattr(trace, f"{side}_space"), getattr(trace, f"{side}_addr")
    inside = (space == _GM) & (address >= block.addr) & (address < block.end)
    rows: np.ndarray[tuple[int], np.dtype[np.intp]] = np.flatnonzero(inside & (trace.pipe == pipe))
    return rows


def _only_between(
    block: Block, first: Ran, then: Ran, ran: Sequence[Ran], session: Session
) -> bool:
    """Whether nobody else has read the block, and it was read about as often as written."""
    if any(t.kind != "kernel" and _meets(t, block) for t in session.timeline.history):
        return False
    if block.touched("d2h"):
        return False
    others = [one for one in ran if one is not then and one is not first]
    if any(_touches(one.result.trace, block, Pipe.MTE2) for one in others):
        return False
    wrote = _touches(first.result.trace, block, Pipe.MTE3)
    return _touches(then.result.trace, block, Pipe.MTE2) <= wrote


def _meets(task: Task, block: Block) -> bool:
    return any(use.low < block.end and block.addr < use.high for use in task.uses)


def _in_step(first: Ran, then: Ran, block: Block) -> bool:
    """Whether both go through the block in one order, and neither holds all of it back."""
    made, taken = first.result.trace, then.result.trace
    stores, loads = _rows(made, block, Pipe.MTE3), _rows(taken, block, Pipe.MTE2)
    return (
        _keeps_up(made, stores, Pipe.MTE2)
        and _keeps_up(taken, loads, Pipe.MTE3)
        and bool(np.array_equal(np.sort(made.dst_addr[stores]), np.sort(taken.src_addr[loads])))
    )


def _keeps_up(trace: Trace, rows: np.ndarray[tuple[int], np.dtype[np.intp]], other: Pipe) -> bool:
    """Whether on every core the transfers of ``other`` come between those of ``rows``, a few tiles apart at most."""
    gm = trace.src_space if other == Pipe.MTE2 else trace.dst_space
    for core in np.unique(trace.core[rows]).tolist():
        mine = np.sort(trace.serial[rows][trace.core[rows] == core])
        theirs = np.sort(trace.serial[(trace.core == core) & (trace.pipe == other) & (gm == _GM)])
        if not len(theirs) or len(theirs) % len(mine):
            return False
        each = len(theirs) // len(mine)
        for k, serial in enumerate(mine.tolist()):
            done = int(np.searchsorted(theirs, serial)) / each
            if abs(done - k) > _AHEAD:
                return False
    return True


def _tell(session: Session, first: Ran, then: Ran, block: Block) -> None:
    spec, both = then.result.spec, first.result.time_us + then.result.time_us
    launch = spec.cost.launch
    once = then.result.metrics.launch_us + launch.prologue_us
    apart = [
        one.result.time_us - one.result.metrics.launch_us - launch.prologue_us
        for one in (first, then)
    ]
    pipes = [_busy(one, None) for one in (first, then)]
    bound = sum(max(pipe.values()) for pipe in pipes)
    without = [_busy(one, block) for one in (first, then)]
    fused = max(without[0][pipe] + without[1][pipe] for pipe in without[0])
    slack = sum(apart) / bound if bound else 1.0
    saved = once + max(sum(apart) - fused * slack, 0.0)
    if saved < _WORTH * both:
        return
    numbers = {
        "bytes": _touches(then.result.trace, block, Pipe.MTE2),
        "array": block.said,
        "kernel": first.task.name,
        "at": first.task.spot.line,
        "now": f"{both:.1f}",
        "gain": f"{saved / both:.0%}",
    }
    related = ((first.task.spot, "queues"),)
    session.report("K12", numbers, variant="launches", spot=then.task.spot, related=related)


def _busy(one: Ran, without: Block | None) -> dict[Pipe, float]:
    """How long each pipe of a core works, the mean in us; but for the transfers of a block."""
    trace, found = one.result.trace, {}
    cores = np.unique(trace.core)
    for pipe in (Pipe.MTE2, Pipe.V, Pipe.MTE3):
        keep = (trace.pipe == pipe) & (trace.read_bytes + trace.write_bytes > 0)
        if without is not None and pipe != Pipe.V:
            keep[_rows(trace, without, pipe)] = False
        time = sum(
            covered(trace.start[keep & (trace.core == c)], trace.end[keep & (trace.core == c)])
            for c in cores.tolist()
        )
        found[pipe] = time / len(cores) / one.result.spec.clock_mhz
    return found
