"""The kernels of the vocabulary, written for the Python door as the published samples are written in Ascend C."""

from __future__ import annotations

from typing import Any

import ascend_lab.asc as asc
from benchmarks.silicon_cases.vocabulary import Model

UB = asc.TPosition.VECCALC
_FLAGS = asc.HardEvent


def dtype_of(model: Model) -> Any:
    return getattr(asc, model.dtype)


def part(total: int, parts: int, index: int) -> tuple[int, int]:
    """(first, count) of `index` when `total` rows are split evenly; the first ones get one more."""
    base, more = divmod(total, parts)
    return index * base + min(index, more), base + (index < more)


# --- element-wise chains --------------------------------------------------------------------------


def places(model: Model) -> dict[str, list[int]]:
    """Name of a tensor in UB -> the address of each of its buffers."""
    if model.ub is not None:
        return {name: list(found) for name, found in model.ub.items()}
    size = model.tile[0] * dtype_of(model).sizeof()
    names = [*model.inputs, "z"]
    for op in model.ops:
        names += [word for word in op[1:] if isinstance(word, str) and word not in names]
    return {
        name: [(buffer * len(names) + number) * size for buffer in range(model.buffers)]
        for number, name in enumerate(names)
    }


def elementwise(model: Model) -> Any:
    """The kernel of add_high_performance and its like: static tensors, flags by hand."""

    @asc.jit
    def kernel(inputs: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
        Chain(model, inputs, z).run()

    return kernel


class Chain:
    """One block of an element-wise kernel; the inputs lie behind each other in one array."""

    def __init__(self, model: Model, inputs: Any, z: Any) -> None:
        self.model = model
        rows, columns = model.shape
        first, count = part(rows, model.cores, int(asc.get_block_idx()))
        self.first, self.length = first * columns, count * columns
        self.gm: dict[str, Any] = {}
        for number, name in enumerate(model.inputs):
            self._bind(name, inputs, number * rows * columns)
        self._bind("z", z, 0)
        kind = dtype_of(model)
        self.local = {
            name: [asc.LocalTensor(kind, UB, at, model.tile[0]) for at in found]
            for name, found in places(model).items()
        }
        self.steps = [(getattr(asc, op[0]), op[1:]) for op in model.ops]

    def _bind(self, name: str, array: Any, skip: int) -> None:
        tensor = asc.GlobalTensor()
        tensor.set_global_buffer(array + (skip + self.first), self.length)
        if name in self.model.bypass:
            tensor.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
        self.gm[name] = tensor

    def run(self) -> None:
        double = self.model.buffers == 2
        if double:
            for ident in range(2):
                asc.set_flag(_FLAGS.V_MTE2, ident)
                asc.set_flag(_FLAGS.MTE3_V, ident)
        tile = self.model.tile[0]
        tiles = -(-self.length // tile)
        for number in range(tiles):
            start = number * tile
            self._tile(start, min(tile, self.length - start), number, tiles, double)
        if double:
            for ident in range(2):
                asc.wait_flag(_FLAGS.V_MTE2, ident)
                asc.wait_flag(_FLAGS.MTE3_V, ident)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)

    def _tile(self, start: int, count: int, number: int, tiles: int, double: bool) -> None:
        ident = number % 2 if double else 0
        local = {name: found[ident % len(found)] for name, found in self.local.items()}
        if double or number:
            asc.wait_flag(_FLAGS.V_MTE2, ident)
        for name in self.model.inputs:
            asc.data_copy(local[name], self.gm[name][start], count)
        asc.set_flag(_FLAGS.MTE2_V, ident)
        asc.wait_flag(_FLAGS.MTE2_V, ident)
        if double or number:
            asc.wait_flag(_FLAGS.MTE3_V, ident)
        self._compute(local, count)
        if double or number < tiles - 1:
            asc.set_flag(_FLAGS.V_MTE2, ident)
        asc.set_flag(_FLAGS.V_MTE3, ident)
        asc.wait_flag(_FLAGS.V_MTE3, ident)
        asc.data_copy(self.gm["z"][start], local["z"], count)
        if double or number < tiles - 1:
            asc.set_flag(_FLAGS.MTE3_V, ident)

    def _compute(self, local: dict[str, Any], count: int) -> None:
        if self.model.scalar:
            x, y, z = (local[name] for name in (*self.model.inputs, "z"))
            for i in range(count):
                z.set_value(i, x.get_value(i) + y.get_value(i))
            return
        for step, (call, words) in enumerate(self.steps):
            if step and self.model.barrier:
                asc.pipe_barrier(asc.PipeID.PIPE_V)
            call(*[local[w] if isinstance(w, str) else w for w in words], count)


# --- copies ---------------------------------------------------------------------------------------


def copy(model: Model) -> Any:
    """The kernels of data_copy_ub.h: tiles into one buffer, nothing waits."""
    rows, columns = model.shape
    height, width = model.tile
    kind = dtype_of(model)
    size = kind.sizeof()

    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x, rows * columns)
        if model.bypass:
            gm.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
        local = asc.LocalTensor(kind, UB, 0, height * -(-width // 16) * 16)
        pads = asc.DataCopyPadParams()
        known: dict[tuple[int, int], Any] = {}
        for row, column, here in walk(model, int(asc.get_block_idx())):
            width_here = min(width, columns - column)
            params = known.get((here, width_here))
            if params is None:
                params = known[here, width_here] = asc.DataCopyExtParams(
                    here, width_here * size, (columns - width_here) * size, 0
                )
                pads = asc.DataCopyPadExtParams(kind)
            asc.data_copy_pad(local, gm[row * columns + column], params, pads)

    return kernel


def walk(model: Model, block: int) -> Any:
    """(row, column, rows) of the tiles that a block copies, in its order."""
    rows, columns = model.shape
    height, width = model.tile
    mine = rows // model.cores
    if model.order in ("same", "rotated"):
        shift = block if model.order == "rotated" else 0
        for group in range(model.cores):
            first = (group + shift) % model.cores * mine
            yield from _tiles(first, mine, 0, columns, height, width)
        return
    first = block * mine
    if model.order == "quarters":
        for quarter in range(4):
            for _ in range(4):
                yield from _tiles(
                    first, mine, quarter * (columns // 4), columns // 4, height, width
                )
        return
    for _ in range(4 if model.order == "again" else 1):
        yield from _tiles(first, mine, 0, columns, height, width)


def _tiles(first: int, rows: int, left: int, columns: int, height: int, width: int) -> Any:
    for row in range(first, first + rows, height):
        for column in range(left, left + columns, width):
            yield row, column, min(height, first + rows - row)


# --- one instruction many times -----------------------------------------------------------------------


def stream(model: Model) -> Any:
    """bank_conflict_ub: the same instruction over and over, between two readings of the counter."""
    kind = dtype_of(model)
    lanes = 256 // kind.sizeof()
    call = getattr(asc, model.op)
    binary = len(model.ub) == 3

    @asc.jit
    def kernel(seen: asc.GlobalAddress) -> None:
        out = asc.GlobalTensor()
        out.set_global_buffer(seen, 8)
        sources = [asc.LocalTensor(kind, UB, at, model.count) for at in model.ub[:-1]]
        target = asc.LocalTensor(kind, UB, model.ub[-1], model.count)
        for tensor in sources:
            asc.duplicate(tensor, 1, model.count)
        if binary:
            params = asc.BinaryRepeatParams(*model.blk, *model.rep)
        else:
            params = asc.UnaryRepeatParams(*model.blk[:2], *model.rep[:2])
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        before = asc.get_system_cycle()
        for _ in range(model.times):
            call(target, *sources, lanes, model.count // lanes, params)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        after = asc.get_system_cycle()
        ticks = asc.LocalTensor(asc.int32, UB, 196608 - 32, 8)
        asc.duplicate(ticks, 0, 8)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        ticks.set_value(0, int(after - before))
        asc.set_flag(_FLAGS.S_MTE3, 0)
        asc.wait_flag(_FLAGS.S_MTE3, 0)
        asc.data_copy(out, ticks, 8)

    return kernel


# --- ND to NZ -----------------------------------------------------------------------------------------


def nd2nz(model: Model) -> Any:
    """bank_conflict_nd2nz: a strided copy in, one Copy that transposes blocks, a strided copy out."""

    @asc.jit
    def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
        source, target = asc.GlobalTensor(), asc.GlobalTensor()
        source.set_global_buffer(x, model.shape[0] * model.shape[1])
        target.set_global_buffer(z, model.shape[0] * model.shape[1])
        _reorder(model, source, target, int(asc.get_block_idx()))

    return kernel


def _reorder(model: Model, source: Any, target: Any, block: int) -> None:
    rows, columns = model.shape
    height, width = model.tile
    kind, stride = dtype_of(model), model.stride
    row_part, column_part = divmod(block, model.split[1])
    first, many = part(-(-rows // height), model.split[0], row_part)
    across = columns // width // model.split[1]
    nd_bytes = height * width * kind.sizeof()
    blocks = width // 16
    nz_bytes = (height + (blocks - 1) * stride + (stride > height)) * 32
    nd = [asc.LocalTensor(kind, UB, k * nd_bytes, height * width) for k in range(2)]
    nz = [
        asc.LocalTensor(kind, UB, 2 * nd_bytes + k * nz_bytes, nz_bytes // kind.sizeof())
        for k in range(2)
    ]
    for ident in range(2):
        asc.set_flag(_FLAGS.V_MTE2, ident)
        asc.set_flag(_FLAGS.MTE3_V, ident)
    strides = asc.CopyRepeatParams(stride, 1, 1, blocks)
    for i in range(many * across):
        ident = i % 2
        row = (first + i // across) * height
        column = (column_part * across + i % across) * width
        here = min(height, rows - row)
        asc.wait_flag(_FLAGS.V_MTE2, ident)
        into = asc.DataCopyParams(here, blocks, (columns - width) // 16, 0)
        asc.data_copy(nd[ident], source[row * columns + column], repeat_params=into)
        asc.set_flag(_FLAGS.MTE2_V, ident)
        asc.wait_flag(_FLAGS.MTE2_V, ident)
        asc.wait_flag(_FLAGS.MTE3_V, ident)
        asc.copy(nz[ident], nd[ident], width, here, strides)
        asc.set_flag(_FLAGS.V_MTE2, ident)
        asc.set_flag(_FLAGS.V_MTE3, ident)
        asc.wait_flag(_FLAGS.V_MTE3, ident)
        out = asc.DataCopyParams(blocks, here, stride - here, rows - here)
        asc.data_copy(target[row * 16 + column // 16 * rows * 16], nz[ident], repeat_params=out)
        asc.set_flag(_FLAGS.MTE3_V, ident)
    for ident in range(2):
        asc.wait_flag(_FLAGS.V_MTE2, ident)
        asc.wait_flag(_FLAGS.MTE3_V, ident)


def empty(model: Model) -> Any:
    """Nothing at all."""

    @asc.jit
    def kernel(x: asc.GlobalAddress) -> None:
        asc.init_soc_state()

    return kernel


KERNELS = {
    "elementwise": elementwise,
    "copy": copy,
    "stream": stream,
    "nd2nz": nd2nz,
    "empty": empty,
}
