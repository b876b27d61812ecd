"""Which elements a vector instruction touches: count form, mask and repeat form, strides.

One iteration (repeat) is 256 B = 8 DataBlocks of 32 B. Element ``i`` of iteration ``r`` of an operand
lies at ``base + r*rep*32 + (i // per_block)*blk*32 + (i % per_block)*itemsize`` bytes.
Source: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/SIMD计算说明.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK = 32
REPEAT = 256

Interval = tuple[int, int]
Index = slice | NDArray[np.int64]


@lru_cache(maxsize=4096)
def mask_bits(mask: int | tuple[int, int], lanes: int) -> NDArray[np.bool_]:
    """The lanes a mask enables: leading elements (int) or bit form (low, high)."""
    if isinstance(mask, int):
        return np.arange(lanes) < mask
    low, high = mask
    bits = (high << 64) | low
    return np.array([bool(bits >> i & 1) for i in range(lanes)])


@lru_cache(maxsize=256)
def element_offsets(
    itemsize: int, lanes: int, repeat: int, blk: int, rep: int
) -> NDArray[np.int64]:
    """Byte offsets, shape (repeat, lanes), of the elements of one operand."""
    per_block = BLOCK // itemsize
    lane = np.arange(lanes, dtype=np.int64)
    within = (lane // per_block) * (blk * BLOCK) + (lane % per_block) * itemsize
    return np.arange(repeat, dtype=np.int64)[:, None] * (rep * BLOCK) + within


@lru_cache(maxsize=256)
def active_offsets(
    itemsize: int, lanes: int, repeat: int, blk: int, rep: int, mask: int | tuple[int, int]
) -> NDArray[np.int64]:
    """Byte offsets of the enabled elements, in lane order, repeats one after the other."""
    offsets = element_offsets(itemsize, lanes, repeat, blk, rep)
    return offsets[:, mask_bits(mask, lanes)].reshape(-1)


def intervals(offsets: NDArray[np.int64], itemsize: int) -> tuple[Interval, ...]:
    """The byte intervals that elements at ``offsets`` cover, merged and sorted."""
    if offsets.size == 0:
        return ()
    starts = np.unique(offsets)
    breaks = np.flatnonzero(np.diff(starts) > itemsize)
    lows = starts[np.concatenate(([0], breaks + 1))]
    highs = starts[np.concatenate((breaks, [starts.size - 1]))] + itemsize
    return tuple(zip(lows.tolist(), highs.tolist(), strict=True))


@lru_cache(maxsize=512)
def active_intervals(
    itemsize: int, lanes: int, repeat: int, blk: int, rep: int, mask: int | tuple[int, int]
) -> tuple[Interval, ...]:
    """The byte intervals, relative to the operand's address, of the enabled elements."""
    return intervals(active_offsets(itemsize, lanes, repeat, blk, rep, mask), itemsize)


def shifted(parts: tuple[Interval, ...], base: int) -> tuple[Interval, ...]:
    """``parts`` moved to address ``base``."""
    return tuple((low + base, high + base) for low, high in parts)


def params_of(instr: Any, operand: int) -> tuple[int, int]:
    """(block stride, repeat stride) of operand 0 = dst, 1.. = sources, in 32 B units."""
    blk = instr.params.get("blk", ())
    rep = instr.params.get("rep", ())
    return (
        blk[operand] if operand < len(blk) else 1,
        rep[operand] if operand < len(rep) else 8,
    )
