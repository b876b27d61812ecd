"""Quantising. ``dequant`` is an addition to pyasc.

asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.adv.math import count_of
from ascend_lab.asc.language.adv.scratch import with_buffer
from ascend_lab.asc.language.adv.types import QuantConfig
from ascend_lab.asc.language.basic.vector import Params, local
from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe, Ref

_LEAST = 512  # bytes of the temporary buffer of AscendQuant


def quant(
    dst: LocalTensor,
    src: LocalTensor,
    scale: float,
    offset: float,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    config: QuantConfig | None = None,
) -> None:
    """``rint(src * scale + offset)`` as int8, from half or float; every step is computed in half.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作/AscendQuant.md
    """
    api = "asc.adv.quant"
    if config is not None and not isinstance(config, QuantConfig):
        raise no_overload(api, (config,), ("..., config: QuantConfig",))
    target, sources = local(api, "dst", dst), (local(api, "src", src),)
    params: Params = {
        "count": count_of(api, count, sources[0]),
        "scale": plain_number(api, "scale", scale, src.dtype),
        "offset": plain_number(api, "offset", offset, src.dtype),
    }
    refs, params = with_buffer(api, sources, params, temp_buffer, _LEAST)
    emit("AscendQuant", Pipe.V, target, refs, params)


def dequant(
    dst: LocalTensor,
    src: LocalTensor,
    deq_scale: Any,
    rows: int,
    columns: int,
    calc_count: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """``src[i, j] * deq_scale[j]``, int32 to half or float; ``deq_scale`` is a tensor or a number.

    The first ``calc_count`` of the ``columns`` count; rows of ``dst`` start at multiples of 32 B. Ascend C has
    the shape in DequantParams. asc-devkit: docs/zh/api/SIMD-API/高阶API/量化操作/AscendDequant.md
    """
    api = "asc.adv.dequant"
    target = local(api, "dst", dst)
    sources: tuple[Ref, ...] = (local(api, "src", src),)
    wide = plain_int(api, "columns", columns)
    calc = wide if calc_count is None else plain_int(api, "calc_count", calc_count)
    params: Params = {"rows": plain_int(api, "rows", rows), "columns": wide, "calc": calc}
    if isinstance(deq_scale, LocalTensor):
        sources += (local(api, "deq_scale", deq_scale),)
    else:
        params["scalar"] = plain_number(api, "deq_scale", deq_scale, KnownTypes.float32)
    needed = 2 * -(-wide * 4 // 32) * 32 + 64  # a row of sources and one of scales, both in float
    refs, params = with_buffer(api, sources, params, temp_buffer, needed)
    emit("AscendDequant", Pipe.V, target, refs, params)
