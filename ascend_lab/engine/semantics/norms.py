"""Normalisations besides LayerNorm and RmsNorm.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作/{DeepNorm,LayerNorm,Normalize,BatchNorm,GroupNorm,
WelfordUpdate,WelfordFinalize}.md. Rows of ``pitch`` elements, of which the first ``columns`` count.
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


def _epsilon(instr: Instr) -> np.float32:
    return np.float32(instr.params["epsilon"])


def _wide(row: Array, pitch: int) -> Array:
    """A row of factors as wide as the matrix: 0 beyond its end."""
    found = np.zeros(pitch, dtype=np.float32)
    found[: row.size] = row[:pitch]
    return found


def _moments(matrix: Array, instr: Instr) -> tuple[Array, Array]:
    """(mean, variance) of the part of each row that counts."""
    valid = matrix[:, : int(instr.params["columns"])]
    mean = valid.mean(axis=1)
    return mean, ((valid - mean[:, None]) ** 2).mean(axis=1)


def _scaled(matrix: Array, mean: Array, factor: Array, gamma: Array, beta: Array) -> Array:
    pitch = matrix.shape[1]
    centred = (matrix - mean[:, None]) * factor[:, None]
    return np.asarray(centred * _wide(gamma, pitch) + _wide(beta, pitch))


def _optional(sources: list[Array], instr: Instr) -> tuple[Array, Array]:
    """(gamma, beta): what the last sources are, or the values that change nothing."""
    rest, columns = list(sources), int(instr.params["columns"])
    gamma = rest.pop(0) if instr.params["gamma"] else np.ones(columns, np.float32)
    beta = rest.pop(0) if instr.params["beta"] else np.zeros(columns, np.float32)
    return gamma, beta


def _deep(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """LayerNorm of alpha * x + gx: (x, gx, beta, gamma) -> (y, mean, variance).

    The page calls the last result the reciprocal deviation; the official sample (asc-devkit: examples/01_simd_cpp_api/
    04_advanced_api/02_normalization/deepnorm/scripts/gen_data.py) finds the variance there on the card.
    """
    x, inner = (_matrix(values, instr) for values in sources[:2])
    beta, gamma = sources[2:]
    matrix = np.float32(instr.params["alpha"]) * x + inner
    mean, variance = _moments(matrix, instr)
    factor = 1 / np.sqrt(variance + _epsilon(instr))
    return _scaled(matrix, mean, factor, gamma, beta), mean, variance


def _layer(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """LayerNorm that gives 1 / deviation: (x[, gamma][, beta]) -> (y, mean, 1 / deviation)."""
    matrix = _matrix(sources[0], instr)
    mean, variance = _moments(matrix, instr)
    factor = 1 / np.sqrt(variance + _epsilon(instr))
    gamma, beta = _optional(sources[1:], instr)
    second = factor if instr.params["rstd"] else variance
    return _results(instr, _scaled(matrix, mean, factor, gamma, beta), mean, second)


def _normalize(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """(x, mean, variance[, gamma][, beta]) -> (y[, 1 / deviation])."""
    matrix, (mean, variance) = _matrix(sources[0], instr), sources[1:3]
    factor = 1 / np.sqrt(variance + _epsilon(instr))
    gamma, beta = _optional(sources[3:], instr)
    return _results(instr, _scaled(matrix, mean, factor, gamma, beta), factor)


def _results(instr: Instr, *results: Array) -> tuple[Array, ...]:
    """As many of them as the instruction has room for."""
    return results[: len(instr.params["writes"])]


def _batch(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """Over the first axis: (x, gamma, beta) -> (y, mean, variance); gamma and beta have one value a row."""
    matrix = _matrix(sources[0], instr)
    gamma, beta = (values[: matrix.shape[0], None] for values in sources[1:])
    counted = matrix[: int(instr.params["columns"])]
    mean = counted.mean(axis=0)
    variance = ((counted - mean) ** 2).mean(axis=0)
    return (matrix - mean) / np.sqrt(variance + _epsilon(instr)) * gamma + beta, mean, variance


def _group(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """Every group of channels alike: (x, gamma, beta) -> (y, mean, variance). ``rows`` = images x channels."""
    groups, channels = int(instr.params["groups"]), int(instr.params["channels"])
    matrix = _matrix(sources[0], instr)
    columns = int(instr.params["columns"])
    whole = matrix[:, :columns].reshape(-1, channels // groups * columns)
    mean = whole.mean(axis=1)
    variance = ((whole - mean[:, None]) ** 2).mean(axis=1)
    each = channels // groups
    of_row, factor = np.repeat(mean, each), np.repeat(1 / np.sqrt(variance + _epsilon(instr)), each)
    images = matrix.shape[0] // channels
    gamma, beta = (np.tile(values[:channels], images)[:, None] for values in sources[1:])
    return (matrix - of_row[:, None]) * factor[:, None] * gamma + beta, mean, variance


def _welford_update(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """One more block of a row: (x, mean, m) -> (mean, m)."""
    x, mean, spread = sources
    count = int(instr.params["count_of"])
    moved, wider = mean.copy(), spread.copy()
    part = x[:count].astype(np.float32)
    delta = part - mean[:count]
    moved[:count] = mean[:count] + delta * np.float32(instr.params["factor"])
    wider[:count] = spread[:count] + delta * (part - moved[:count])
    return moved, wider


def _welford_finalize(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """All lanes of a row taken together: (mean, m[, counts]) -> (mean, variance)."""
    params = instr.params
    means, spreads = sources[:2]
    if len(sources) > 2:
        counts = sources[2].astype(np.float32)
    else:
        head, tail = int(params["head_length"]), int(params["tail_length"])
        both = np.array([params["head"], params["tail"]], dtype=np.float32)
        counts = np.repeat(both, [head, tail])
    share = np.float32(params["factor"])
    if len(sources) > 2 or int(params["tail"]):
        mean = (means * counts).sum() * share
    else:
        mean = means.sum() * np.float32(params["lanes_factor"])
    variance = ((spreads + counts * (means - mean) ** 2).sum()) * share
    return np.array([mean], np.float32), np.array([variance], np.float32)


OPS: Mapping[str, Semantic] = {
    "DeepNorm": Composed(_deep),
    "LayerNormRstd": Composed(_layer),
    "Normalize": Composed(_normalize),
    "BatchNorm": Composed(_batch),
    "GroupNorm": Composed(_group),
    "WelfordUpdate": Composed(_welford_update),
    "WelfordFinalize": Composed(_welford_finalize),
}
