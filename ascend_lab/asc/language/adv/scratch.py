"""Temporary buffers of high-level interfaces: given by the caller, or what TPipe has not handed out.

Sizes are the least that the tiling functions of the library ask for, which allow the call to work in rounds:
asc-devkit: docs/zh/api/SIMD-API/高阶API; impl/adv_api/tiling.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.basic.common import stack_of
from ascend_lab.asc.language.basic.vector import Params, local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.engine.instruction import Ref

REPEAT = 256
#: Units of 256 B for (half, float, float whose source may be used as well).
_UNITS: dict[str, tuple[int, int, int]] = {
    "acos": (6, 2, 2),
    "acosh": (2, 1, 1),
    "asin": (6, 2, 2),
    "asinh": (3, 3, 3),
    "atan": (12, 5, 5),
    "atanh": (4, 1, 1),
    "axpy": (4, 1, 1),
    "ceil": (2, 1, 1),
    "cos": (8, 3, 2),
    "cosh": (6, 2, 2),
    "digamma": (16, 7, 6),
    "erf": (8, 3, 3),
    "erfc": (16, 7, 7),
    "exp": (4, 3, 2),
    "faster_gelu": (3, 3, 3),
    "floor": (2, 0, 0),
    "frac": (4, 0, 0),
    "gelu": (3, 3, 3),
    "lgamma": (26, 8, 7),
    "sigmoid": (1, 1, 1),
    "sign": (3, 3, 3),
    "sin": (8, 3, 2),
    "sinh": (4, 1, 1),
    "tan": (10, 4, 4),
    "tanh": (4, 1, 1),
    "trunc": (2, 1, 1),
    "xor": (1, 1, 1),
}


def needed_by(name: str, itemsize: int, reuses: bool, fused: bool) -> int:
    """Bytes that ``name`` needs at least. ``fused``: the Atlas inference series."""
    if name == "round":
        return REPEAT * ((2, 1) if fused else (1, 0))[itemsize == 4]
    half, single, reusing = _UNITS.get(name, (0, 0, 0))
    if itemsize == 4:
        return REPEAT * (reusing if reuses else single)
    return REPEAT * half


def with_buffer(
    api: str, sources: tuple[Ref, ...], params: Params, buffer: Any, needed: int
) -> tuple[tuple[Ref, ...], Params]:
    """Sources and params with the temporary buffer: ``buffer``, or ``needed`` bytes of the stack."""
    if buffer is None and not needed:
        return sources, params
    if buffer is None:
        ref = stack_of(api, "uint8", nbytes=needed)
    else:
        ref = local(api, "temp_buffer", buffer)
    return (*sources, ref), params | {"tmp": needed}


def flag(value: Any) -> bool:
    """A compile-time flag."""
    return bool(ConstExpr.unwrap(value))
