"""Comparing into bit masks, and choosing by them.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import Kwargs, form, local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import CMPMODE, SelMode
from ascend_lab.asc.language.core.ir_value import plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.asc.language.core.types import BinaryRepeatParams, UnaryRepeatParams
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe

get_cmp_mask = not_modelled("asc.get_cmp_mask")
set_cmp_mask = not_modelled("asc.set_cmp_mask")

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
    multiple of 256 B. The form without ``dst`` (into the CMPMASK register) is not modelled.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/Compare.md
    """
    api = "asc.compare"
    if (len(args) > 2 and isinstance(args[2], CMPMODE)) or ("dst" not in kwargs and not args):
        raise NotModelled(api, "the form without dst")
    (dst, src0, src1, mode), rest, more = _leading(_COMPARE, args, kwargs)
    target = local(api, "dst", dst)
    sources = (local(api, "src0", src0), local(api, "src1", src1))
    params = form(api, rest, more, BinaryRepeatParams)
    params["mode"] = _mode(api, CMPMODE, mode, args)
    emit("Compare", Pipe.V, target, sources, params)


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

    Bit 1 takes ``src0``, bit 0 takes ``src1``, a tensor or a float. The forms that use the CMPMASK register
    are not modelled.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/Select.md
    """
    api = "asc.select"
    (sel_mask, src0, src1, mode), rest, more = _leading(_SELECT, args, kwargs)
    if isinstance(mode, BinaryRepeatParams) or (
        not rest and "repeat_params" in more and src1 is None
    ):
        raise NotModelled(api, "the forms with the CMPMASK register")
    if mode is None and "repeat_times" in more:
        raise NotModelled(api, "the forms with the CMPMASK register")
    target = local(api, "dst", dst)
    refs = [local(api, "sel_mask", sel_mask), local(api, "src0", src0)]
    params = form(api, rest, more, BinaryRepeatParams)
    params["mode"] = int(SelMode[_mode(api, SelMode, mode, args)])
    if isinstance(src1, LocalTensor):
        refs.append(local(api, "src1", src1))
    else:
        params["scalar"] = plain_number(api, "src1", src1, src0.dtype)
    emit("Select", Pipe.V, target, tuple(refs), params)


def _mode(api: str, kind: type[CMPMODE] | type[SelMode], mode: Any, args: tuple[Any, ...]) -> str:
    value = ConstExpr.unwrap(mode)
    if not isinstance(value, kind):
        raise no_overload(api, args, (f"..., {kind.__name__}, count: int",))
    return value.name
