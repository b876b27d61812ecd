"""Functions of the library that work on the rows of a matrix: SoftMax, LogSoftMax, RmsNorm, LayerNorm, Sum, Mean.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/{激活函数/SoftMax接口,激活函数/LogSoftMax接口,归一化操作,
归约操作/{Sum接口,Mean接口}}/*.md. ``rows`` x ``columns`` elements; all steps are computed in float and rounded once. The order
of summation is NumPy's; the pages promise none.

``dst`` is the main result. Further results are sources of the instruction that are written, not read: `Results`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic, accesses, peek
from ascend_lab.engine.semantics.gather import contiguous
from ascend_lab.engine.semantics.scratch import data_of, scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
Outcome = tuple[Array, ...]
_MOST = 1 << 18  # elements; more fit into no local memory
_LOG10_E = np.float32(0.4342944819)


class Results(NamedTuple):
    """What an instruction computes: ``compute(matrix, vectors, instr)`` -> (main result, one a further result).

    ``vectors``: sources of one row that come after the matrix. ``further``: results after them. ``block``: a
    further result fills a DataBlock a row; else it is one element a row. ``same``: the main result is a
    matrix; else one element a row.
    """

    compute: Callable[[Array, list[Array], Instr], Outcome]
    vectors: int = 0
    further: int = 0
    block: bool = False
    same: bool = True


class RowWise:
    """srcs = (matrix, vectors..., further results...[, temporary buffer])."""

    def __init__(self, results: Results) -> None:
        self.results = results

    def _shape(self, instr: Instr) -> tuple[int, int, int]:
        """(rows, elements of a row that count, elements from one row to the next)."""
        columns = max(int(instr.params["columns"]), 0)
        pitch = max(int(instr.params.get("pitch", columns)), columns)
        rows = max(int(instr.params["rows"]), 0)
        return min(rows, _MOST // max(pitch, 1)), min(columns, _MOST), min(pitch, _MOST)

    def _parts(self, instr: Instr) -> tuple[Ref, tuple[Ref, ...], tuple[Ref, ...]]:
        """(matrix, vectors, further results)."""
        refs = data_of(instr)
        split = 1 + self.results.vectors
        return refs[0], refs[1:split], refs[split : split + self.results.further]

    def _each(self, ref: Ref) -> int:
        """Elements of a further result in one row."""
        return BLOCK // ITEMSIZE[ref.dtype] if self.results.block else 1

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst = instr.dst
        assert dst is not None
        rows, columns, pitch = self._shape(instr)
        if not rows or not columns:
            return Footprint((), ())
        matrix, vectors, further = self._parts(instr)
        reads: tuple[Access, ...] = _row_access(matrix, rows, columns, pitch)
        for ref in vectors:
            reads += contiguous(ref, columns)
        if self.results.same:
            writes = _row_access(dst, rows, columns, pitch)
        else:
            writes = contiguous(dst, rows)
        for ref in further:
            writes += contiguous(ref, rows * self._each(ref))
        return Footprint(reads, writes + scratch_access(instr))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        dst = instr.dst
        assert dst is not None
        rows, columns, pitch = self._shape(instr)
        if not rows or not columns:
            return []
        matrix, vectors, further = self._parts(instr)
        source = _matrix(core, matrix, rows, columns, pitch)
        weights = [peek(core.local(ref.space), ref, columns).astype(np.float32) for ref in vectors]
        main, *more = self.results.compute(source, weights, instr)
        writes = scratch_write(core, instr)
        for ref, values in zip(further, more, strict=True):
            spread = np.repeat(values, self._each(ref))
            writes.append(_whole(core, ref, spread))
        if self.results.same:
            writes += _store_rows(core, dst, main, pitch)
        else:
            writes.append(_whole(core, dst, main))
        return writes

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """A result follows its own element; it is lost only when its whole row is.

        The reduction of each row comes first: whether padding changed it is told from there.
        """
        dst = instr.dst
        assert dst is not None
        rows, columns, pitch = self._shape(instr)
        if not rows or not columns:
            return ()
        matrix, vectors, further = self._parts(instr)
        size, target = ITEMSIZE[matrix.dtype], ITEMSIZE[dst.dtype]
        steps = np.arange(columns, dtype=np.int64)
        starts = np.arange(rows, dtype=np.int64) * pitch
        origin = matrix.addr + (starts[:, None] + steps) * size
        first = dst.addr + (starts if self.results.same else np.arange(rows)) * target
        flows: list[AnyFlow] = [
            Flow("reduce", dst.space, target, first, ((matrix.space, size, origin),))
        ]
        beside = tuple(
            (ref.space, ITEMSIZE[ref.dtype], ref.addr + steps * ITEMSIZE[ref.dtype])
            for ref in vectors
        )
        for row in range(rows if self.results.same else 0):
            table = (matrix.space, size, origin[row])
            into = first[row] + steps * target
            srcs = ((matrix.space, size, origin[row]), table, *beside)
            flows.append(Flow("table", dst.space, target, into, srcs))
        for ref in further:
            flows += self._further_flow(ref, matrix, origin)
        return tuple(flows)

    def _further_flow(self, ref: Ref, matrix: Ref, origin: NDArray[np.int64]) -> list[AnyFlow]:
        each, size = self._each(ref), ITEMSIZE[ref.dtype]
        into = ref.addr + np.arange(origin.shape[0] * each, dtype=np.int64).reshape(-1, each) * size
        nothing = np.full(each, -1, dtype=np.int64)
        source = (matrix.space, ITEMSIZE[matrix.dtype])
        return [
            Flow("table", ref.space, size, into[row], ((*source, nothing), (*source, origin[row])))
            for row in range(origin.shape[0])
        ]

    def repeats(self, instr: Instr, form: Form) -> float:
        """256 B iterations over the matrix."""
        rows, _, pitch = self._shape(instr)
        return -(-rows * pitch * ITEMSIZE[instr.srcs[0].dtype] // REPEAT)


def _row_access(ref: Ref, rows: int, columns: int, pitch: int) -> tuple[Access, ...]:
    """The bytes of the rows."""
    if columns == pitch:
        return contiguous(ref, rows * pitch)
    size = ITEMSIZE[ref.dtype]
    starts = range(ref.addr, ref.addr + rows * pitch * size, pitch * size)
    return accesses(ref.space, tuple((low, low + columns * size) for low in starts))


def _matrix(core: Core, ref: Ref, rows: int, columns: int, pitch: int) -> Array:
    """The rows in float."""
    count = (rows - 1) * pitch + columns
    flat = np.zeros(rows * pitch, dtype=np.float32)
    flat[:count] = peek(core.local(ref.space), ref, count)
    return flat.reshape(rows, pitch)[:, :columns]


def _whole(core: Core, ref: Ref, values: Array) -> Write:
    converted = np.ascontiguousarray(values.astype(DTYPES[ref.dtype]))
    return core.local(ref.space).store_contiguous(ref, converted)


def _store_rows(core: Core, ref: Ref, values: Array, pitch: int) -> list[Write]:
    rows, columns = values.shape
    if columns == pitch:
        return [_whole(core, ref, values.reshape(-1))]
    step = pitch * ITEMSIZE[ref.dtype]
    return [_whole(core, ref._replace(addr=ref.addr + k * step), values[k]) for k in range(rows)]


# --- what is computed ---------------------------------------------------------------------------------


def _softmax(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    """(exp(x - max) / sum[, sum, max])."""
    largest = matrix.max(axis=1)
    raised = np.exp(matrix - largest[:, None])
    total = raised.sum(axis=1)
    return raised / total[:, None], total, largest


@np.errstate(divide="ignore")
def _log_softmax(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    """(log10 of softmax, sum, max): ln times 0.4342944819, as the page's reference and the library do."""
    result, total, largest = _softmax(matrix, vectors, instr)
    return np.log(result) * _LOG10_E, total, largest


def _rms_norm(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    """x / sqrt(mean(x * x) + epsilon) * gamma."""
    mean = (matrix * matrix).mean(axis=1) + np.float32(instr.params["epsilon"])
    return (matrix / np.sqrt(mean)[:, None] * vectors[0],)


def _layer_norm(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    """((x - mean) / sqrt(variance + epsilon) * gamma + beta, mean, variance)."""
    mean = matrix.mean(axis=1)
    centred = matrix - mean[:, None]
    variance = (centred * centred).mean(axis=1)
    scale = np.sqrt(variance + np.float32(instr.params["epsilon"]))
    gamma, beta = vectors
    return centred / scale[:, None] * gamma + beta, mean, variance


def _sum(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    return (matrix.sum(axis=1),)


def _mean(matrix: Array, vectors: list[Array], instr: Instr) -> Outcome:
    return (matrix.mean(axis=1),)


OPS: Mapping[str, Semantic] = {
    "SoftMax": RowWise(Results(_softmax, further=2, block=True)),
    "LogSoftMax": RowWise(Results(_log_softmax, further=2, block=True)),
    "RmsNorm": RowWise(Results(_rms_norm, vectors=1)),
    "LayerNorm": RowWise(Results(_layer_norm, vectors=2, further=2)),
    "Sum": RowWise(Results(_sum, same=False)),
    "Mean": RowWise(Results(_mean, same=False)),
}
