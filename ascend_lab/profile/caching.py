"""How often GM was found in L2, counted from the addresses of a trace.

A request is 128 B. What the launch has read or written before is a hit, as long as everything it touched fits
into L2; what it touches for the first time is a miss. The trace does not know what earlier launches left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.trace import SPACE_IDS, Trace

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

REQUEST = 128


@dataclass(slots=True)
class L2Counts:
    """Requests of one block."""

    read_hits: int = 0
    read_misses: int = 0
    write_hits: int = 0
    write_misses: int = 0

    @property
    def total(self) -> tuple[int, int]:
        """Hits and misses of reads and writes together."""
        return self.read_hits + self.write_hits, self.read_misses + self.write_misses

    @property
    def read_missed(self) -> int:
        """Bytes that came from main memory."""
        return self.read_misses * REQUEST


def l2_counts(trace: Trace, spec: ChipSpec) -> dict[int, L2Counts]:
    """Block -> its requests, in the order in which the instructions started."""
    table = trace.details.operands
    table = table[table["space"] == SPACE_IDS["GM"]]
    place = {serial: row for row, serial in enumerate(trace.serial.tolist())}
    rows = np.array([place[s] for s in table["serial"].tolist() if s in place], dtype=np.intp)
    table = table[np.isin(table["serial"], trace.serial)]
    order = np.lexsort((table["serial"], trace.start[rows])) if len(rows) else np.empty(0, np.intp)
    found: dict[int, L2Counts] = {}
    if not len(order):
        return found
    base = int(table["low"].min()) // REQUEST
    seen = np.zeros(int(table["high"].max()) // REQUEST + 1 - base, dtype=bool)
    room = spec.memory.l2_bytes // REQUEST
    columns = ("writes", "low", "high", "nbytes")
    listed = zip(rows[order].tolist(), *(table[c][order].tolist() for c in columns), strict=True)
    touched = 0
    for row, writes, low, high, nbytes in listed:
        lines = seen[low // REQUEST - base : -(-high // REQUEST) - base]
        requests = max(round(len(lines) * nbytes / (high - low)), 1) if high > low else 0
        old = _old(lines, requests) if touched <= room else 0
        lines[:] = True
        touched += requests - old
        _add(found.setdefault(int(trace.block[row]), L2Counts()), writes, old, requests - old)
    return found


def _old(lines: NDArray[np.bool_], requests: int) -> int:
    """Requests that hit: with gaps between the bursts, their share of the lines."""
    if not len(lines):
        return 0
    return round(int(np.count_nonzero(lines)) * requests / len(lines))


def _add(counts: L2Counts, writes: int, hits: int, misses: int) -> None:
    if writes:
        counts.write_hits += hits
        counts.write_misses += misses
    else:
        counts.read_hits += hits
        counts.read_misses += misses
