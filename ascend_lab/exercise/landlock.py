"""Landlock: the kernel of Linux refuses this process every file but a few, for good.

Source: the kernel's documentation, userspace-api/landlock.rst. Needs no privilege and no package; where
the kernel has it not (or this is not Linux), `restrict` says so and does nothing.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446  # the same on all architectures
_PR_SET_NO_NEW_PRIVS = 38
_PATH_BENEATH = 1
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_READING = _EXECUTE | _READ_FILE | _READ_DIR
_READ_A_FILE = _EXECUTE | _READ_FILE
# Rights by the version that brought them: 13 at first, then refer, truncate and (version 5) ioctl.
_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP = 0b11  # bind, connect (version 4)
_SCOPES = 0b11  # abstract sockets, signals (version 6)


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("fs", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("fd", ctypes.c_int32))


def abi() -> int:
    """The version that this system has, less than 1 when it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return int(libc.syscall(_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1)))


def restrict(readable: Iterable[str], folder: str) -> bool:
    """Leave this process ``readable`` (to read) and ``folder`` (to write); no TCP, no signals outwards.

    Returns whether the rules are in force. Paths that do not exist are left out.
    """
    version = abi()
    if version < 1:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    rights = _RIGHTS[max(known for known in _RIGHTS if known <= version)]
    rules = _Ruleset(rights, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = libc.syscall(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    if ruleset < 0:
        return False
    try:
        for path in readable:
            _allow(libc, ruleset, path, _READING)
        _allow(libc, ruleset, folder, rights)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            return False
        return bool(libc.syscall(_RESTRICT, ruleset, ctypes.c_uint32(0)) == 0)
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        fd = os.open(
            path, os.O_PATH | os.O_CLOEXEC
        )  # only Linux has O_PATH; restrict() ends before
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _READ_A_FILE
        rule = _PathBeneath(rights, fd)
        libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(fd)
