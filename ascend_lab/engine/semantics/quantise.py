"""AscendQuant, AscendDequant, Broadcast: functions of the library on a matrix and one row of parameters.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作/{AscendQuant,AscendDequant}.md, 张量变换/Broadcast.md.
AscendQuant computes in half, also for float: the page's step 1. AscendDequant computes in float.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import BLOCK, REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic, accesses, peek
from ascend_lab.engine.semantics.gather import Offsets, at, contiguous
from ascend_lab.engine.semantics.lanewise import Lanewise
from ascend_lab.engine.semantics.library import WithScratch
from ascend_lab.engine.semantics.scratch import data_of, scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
_MOST = 1 << 18


def _quant(sources: list[Array], instr: Instr) -> Array:
    """saturate(rint(half(half(x) * scale) + offset)), every step rounded to half."""
    half = sources[0].astype(np.float16)
    scaled = half * np.float16(instr.params["scale"])
    return cast(scaled + np.float16(instr.params["offset"]), np.dtype(np.int8), "CAST_RINT")


class Dequant:
    """dst[i, j] = src[i, j] * scale[j] for the first ``calc`` of the ``columns`` of ``rows`` rows.

    srcs = (src[, scale tensor][, temporary buffer]), else ``scalar``. Rows of dst start 32 B apart or a multiple;
    what the page calls uncertain behind the first ``calc`` elements of a row stays as it was.
    """

    def _shape(self, instr: Instr) -> tuple[int, int, int, int]:
        """(rows, columns of src, elements of a row that count, columns of dst)."""
        assert instr.dst is not None
        params = instr.params
        rows, columns = int(params["rows"]), int(params["columns"])
        calc = min(int(params["calc"]), columns)
        each = BLOCK // ITEMSIZE[instr.dst.dtype]
        return min(rows, _MOST // max(columns, 1)), columns, calc, -(-columns // each) * each

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst = instr.dst
        assert dst is not None
        rows, columns, calc, wide = self._shape(instr)
        if not rows or not calc:
            return Footprint((), ())
        src, *scales = data_of(instr)
        reads: tuple[Access, ...] = accesses(src.space, _runs(src, rows, columns, calc))
        for ref in scales:
            reads += contiguous(ref, calc)
        writes = accesses(dst.space, _runs(dst, rows, wide, calc))
        return Footprint(reads, writes + scratch_access(instr))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        dst = instr.dst
        assert dst is not None
        rows, columns, calc, wide = self._shape(instr)
        if not rows or not calc:
            return []
        src, *scales = data_of(instr)
        flat = np.zeros(rows * columns, dtype=np.int32)
        count = (rows - 1) * columns + calc
        flat[:count] = peek(core.local(src.space), src, count)
        values = flat.reshape(rows, columns)[:, :calc].astype(np.float32)
        dtype = DTYPES[dst.dtype]
        result = (values * self._scale(core, instr, scales, calc)).astype(dtype).reshape(-1)
        row, column = (index.reshape(-1) for index in np.mgrid[0:rows, 0:calc])
        offsets = (row * wide + column) * dtype.itemsize
        return [*scratch_write(core, instr), core.local(dst.space).scatter(dst, offsets, result)]

    def _scale(self, core: Core, instr: Instr, scales: list[Ref], calc: int) -> Any:
        if not scales:
            return np.float32(instr.params["scalar"])
        if scales[0].dtype == "uint64":
            raise NotModelled("AscendDequant", "deqScale of uint64_t")
        return peek(core.local(scales[0].space), scales[0], calc).astype(np.float32)

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst = instr.dst
        assert dst is not None
        rows, columns, calc, wide = self._shape(instr)
        if not rows or not calc:
            return ()
        src, *scales = data_of(instr)
        size = ITEMSIZE[dst.dtype]
        row, column = (index.reshape(-1) for index in np.mgrid[0:rows, 0:calc])
        srcs = [(src.space, 4, src.addr + (row * columns + column) * 4)]
        for ref in scales:
            each = ITEMSIZE[ref.dtype]
            srcs.append((ref.space, each, ref.addr + column * each))
        target = dst.addr + (row * wide + column) * size
        return (Flow("lanes", dst.space, size, target, tuple(srcs)),)

    def repeats(self, instr: Instr, form: Form) -> float:
        rows, columns, *_ = self._shape(instr)
        return -(-rows * columns * 4 // REPEAT)


def _runs(ref: Ref, rows: int, pitch: int, count: int) -> tuple[tuple[int, int], ...]:
    """The bytes of the first ``count`` elements of every row."""
    size = ITEMSIZE[ref.dtype]
    if pitch == count:
        return ((ref.addr, ref.addr + rows * pitch * size),)
    starts = range(ref.addr, ref.addr + rows * pitch * size, pitch * size)
    return tuple((low, low + count * size) for low in starts)


class Broadcast:
    """A shape of one or two axes repeated along one that is 1 in ``src_shape``."""

    def _origin(self, instr: Instr) -> Offsets:
        """Which source element each destination element is."""
        dst_shape, src_shape = (tuple(instr.params[name]) for name in ("dst_shape", "src_shape"))
        if len(dst_shape) != len(src_shape) or any(
            have not in (1, want) for have, want in zip(src_shape, dst_shape, strict=True)
        ):
            raise NotModelled("Broadcast", f"{src_shape} -> {dst_shape}")
        count = int(np.prod(src_shape, dtype=np.int64))
        if int(np.prod(dst_shape, dtype=np.int64)) > _MOST:
            raise NotModelled("Broadcast", f"dst_shape={dst_shape}")
        numbers = np.arange(count, dtype=np.int64).reshape(src_shape)
        return np.ascontiguousarray(np.broadcast_to(numbers, dst_shape)).reshape(-1)

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        origin = self._origin(instr)
        size = ITEMSIZE[src.dtype]
        reads = at(src, src.addr + origin * size, size)
        if not reads:
            return Footprint((), ())
        return Footprint(reads, contiguous(dst, origin.size) + scratch_access(instr))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        origin = self._origin(x.instr)
        if origin.size == 0:
            return []
        values = core.local(src.space).gather(src, origin * ITEMSIZE[src.dtype])
        memory = core.local(dst.space)
        same = dst._replace(dtype=src.dtype)
        return [*scratch_write(core, x.instr), memory.store_contiguous(same, values)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        origin, size = self._origin(instr), ITEMSIZE[src.dtype]
        if origin.size == 0:
            return ()
        target = dst.addr + np.arange(origin.size, dtype=np.int64) * size
        srcs = ((src.space, size, src.addr + origin * size),)
        return (Flow("lanes", dst.space, size, target, srcs),)

    def repeats(self, instr: Instr, form: Form) -> float:
        return -(-self._origin(instr).size * ITEMSIZE[instr.srcs[0].dtype] // REPEAT)


OPS: Mapping[str, Semantic] = {
    "AscendQuant": WithScratch(Lanewise(_quant)),
    "AscendDequant": Dequant(),
    "Broadcast": Broadcast(),
}
