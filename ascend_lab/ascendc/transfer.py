"""Bytes between this process's arrays and a child's memory, straight where the system can.

Linux: process_vm_readv and process_vm_writev. Elsewhere, or where they are forbidden, the caller takes the wire.
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray


class _Vector(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


@functools.cache
def _calls() -> tuple[Any, Any] | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        calls = libc.process_vm_readv, libc.process_vm_writev
    except AttributeError:
        return None
    for call in calls:
        vector = ctypes.POINTER(_Vector)
        call.argtypes = (
            *(ctypes.c_int, vector, ctypes.c_ulong, vector, ctypes.c_ulong, ctypes.c_ulong),
        )
        call.restype = ctypes.c_ssize_t
    return calls


def read_into(pid: int, address: int, view: NDArray[np.uint8]) -> bool:
    """Fill ``view`` from ``address`` of process ``pid``; False when that is not to be had this way."""
    return _move(0, pid, address, view)


def write_from(pid: int, address: int, view: NDArray[np.uint8]) -> bool:
    """Write ``view`` to ``address`` of process ``pid``; False when that is not to be had this way."""
    return _move(1, pid, address, view)


def _move(which: int, pid: int, address: int, view: NDArray[np.uint8]) -> bool:
    calls = _calls()
    if calls is None or not view.flags.c_contiguous or address <= 0:
        return False
    mine = _Vector(view.ctypes.data, view.nbytes)
    its = _Vector(address, view.nbytes)
    moved = calls[which](pid, ctypes.byref(mine), 1, ctypes.byref(its), 1, 0)
    return bool(moved == view.nbytes)
