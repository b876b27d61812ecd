"""Normalising rows. ``layernorm`` is an addition to pyasc.

asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.adv.scratch import with_buffer
from ascend_lab.asc.language.adv.tiling import RmsNormTiling
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe

_BLOCK = 32


def rmsnorm(
    dst: LocalTensor,
    src: LocalTensor,
    gamma: LocalTensor,
    epsilon: float,
    tiling: RmsNormTiling,
    temp_buffer: LocalTensor | None = None,
    basic_block: bool = False,
) -> None:
    """``gamma * x / sqrt(mean(x^2) + epsilon)`` over every row of [b, s, h]; half, float.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作/RmsNorm.md
    """
    api = "asc.adv.rmsnorm"
    if not isinstance(tiling, RmsNormTiling):
        raise no_overload(api, (tiling,), ("dst, src, gamma, epsilon, tiling: RmsNormTiling, ...",))
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), local(api, "gamma", gamma))
    pitch = int(tiling.h_length)
    params: dict[str, Any] = {
        "rows": int(tiling.b_length) * int(tiling.s_length),
        "columns": int(tiling.original_h_length) or pitch,
        "pitch": pitch,
        "epsilon": float(plain_number(api, "epsilon", epsilon, src.dtype)),
    }
    needed = (pitch * (2 if src.dtype.sizeof() == 2 else 1) + 8) * 4
    refs, params = with_buffer(api, sources, params, temp_buffer, needed)
    emit("RmsNorm", Pipe.V, target, refs, params)


def layernorm(
    dst: LocalTensor,
    mean: LocalTensor,
    variance: LocalTensor,
    src: LocalTensor,
    gamma: LocalTensor,
    beta: LocalTensor,
    epsilon: float,
    rows: int,
    columns: int,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` over every row; half, float.

    ``mean`` and ``variance`` get one element a row. Ascend C has the shape in a tiling structure; here it is
    ``rows`` and ``columns``. asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作/LayerNorm.md
    """
    api = "asc.adv.layernorm"
    target = local(api, "dst", dst)
    named = (("src", src), ("gamma", gamma), ("beta", beta), ("mean", mean), ("variance", variance))
    sources = tuple(local(api, name, value) for name, value in named)
    many, each = plain_int(api, "rows", rows), plain_int(api, "columns", columns)
    params: dict[str, Any] = {
        "rows": many,
        "columns": each,
        "epsilon": float(plain_number(api, "epsilon", epsilon, src.dtype)),
    }
    needed = 3 * _aligned(each * 4) + 2 * _aligned(many * 4)
    refs, params = with_buffer(api, sources, params, temp_buffer, needed)
    emit("LayerNorm", Pipe.V, target, refs, params)


def _aligned(nbytes: int) -> int:
    return -(-nbytes // _BLOCK) * _BLOCK
