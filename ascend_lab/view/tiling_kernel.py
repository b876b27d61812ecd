"""The element-wise kernel behind the tiling explorer: written out as a student would, then run on the model."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np

import ascend_lab.asc as asc
from ascend_lab.device import Device, Result
from ascend_lab.engine.errors import InternalError
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.view.tilings import Tiling, plan

_HEAD = """\
import ascend_lab.asc as asc


@asc.jit
def elementwise(
    {addresses},
    total: int,
    former_num: int,
    former_length: int,
    tail_length: int,
    tile: asc.ConstExpr[int],
    buffers: asc.ConstExpr[int],
):
    block = asc.get_block_idx()
    begin = block * former_length
    length = former_length
    if block >= former_num:
        begin = former_num * former_length + (block - former_num) * tail_length
        length = tail_length
    if begin + length > total:
        length = total - begin
"""
_LOOP = """\
    for i in range((length + tile - 1) // tile):
        start = begin + i * tile
        count = length - i * tile
        if count > tile:
            count = tile
"""
_PAD = """\
        move = asc.DataCopyExtParams(1, count * x.dtype.sizeof(), 0, 0, 0)
        pad = asc.DataCopyPadExtParams(x.dtype, False, 0, 0, 0)
"""


def text(operands: int, pad: bool) -> str:
    """The source of the kernel for 2 or 3 tensors, with ``data_copy_pad`` where the chip has it."""
    inputs = ("x", "y")[: operands - 1]
    return "".join((*_setup(inputs), *_loop(inputs, operands, pad)))


def _setup(inputs: tuple[str, ...]) -> Iterator[str]:
    tensors = (*inputs, "z")
    yield _HEAD.format(addresses=", ".join(f"{name}: asc.GlobalAddress" for name in tensors))
    for name in tensors:
        yield f"    {name}_gm = asc.GlobalTensor()\n"
        yield f"    {name}_gm.set_global_buffer({name}, total)\n"
    yield "    pipe = asc.TPipe()\n"
    for name in inputs:
        yield f"    in_{name} = asc.TQue(asc.TPosition.VECIN, 1)\n"
    yield "    out_z = asc.TQue(asc.TPosition.VECOUT, 1)\n"
    for queue in (*(f"in_{name}" for name in inputs), "out_z"):
        yield f"    pipe.init_buffer({queue}, buffers, tile * x.dtype.sizeof())\n"


def _loop(inputs: tuple[str, ...], operands: int, pad: bool) -> Iterator[str]:
    yield _LOOP + (_PAD if pad else "")
    copy, how_in, how_out = (
        ("data_copy_pad", "move, pad", "move") if pad else ("data_copy", *["count"] * 2)
    )
    for name in inputs:
        yield f"        {name}_local = in_{name}.alloc_tensor(x.dtype)\n"
        yield f"        asc.{copy}({name}_local, {name}_gm[start:], {how_in})\n"
        yield f"        in_{name}.enque({name}_local)\n"
    for name in inputs:
        yield f"        {name}_local = in_{name}.deque(x.dtype)\n"
    yield "        z_local = out_z.alloc_tensor(x.dtype)\n"
    call = "add(z_local, x_local, y_local" if operands == 3 else "adds(z_local, x_local, 1"
    yield f"        asc.{call}, count)\n"
    yield "        out_z.enque(z_local)\n"
    for name in inputs:
        yield f"        in_{name}.free_tensor({name}_local)\n"
    yield "        z_local = out_z.deque(x.dtype)\n"
    yield f"        asc.{copy}(z_gm[start:], z_local, {how_out})\n"
    yield "        out_z.free_tensor(z_local)\n"


def kernel(operands: int, pad: bool) -> Any:
    """The kernel of :func:`text`, under a file name of its own, so that views can show its lines."""
    source, file = text(operands, pad), f"elementwise_{operands}{'_pad' if pad else ''}.py"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "elementwise", "asc": asc}
    exec(compile(source, file, "exec"), names)
    return names["elementwise"]


def run(tiling: Tiling, device: Device) -> Result:
    """One launch with the numbers of ``tiling``; a plan that does not fit is finding B1.

    Raises InternalError when the result is wrong.
    """
    made = plan(tiling, device.spec)
    dtype = DTYPES[tiling.dtype]
    arrays = [np.ones(tiling.total, dtype) for _ in range(tiling.operands - 1)]
    z = np.zeros(tiling.total, dtype)
    numbers = (made.former_num, made.former_length, made.tail_length, tiling.tile, tiling.buffers)
    program = kernel(tiling.operands, made.pad)
    result = device.launch(program, tiling.cores, *arrays, z, tiling.total, *numbers)
    if result.ok and not (z == 2).all():
        raise InternalError("the kernel of the tiling explorer computes something else")
    return result
