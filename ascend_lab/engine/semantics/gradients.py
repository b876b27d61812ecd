"""The gradients of LayerNorm. All steps are computed in float and rounded once.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作/{LayerNormGrad,LayerNormGradBeta}.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic, peek
from ascend_lab.engine.semantics.gather import contiguous
from ascend_lab.engine.semantics.scratch import data_of, scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
_MOST = 1 << 18  # elements; more fit into no local memory


def _shape(instr: Instr) -> tuple[int, int, int]:
    """(rows, elements of a row that count, elements from one row to the next)."""
    columns = min(max(int(instr.params["columns"]), 0), _MOST)
    pitch = min(max(int(instr.params.get("pitch", columns)), columns), _MOST)
    rows = max(int(instr.params["rows"]), 0)
    return min(rows, _MOST // max(pitch, 1)), columns, pitch


def _values(core: Core, ref: Ref, count: int) -> Array:
    return peek(core.local(ref.space), ref, count).astype(np.float32)


def _matrix(core: Core, ref: Ref, rows: int, columns: int, pitch: int) -> Array:
    return _values(core, ref, rows * pitch).reshape(rows, pitch)[:, :columns]


def _store(core: Core, ref: Ref, values: Array) -> Write:
    converted = np.ascontiguousarray(values.astype(DTYPES[ref.dtype]).reshape(-1))
    return core.local(ref.space).store_contiguous(ref, converted)


def _padded(values: Array, pitch: int) -> Array:
    """Rows as wide as ``pitch``: what lies behind a row's elements is 0."""
    wide = np.zeros((values.shape[0], pitch), dtype=values.dtype)
    wide[:, : values.shape[1]] = values
    return wide


def _addresses(ref: Ref, index: Array) -> tuple[str, int, Array]:
    size = ITEMSIZE[ref.dtype]
    return ref.space, size, ref.addr + index * size


class LayerNormGrad:
    """srcs = (dy, x, variance, mean, gamma, second result[, temporary buffer]).

    ``dst`` is the gradient of x; the second result, written and not read, is what LayerNormGradBeta takes.
    """

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        rows, columns, pitch = _shape(instr)
        if not rows or not columns:
            return Footprint((), ())
        dy, x, variance, mean, gamma, second = data_of(instr)
        reads: tuple[Access, ...] = ()
        for ref, count in ((dy, rows * pitch), (x, rows * pitch), (variance, rows), (mean, rows)):
            reads += contiguous(ref, count)
        reads += contiguous(gamma, columns)
        assert instr.dst is not None
        writes = contiguous(instr.dst, rows * pitch) + contiguous(second, rows * pitch)
        return Footprint(reads, writes + scratch_access(instr))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        rows, columns, pitch = _shape(instr)
        if not rows or not columns:
            return []
        dy, source, variance, mean, gamma, second = data_of(instr)
        inner = _matrix(core, dy, rows, columns, pitch) * _values(core, gamma, columns)
        centred = _matrix(core, source, rows, columns, pitch) - _values(core, mean, rows)[:, None]
        epsilon = np.float32(instr.params["epsilon"])
        scale = 1 / np.sqrt(_values(core, variance, rows) + epsilon)[:, None]
        each = np.float32(1 / columns)
        of_variance = (np.float32(-0.5) * inner * centred * scale**3).sum(axis=1, keepdims=True)
        of_mean = (-inner * scale).sum(axis=1, keepdims=True)
        of_mean += of_variance * each * (-2 * centred).sum(axis=1, keepdims=True)
        result = inner * scale + of_variance * (2 * each) * centred + of_mean * each
        assert instr.dst is not None
        return [
            *scratch_write(core, instr),
            _store(core, second, _padded(centred * scale, pitch)),
            _store(core, instr.dst, _padded(result, pitch)),
        ]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        rows, columns, pitch = _shape(instr)
        dst = instr.dst
        assert dst is not None
        if not rows or not columns:
            return ()
        dy, source, variance, mean, gamma, second = data_of(instr)
        row, column = (index.reshape(-1) for index in np.mgrid[0:rows, 0:columns])
        at = row * pitch + column
        shared = (_addresses(source, at), _addresses(variance, row), _addresses(mean, row))
        weighted = (_addresses(dy, at), *shared, _addresses(gamma, column))
        return (
            Flow("lanes", *_addresses(second, at), shared),
            Flow("lanes", *_addresses(dst, at), weighted),
        )

    def repeats(self, instr: Instr, form: Form) -> float:
        """256 B iterations over the matrix."""
        rows, _, pitch = _shape(instr)
        return -(-rows * pitch * ITEMSIZE[instr.srcs[0].dtype] // REPEAT)


class LayerNormGradBeta:
    """srcs = (what LayerNormGrad left, dy, gradient of beta[, temporary buffer]); ``dst``: that of gamma.

    The gradient of beta is written, not read. Both are sums over all rows.
    """

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        rows, columns, pitch = _shape(instr)
        if not rows or not columns:
            return Footprint((), ())
        left, dy, beta = data_of(instr)
        assert instr.dst is not None
        reads = contiguous(left, rows * pitch) + contiguous(dy, rows * pitch)
        writes = contiguous(instr.dst, columns) + contiguous(beta, columns)
        return Footprint(reads, writes + scratch_access(instr))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        rows, columns, pitch = _shape(instr)
        if not rows or not columns:
            return []
        left, dy, beta = data_of(instr)
        incoming = _matrix(core, dy, rows, columns, pitch)
        product = incoming * _matrix(core, left, rows, columns, pitch)
        assert instr.dst is not None
        return [
            *scratch_write(core, instr),
            _store(core, beta, incoming.sum(axis=0)),
            _store(core, instr.dst, product.sum(axis=0)),
        ]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        rows, columns, pitch = _shape(instr)
        dst = instr.dst
        assert dst is not None
        if not rows or not columns:
            return ()
        left, dy, beta = data_of(instr)
        steps = np.arange(columns, dtype=np.int64)
        table = steps[:, None] + np.arange(rows, dtype=np.int64) * pitch
        return (
            Flow("reduce", *_addresses(beta, steps), (_addresses(dy, table),)),
            Flow(
                "reduce", *_addresses(dst, steps), (_addresses(left, table), _addresses(dy, table))
            ),
        )

    def repeats(self, instr: Instr, form: Form) -> float:
        """256 B iterations over the matrix."""
        rows, _, pitch = _shape(instr)
        return -(-rows * pitch * ITEMSIZE[instr.srcs[0].dtype] // REPEAT)


OPS: Mapping[str, Semantic] = {
    "LayerNormGrad": LayerNormGrad(),
    "LayerNormGradBeta": LayerNormGradBeta(),
}
