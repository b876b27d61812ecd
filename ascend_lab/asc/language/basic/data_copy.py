"""Moving data between GM and UB, and within UB.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_memory, no_overload
from ascend_lab.asc.language.basic.vector import bind, local, mask_of
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import TPosition
from ascend_lab.asc.language.core.ir_value import known_type, plain_int, plain_number
from ascend_lab.asc.language.core.tensor import BaseTensor, LocalTensor
from ascend_lab.asc.language.core.types import (
    CopyRepeatParams,
    DataCopyExtParams,
    DataCopyPadExtParams,
    DataCopyPadParams,
    DataCopyParams,
)
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import DTYPES, Pipe, Ref

_PIPE_OF = {
    ("UB", "GM"): Pipe.MTE2,
    ("GM", "UB"): Pipe.MTE3,
    ("UB", "UB"): Pipe.V,
}
_FORMS = ("dst, src, count: int", "dst, src, repeat_params: DataCopyParams")
_PAD_FORMS = (
    "dst: LocalTensor, src: GlobalTensor, data_copy_params: DataCopyExtParams, "
    "pad_params: DataCopyPadExtParams",
    "dst: GlobalTensor, src: LocalTensor, data_copy_params: DataCopyExtParams",
)

load_image_to_local = not_modelled("asc.load_image_to_local")


def data_copy(dst: BaseTensor, src: BaseTensor, *args: Any, **kwargs: Any) -> None:
    """``count`` elements, or blocks by DataCopyParams; whole 32 B blocks only.

    GM to UB is MTE2, UB to GM is MTE3, UB to UB is V. A count that is no multiple of 32 B is rounded down.
    Forms for other memories, layouts and slices are not modelled.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/DataCopy（GM与UB连续数据搬运）.md
    """
    target, source, pipe = _path("asc.data_copy", dst, src)
    emit("DataCopy", pipe, target, (source,), _copy_form(args, kwargs))


def _copy_form(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    how: Any = args[0] if args else kwargs.get("count", kwargs.get("repeat_params"))
    if len(args) + len(kwargs) != 1:
        _refuse_known_forms(args, kwargs)
        raise no_overload("asc.data_copy", (*args, *kwargs.values()), _FORMS)
    if isinstance(how, DataCopyParams):
        return {
            "block_count": how.block_count,
            "block_len": how.block_len,
            "src_gap": how.src_stride,
            "dst_gap": how.dst_stride,
        }
    if args or "count" in kwargs:
        try:
            return {"count": index(how)}
        except TypeError:
            return {"count": plain_int("asc.data_copy", "count", how)}
    raise no_overload("asc.data_copy", (*args, *kwargs.values()), _FORMS)


def _refuse_known_forms(args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if "dim_value" in kwargs or len(args) == 3:
        raise NotModelled("asc.data_copy", "the form with slice_list1, slice_list2")
    if "enhanced_params" in kwargs:
        raise NotModelled("asc.data_copy", "enhanced_params")


def _path(api: str, dst: Any, src: Any) -> tuple[Ref, Ref, Pipe]:
    """(destination, source, pipe) of a transfer."""
    if not (isinstance(dst, BaseTensor) and isinstance(src, BaseTensor)):
        raise no_overload(api, (dst, src), ("dst: tensor, src: tensor, ...",))
    target, source = dst.ref, src.ref
    pipe = _PIPE_OF.get((target.space, source.space))
    if pipe is not None:
        return target, source, pipe
    if not (target.space and source.space):
        raise no_memory(api)
    if target.space == source.space == "GM":
        raise LabError(
            f"{api}：GM 到 GM 没有直接通路，请经过 LocalTensor。",
            f"{api}: there is no path from GM to GM; go through a LocalTensor.",
        )
    raise NotModelled(api, f"{source.space} -> {target.space}")


def data_copy_pad(dst: BaseTensor, src: BaseTensor, *args: Any, **kwargs: Any) -> None:
    """Blocks of any length in bytes: GM to UB with padding, or UB to GM without it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/DataCopyPad（GMToUB非对齐数据搬运）.md
    """
    api = "asc.data_copy_pad"
    if "nd2nz_params" in kwargs:
        raise NotModelled(api, "nd2nz_params")
    target, source, pipe = _path(api, dst, src)
    given = bind(("data_copy_params", "pad_params"), args, kwargs) or {}
    blocks, pads = given.get("data_copy_params"), given.get("pad_params")
    if not isinstance(blocks, DataCopyExtParams | DataCopyParams) or pipe == Pipe.V:
        raise no_overload(api, (dst, src, *args, *kwargs.values()), _PAD_FORMS)
    params: dict[str, Any] = {
        "block_count": blocks.block_count,
        "block_len": blocks.block_len,
        "src_stride": blocks.src_stride,
        "dst_stride": blocks.dst_stride,
    }
    if pipe == Pipe.MTE2:
        if not isinstance(pads, DataCopyPadExtParams | DataCopyPadParams):
            raise no_overload(api, (dst, src, *args, *kwargs.values()), _PAD_FORMS)
        params |= _pads(pads, dst.dtype)
    emit("DataCopyPad", pipe, target, (source,), params)


def _pads(pads: DataCopyPadExtParams | DataCopyPadParams, dtype: DataType) -> dict[str, Any]:
    value = pads.padding_value
    if isinstance(pads, DataCopyPadParams):
        value = _from_bits(pads.padding_value, dtype)
    return {
        "is_pad": pads.is_pad,
        "left": pads.left_padding,
        "right": pads.right_padding,
        "pad_value": value,
    }


def _from_bits(bits: int, dtype: DataType) -> int | float:
    """The value whose lowest bytes are ``bits``: the older form writes them into a register as they are."""
    size = dtype.sizeof()
    data = (bits & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    (value,) = np.frombuffer(data, dtype=DTYPES[dtype.name])
    return float(value) if dtype.is_float() else int(value)


def set_pad_value(padding_value: float, pos: TPosition = TPosition.MAX) -> None:
    """The value that a ``data_copy_pad`` with ``is_pad=False`` pads with.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运辅助配置接口/SetPadValue(ISASI).md
    """
    value = ConstExpr.unwrap(padding_value)
    dtype = known_type("float32" if isinstance(value, float) else "int32")
    number = plain_number("asc.set_pad_value", "padding_value", value, dtype)
    emit("SetPadValue", Pipe.S, params={"value": number, "pos": TPosition(pos).name})


def copy(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """UB to UB under a mask: ``mask, repeat_time, repeat_params: CopyRepeatParams``; 16 and 32 bit types.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/Copy（UBToUB掩码式高维数据搬运）.md
    """
    api = "asc.copy"
    target, source = local(api, "dst", dst), local(api, "src", src)
    given = bind(("mask", "repeat_time", "repeat_params", "is_set_mask"), args, kwargs) or {}
    strides = given.get("repeat_params")
    if not isinstance(strides, CopyRepeatParams):
        forms = ("dst, src, mask, repeat_time: int, repeat_params: CopyRepeatParams",)
        raise no_overload(api, (dst, src, *args, *kwargs.values()), forms)
    sets_mask = ConstExpr.unwrap(given.get("is_set_mask", True))
    params = {
        "mask": mask_of(api, given.get("mask", 0)) if sets_mask else None,
        "repeat": plain_int(api, "repeat_time", given.get("repeat_time", 0)),
        "blk": strides.blk,
        "rep": strides.rep,
    }
    emit("Copy", Pipe.V, target, (source,), params)
