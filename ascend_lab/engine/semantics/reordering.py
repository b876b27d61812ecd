"""Functions of the library that only move elements: Pad, UnPad, TransData, the Transpose of the library.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/张量变换/{Pad,UnPad,TransData,Transpose-96}.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr
from ascend_lab.engine.lanes import REPEAT
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic
from ascend_lab.engine.semantics.gather import at, contiguous
from ascend_lab.engine.semantics.scratch import scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

#: For each element of the result, the number of the source's; -1: ``value``.
Origin = NDArray[np.int64]
_MOST = 1 << 18
_EDGE = 16  # of a fractal


class Moved:
    """``dst[i] = src[origin[i]]``."""

    def __init__(self, origin: Callable[[Instr], Origin]) -> None:
        self._origin = origin

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        origin = self._origin(instr)
        if origin.size == 0:
            return Footprint((), ())
        size = ITEMSIZE[src.dtype]
        used = origin[origin >= 0]
        reads = at(src, src.addr + used * size, size) if used.size else ()
        return Footprint(reads, contiguous(dst, origin.size) + scratch_access(instr))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        origin = self._origin(x.instr)
        if origin.size == 0:
            return []
        size = ITEMSIZE[src.dtype]
        values = core.local(src.space).gather(src, np.maximum(origin, 0) * size).copy()
        if (origin < 0).any():
            values[origin < 0] = np.array(x.instr.params.get("value", 0)).astype(DTYPES[src.dtype])
        same = dst._replace(dtype=src.dtype)
        return [*scratch_write(core, x.instr), core.local(dst.space).store_contiguous(same, values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        origin, size = self._origin(instr), ITEMSIZE[src.dtype]
        if origin.size == 0:
            return ()
        target = dst.addr + np.arange(origin.size, dtype=np.int64) * size
        addresses = np.where(origin < 0, -1, src.addr + origin * size)
        return (Flow("lanes", dst.space, size, target, ((src.space, size, addresses),)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return -(-self._origin(instr).size * ITEMSIZE[instr.srcs[0].dtype] // REPEAT)


def _sizes(instr: Instr, name: str = "shape") -> tuple[int, ...]:
    sizes = tuple(max(int(size), 0) for size in instr.params[name])
    if int(np.prod([max(size, 1) for size in sizes], dtype=np.float64)) > _MOST:
        raise NotModelled(instr.op, f"{name}={sizes}")
    return sizes


def _numbers(shape: tuple[int, ...]) -> Origin:
    return np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)


def _flat(origin: Origin) -> Origin:
    return np.ascontiguousarray(origin).reshape(-1)


def _pad(instr: Instr) -> Origin:
    """Rows of ``width`` elements, ``valid`` of which count, get ``left`` and ``right`` more of ``value``."""
    height, width = _sizes(instr)
    valid, left, right = (int(instr.params[name]) for name in ("valid", "left", "right"))
    padded = np.full((height, left + valid + right), -1, dtype=np.int64)
    padded[:, left : left + valid] = _numbers((height, width))[:, :valid]
    return _flat(padded)


def _unpad(instr: Instr) -> Origin:
    """Rows lose ``right`` elements at their end."""
    height, width = _sizes(instr)
    return _flat(_numbers((height, width))[:, : max(width - int(instr.params["right"]), 0)])


def _trans_data(instr: Instr) -> Origin:
    """``shape`` = (n, c, d, h, w); h x w lies in ``plane`` elements where the format is NCDHW."""
    n, c, d, h, w = _sizes(instr)
    kind, plane = str(instr.params["kind"]), int(instr.params["plane"])
    c1, n1 = -(-c // _EDGE), -(-n // _EDGE)
    dense = np.full((n, c, d, plane), -1, dtype=np.int64)
    if kind in ("NCDHW>NDC1HWC0", "NCDHW>FRACTAL_Z_3D"):
        whole = np.full((n1 * _EDGE, c1 * _EDGE, d, h * w), -1, dtype=np.int64)
        whole[:n, :c] = _numbers((n, c, d, plane))[..., : h * w]
        if kind.endswith("C0"):
            parts = whole[:n].reshape(n, c1, _EDGE, d, h * w)
            return _flat(parts.transpose(0, 3, 1, 4, 2))
        parts = whole.reshape(n1, _EDGE, c1, _EDGE, d, h * w)
        return _flat(parts.transpose(4, 2, 5, 0, 1, 3))
    if kind == "NDC1HWC0>NCDHW":
        source = _numbers((n, d, c1, h * w, _EDGE)).transpose(0, 2, 4, 1, 3)
        dense[..., : h * w] = source.reshape(n, c1 * _EDGE, d, h * w)[:, :c]
    elif kind == "FRACTAL_Z_3D>NCDHW":
        source = _numbers((d, c1, h * w, n1, _EDGE, _EDGE)).transpose(3, 4, 1, 5, 0, 2)
        dense[..., : h * w] = source.reshape(n1 * _EDGE, c1 * _EDGE, d, h * w)[:n, :c]
    else:
        raise NotModelled("TransData", kind)
    return _flat(dense)


def _from_fractals(shape: tuple[int, ...]) -> Origin:
    """Where element (..., row, column) lies in NZ: (..., column / 16, row / 16, 16, 16)."""
    *outer, rows, columns = shape
    wide = -(-columns // _EDGE)
    stored = _numbers((*outer, wide, rows // _EDGE, _EDGE, _EDGE))
    plain = np.moveaxis(stored, -4, -2).reshape(*outer, rows, wide * _EDGE)
    return plain[..., :columns]


def _to_fractals(origin: Origin) -> Origin:
    """Elements (..., row, column) in the order of NZ; rows and columns filled up to 16."""
    *outer, rows, columns = origin.shape
    high, wide = -(-rows // _EDGE), -(-columns // _EDGE)
    full = np.full((*outer, high * _EDGE, wide * _EDGE), -1, dtype=np.int64)
    full[..., :rows, :columns] = origin
    parts = full.reshape(*outer, high, _EDGE, wide, _EDGE)
    return _flat(np.moveaxis(parts, -2, -4))


def _confusion(instr: Instr) -> Origin:
    """The seven kinds of the page. ``shape`` = (b, n, s, h / n); of the kinds 3 and 4 what becomes of (b, s, h)."""
    kind = str(instr.params["type"])
    if kind == "TRANSPOSE_ND2ND_ONLY":
        height, width = _sizes(instr)
        return _flat(_numbers((height, width)).T)
    b, n, s, part = _sizes(instr)
    if kind.endswith("WITH_N"):
        split = _from_fractals((b, s, n * part)).reshape(b, s, n, part).transpose(0, 2, 1, 3)
        return _to_fractals(split) if "2NZ" in kind else _row_blocks(split)
    turned = _from_fractals((b, n, s, part)).transpose(0, 2, 1, 3)
    if kind == "TRANSPOSE_NZ2ND_0213":
        return _flat(turned)
    if kind == "TRANSPOSE_NZ2NZ_0213":
        return _to_fractals(turned)
    joined = turned.reshape(b, s, n * part)
    return _to_fractals(joined) if "2NZ" in kind else _row_blocks(joined)


def _row_blocks(origin: Origin) -> Origin:
    """ND rows filled up to 16 elements."""
    *outer, columns = origin.shape
    full = np.full((*outer, -(-columns // _EDGE) * _EDGE), -1, dtype=np.int64)
    full[..., :columns] = origin
    return _flat(full)


OPS: Mapping[str, Semantic] = {
    "Pad": Moved(_pad),
    "UnPad": Moved(_unpad),
    "TransData": Moved(_trans_data),
    "ConfusionTranspose": Moved(_confusion),
}
