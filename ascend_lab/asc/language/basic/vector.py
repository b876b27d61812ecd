"""What all vector instructions share: operands, and the two ways to say how much of them.

Count form: the first ``count`` elements. High-dimension form: a mask of lanes, a number of repeats, and
strides. asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/SIMD计算说明.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_memory, no_overload, not_local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.types import BinaryRepeatParams, UnaryRepeatParams
from ascend_lab.engine.instruction import Pipe, Ref

#: What to pass as the mask of a call with ``is_set_mask=False``: the mask register is used.
MASK_PLACEHOLDER = 0

Args = tuple[Any, ...]
Kwargs = dict[str, Any]
Params = dict[str, Any]

_V = Pipe.V
_COUNT_NAMES = ("count", "is_set_mask")
_MASK_NAMES = ("mask", "repeat_times", "repeat_params", "is_set_mask")


def local(api: str, name: str, value: Any) -> Ref:
    """The operand ``name`` as an instruction carries it. Raises LabError when it is not local."""
    if not isinstance(value, LocalTensor):
        raise not_local(api, name, value)
    ref = value.ref
    if not ref.space:
        raise no_memory(api)
    return ref


def mask_of(api: str, mask: Any) -> int | tuple[int, int]:
    """A mask as a number of leading lanes, or as bits (low, high)."""
    if isinstance(mask, Sequence):
        words = [plain_int(api, "mask", word) for word in mask]
        return words[0] if words else 0, words[1] if len(words) > 1 else 0
    return plain_int(api, "mask", mask)


def bind(names: Sequence[str], args: Args, kwargs: Kwargs) -> Kwargs | None:
    """Arguments by name, or None when they do not fit ``names``."""
    if len(args) > len(names):
        return None
    given = dict(zip(names, args, strict=False))
    if kwargs:
        if not kwargs.keys() <= set(names) or kwargs.keys() & given.keys():
            return None
        given |= kwargs
    return given


def form(api: str, args: Args, kwargs: Kwargs, strides: type[Any]) -> Params:
    """``count`` or ``mask, repeat, blk, rep`` of a call, after its operands.

    ``strides`` is the class of its repeat_params. With ``is_set_mask=False`` the mask is None: the
    register's.
    """
    if len(args) == 1 and not kwargs:
        try:
            return {"count": index(args[0])}
        except TypeError:
            return {"count": plain_int(api, "count", args[0])}
    counted = bind(_COUNT_NAMES, args, kwargs)
    if counted and "count" in counted and isinstance(counted.get("is_set_mask", True), bool):
        return {"count": plain_int(api, "count", counted["count"])}
    masked = bind(_MASK_NAMES, args, kwargs)
    if masked is not None and isinstance(masked.get("repeat_params"), strides):
        return _high_dimension(api, masked)
    raise no_overload(api, (*args, *kwargs.values()), _forms(strides))


def _high_dimension(api: str, given: Kwargs) -> Params:
    strides = given["repeat_params"]
    return {
        "mask": mask_of(api, given.get("mask", 0)) if _sets_mask(given) else None,
        "repeat": plain_int(api, "repeat_times", given.get("repeat_times", 0)),
        "blk": strides.blk,
        "rep": strides.rep,
    }


def _sets_mask(given: Kwargs) -> bool:
    return bool(ConstExpr.unwrap(given.get("is_set_mask", True)))


def _forms(strides: type[Any]) -> tuple[str, ...]:
    name = strides.__name__
    return (
        "..., count: int",
        f"..., mask: int, repeat_times: int, repeat_params: {name}, is_set_mask: bool = True",
        f"..., mask: list[int], repeat_times: int, repeat_params: {name}, is_set_mask: bool = True",
    )


def binary(op: str, api: str, dst: Any, src0: Any, src1: Any, args: Args, kwargs: Kwargs) -> None:
    """Issue an instruction with two sources."""
    target = local(api, "dst", dst)
    sources = (local(api, "src0", src0), local(api, "src1", src1))
    emit(op, _V, target, sources, form(api, args, kwargs, BinaryRepeatParams))


def unary(op: str, api: str, dst: Any, src: Any, args: Args, kwargs: Kwargs) -> None:
    """Issue an instruction with one source."""
    target, source = local(api, "dst", dst), local(api, "src", src)
    emit(op, _V, target, (source,), form(api, args, kwargs, UnaryRepeatParams))


def with_scalar(
    op: str, api: str, dst: Any, src: Any, scalar: Any, args: Args, kwargs: Kwargs
) -> None:
    """Issue an instruction with one source and a scalar of the source's type."""
    target, source = local(api, "dst", dst), local(api, "src", src)
    params = form(api, args, kwargs, UnaryRepeatParams)
    if "count" in params and not _sets_mask(bind(_COUNT_NAMES, args, kwargs) or {}):
        params = {"mask": None, "repeat": 1, "blk": (1, 1), "rep": (8, 8)}
    params["scalar"] = plain_number(api, "scalar", scalar, src.dtype)
    emit(op, _V, target, (source,), params)
