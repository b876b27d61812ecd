"""Transpose and TransDataTo5HD: elements change places.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换/{Transpose,TransDataTo5HD}.md.
Both are a list of (from, to) pairs of elements; everything is read when the instruction starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import ITEMSIZE, Instr
from ascend_lab.engine.lanes import BLOCK
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import FIELD, Footprint, Form, Semantic
from ascend_lab.engine.semantics.gather import Offsets, at
from ascend_lab.engine.semantics.scratch import scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

_LIST = 16  # NCHW_CONV_ADDR_LIST_SIZE
_MOST = 1 << 18  # elements; more fit into no local memory
#: TransposeType -> order of the axes of src in dst
AXES = {"TRANSPOSE_NCHW2NHWC": (0, 2, 3, 1), "TRANSPOSE_NHWC2NCHW": (0, 3, 1, 2)}
SQUARE = ("TRANSPOSE_ND2ND_B16", "")


class Moves(NamedTuple):
    """Addresses of elements of ``size`` bytes: ``to[k]`` gets what is at ``origin[k]``."""

    size: int
    origin: Offsets
    to: Offsets


class Rearrangement:
    """An instruction that only moves elements."""

    def moves(self, instr: Instr) -> Moves:
        raise NotImplementedError

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst = instr.dst
        assert dst is not None
        moves = self.moves(instr)
        if moves.to.size == 0:
            return Footprint((), ())
        reads: tuple[Access, ...] = at(instr.srcs[0], moves.origin, moves.size)
        return Footprint(reads, at(dst, moves.to, moves.size) + scratch_access(instr))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, src = x.instr.dst, x.instr.srcs[0]
        assert dst is not None
        moves = self.moves(x.instr)
        if moves.to.size == 0:
            return []
        word = f"uint{moves.size * 8}"
        source, target = src._replace(dtype=word), dst._replace(dtype=word)
        values = core.local(src.space).gather(source, moves.origin - src.addr)
        write = core.local(dst.space).scatter(target, moves.to - dst.addr, values)
        return [*scratch_write(core, x.instr), write]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        moves = self.moves(instr)
        if moves.to.size == 0:
            return ()
        srcs = ((src.space, moves.size, moves.origin),)
        return (Flow("lanes", dst.space, moves.size, moves.to, srcs),)

    def repeats(self, instr: Instr, form: Form) -> float:
        """512 B iterations, as the transposing instruction goes."""
        moves = self.moves(instr)
        return -(-moves.to.size * moves.size // (_LIST * BLOCK))


class Transpose(Rearrangement):
    """``type`` "" or ND2ND_B16: 16 x 16 elements. The others: ``shape`` = (n, c, h, w) change axes.

    TRANSPOSE_TYPE_NONE moves nothing. NotModelled for the types that the page calls unsupported.
    """

    def moves(self, instr: Instr) -> Moves:
        dst, src = instr.dst, instr.srcs[0]
        assert dst is not None
        size = ITEMSIZE[src.dtype]
        kind = str(instr.params.get("type", ""))
        origin = _permuted(kind, tuple(instr.params.get("shape", (0, 0, 0, 0))))
        steps = np.arange(origin.size, dtype=np.int64) * size
        return Moves(size, src.addr + origin * size, dst.addr + steps)


@lru_cache(maxsize=32)
def _permuted(kind: str, shape: tuple[int, int, int, int]) -> Offsets:
    """Which source element each destination element is."""
    if kind in SQUARE:
        return np.arange(256, dtype=np.int64).reshape(16, 16).T.reshape(-1)
    if kind == "TRANSPOSE_TYPE_NONE":
        return np.zeros(0, dtype=np.int64)
    if kind not in AXES:
        raise NotModelled("Transpose", f"transposeType={kind}")
    n, c, h, w = (int(size) & FIELD for size in shape)
    n = min(n, _MOST // max(c * h * w, 1))
    order = (n, c, h, w) if kind.endswith("NHWC") else (n, h, w, c)
    numbers = np.arange(n * c * h * w, dtype=np.int64).reshape(order)
    return np.ascontiguousarray(numbers.transpose(AXES[kind])).reshape(-1)


class TransDataTo5HD(Rearrangement):
    """Element j of DataBlock i of the source list becomes element i of row j of the destination list.

    ``dst_list``, ``src_list``: 16 addresses each; ``times``, ``rep`` = (dst, src) repeat strides in 32 B; one
    iteration alone starts a stride further. 8-bit elements: ``dst_high``, ``src_high`` halves of the blocks,
    16 rows. 16-bit: 16 rows. 32-bit: 8 rows of two DataBlocks, dst_list[2j] and dst_list[2j + 1].
    """

    def moves(self, instr: Instr) -> Moves:
        params = instr.params
        size = ITEMSIZE[instr.srcs[0].dtype]
        times = int(params["times"]) & 0xFF
        first = int(times == 1)
        steps = (np.arange(times, dtype=np.int64) + first) * BLOCK
        dst_rep, src_rep = (int(stride) & FIELD for stride in params["rep"])
        origin, to = _one_iteration(
            size,
            tuple(params["dst_list"]),
            tuple(params["src_list"]),
            bool(params.get("dst_high")) and size == 1,
            bool(params.get("src_high")) and size == 1,
        )
        return Moves(
            size,
            (origin + (steps * src_rep)[:, None]).reshape(-1),
            (to + (steps * dst_rep)[:, None]).reshape(-1),
        )


@lru_cache(maxsize=64)
def _one_iteration(
    size: int,
    dst_list: tuple[int, ...],
    src_list: tuple[int, ...],
    dst_high: bool,
    src_high: bool,
) -> tuple[Offsets, Offsets]:
    """(from, to) addresses of the elements of one iteration."""
    rows = 8 if size == 4 else 16
    row, column = (index.reshape(-1) for index in np.mgrid[0:rows, 0:_LIST])
    sources = np.array(src_list, dtype=np.int64)
    targets = np.array(dst_list, dtype=np.int64)
    origin = sources[column] + row * size + src_high * 16
    if size == 4:
        to = targets[row * 2 + column // 8] + (column % 8) * size
    else:
        to = targets[row] + column * size + dst_high * 16
    return origin, to


OPS: Mapping[str, Semantic] = {"Transpose": Transpose(), "TransDataTo5HD": TransDataTo5HD()}
