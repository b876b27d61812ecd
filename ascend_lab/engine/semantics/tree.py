"""How a reduction combines lanes: binary trees of sums, and extremes with the first index.

Neighbours are added first, then neighbouring sums, each step rounded to the element type (source:
asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/ReduceDataBlock.md, 关键特性说明).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.lanes import mask_bits
from ascend_lab.engine.semantics.form import Form

Array = NDArray[Any]
Lanes = NDArray[np.int64]


class Rows(NamedTuple):
    """Active elements of equal iterations: ``values`` (rows, k), and the lane of each column."""

    values: Array
    lanes: Lanes


def iterations(form: Form, lanes: int) -> int:
    """How many iterations a form has, the short last one included."""
    if form.count >= 0:
        return -(-form.count // lanes)
    return form.repeat + (1 if form.tail else 0)


def rows_of(values: Array, form: Form, lanes: int) -> list[Rows]:
    """Active elements by iteration: the body, and the shorter last iteration where there is one."""
    if form.count >= 0:
        full, tail = divmod(form.count, lanes)
        active = np.arange(lanes)
    else:
        full, tail = form.repeat, form.tail
        active = np.flatnonzero(mask_bits(form.mask, lanes))
    split = values.size - tail
    found = [Rows(values[:split].reshape(full, -1), active)] if split else []
    if tail:
        found.append(Rows(values[split:].reshape(1, tail), np.arange(tail)))
    return found


def spread(rows: list[Rows], lanes: int, idle: float = -0.0) -> Array:
    """Whole iterations (n, lanes); lanes that take no part hold ``idle``: -0 adds nothing to a sum."""
    if len(rows) == 1 and rows[0].lanes.size == lanes:
        return rows[0].values
    total = sum(row.values.shape[0] for row in rows)
    result = np.full((total, lanes), idle, dtype=rows[0].values.dtype)
    done = 0
    for row in rows:
        count = row.values.shape[0]
        result[done : done + count, row.lanes] = row.values
        done += count
    return result


@lru_cache(maxsize=512)
def _halving_order(groups: int, width: int) -> NDArray[np.int64]:
    """Where to take elements from so that neighbours of every level lie half the array apart."""
    bits = width.bit_length() - 1
    lane = np.arange(width)
    reverse = np.zeros(width, dtype=np.int64)
    for bit in range(bits):
        reverse |= (lane >> bit & 1) << (bits - 1 - bit)
    order = (reverse[:, None] + np.arange(groups) * width).reshape(-1)
    order.flags.writeable = False
    return order


def tree_sum(values: Array) -> Array:
    """Sums along the last axis (a power of two long) as a binary tree of neighbours."""
    width = values.shape[-1]
    groups = values.size // width
    flat = values.reshape(-1).take(_halving_order(groups, width))
    while flat.size > groups:
        half = flat.size // 2
        flat = flat[:half] + flat[half:]
    return flat.reshape(values.shape[:-1])


def iteration_sums(values: Array, lanes: int) -> Array:
    """Contiguous elements summed by iterations of ``lanes``: one tree an iteration, the last short."""
    return tree_sum(spread(rows_of(values, Form(count=values.size), lanes), lanes))


def extremes(values: Array, largest: bool) -> tuple[Array, Lanes]:
    """(value, column) of the extreme along the last axis: the first on ties, the first NaN if any."""
    columns = values.shape[-1]
    flat = values.reshape(-1, columns)
    compared = flat.astype(np.float32) if flat.dtype == np.float16 else flat  # faster
    where = compared.argmax(axis=1) if largest else compared.argmin(axis=1)
    found = flat.reshape(-1).take(where + np.arange(0, flat.size, columns))
    return found.reshape(values.shape[:-1]), where.reshape(values.shape[:-1])


def row_extremes(rows: list[Rows], largest: bool) -> tuple[Array, Lanes]:
    """(value, lane) of the extreme of every iteration."""
    if len(rows) == 1:
        found, where = extremes(rows[0].values, largest)
        return found, rows[0].lanes.take(where)
    parts = [row_extremes([row], largest) for row in rows]
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
