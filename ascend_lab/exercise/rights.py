"""Who a child is: nobody, when the judge is root."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable
from pathlib import Path

NOBODY = 65534
_PR_SET_KEEPCAPS = 8
_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE = 47, 2
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION_3 = 0x20080522


def drop(folder: str, needed: Iterable[str], may_read: bool) -> bool:
    """Become nobody when this is root; ``folder`` becomes nobody's too. Returns whether that was done.

    When root alone can read some of the ``needed`` paths, and ``may_read`` (Landlock says which files), the
    process keeps the right to read, also in what it executes.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return False
    hidden = not all(_open_to_all(Path(path)) for path in needed)
    keeps = hidden and may_read and sys.platform.startswith("linux")
    libc = ctypes.CDLL(None)
    if keeps:
        libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.chown(folder, NOBODY, NOBODY)
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    if keeps:
        _keep_only_reading(libc)
    return True


def _keep_only_reading(libc: ctypes.CDLL) -> None:
    """Of all capabilities keep the one to read files whatever their mode."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    reading = 1 << _CAP_DAC_READ_SEARCH
    data = (ctypes.c_uint32 * 6)(
        reading, reading, reading, 0, 0, 0
    )  # effective, permitted, inheritable
    libc.capset(ctypes.byref(header), ctypes.byref(data))
    libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_RAISE, _CAP_DAC_READ_SEARCH, 0, 0)


def _open_to_all(path: Path) -> bool:
    return all(part.stat().st_mode & 0o001 for part in path.resolve().parents)
