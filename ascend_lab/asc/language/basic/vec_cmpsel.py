"""Comparing into bit masks, and choosing by them.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, bind, form, local, mask_of
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import CMPMODE, SelMode
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.types import BinaryRepeatParams, UnaryRepeatParams
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe

_COMPARE = ("dst", "src0", "src1", "cmp_mode")
_SCALAR = ("dst", "src0", "src1_scalar", "cmp_mode")
_SELECT = ("sel_mask", "src0", "src1", "sel_mode")


def _leading(
    names: tuple[str, ...], args: tuple[Any, ...], kwargs: Kwargs
) -> tuple[list[Any], tuple[Any, ...], Kwargs]:
    """The arguments called ``names``, and what is left of ``args`` and ``kwargs``."""
    rest = dict(kwargs)
    found = [args[i] if i < len(args) else rest.pop(n, None) for i, n in enumerate(names)]
    return found, args[len(names) :], rest


def compare(*args: Any, **kwargs: Any) -> None:
    """``compare(dst, src0, src1, cmp_mode, count)`` or mask, repeats and BinaryRepeatParams.

    One bit per element into ``dst`` (uint8), lowest first. In the count form count * sizeof must be a
    multiple of 256 B. ``compare(src0, src1, cmp_mode, mask, repeat_params)``: one iteration, into CMPMASK.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/Compare.md
    """
    api = "asc.compare"
    if (len(args) > 2 and isinstance(args[2], CMPMODE)) or ("dst" not in kwargs and not args):
        _compare_to_register(api, args, kwargs)
        return
    (dst, src0, src1, mode), rest, more = _leading(_COMPARE, args, kwargs)
    target = local(api, "dst", dst)
    sources = (local(api, "src0", src0), local(api, "src1", src1))
    params = form(api, rest, more, BinaryRepeatParams)
    params["mode"] = _mode(api, CMPMODE, mode, args)
    emit("Compare", Pipe.V, target, sources, params)


def _compare_to_register(api: str, args: tuple[Any, ...], kwargs: Kwargs) -> None:
    given = bind(("src0", "src1", "cmp_mode", "mask", "repeat_params", "is_set_mask"), args, kwargs)
    if given is None or not isinstance(given.get("repeat_params"), BinaryRepeatParams):
        forms = ("src0, src1, cmp_mode: CMPMODE, mask, repeat_params: BinaryRepeatParams",)
        raise no_overload(api, (*args, *kwargs.values()), forms)
    strides = given["repeat_params"]
    sets_mask = ConstExpr.unwrap(given.get("is_set_mask", True))
    params = {
        "mask": mask_of(api, given.get("mask", 0)) if sets_mask else None,
        "blk": strides.blk,
        "rep": strides.rep,
        "mode": _mode(api, CMPMODE, given.get("cmp_mode"), args),
    }
    sources = tuple(local(api, name, given.get(name)) for name in ("src0", "src1"))
    emit("Compare", Pipe.V, None, sources, params)


def compare_scalar(*args: Any, **kwargs: Any) -> None:
    """``compare_scalar(dst, src0, src1_scalar, cmp_mode, count)`` or mask, repeats, UnaryRepeatParams.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/Compares.md
    """
    api = "asc.compare_scalar"
    (dst, src0, scalar, mode), rest, more = _leading(_SCALAR, args, kwargs)
    target, source = local(api, "dst", dst), local(api, "src0", src0)
    params = form(api, rest, more, UnaryRepeatParams)
    params["scalar"] = plain_number(api, "src1_scalar", scalar, src0.dtype)
    params["mode"] = _mode(api, CMPMODE, mode, args)
    emit("CompareScalar", Pipe.V, target, (source,), params)


def select(dst: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """``select(dst, sel_mask, src0, src1, sel_mode, count)`` or mask, repeats, BinaryRepeatParams.

    Bit 1 takes ``src0``, bit 0 takes ``src1``, a tensor or a float. ``select(dst, src0, src1, repeat_times,
    repeat_params, sel_mode)`` takes the bits of CMPMASK, the same in every iteration.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/Select.md
    """
    api = "asc.select"
    if _by_register(args, kwargs):
        _select_by_register(api, dst, args, kwargs)
        return
    (sel_mask, src0, src1, mode), rest, more = _leading(_SELECT, args, kwargs)
    if isinstance(mode, BinaryRepeatParams) or (
        not rest and "repeat_params" in more and src1 is None
    ):
        raise NotModelled(api, "the form without src1 and sel_mode")
    if mode is None and "repeat_times" in more:
        raise NotModelled(api, "the form without src1 and sel_mode")
    target = local(api, "dst", dst)
    refs = [local(api, "sel_mask", sel_mask), local(api, "src0", src0)]
    params = form(api, rest, more, BinaryRepeatParams)
    params["mode"] = int(SelMode[_mode(api, SelMode, mode, args)])
    if isinstance(src1, LocalTensor):
        refs.append(local(api, "src1", src1))
    else:
        params["scalar"] = plain_number(api, "src1", src1, src0.dtype)
    emit("Select", Pipe.V, target, tuple(refs), params)


_BY_REGISTER = ("src0", "src1", "repeat_times", "repeat_params", "sel_mode")


def _by_register(args: tuple[Any, ...], kwargs: Kwargs) -> bool:
    """Whether the call has the form without sel_mask: repeat_params stands before sel_mode."""
    given = bind(_BY_REGISTER, args, kwargs)
    return (
        given is not None
        and given.keys() == set(_BY_REGISTER)
        and isinstance(given["repeat_params"], BinaryRepeatParams)
    )


def _select_by_register(api: str, dst: LocalTensor, args: tuple[Any, ...], kwargs: Kwargs) -> None:
    given = bind(_BY_REGISTER, args, kwargs) or {}
    sources = (local(api, "src0", given["src0"]), local(api, "src1", given["src1"]))
    strides = given["repeat_params"]
    params = {
        "mask": None,
        "repeat": plain_int(api, "repeat_times", given["repeat_times"]),
        "blk": strides.blk,
        "rep": strides.rep,
        "mode": int(SelMode[_mode(api, SelMode, given["sel_mode"], args)]),
        "cmpmask": True,
    }
    emit("Select", Pipe.V, local(api, "dst", dst), sources, params)


def get_cmp_mask(dst: LocalTensor) -> None:
    """The 16 bytes of the CMPMASK register into ``dst``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/GetCmpMask(ISASI).md
    """
    emit("GetCmpMask", Pipe.V, local("asc.get_cmp_mask", "dst", dst), (), {})


def set_cmp_mask(src: LocalTensor) -> None:
    """The first 16 bytes of ``src`` into the CMPMASK register.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/SetCmpMask(ISASI).md
    """
    emit("SetCmpMask", Pipe.V, None, (local("asc.set_cmp_mask", "src", src),), {})


def _mode(api: str, kind: type[CMPMODE] | type[SelMode], mode: Any, args: tuple[Any, ...]) -> str:
    value = ConstExpr.unwrap(mode)
    if not isinstance(value, kind):
        raise no_overload(api, args, (f"..., {kind.__name__}, count: int",))
    return value.name
