"""Gathering: source addresses come from a tensor of byte offsets.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, Params, bind, local, mask_of
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.vector_types import GatherRepeatParams
from ascend_lab.engine.instruction import Pipe


def gather(
    dst: LocalTensor,
    src: LocalTensor,
    src_offset: LocalTensor,
    src_base: int,
    *args: Any,
    **kwargs: Any,
) -> None:
    """``dst[i]`` = the element at byte ``src_base + src_offset[i]`` of ``src``; 16 and 32 bit types.

    ``count``, or ``mask, repeat_times, dst_rep_stride``; ``src_offset`` is uint32.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/Gather.md
    """
    api = "asc.gather"
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), local(api, "src_offset", src_offset))
    params, stride = indexed_form(api, "dst_rep_stride", args, kwargs)
    if stride is not None:
        params["rep"] = (stride,)
    params["base"] = plain_int(api, "src_base", src_base)
    emit("Gather", Pipe.V, target, sources, params)


def indexed_form(
    api: str, stride: str, args: tuple[Any, ...], kwargs: Kwargs
) -> tuple[Params, int | None]:
    """``count``, or mask and repeats with the repeat stride that the call names ``stride``."""
    counted = bind(("count",), args, kwargs)
    if counted:
        return {"count": plain_int(api, "count", counted["count"])}, None
    names = ("mask", "repeat_times", stride)
    given = bind(names, args, kwargs)
    if given is None or given.keys() != set(names):
        forms = ("..., count: int", f"..., mask, repeat_times: int, {stride}: int")
        raise no_overload(api, (*args, *kwargs.values()), forms)
    params = {
        "mask": mask_of(api, given["mask"]),
        "repeat": plain_int(api, "repeat_times", given["repeat_times"]),
    }
    return params, plain_int(api, stride, given[stride])


def gatherb(
    dst: LocalTensor,
    src0: LocalTensor,
    offset: LocalTensor,
    repeat_times: int,
    repeat_params: GatherRepeatParams,
) -> None:
    """Eight DataBlocks an iteration, each from its own byte offset in ``src0``; ``offset`` is uint32.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/Gatherb(ISASI).md
    """
    api = "asc.gatherb"
    if not isinstance(repeat_params, GatherRepeatParams):
        raise no_overload(api, (repeat_params,), ("..., repeat_params: GatherRepeatParams",))
    target = local(api, "dst", dst)
    sources = (local(api, "src0", src0), local(api, "offset", offset))
    params = {
        "times": plain_int(api, "repeat_times", repeat_times),
        "blk": repeat_params.blk,
        "rep": repeat_params.rep,
    }
    emit("Gatherb", Pipe.V, target, sources, params)
