"""Mathematical functions, element by element; half and float unless said otherwise.

``count`` elements, default all of ``src``. ``temp_buffer``: memory the function may use; without it the part of
UB that TPipe has not handed out is used. asc-devkit: docs/zh/api/SIMD-API/高阶API/数学计算.
"""

from __future__ import annotations

from typing import Any, Protocol

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.adv.scratch import REPEAT, flag, needed_by, with_buffer
from ascend_lab.asc.language.basic.vector import Params, local
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.instruction import Pipe, Ref

_PAGES = "docs/zh/api/SIMD-API/高阶API/数学计算"


def elementwise(
    op: str,
    dst: LocalTensor,
    src: LocalTensor,
    count: Any,
    temp_buffer: Any,
    reuses: Any = False,
    *more: Any,
    name: str = "",
    **params: Any,
) -> None:
    """Issue ``op`` of this library: ``more`` are further sources, ``name`` is pyasc's name."""
    name = name or op.lower()
    api = f"asc.adv.{name}"
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), *(local(api, "src1", other) for other in more))
    size = src.dtype.sizeof()
    needed = needed_by(name, size, flag(reuses), current().chip.fused)
    params["count"] = count_of(api, count, sources[0])
    refs, params = with_buffer(api, sources, params, temp_buffer, needed)
    emit(op, Pipe.V, target, refs, params)


def count_of(api: str, count: Any, ref: Ref) -> int:
    """``count``, by default the length of the tensor."""
    return max(ref.size, 0) if count is None else plain_int(api, "count", count)


class Elementwise(Protocol):
    """A function of one tensor."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """``dst`` from the first ``count`` elements of ``src``."""
        ...


def _function(op: str, what: str) -> Elementwise:
    """The function of the library that issues ``op``."""

    def function(
        dst: LocalTensor,
        src: LocalTensor,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        elementwise(op, dst, src, count, temp_buffer, is_reuse_source)

    function.__name__ = function.__qualname__ = op.lower()
    function.__doc__ = f"{what}; half, float.\n\n    asc-devkit: {_PAGES}/{op}接口"
    return function


acos = _function("Acos", "The arc cosine")
acosh = _function("Acosh", "The inverse hyperbolic cosine")
asin = _function("Asin", "The arc sine")
asinh = _function("Asinh", "The inverse hyperbolic sine")
atan = _function("Atan", "The arc tangent")
atanh = _function("Atanh", "The inverse hyperbolic tangent")
ceil = _function("Ceil", "The smallest integer that is not less")
cos = _function("Cos", "The cosine")
cosh = _function("Cosh", "The hyperbolic cosine")
digamma = _function("Digamma", "The derivative of the logarithm of the gamma function")
erf = _function("Erf", "The error function")
erfc = _function("Erfc", "One minus the error function")
floor = _function("Floor", "The largest integer that is not greater")
frac = _function("Frac", "The part behind the point")
lgamma = _function("Lgamma", "The logarithm of the absolute value of the gamma function")
log = _function("Log", "The natural logarithm")
round = _function("Round", "The nearest integer, of two the even one")
sign = _function("Sign", "-1, 0 or 1")
sin = _function("Sin", "The sine")
sinh = _function("Sinh", "The hyperbolic sine")
tan = _function("Tan", "The tangent")
tanh = _function("Tanh", "The hyperbolic tangent")
trunc = _function("Trunc", "The integer towards zero")


def exp(
    dst: LocalTensor,
    src: LocalTensor,
    count: int,
    taylor_expand_level: int,
    temp_buffer: LocalTensor | None = None,
    is_reuse_source: bool = False,
) -> None:
    """e to the power of ``src``, exact to the last bits whatever ``taylor_expand_level`` says.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/数学计算/Exp接口
    """
    level = plain_int("asc.adv.exp", "taylor_expand_level", taylor_expand_level)
    elementwise(
        "ExpLibrary", dst, src, count, temp_buffer, is_reuse_source, name="exp", level=level
    )


def xor(
    dst: LocalTensor,
    src0: LocalTensor,
    src1: LocalTensor,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
    is_reuse_source: bool = False,
) -> None:
    """``src0 ^ src1``; int16, uint16.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/数学计算/Xor接口
    """
    elementwise("Xor", dst, src0, count, temp_buffer, is_reuse_source, src1)


def axpy(
    dst: LocalTensor,
    src: LocalTensor,
    scalar: float,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
    is_reuse_source: bool = False,
) -> None:
    """``dst += src * scalar``; half, float, or half into float.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/数学计算/Axpy接口
    """
    number = plain_number("asc.adv.axpy", "scalar", scalar, src.dtype)
    elementwise(
        "AxpyLibrary", dst, src, count, temp_buffer, is_reuse_source, name="axpy", scalar=number
    )


def power(
    dst: LocalTensor,
    src0: Any,
    src1: Any,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
    is_reuse_source: bool = False,
) -> None:
    """``src0`` to the power of ``src1``, of which one may be a number; half, float, int32.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/数学计算/Power接口
    """
    api = "asc.adv.power"
    target = local(api, "dst", dst)
    named = (("src0", src0), ("src1", src1))
    tensors = [(name, value) for name, value in named if isinstance(value, LocalTensor)]
    if not tensors:
        forms = ("dst, src0: LocalTensor, src1: LocalTensor | float, ...",)
        raise no_overload(api, (dst, src0, src1), forms)
    sources = tuple(local(api, name, value) for name, value in tensors)
    dtype: DataType = tensors[0][1].dtype
    params: Params = {"count": count_of(api, count, sources[0])}
    if len(tensors) == 1:
        base = not isinstance(src0, LocalTensor)
        number = plain_number(api, "src0" if base else "src1", src0 if base else src1, dtype)
        params |= {"scalar": number, "base": base}
    needed = _power_buffer(dtype, len(tensors) == 2, current().chip.fused)
    refs, params = with_buffer(api, sources, params, temp_buffer, needed)
    emit("Power", Pipe.V, target, refs, params)


def _power_buffer(dtype: DataType, tensors: bool, fused: bool) -> int:
    """Bytes that Power needs at least, for two tensors or for a tensor and a scalar."""
    more = int(not tensors)
    if dtype.name == "float16":
        return REPEAT * (9 if fused else 8)
    if dtype.is_float():
        return REPEAT * (5 + int(fused) + more)
    return REPEAT * (6 + int(fused) + more)
