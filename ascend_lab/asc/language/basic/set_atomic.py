"""Atomic stores: what UB to GM transfers do with what is there already.

asc-devkit: docs/zh/api/SIMD-API/基础API/原子操作.
"""

from __future__ import annotations

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.engine.instruction import Pipe


def _set(api: str, mode: str | None, dtype: DataType) -> None:
    if not isinstance(dtype, DataType):
        raise no_overload(api, (dtype,), ("dtype: DataType",))
    block = current()
    if mode is not None:
        block.atomic = mode
    emit("SetAtomic", Pipe.S, params={"mode": block.atomic, "dtype": str(dtype)})


def set_atomic_add(dtype: DataType) -> None:
    """Later stores to GM add. Holds until ``set_atomic_none``."""
    _set("asc.set_atomic_add", "add", dtype)


def set_atomic_max(dtype: DataType) -> None:
    """Later stores to GM keep the larger value."""
    _set("asc.set_atomic_max", "max", dtype)


def set_atomic_min(dtype: DataType) -> None:
    """Later stores to GM keep the smaller value."""
    _set("asc.set_atomic_min", "min", dtype)


def set_atomic_type(dtype: DataType) -> None:
    """The type of atomic stores, without changing what they do."""
    _set("asc.set_atomic_type", None, dtype)


def set_atomic_none() -> None:
    """Later stores to GM overwrite."""
    current().atomic = "none"
    emit("SetAtomic", Pipe.S, params={"mode": "none"})
