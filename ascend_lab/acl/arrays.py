"""The memory of a Python host program: arrays and bytes that it has asked a pointer for."""

from __future__ import annotations

import ctypes
from bisect import bisect_right, insort
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.errors import LabError


class Arrays:
    """Pointers of this process. They stay valid: whatever has a pointer is kept."""

    def __init__(self) -> None:
        self._bases: list[int] = []
        self._known: dict[int, tuple[int, Any]] = {}
        self._types: dict[int, str] = {}

    def pointer(self, owner: Any) -> int:
        """The address of an array or of bytes. Raises LabError for an array that is not contiguous."""
        array = owner if isinstance(owner, np.ndarray) else np.frombuffer(owner, dtype=np.uint8)
        if not array.flags.c_contiguous:
            raise LabError(
                "numpy_to_ptr：数组在内存中不连续；先用 np.ascontiguousarray。",
                "numpy_to_ptr: the array is not contiguous in memory; use np.ascontiguousarray first.",
            )
        base = int(array.__array_interface__["data"][0])
        size = self._known.get(base, (0, None))[0]
        if base not in self._known:
            insort(self._bases, base)
        if array.nbytes >= size:
            self._known[base] = (array.nbytes, array)
        return base

    def allocate(self, size: int) -> int:
        """Fresh memory."""
        return self.pointer(np.zeros(max(size, 1), dtype=np.uint8)) if size > 0 else 0

    def forget(self, address: int) -> None:
        """Let memory of `allocate` go."""
        self._types.pop(address, None)
        if self._known.pop(address, None) is not None:
            self._bases.remove(address)

    def extent(self, address: int) -> int | None:
        """Bytes from ``address`` to the end of what lies there; 0 where nothing is known."""
        found = self._find(address)
        return found[0] + found[1] - address if found is not None else 0

    def dtype(self, address: int) -> str:
        """The element type of the array at ``address``."""
        found = self._find(address)
        if found is not None and found[0] in self._types:
            return self._types[found[0]]
        if found is None or not isinstance(found[2], np.ndarray) or found[2].dtype == np.uint8:
            return ""
        return str(found[2].dtype)

    def tell_type(self, address: int, dtype: str) -> None:
        """The program looks at the memory that starts here as elements of this type."""
        if address in self._known:
            self._types[address] = dtype

    def _find(self, address: int) -> tuple[int, int, Any] | None:
        position = bisect_right(self._bases, address) - 1
        if position < 0:
            return None
        base = self._bases[position]
        size, owner = self._known[base]
        return (base, size, owner) if address < base + max(size, 1) else None

    def view(self, address: int, size: int) -> NDArray[np.uint8] | None:
        """The bytes themselves, None where they are not all known."""
        if size > (self.extent(address) or 0):
            return None
        raw = (ctypes.c_uint8 * size).from_address(address)
        return np.ctypeslib.as_array(raw)

    def read_into(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Fill ``view``; False where the memory is not known."""
        found = self.view(address, view.size)
        if found is None:
            return False
        view[:] = found
        return True

    def write_from(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Write ``view``; False where the memory is not known."""
        if view.size > (self.extent(address) or 0):
            return False
        data = np.ascontiguousarray(view)
        ctypes.memmove(address, data.ctypes.data, data.size)
        return True

    def call(self, function: Any, data: Any) -> None:
        """Call a function of the program."""
        function(data)
