"""Banks of UB: how many cycles the accesses of each repeat of a vector instruction take.

Address bits of 2201: [4:0] byte of a row, [8:5] bank group, [15:9] row, [17:16] bank. In one cycle a group
serves one read and one write, a bank one of the two. Operands that lie alike are no conflict of read and
write: the write comes one repeat later. Source: asc-devkit:
docs/zh/guide/算子实践参考/SIMD算子性能优化/内存访问/避免UB的bank冲突/避免bank冲突（NPU架构版本2201）.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.chips import ChipSpec

#: The architecture whose rules these are.
RULES_OF = 2201
ROW = 32
_BLOCKS = 8


class Walk(NamedTuple):
    """The DataBlocks of one operand: at addr + 32 * (repeat * rep + j * blk), j below ``blocks``."""

    addr: int
    blk: int
    rep: int
    repeats: int
    blocks: int = _BLOCKS


Walks = tuple[Walk, ...]
#: Row numbers (address / 32) of each operand.
Operands = Sequence[NDArray[np.int64]]


class Banks(NamedTuple):
    """The geometry of UB, and what conflicts cost."""

    groups: int
    bank_bytes: int  # of the address range that shares a bank number in every group
    read_read: float
    read_write: float

    @classmethod
    def of(cls, spec: ChipSpec) -> Banks:
        """The banks of a chip."""
        memory, vector = spec.memory, spec.cost.vector
        groups = memory.ub_bank_groups
        return cls(
            groups,
            memory.ub_bank_bytes * groups,
            vector.conflict_read_read,
            vector.conflict_read_write,
        )


def cycles(banks: Banks, reads: Walks, writes: Walks, needed: float) -> float:
    """Cycles of all repeats, each of which needs ``needed`` without conflicts."""
    sources = tuple(dict.fromkeys(reads))  # one place read twice is read once
    if all(walk[1:3] == (1, _BLOCKS) and walk.blocks == _BLOCKS for walk in (*sources, *writes)):
        return _contiguous(banks, sources, writes, needed)
    return _strided(banks, sources, writes, needed)


def _contiguous(banks: Banks, reads: Walks, writes: Walks, needed: float) -> float:
    """All operands without gaps: how they lie to each other is the same in every repeat."""
    repeats = max(walk.repeats for walk in (*reads, *writes))
    overlaps = [0] * _BLOCKS
    first = [walk.addr // ROW for walk in reads]
    for row in first[1:]:
        for block in range(_BLOCKS):
            if (row + block - first[0]) % banks.groups < _BLOCKS:
                overlaps[block] += 1
    each = max(needed, _shared(banks, 1 + max(overlaps)))
    if each >= banks.read_write:
        return repeats * each
    clashing = 0
    for target in writes:
        for source in reads:
            clashing = max(clashing, _clashes(banks, source, target, repeats))
    return repeats * each + clashing * (banks.read_write - each)


def _shared(banks: Banks, rows: int) -> float:
    """Cycles in which a group serves ``rows`` rows."""
    return 1.0 + (rows - 1) * (banks.read_read - 1.0) if rows > 1 else 0.0


def _clashes(banks: Banks, source: Walk, target: Walk, repeats: int) -> int:
    """Repeats in which ``target`` is written into the bank ``source`` is read from, shifted."""
    apart = (target.addr - source.addr) // ROW % banks.groups
    if apart in (0, _BLOCKS):
        return 0
    step, size = _BLOCKS * ROW, banks.bank_bytes
    found, repeat = 0, 0
    while repeat < repeats:
        at, to = source.addr + repeat * step, target.addr + repeat * step
        stay = min(
            -(at // -size) * size + (size if at % size == 0 else 0) - at,
            -(to // -size) * size + (size if to % size == 0 else 0) - to,
        )
        length = min(-(-stay // step), repeats - repeat)
        if at // size == to // size:
            found += length
        repeat += length
    return found


@lru_cache(maxsize=4096)
def _strided(banks: Banks, reads: Walks, writes: Walks, needed: float) -> float:
    repeats = max((walk.repeats for walk in (*reads, *writes)), default=0)
    read = [_rows(walk, repeats) for walk in reads]
    written = [_rows(walk, repeats) for walk in writes]
    return float(judged(banks, read, written, repeats).taken(banks, needed).sum())


class Judged(NamedTuple):
    """For each repeat: the most rows that one group reads and writes (at least 1), and whether it reads and writes one
    bank in different places."""

    read: NDArray[np.int64]
    written: NDArray[np.int64]
    met: NDArray[np.bool_]

    def taken(self, banks: Banks, needed: float) -> NDArray[np.float64]:
        """Cycles of each repeat, when the operation needs ``needed`` of them."""
        most = np.maximum(self.read, self.written)
        shared = np.where(most > 1, 1.0 + (most - 1.0) * (banks.read_read - 1.0), 0.0)
        met = np.where(self.met, banks.read_write, 0.0)
        return np.maximum(np.maximum(shared, met), needed)


def judged(banks: Banks, reads: Operands, writes: Operands, repeats: int) -> Judged:
    """What the rows of the operands, each of shape (repeats, blocks) with -1 for no access, do to each other."""
    met = np.zeros(repeats, dtype=np.bool_)
    for target in writes:
        for source in reads:
            met |= _meet(banks, source, target)
    return Judged(_most(banks, reads, repeats), _most(banks, writes, repeats), met)


def _rows(walk: Walk, repeats: int) -> NDArray[np.int64]:
    """Row numbers (address / 32), shape (repeats, blocks); -1 where there is no access.

    With a repeat stride of 0 a source is read once.
    """
    first = np.arange(repeats, dtype=np.int64)[:, None] * walk.rep
    rows = walk.addr // ROW + first + np.arange(walk.blocks, dtype=np.int64) * walk.blk
    rows[walk.repeats :] = -1
    if walk.blk == 0:
        rows[:, 1:] = -1
    if walk.rep == 0:
        rows[1:] = -1
    return rows


def _most(banks: Banks, operands: Operands, repeats: int) -> NDArray[np.int64]:
    counts = np.zeros(repeats * banks.groups, dtype=np.int64)
    for rows in operands:
        at = np.arange(repeats, dtype=np.int64)[:, None] * banks.groups + rows % banks.groups
        counts += np.bincount(at[rows >= 0], minlength=counts.size)
    most = counts.reshape(repeats, banks.groups).max(axis=1, initial=1)
    return np.asarray(most, dtype=np.int64)


def _meet(banks: Banks, read: NDArray[np.int64], written: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Not where the two lie alike: the write comes one repeat later."""
    mine, theirs = _cells(banks, read), _cells(banks, written)
    common = (mine[:, :, None] == theirs[:, None, :]) & (mine >= 0)[:, :, None]
    alike = (mine == theirs).all(axis=1) if mine.shape == theirs.shape else False
    return np.asarray(common.any(axis=(1, 2)) & ~np.asarray(alike))


def _cells(banks: Banks, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Bank numbers over all groups."""
    bank = rows * ROW // banks.bank_bytes
    return np.where(rows >= 0, bank * banks.groups + rows % banks.groups, -1)
