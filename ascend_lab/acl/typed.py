"""Device pointers that say what they point to, for kernels that count in elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from ascend_lab.engine.instruction import DTYPES

_NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Typed(int):
    """A device pointer with an element type."""

    dtype: str

    def __new__(cls, pointer: int, dtype: str) -> Typed:
        made = super().__new__(cls, pointer)
        made.dtype = dtype
        return made


def typed(pointer: int, dtype: Any) -> Typed:
    """``pointer`` for a kernel of the Python door, with the type of its elements.

    Raises TypeError for a type that no kernel takes.
    """
    name = _NAMES.get(np.dtype(dtype))
    if name is None:
        raise TypeError(f"no kernel takes elements of type {dtype}")
    return Typed(pointer, name)
