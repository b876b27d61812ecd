"""Element types as the graph engine numbers them, as NumPy and as kernels call them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import ml_dtypes
import numpy as np


class ElementType(NamedTuple):
    """One type: ge's number and name, NumPy's, and the type in a kernel."""

    code: int
    ge: str
    dtype: np.dtype[np.generic]
    kernel: str


_ROWS = (
    (0, "DT_FLOAT", np.float32, "float"),
    (1, "DT_FLOAT16", np.float16, "half"),
    (2, "DT_INT8", np.int8, "int8_t"),
    (3, "DT_INT32", np.int32, "int32_t"),
    (4, "DT_UINT8", np.uint8, "uint8_t"),
    (6, "DT_INT16", np.int16, "int16_t"),
    (7, "DT_UINT16", np.uint16, "uint16_t"),
    (8, "DT_UINT32", np.uint32, "uint32_t"),
    (9, "DT_INT64", np.int64, "int64_t"),
    (10, "DT_UINT64", np.uint64, "uint64_t"),
    (11, "DT_DOUBLE", np.float64, "double"),
    (12, "DT_BOOL", np.bool_, "bool"),
    (27, "DT_BF16", ml_dtypes.bfloat16, "bfloat16_t"),
)
TYPES: tuple[ElementType, ...] = tuple(
    ElementType(code, ge, np.dtype(dtype), kernel) for code, ge, dtype, kernel in _ROWS
)
FORMAT_ND = 2


def by_code(code: int) -> ElementType | None:
    """The type that ge numbers ``code``, None when no array can have it."""
    return next((one for one in TYPES if one.code == code), None)


def by_dtype(dtype: np.dtype[np.generic]) -> ElementType | None:
    """The type of a NumPy array's elements."""
    return next((one for one in TYPES if one.dtype == dtype), None)


def by_name(name: str) -> ElementType | None:
    """The type called ``name``: by NumPy ("float16"), ge ("DT_FLOAT16") or msopgen ("fp16", "float")."""
    plain = {
        "fp16": "float16",
        "fp32": "float32",
        "float": "float32",
        "bf16": "bfloat16",
        "half": "float16",
    }
    wanted = plain.get(name, name)
    return next((one for one in TYPES if wanted in (one.ge, one.dtype.name)), None)


def macros(types: Mapping[str, ElementType], numbered: bool) -> Iterator[str]:
    """What an operator's build defines for parameters of ``types`` (by name): DTYPE_X=half and its kin.

    ``numbered``: also the names that ORIG_DTYPE_X is compared with.
    """
    for name, found in types.items():
        yield f"DTYPE_{name.upper()}={found.kernel}"
        yield f"ORIG_DTYPE_{name.upper()}={found.ge}"
        yield f"FORMAT_{name.upper()}=FORMAT_ND"
    if numbered:
        yield from (f"{one.ge}={one.code}" for one in TYPES)


def said(code: int) -> str:
    """ge's name of a type."""
    found = by_code(code)
    return found.ge if found is not None else f"DataType {code}"
