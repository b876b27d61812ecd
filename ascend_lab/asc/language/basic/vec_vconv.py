"""Conversions between types, and the scale that some of them take from the DEQSCALE register."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, Params, binary, bind, form, local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.enums import RoundMode
from ascend_lab.asc.language.core.ir_value import float16_of, plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.types import BinaryRepeatParams, UnaryRepeatParams
from ascend_lab.asc.language.core.vector_types import VdeqInfo, bool_field
from ascend_lab.engine.instruction import Pipe, Ref

_FORMS = (
    "dst, src, round_mode: RoundMode, count: int",
    "dst, src, round_mode: RoundMode, mask, repeat_times: int, repeat_params: UnaryRepeatParams",
)
_SCALES = (
    "scale: float",
    "scale: float, offset: int, sign_mode: bool",
    "vdeq: LocalTensor, vdeq_info: VdeqInfo",
)


class DeqScale(NamedTuple):
    """What the DEQSCALE register holds: one scale, or the place of sixteen."""

    scale: float | None = None
    offset: int = 0
    signed: bool = True
    table: Ref | None = None


def cast(
    dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, *args: Any, **kwargs: Any
) -> None:
    """``src`` as the type of ``dst``. Which pairs and round modes there are is the chip's to say.

    With mask and repeats an iteration holds as many elements as the larger type has in 256 B. int32 to half
    takes the scale of `set_deq_scale`.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换/Cast.md
    """
    target, source = local("asc.cast", "dst", dst), local("asc.cast", "src", src)
    if not isinstance(round_mode, int):
        raise no_overload("asc.cast", (dst, src, round_mode, *args), _FORMS)
    params = form("asc.cast", args, kwargs, UnaryRepeatParams)
    params["round"] = RoundMode(round_mode).name
    if source.dtype == "int32" and target.dtype == "float16":
        params |= _scale()
    emit("Cast", Pipe.V, target, (source,), params)


def add_relu_cast(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``max(src0 + src1, 0)`` as the type of ``dst``: half to int8, float to half, int16 to int8.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/AddReluCast.md
    """
    binary("AddReluCast", "asc.add_relu_cast", dst, src0, src1, args, kwargs)


def sub_relu_cast(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``max(src0 - src1, 0)`` as the type of ``dst``: half to int8, float to half, int16 to int8.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/SubReluCast.md
    """
    binary("SubReluCast", "asc.sub_relu_cast", dst, src0, src1, args, kwargs)


def add_deq_relu(
    dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """``max((src0 + src1) * scale, 0)``: int32 to half, with the scale of `set_deq_scale`.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/AddDeqRelu.md
    """
    api = "asc.add_deq_relu"
    target = local(api, "dst", dst)
    sources = (local(api, "src0", src0), local(api, "src1", src1))
    params = form(api, args, kwargs, BinaryRepeatParams)
    emit("AddDeqRelu", Pipe.V, target, sources, params | _scale())


def cast_deq(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """int32 to half, or int16 to int8 and uint8, with the scale of `set_deq_scale`.

    ``count``, or mask, repeats and UnaryRepeatParams; then ``is_vec_deq``, ``half_block``: with sixteen scales,
    and into which half of a DataBlock.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/复合计算/CastDequant.md
    """
    api = "asc.cast_deq"
    target, source = local(api, "dst", dst), local(api, "src", src)
    args, kwargs, vector, half = _flags(args, dict(kwargs))
    params = form(api, args, kwargs, UnaryRepeatParams)
    params |= {"half": half, "vector": False, **_scale()}
    deq = current().deq_scale
    if vector and source.dtype == "int16" and deq is not None and deq.table is not None:
        params["vector"] = True
        emit("CastDequant", Pipe.V, target, (source, deq.table), params)
        return
    emit("CastDequant", Pipe.V, target, (source,), params)


def _flags(args: tuple[Any, ...], kwargs: Kwargs) -> tuple[tuple[Any, ...], Kwargs, bool, bool]:
    """The arguments of the form, and is_vec_deq and half_block, which stand last."""
    masked = any(isinstance(value, UnaryRepeatParams) for value in (*args, *kwargs.values()))
    ahead = 4 if masked else 1
    given = bind(("is_vec_deq", "half_block"), args[ahead:], {}) or {}
    for name in ("is_vec_deq", "half_block"):
        if name in kwargs:
            given[name] = kwargs.pop(name)
    vector, half = (bool_field(given.get(name, True)) for name in ("is_vec_deq", "half_block"))
    return args[:ahead], kwargs, vector, half


def _scale() -> Params:
    """What an instruction takes from the DEQSCALE register."""
    deq = current().deq_scale
    if deq is None or deq.scale is None:
        return {"deq_scale": None}
    return {"deq_scale": deq.scale, "offset": deq.offset, "signed": deq.signed}


def set_deq_scale(*args: Any, **kwargs: Any) -> None:
    """``(scale)``, ``(scale, offset, sign_mode)`` or ``(vdeq, vdeq_info)``: what later conversions multiply by.

    The last form writes sixteen words into ``vdeq``, through the scalar unit.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换辅助配置接口/SetDeqScale.md
    """
    api = "asc.set_deq_scale"
    table = bind(("vdeq", "vdeq_info"), args, kwargs)
    if table and isinstance(table.get("vdeq_info"), VdeqInfo):
        deq = _table(api, table["vdeq"], table["vdeq_info"])
    else:
        deq = _one_scale(api, args, kwargs)
    current().deq_scale = deq
    params = {"scale": deq.scale, "offset": deq.offset, "signed": deq.signed}
    emit("SetDeqScale", Pipe.S, None, () if deq.table is None else (deq.table,), params)


def _one_scale(api: str, args: tuple[Any, ...], kwargs: Kwargs) -> DeqScale:
    given = bind(("scale", "offset", "sign_mode"), args, kwargs)
    if not given or len(given) == 2 or "scale" not in given:
        raise no_overload(api, (*args, *kwargs.values()), _SCALES)
    scale = plain_number(api, "scale", given["scale"], KnownTypes.float32)
    if len(given) == 1:
        return DeqScale(float(float16_of(scale)))
    offset = plain_int(api, "offset", given["offset"])
    return DeqScale(float(scale), offset, bool(ConstExpr.unwrap(given["sign_mode"])))


def _table(api: str, vdeq: LocalTensor, info: VdeqInfo) -> DeqScale:
    ref = local(api, "vdeq", vdeq)
    for k, (scale, offset, sign) in enumerate(zip(info.scale, info.offset, info.sign, strict=True)):
        (bits,) = struct.unpack("<I", struct.pack("<f", scale))
        vdeq.set_value(k, bits | (offset & 0x1FF) << 37 | sign << 46)
    return DeqScale(table=ref)
