"""Reductions of a matrix along one axis, running sums, masks of bytes, antiquantisation, numbering.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/{归约操作,数学计算/CumSum接口,数据过滤,索引计算,量化操作}/*.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, Instr
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.composed import Composed
from ascend_lab.engine.semantics.form import Semantic

Array = NDArray[Any]


def _along(reduce: Callable[..., Array]) -> Composed:
    """``rows`` x ``pitch`` elements, ``columns`` of a row count: one result a row, or with ``first`` one a column."""

    def compute(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
        matrix = sources[0].reshape(int(instr.params["rows"]), -1)
        if instr.params["first"]:
            return (np.asarray(reduce(matrix, axis=0)).astype(matrix.dtype),)
        valid = matrix[:, : int(instr.params["columns"])]
        return (np.asarray(reduce(valid, axis=1)).astype(matrix.dtype),)

    return Composed(compute)


def _xor_sum(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """The sum of a ^ b, saturated to int16."""
    total = int(np.bitwise_xor(*sources).astype(np.int64).sum())
    return (np.array([min(max(total, -32768), 32767)], dtype=np.int16),)


def _cumsum(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """Running sums along the last axis or the first; maybe the last row once more."""
    matrix = sources[0].reshape(int(instr.params["rows"]), -1)
    summed = np.cumsum(matrix, axis=0 if instr.params["first"] else 1, dtype=matrix.dtype)
    return (summed, summed[-1])[: len(instr.params["writes"])]


def _dropout(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """x / keep where the mask, a byte or with ``bits`` a bit, is set; 0 elsewhere."""
    values, mask = sources
    rows, columns = int(instr.params["rows"]), int(instr.params["columns"])
    kept = mask.reshape(rows, -1)
    if instr.params["bits"]:
        kept = np.unpackbits(kept, axis=1, bitorder="little")
    chosen = kept[:, :columns].reshape(-1) != 0
    keep = np.float32(instr.params["keep"])
    return (np.where(chosen, values / keep, np.float32(0)),)


def _select_bytes(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """Where the mask is 0 the first of the two, else the second; one of them is ``scalar``."""
    values, mask = sources
    rows, columns = int(instr.params["rows"]), int(instr.params["columns"])
    zero = mask.reshape(rows, -1)[:, :columns].reshape(-1) == 0
    scalar = np.float32(instr.params["scalar"])
    first, second = (scalar, values) if instr.params["swapped"] else (values, scalar)
    return (np.where(zero, first, second),)


def _antiquant(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """(x + offset) * scale, in half, or in float where the result is bfloat16.

    Scale and offset are numbers, or of ``groups`` x ``wide`` elements: a row of them serves rows / groups rows,
    with ``transposed`` a column of them serves columns / wide columns.
    """
    params = instr.params
    rows, columns = int(params["rows"]), int(params["columns"])
    assert instr.dst is not None
    kind = np.float32 if instr.dst.dtype == "bfloat16" else np.float16
    x = sources[0].reshape(rows, columns).astype(np.float16).astype(kind)
    given = list(sources[1:])
    offset = _factor(given, "offset", params, kind)
    scale = _factor(given, "scale", params, kind)
    return ((x + offset) * scale,)


def _factor(given: list[Array], name: str, params: Mapping[str, Any], kind: type) -> Any:
    if f"{name}_at" not in params:
        return kind(params[name])
    values: Array = given[int(params[f"{name}_at"])].astype(kind)
    table = values.reshape(int(params["groups"]), int(params["wide"]))
    rows, columns = int(params["rows"]), int(params["columns"])
    return np.repeat(np.repeat(table, rows // table.shape[0], 0), columns // table.shape[1], 1)


def _quant_rows(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """saturate(rint(x * scale + offset)), every step in half; a row of scales serves so many elements, and again."""
    half = [values.astype(np.float16) for values in sources]
    times = -(-half[0].size // max(half[1].size, 1))
    scale = np.tile(half[1], times)[: half[0].size]
    offset = np.tile(half[2], times)[: half[0].size] if len(half) > 2 else None
    moved = half[0] * scale + (np.float16(instr.params["offset"]) if offset is None else offset)
    return (cast(moved, np.dtype(np.int8), "CAST_RINT"),)


def _arange(sources: list[Array], instr: Instr) -> tuple[Array, ...]:
    """first + step * k, in the type of the result; half in float."""
    assert instr.dst is not None
    dtype = DTYPES[instr.dst.dtype]
    wide = dtype if dtype.kind == "i" else np.dtype(np.float32)
    steps = np.arange(int(instr.params["writes"][0])).astype(wide)
    return (wide.type(instr.params["from"]) + steps * wide.type(instr.params["step"]),)


OPS: Mapping[str, Semantic] = {
    "ReduceSumRows": _along(np.sum),
    "ReduceMaxRows": _along(np.max),
    "ReduceMinRows": _along(np.min),
    "ReduceMeanRows": _along(np.mean),
    "ReduceProdRows": _along(np.prod),
    "ReduceAnyRows": _along(np.any),
    "ReduceAllRows": _along(np.all),
    "ReduceXorSum": Composed(_xor_sum),
    "CumSum": Composed(_cumsum),
    "DropOut": Composed(_dropout),
    "SelectBytes": Composed(_select_bytes),
    "AscendAntiQuant": Composed(_antiquant),
    "AscendQuantRows": Composed(_quant_rows),
    "Arange": Composed(_arange),
}
