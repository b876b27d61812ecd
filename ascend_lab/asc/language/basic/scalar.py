"""Instructions of the scalar unit that compute: counting bits, and a conversion.

asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ascend_lab.asc.door import current
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType, KnownTypes
from ascend_lab.asc.language.core.enums import RoundMode
from ascend_lab.asc.language.core.ir_value import (
    RuntimeInt,
    int64_of,
    plain_int,
    plain_number,
    scalar_of,
)
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES

_BITS = 64
_WORD = (1 << _BITS) - 1
#: type of the result -> round modes there are
_CASTS = {
    "float16": ("CAST_ODD",),
    "int32": ("CAST_ROUND", "CAST_CEIL", "CAST_FLOOR", "CAST_RINT"),
}


def scalar_cast(value_in: float, dtype: DataType, round_mode: RoundMode) -> Any:
    """A float as half (CAST_ODD) or int32 (CAST_ROUND, CAST_CEIL, CAST_FLOOR, CAST_RINT).

    asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算/Cast（float转half-int32_t）.md
    """
    api = "asc.scalar_cast"
    current()
    if not isinstance(dtype, DataType):
        raise no_overload(
            api, (value_in, dtype, round_mode), ("value_in: float, dtype, round_mode",)
        )
    mode = RoundMode(ConstExpr.unwrap(round_mode)).name
    if mode not in _CASTS.get(dtype.name, ()):
        raise NotModelled(api, f"float32 -> {dtype}, {mode}")
    number = plain_number(api, "value_in", value_in, KnownTypes.float32)
    # The engine's rules of rounding are loaded by the launch, not by ``import asc``.
    from ascend_lab.engine.semantics.casting import cast

    found = cast(np.array([number], dtype=np.float32), DTYPES[dtype.name], mode)
    return scalar_of(found[0].item(), dtype)


def scalar_count_leading_zero(value_in: int) -> RuntimeInt:
    """Zeros above the highest 1 of a uint64; 64 for 0.

    asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算/CountLeadingZero.md
    """
    return int64_of(_BITS - _word("asc.scalar_count_leading_zero", value_in).bit_length())


def scalar_get_count_of_value(value_in: int, count_value: int) -> RuntimeInt:
    """How many bits of a uint64 are ``count_value``, 0 or 1.

    asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算/GetBitCount.md
    """
    api = "asc.scalar_get_count_of_value"
    ones = _word(api, value_in).bit_count()
    return int64_of(ones if _bit(api, count_value) else _BITS - ones)


def scalar_get_sff_value(value_in: int, count_value: int) -> RuntimeInt:
    """The lowest bit of a uint64 that is ``count_value``, 0 or 1; -1 when there is none.

    asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算/GetSFFValue.md
    """
    api = "asc.scalar_get_sff_value"
    word = _word(api, value_in)
    if not _bit(api, count_value):
        word ^= _WORD
    return int64_of((word & -word).bit_length() - 1)


def count_bits_cnt_same_as_sign_bit(value_in: int) -> RuntimeInt:
    """Bits below the sign of an int64 that equal it, from the highest on; -1 for 0 and -1.

    asc-devkit: docs/zh/api/SIMD-API/基础API/标量计算/CountBitsCntSameAsSignBit.md
    """
    word = _word("asc.count_bits_cnt_same_as_sign_bit", value_in)
    if word >> (_BITS - 1):
        word ^= _WORD
    return int64_of(_BITS - 1 - word.bit_length() if word else -1)


def _word(api: str, value: Any) -> int:
    current()
    return plain_int(api, "value_in", value) & _WORD


def _bit(api: str, value: Any) -> bool:
    bit = plain_int(api, "count_value", value)
    if bit not in (0, 1):
        raise no_overload(api, (value,), ("value_in: int, count_value: 0 or 1",))
    return bool(bit)
