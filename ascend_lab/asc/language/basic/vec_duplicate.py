"""Filling with one value, or with a row of numbers."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, Params, bind, local, mask_of
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe

_API = "asc.duplicate"
_MASKED = ("mask", "repeat_times", "dst_block_stride", "dst_repeat_stride", "is_set_mask")
_FORMS = (
    "dst, scalar, count: int",
    "dst, scalar, mask, repeat_times: int, dst_block_stride: int, dst_repeat_stride: int",
)


def duplicate(dst: LocalTensor, scalar: float, *args: Any, **kwargs: Any) -> None:
    """Every chosen element of ``dst`` becomes ``scalar``; 16 and 32 bit types.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充/Duplicate.md
    """
    target = local(_API, "dst", dst)
    params = _form(_API, args, kwargs)
    params["scalar"] = plain_number(_API, "scalar", scalar, dst.dtype)
    emit("Duplicate", Pipe.V, target, (), params)


def _form(api: str, args: tuple[Any, ...], kwargs: Kwargs) -> Params:
    counted = bind(("count", "is_set_mask"), args, kwargs)
    if counted and "count" in counted and isinstance(counted.get("is_set_mask", True), bool):
        return {"count": plain_int(api, "count", counted["count"])}
    given = bind(_MASKED, args, kwargs)
    if given is None or not set(_MASKED[:4]) <= given.keys():
        raise no_overload(api, (*args, *kwargs.values()), _FORMS)
    sets_mask = ConstExpr.unwrap(given.get("is_set_mask", True))
    return {
        "mask": mask_of(api, given["mask"]) if sets_mask else None,
        "repeat": plain_int(api, "repeat_times", given["repeat_times"]),
        "blk": (plain_int(api, "dst_block_stride", given["dst_block_stride"]),),
        "rep": (plain_int(api, "dst_repeat_stride", given["dst_repeat_stride"]),),
    }


def create_vec_index(dst: LocalTensor, first_value: float, *args: Any, **kwargs: Any) -> None:
    """``dst[i] = first_value + i``; int16, int32, half, float. An addition to pyasc: Ascend C's CreateVecIndex.

    ``count``, or ``mask, repeat_times, dst_block_stride, dst_repeat_stride``.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充/CreateVecIndex.md
    """
    api = "asc.create_vec_index"
    target = local(api, "dst", dst)
    params = _form(api, args, kwargs)
    params["scalar"] = plain_number(api, "first_value", first_value, dst.dtype)
    emit("CreateVecIndex", Pipe.V, target, (), params)
