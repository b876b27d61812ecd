"""Kernel arguments as NumPy arrays: those of NumPy, and tensors of torch or of its stand-in."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes


def as_argument(value: Any) -> Any:
    """``value`` as a launch takes it: a torch tensor as the array that shares its memory."""
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    if tensor is None or not isinstance(value, tensor):
        return value
    plain = value.detach()
    if getattr(torch, "is_stand_in", False):
        return plain.numpy()
    if str(value.dtype) == "torch.bfloat16":
        bits: Any = plain.view(torch.int16).numpy()  # type: ignore[union-attr]
        return bits.view(ml_dtypes.bfloat16)
    return plain.numpy()
