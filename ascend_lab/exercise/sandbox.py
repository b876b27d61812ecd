"""What a child may do before the answer's first line runs. The one place for it.

Layers, each where the system has it: limits of time, memory, files and processes; a user without rights
when the judge is root; Landlock. `enter` says which are in force, and every report shows it. A stronger
box (seccomp, bubblewrap) belongs here too.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import sysconfig
from pathlib import Path

from ascend_lab.exercise import landlock

_NOBODY = 65534
_PR_SET_PDEATHSIG = 1
_PR_SET_KEEPCAPS = 8
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION_3 = 0x20080522
_FILE_BYTES = 8 << 20
_OPEN_FILES = 64
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero")


def readable() -> tuple[str, ...]:
    """What a child may read: Python, its packages, this package; not the exam bank, not the answers."""
    paths = sysconfig.get_paths()
    own = (paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"])
    package = str(Path(__file__).resolve().parents[1])
    names = (sys.prefix, sys.base_prefix, *own, package, *_SYSTEM, *_DEVICES)
    return tuple(dict.fromkeys(os.path.realpath(name) for name in names if name != "/usr"))


def enter(folder: str, cpu_s: int, memory_mb: int) -> tuple[str, ...]:
    """Confine this process to ``folder`` and the limits. Returns the names of the layers in force."""
    layers = ["limits"] if _limit(cpu_s, memory_mb) else []
    os.chdir(folder)
    if _drop_rights(folder):
        layers.append("no rights")
    if _no_processes():
        layers.append("no processes")
    if landlock.restrict(readable(), os.curdir):
        layers.append("landlock")
    return tuple(layers)


def _limit(cpu_s: int, memory_mb: int) -> bool:
    if sys.platform == "win32":
        return False
    import resource

    wanted = {
        "RLIMIT_CPU": (cpu_s, cpu_s + 1),
        "RLIMIT_AS": (memory_mb << 20, memory_mb << 20),
        "RLIMIT_FSIZE": (_FILE_BYTES, _FILE_BYTES),
        "RLIMIT_NOFILE": (_OPEN_FILES, _OPEN_FILES),
        "RLIMIT_CORE": (0, 0),
    }
    for name, (soft, hard) in wanted.items():
        ceiling = resource.getrlimit(getattr(resource, name))[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        try:
            resource.setrlimit(getattr(resource, name), (soft, hard))
        except (OSError, ValueError):
            if name != "RLIMIT_AS":  # macOS knows it but does not set it
                raise
    return True


def _drop_rights(folder: str) -> bool:
    """Become nobody when this is root; keep the right to read when Python itself is root's alone."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return False
    hidden = not all(_open_to_all(Path(path)) for path in (sys.prefix, sys.base_prefix, __file__))
    if hidden and not sys.platform.startswith("linux"):
        return False
    libc = ctypes.CDLL(None)
    if hidden:
        libc.prctl(_PR_SET_KEEPCAPS, 1, 0, 0, 0)
    os.chown(folder, _NOBODY, _NOBODY)
    os.setgroups([])
    os.setgid(_NOBODY)
    os.setuid(_NOBODY)
    if hidden:
        _keep_only_reading(libc)
    return True


def _keep_only_reading(libc: ctypes.CDLL) -> None:
    """Of all capabilities keep the one to read files whatever their mode; Landlock says which files."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    reading = 1 << _CAP_DAC_READ_SEARCH
    data = (ctypes.c_uint32 * 6)(reading, reading, 0, 0, 0, 0)  # effective, permitted, inheritable
    libc.capset(ctypes.byref(header), ctypes.byref(data))


def _open_to_all(path: Path) -> bool:
    return all(part.stat().st_mode & 0o001 for part in path.resolve().parents)


def _no_processes() -> bool:
    """No new process and no thread. It does not bind root."""
    if sys.platform == "win32" or os.geteuid() == 0:
        return False
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    return True


def die_with_parent() -> None:
    """On Linux: be killed when the parent's thread that made this process ends."""
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
