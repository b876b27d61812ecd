"""Sums of rows, and copies along an axis. Additions to pyasc.

asc-devkit: docs/zh/api/SIMD-API/高阶API/{归约操作,张量变换}.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.adv.scratch import with_buffer
from ascend_lab.asc.language.basic.vector import Params, local
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe

_BLOCK = 32
_REPEAT = 256
_total = sum  # the name is the interface's below


def sum(
    dst: LocalTensor,
    src: LocalTensor,
    rows: int,
    columns: int,
    valid: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """The sum of every row: its first ``valid`` of ``columns`` elements; half, float.

    Rows start ``columns`` elements apart, a multiple of 32 B. Ascend C has the three in SumParams.
    asc-devkit: docs/zh/api/SIMD-API/高阶API/归约操作/Sum接口/Sum.md
    """
    api = "asc.adv.sum"
    target, source = local(api, "dst", dst), local(api, "src", src)
    pitch = plain_int(api, "columns", columns)
    count = pitch if valid is None else plain_int(api, "valid", valid)
    params: Params = {"rows": plain_int(api, "rows", rows), "columns": count, "pitch": pitch}
    per_block, per_repeat = _BLOCK // src.dtype.sizeof(), _REPEAT // src.dtype.sizeof()
    repeats = -(-pitch // per_repeat)
    needed = -(-repeats // per_block) * _BLOCK  # one partial sum a repeat
    refs, params = with_buffer(api, (source,), params, temp_buffer, needed)
    emit("Sum", Pipe.V, target, refs, params)


def broadcast(
    dst: LocalTensor,
    src: LocalTensor,
    dst_shape: Sequence[int],
    src_shape: Sequence[int],
    temp_buffer: LocalTensor | None = None,
) -> None:
    """``src`` repeated along the axis where ``src_shape`` is 1; one or two dimensions.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/张量变换/Broadcast.md
    """
    api = "asc.adv.broadcast"
    to = tuple(plain_int(api, "dst_shape", dim) for dim in dst_shape)
    origin = tuple(plain_int(api, "src_shape", dim) for dim in src_shape)
    if len(to) != len(origin) or len(to) not in (1, 2):
        raise NotModelled(api, f"shapes of {len(to)} and {len(origin)} dimensions")
    target, source = local(api, "dst", dst), local(api, "src", src)
    params: Params = {"dst_shape": to, "src_shape": origin}
    needed = _copies(to, origin, src.dtype.sizeof())
    refs, params = with_buffer(api, (source,), params, temp_buffer, needed)
    emit("Broadcast", Pipe.V, target, refs, params)


def _copies(to: tuple[int, ...], origin: tuple[int, ...], size: int) -> int:
    """Bytes that Broadcast needs at least: a block of copies, a row that is no whole blocks, 8 bit as 16 bit."""
    converted = 0
    if size == 1:
        size = 2
        converted = _total(-(-prod(shape) // 16) * 16 for shape in (to, origin)) * size
    if prod(origin) in (1, prod(to)):
        return converted + _BLOCK if converted else 0
    each = _BLOCK // size
    row = -(-to[-1] // each) * each
    copied = each * row * size if to[-1] % each else 0
    return each * each * size + copied + converted
