"""The further forms of softmax, and their gradient.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/SoftMax接口/*.md, whose reference scripts these follow.
A matrix of ``rows`` x ``pitch`` elements, of which the first ``columns`` of a row count. A statistic has the
same number of equal elements for every row: one, or those of a DataBlock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Instr
from ascend_lab.engine.semantics.composed import Composed
from ascend_lab.engine.semantics.form import Semantic

Array = NDArray[Any]


def _matrix(values: Array, instr: Instr) -> Array:
    return values.reshape(int(instr.params["rows"]), -1)


def _valid(matrix: Array, instr: Instr) -> Array:
    return matrix[:, : int(instr.params["columns"])]


def _statistic(values: Array, instr: Instr) -> Array:
    """One value a row."""
    return _matrix(values, instr)[:, 0]


def _spread(values: Array, instr: Instr, which: int) -> Array:
    """A value a row, as often as the ``which``-th result has it."""
    return np.repeat(values, int(instr.params["writes"][which]) // max(values.size, 1))


def _alone(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """exp(x - max) / sum, without the two."""
    matrix = _matrix(sources[0], instr)
    valid = _valid(matrix, instr)
    raised = np.exp(matrix - valid.max(axis=1, keepdims=True))
    return (raised / _valid(raised, instr).sum(axis=1, keepdims=True),)


def _simple(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """exp(x - max) / sum, with both given: srcs = (x, sum, max)."""
    matrix = _matrix(sources[0], instr)
    total, largest = (_statistic(values, instr)[:, None] for values in sources[1:])
    return (np.exp(matrix - largest) / total,)


def _flash(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """SoftmaxFlash and V2: srcs = (x[, sum, max so far]) -> (y, sum, max[, factor of the past][, max of x]).

    ``divided``: V1, which divides by the sum; V2 leaves that to the end.
    """
    matrix = _matrix(sources[0], instr)
    of_x = largest = _valid(matrix, instr).max(axis=1)
    update, divided = bool(instr.params["update"]), bool(instr.params["divided"])
    if update:
        before, largest_before = (_statistic(values, instr) for values in sources[1:])
        largest = np.maximum(largest_before, largest)
    raised = np.exp(matrix - largest[:, None])
    total = _valid(raised, instr).sum(axis=1)
    results = []
    if update:
        factor = np.exp(largest_before - largest)
        total = factor * before + total
        results.append(factor * before / total if divided else factor)
    if instr.params["with_max"]:
        results.append(of_x)
    first = raised / total[:, None] if divided else raised
    stats = (total, largest, *results)
    return first, *(_spread(values, instr, k) for k, values in enumerate(stats, 1))


def _local_sums(matrix: Array, parts: int) -> Array:
    """The sums that serve as means of ``parts`` parts of a row.

    The page's script adds what lies beyond 512 elements to the first 64 block sums, so the parts of a wide row
    are not what their name says.
    """
    rows, width = matrix.shape
    if parts != 8 or width <= 512 or width % 64:
        return np.asarray(matrix.reshape(rows, parts, width // parts).sum(axis=2))
    blocks = matrix[:, :512].reshape(rows, 64, 8).sum(axis=2)
    blocks += matrix[:, 512:].reshape(rows, -1, 64).sum(axis=1)
    return np.asarray(blocks.reshape(rows, 8, 8).sum(axis=2))


def _flash3(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """SoftmaxFlashV3: srcs = (x[, mean, sum, max so far]) -> (y, mean, sum, max[, factor of the past]).

    Every part of a row is shifted by how far its mean is from that of the row, times alpha / (1 - alpha).
    """
    params = instr.params
    matrix = _matrix(sources[0], instr)
    width = matrix.shape[1]
    alpha, parts = np.float32(params["alpha"]), max(int(params["parts"]), 1)
    scale = alpha / (1 - alpha)
    mean = matrix.mean(axis=1)
    local = _local_sums(matrix, parts) / np.float32(width // parts)
    moved = matrix - np.repeat((mean[:, None] - local) * scale, width // parts, axis=1)
    largest = moved.max(axis=1)
    if not params["update"]:
        raised = np.exp(moved - largest[:, None])
        stats: tuple[Array, ...] = (mean, raised.sum(axis=1), largest)
        return raised, *(_spread(values, instr, k) for k, values in enumerate(stats, 1))
    mean_before, before, largest_before = (_statistic(values, instr) for values in sources[1:])
    loops = np.float32(params["loops"])
    overall = (mean + mean_before * (loops - 1)) / loops
    now, past = (mean - overall) * scale, (mean_before - overall) * scale
    most = np.maximum(now + largest, past + largest_before)
    raised = np.exp(moved - (most - now)[:, None])
    factor = np.exp(largest_before - most + past)
    stats = (overall, factor * before + raised.sum(axis=1), most, factor)
    return raised, *(_spread(values, instr, k) for k, values in enumerate(stats, 1))


def _gradient(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """srcs = (gradient, y): (gradient - sum(gradient * y)) * y, or with ``front`` that sum alone."""
    grad, result = (_matrix(values, instr) for values in sources)
    total = _valid(grad * result, instr).sum(axis=1)
    if instr.params["front"]:
        return (_spread(total, instr, 0),)
    return ((grad - total[:, None]) * result,)


OPS: Mapping[str, Semantic] = {
    "SoftMaxAlone": Composed(_alone),
    "SimpleSoftMax": Composed(_simple),
    "SoftmaxFlash": Composed(_flash),
    "SoftmaxFlashV2": Composed(_flash),
    "SoftmaxFlashV3": Composed(_flash3),
    "SoftmaxGrad": Composed(_gradient),
}
