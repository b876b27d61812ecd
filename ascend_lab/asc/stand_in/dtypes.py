"""Types of the stand-in for torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np


class dtype:
    """A type of tensor elements: ``torch.float16`` and its like."""

    def __init__(self, name: str, kind: Any) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(kind)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.numpy.itemsize

    @property
    def is_floating_point(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.numpy.kind not in "iub"

    def __repr__(self) -> str:
        return f"torch.{self.name}"


TYPES: Mapping[str, dtype] = {
    name: dtype(name, kind)
    for name, kind in {
        "float16": np.float16,
        "bfloat16": ml_dtypes.bfloat16,
        "float32": np.float32,
        "float64": np.float64,
        "int8": np.int8,
        "int16": np.int16,
        "int32": np.int32,
        "int64": np.int64,
        "uint8": np.uint8,
        "uint16": np.uint16,
        "uint32": np.uint32,
        "uint64": np.uint64,
        "bool": np.bool_,
    }.items()
}
#: Other names of the same types.
ALIASES: Mapping[str, str] = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
}
OF_NUMPY: Mapping[np.dtype[Any], dtype] = {kind.numpy: kind for kind in TYPES.values()}
