"""Scattering: destination addresses come from a tensor of byte offsets."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.basic.vec_gather import indexed_form
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe


def scatter(
    dst: LocalTensor,
    src: LocalTensor,
    dst_offset: LocalTensor,
    dst_base: int,
    *args: Any,
    **kwargs: Any,
) -> None:
    """The element at byte ``dst_base + dst_offset[i]`` of ``dst`` = ``src[i]``.

    ``count``, or ``mask, repeat_times, src_rep_stride``; ``dst_offset`` is uint32. Atlas inference series only.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/Scatter(ISASI).md
    """
    api = "asc.scatter"
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), local(api, "dst_offset", dst_offset))
    params, stride = indexed_form(api, "src_rep_stride", args, kwargs)
    if stride is not None:
        params["rep"] = (8, stride)
    params["base"] = plain_int(api, "dst_base", dst_base)
    emit("Scatter", Pipe.V, target, sources, params)
