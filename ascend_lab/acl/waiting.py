"""K16, K17: a device that stands still for its host. Told at the end, and only when asked for what is slow.

K17: every step copies its input in, no kernel runs meanwhile, and could. K16: what a kernel has written goes to the
host and comes back for the next kernel, because a step of the computation runs on the host.
The times are those of the streams; what the host computes in between takes no simulated time.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl.codes import Kind
from ascend_lab.acl.ledger import Spot
from ascend_lab.acl.session import OWN, Session
from ascend_lab.acl.timeline import Task
from ascend_lab.checks.pace import merged_times, shared_time, total_time

#: So many steps make a loop; so large a part of its time has to be lost; so little may already overlap.
_STEPS, _WORTH, _OVERLAP = 3, 0.1, 0.1


@dataclass(slots=True)
class Move:
    """A copy between host and device: addresses of both sides, when it ran, and a checksum of its bytes.

    ``task``: the task of a stream it was, which has its times; None for one that the host made itself.
    """

    direction: Kind
    spot: Spot
    host: int
    device: int
    size: int
    task: Task | None = None
    begin: float = 0.0
    until: float = 0.0
    sum: int = 0

    @property
    def start(self) -> float:
        """When it began, us."""
        return self.begin if self.task is None else self.task.start

    @property
    def end(self) -> float:
        """When it was done, us."""
        return self.until if self.task is None else self.task.end

    def note(self, data: NDArray[np.uint8]) -> None:
        """Keep the checksum of its bytes."""
        self.sum = zlib.crc32(np.ascontiguousarray(data).tobytes())


def program_ends(session: Session) -> None:
    """Tell what the program lost by waiting."""
    kernels = sorted(
        (t for t in session.timeline.history if t.kind == "kernel" and t.done and t.start >= 0),
        key=lambda t: (t.start, t.serial),
    )
    moves = sorted((m for m in session.moves if m.end > m.start), key=lambda m: (m.start, m.end))
    back = _detours(session, kernels, moves)
    _loops(session, kernels, [m for m in moves if id(m) not in back])


# --- K17 ----------------------------------------------------------------------------------------------


def _loops(session: Session, kernels: Sequence[Task], moves: Sequence[Move]) -> None:
    """Tell the line that costs most; the others of its loop wait with it."""
    lines: dict[Spot, list[Move]] = {}
    for move in moves:
        if move.direction is Kind.HOST_TO_DEVICE and move.spot != OWN:
            lines.setdefault(move.spot, []).append(move)
    found = {spot: _loop(kernels, steps, moves) for spot, steps in lines.items()}
    slow = {spot: numbers for spot, numbers in found.items() if numbers is not None}
    if slow:
        spot = max(slow, key=lambda s: (sum(m.size for m in lines[s]), -s.line))
        waits = all(move.task is None for move in lines[spot])
        session.report("K17", slow[spot], spot=spot, variant="" if waits else "stream")


def _loop(
    kernels: Sequence[Task], steps: Sequence[Move], moves: Sequence[Move]
) -> dict[str, Any] | None:
    """What a line that copies in at every step costs, when something could be saved."""
    between = [any(a.end <= k.start < b.start for k in kernels) for a, b in pairwise(steps)]
    if len(steps) < _STEPS or not all(between):
        return None
    first = steps[0].start
    last = max((k.end for k in kernels if k.start >= steps[-1].end), default=steps[-1].end)
    inside = [k for k in kernels if first <= k.start <= last]
    copies = merged_times(
        (m.start, m.end)
        for m in moves
        if m.direction is Kind.HOST_TO_DEVICE and first <= m.start <= last
    )
    work = merged_times((k.start, k.end) for k in inside)
    copying, working = total_time(copies), total_time(work)
    both = shared_time(copies, work)
    whole, once = last - first, 1 / len(steps)
    gaps = whole - copying - working + both  # calls and submissions: paid once when nobody waits
    saved = whole - max(copying + once * working, once * copying + working) - once * gaps
    if both > _OVERLAP * min(copying, working) or saved < _WORTH * whole:
        return None
    return {
        "count": len(steps),
        "bytes": steps[0].size,
        "us": f"{copying:.0f}",
        "whole": f"{whole:.0f}",
        "idle": f"{copying / whole:.0%}",
        "gain": f"{saved / whole:.0%}",
    }


# --- K16 ----------------------------------------------------------------------------------------------


def _detours(session: Session, kernels: Sequence[Task], moves: Sequence[Move]) -> set[int]:
    """Tell what goes to the host and back between two kernels; the copies that do."""
    found: set[int] = set()
    for back in moves:
        if back.direction is not Kind.HOST_TO_DEVICE or back.spot == OWN:
            continue
        out = _before(back, moves)
        after = None if out is None else _taker(kernels, out, back)
        if out is None or after is None:
            continue
        found |= {id(out), id(back)}
        us = out.end - out.start + back.end - back.start
        whole = kernels[-1].end - min(moves[0].start, kernels[0].start)
        if us < _WORTH * whole:
            continue
        numbers = {
            "bytes": back.size,
            "at": out.spot.line,
            "kernel": after.name,
            "us": f"{us:.0f}",
            "gain": f"{us / whole:.0%}",
        }
        variant = "same" if out.sum == back.sum and out.size == back.size else ""
        related = ((out.spot, "copies"),)
        session.report("K16", numbers, spot=back.spot, variant=variant, related=related)
    return found


def _before(back: Move, moves: Iterable[Move]) -> Move | None:
    """The last copy, before ``back``, into the bytes of the host that ``back`` takes."""
    last = None
    for move in moves:
        if move.direction is Kind.DEVICE_TO_HOST and move.end <= back.start:
            last = move if _meet(move.host, move.size, back.host, back.size) else last
    return last


def _taker(kernels: Sequence[Task], out: Move, back: Move) -> Task | None:
    """The kernel that takes what comes back, when another one wrote what went out.

    The same launch again is no detour but the next batch.
    """
    made = [k for k in kernels if k.end <= out.start and _touches(k, out.device, out.size, True)]
    takes = [k for k in kernels if k.start >= back.end and _touches(k, back.device, back.size)]
    return takes[0] if made and takes and takes[0].spot != made[-1].spot else None


def _touches(task: Task, low: int, size: int, writes: bool = False) -> bool:
    return any(
        use.low < low + size and low < use.high and (use.writes or not writes) for use in task.uses
    )


def _meet(first: int, first_size: int, second: int, second_size: int) -> bool:
    return first < second + second_size and second < first + first_size
