"""Sums, maxima and minima over elements.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, Params, bind, local, mask_of
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import ReduceOrder
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe

Args = tuple[Any, ...]

_WHOLE = ("mask", "repeat_time", "dst_rep_stride", "src_blk_stride", "src_rep_stride")
_BLOCK = ("repeat", "mask", "dst_rep_stride", "src_blk_stride", "src_rep_stride")
_PAIR = ("repeat_time", "mask", "dst_rep_stride", "src_blk_stride", "src_rep_stride")
_REPEAT = (
    *("repeat_time", "mask", "dst_blk_stride"),
    *("src_blk_stride", "dst_rep_stride", "src_rep_stride"),
)


def _all_to_one(
    op: str, api: str, dst: Any, src: Any, tmp: Any, args: Args, kwargs: Kwargs, indexed: bool
) -> None:
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), local(api, "shared_tmp_buffer", tmp))
    extra = ("cal_index",) if indexed else ()
    params = _counted(api, args, kwargs, extra) or _masked(api, args, kwargs, extra)
    emit(op, Pipe.V, target, sources, params)


def _counted(api: str, args: Args, kwargs: Kwargs, extra: tuple[str, ...]) -> Params | None:
    given = bind(("count", *extra), args, kwargs)
    if given is None or "count" not in given:
        return None
    return _indexed({"count": plain_int(api, "count", given["count"])}, given, extra)


def _masked(api: str, args: Args, kwargs: Kwargs, extra: tuple[str, ...]) -> Params:
    given = bind(("mask", "repeat_time", "src_rep_stride", *extra), args, kwargs)
    if given is None or not {"mask", "repeat_time", "src_rep_stride"} <= given.keys():
        forms = ("..., count: int", "..., mask, repeat_time: int, src_rep_stride: int")
        raise no_overload(api, (*args, *kwargs.values()), forms)
    params = {
        "mask": mask_of(api, given["mask"]),
        "repeat": plain_int(api, "repeat_time", given["repeat_time"]),
        "rep": (plain_int(api, "src_rep_stride", given["src_rep_stride"]),),
    }
    return _indexed(params, given, extra)


def _indexed(params: Params, given: Kwargs, extra: tuple[str, ...]) -> Params:
    if extra:
        params["index"] = bool(ConstExpr.unwrap(given.get("cal_index", False)))
    return params


def reduce_sum(
    dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """One sum of all elements; half, float. ``count``, or ``mask, repeat_time, src_rep_stride``."""
    _all_to_one(
        "ReduceSum", "asc.reduce_sum", dst, src, shared_tmp_buffer, args, kwargs, indexed=False
    )


def reduce_max(
    dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """The largest element, with ``cal_index`` also where; half, float."""
    _all_to_one(
        "ReduceMax", "asc.reduce_max", dst, src, shared_tmp_buffer, args, kwargs, indexed=True
    )


def reduce_min(
    dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, *args: Any, **kwargs: Any
) -> None:
    """The smallest element, with ``cal_index`` also where; half, float."""
    _all_to_one(
        "ReduceMin", "asc.reduce_min", dst, src, shared_tmp_buffer, args, kwargs, indexed=True
    )


def _per_repeat(
    op: str, api: str, names: tuple[str, ...], dst: Any, src: Any, args: Args, kwargs: Kwargs
) -> None:
    """Issue a reduction of each repeat; ``names`` are the numbers it takes, in order."""
    target, source = local(api, "dst", dst), local(api, "src", src)
    given = bind((*names, "is_set_mask"), args, kwargs)
    if given is None or not set(names) <= given.keys():
        forms = (", ".join(("dst", "src", *names, "is_set_mask: bool = True")),)
        raise no_overload(api, (*args, *kwargs.values()), forms)
    emit(op, Pipe.V, target, (source,), _strides(api, given))


def _strides(api: str, given: Kwargs) -> Params:
    repeat = next(name for name in ("repeat", "repeat_time") if name in given)
    sets_mask = ConstExpr.unwrap(given.get("is_set_mask", True))
    return {
        "mask": mask_of(api, given["mask"]) if sets_mask else None,
        "repeat": plain_int(api, repeat, given[repeat]),
        "dst_rep": plain_int(api, "dst_rep_stride", given["dst_rep_stride"]),
        "src_blk": plain_int(api, "src_blk_stride", given["src_blk_stride"]),
        "src_rep": plain_int(api, "src_rep_stride", given["src_rep_stride"]),
    }


def whole_reduce_sum(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """One sum per repeat: ``mask, repeat_time, dst_rep_stride, src_blk_stride, src_rep_stride``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/ReduceRepeat.md
    """
    _per_repeat("WholeReduceSum", "asc.whole_reduce_sum", _WHOLE, dst, src, args, kwargs)


def _with_order(op: str, api: str, dst: Any, src: Any, args: Args, kwargs: Kwargs) -> None:
    target, source = local(api, "dst", dst), local(api, "src", src)
    given = bind((*_WHOLE, "order", "is_set_mask"), args, kwargs)
    if given is None or not set(_WHOLE) <= given.keys():
        forms = (", ".join(("dst", "src", *_WHOLE, "order: ReduceOrder")),)
        raise no_overload(api, (*args, *kwargs.values()), forms)
    params = _strides(api, given)
    order = ConstExpr.unwrap(given.get("order"))
    params["order"] = ReduceOrder(order or 0).name
    emit(op, Pipe.V, target, (source,), params)


def whole_reduce_max(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The largest element of each repeat and its index, as ``order`` says."""
    _with_order("WholeReduceMax", "asc.whole_reduce_max", dst, src, args, kwargs)


def whole_reduce_min(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The smallest element of each repeat and its index, as ``order`` says."""
    _with_order("WholeReduceMin", "asc.whole_reduce_min", dst, src, args, kwargs)


def block_reduce_sum(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """One sum per DataBlock: ``repeat, mask, dst_rep_stride, src_blk_stride, src_rep_stride``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/ReduceDataBlock.md
    """
    _per_repeat("BlockReduceSum", "asc.block_reduce_sum", _BLOCK, dst, src, args, kwargs)


def block_reduce_max(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The largest element of each DataBlock."""
    _per_repeat("BlockReduceMax", "asc.block_reduce_max", _BLOCK, dst, src, args, kwargs)


def block_reduce_min(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The smallest element of each DataBlock."""
    _per_repeat("BlockReduceMin", "asc.block_reduce_min", _BLOCK, dst, src, args, kwargs)


def pair_reduce_sum(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """The sum of each two neighbours.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/归约计算/ReducePairElem.md
    """
    _per_repeat("PairReduceSum", "asc.pair_reduce_sum", _PAIR, dst, src, args, kwargs)


def repeat_reduce_sum(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """One sum per repeat, as ``whole_reduce_sum``; ``dst_blk_stride`` has no effect."""
    _per_repeat("WholeReduceSum", "asc.repeat_reduce_sum", _REPEAT, dst, src, args, kwargs)
