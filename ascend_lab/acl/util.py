"""acl.util: pointers of arrays and bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl import races
from ascend_lab.acl.current import current
from ascend_lab.acl.timeline import Use
from ascend_lab.engine.errors import LabError

#: NumPy's C numbers of types, as pyACL takes them.
_TYPES = {
    0: np.bool_,
    1: np.int8,
    2: np.uint8,
    3: np.int16,
    4: np.uint16,
    5: np.int32,
    6: np.uint32,
    7: np.int64,
    8: np.uint64,
    9: np.int64,
    10: np.uint64,
    11: np.float32,
    12: np.float64,
    23: np.float16,
}


def numpy_to_ptr(array: NDArray[Any]) -> int:
    """The address of a contiguous array."""
    return current().arrays.pointer(array)


def bytes_to_ptr(data: bytes | bytearray) -> int:
    """The address of bytes."""
    return current().arrays.pointer(data)


def ptr_to_bytes(pointer: int, size: int) -> bytes:
    """``size`` bytes of the host's memory. Raises LabError for memory of the device, or beyond an array."""
    return _bytes(pointer, size).tobytes()


def ptr_to_numpy(pointer: int, shape: tuple[int, ...], dtype: int) -> NDArray[Any]:
    """An array over the host's memory: it shows what is there when it is looked at.

    ``dtype`` is NumPy's C number of a type: 11 float32, 5 int32, 23 float16. pyACL prefers ptr_to_bytes.
    """
    if dtype not in _TYPES:
        raise TypeError(f"ptr_to_numpy: {dtype} is no number of a NumPy type")
    kind = np.dtype(_TYPES[dtype])
    found = _bytes(pointer, int(np.prod(shape)) * kind.itemsize).view(kind).reshape(shape)
    current().arrays.tell_type(pointer, str(kind))
    return found


def _bytes(pointer: int, size: int) -> NDArray[np.uint8]:
    runtime = current()
    session = runtime.session
    session.spot = session.line()
    if session.on_device(pointer):
        session.report("J9", {"name": races.name_of(session, pointer)}, variant="host")
        finding = session.found[-1]
        raise LabError(finding.message("zh"), finding.message("en"), finding=finding)
    races.host_reads(session, Use(pointer, pointer + size, False), "host")
    found = runtime.arrays.view(pointer, size)
    if found is None:
        left = runtime.arrays.extent(pointer)
        raise LabError(
            f"{size} B 超出该指针处的主机内存（剩 {left} B）。指针须来自 numpy_to_ptr、bytes_to_ptr 或 malloc_host。",
            f"{size} B are more than the {left} B of host memory at this pointer. "
            "Pointers come from numpy_to_ptr, bytes_to_ptr or malloc_host.",
        )
    return found
