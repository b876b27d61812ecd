"""What a child may do before the answer's first line runs. The one place for it.

Layers, each where the system has it: limits of time, memory, files and processes; a user without rights when the
judge is root; bubblewrap around the zygote; Landlock; seccomp. `enter` says which are in force, and every report
shows it. ``ASCEND_LAB_WITHOUT`` leaves layers out, by name and separated by commas: to see what the others do.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import sysconfig
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.exercise import bubblewrap, landlock, rights, seccomp

#: All layers, in the order in which they come into force.
LAYERS = ("bubblewrap", "limits", "no rights", "no processes", "landlock", "seccomp")
#: Layers that can be left out.
OPTIONAL = ("bubblewrap", "landlock", "seccomp")
WITHOUT = "ASCEND_LAB_WITHOUT"
#: Says to a zygote that it is in a box.
IN_A_BOX = "ASCEND_LAB_IN_A_BOX"
_PR_SET_PDEATHSIG = 1
_OPEN_FILES = 64
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo", "/etc/localtime")
_DEVICES = ("/dev/null", "/dev/urandom", "/dev/zero")
_PACKAGES = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a process may have: its folder, CPU seconds, megabytes of memory and of each file it writes.

    ``readable`` comes to what every child may read. ``may_fork``: it starts other programs (a compiler does).
    ``may_exec``: it becomes another program itself, once.
    """

    folder: str
    cpu_s: int
    memory_mb: int
    file_mb: int = 8
    readable: tuple[str, ...] = ()
    may_fork: bool = False
    may_exec: bool = False


def readable() -> tuple[str, ...]:
    """What a child may read: Python, its packages, this package; not the exam bank, not the answers."""
    return tuple(dict.fromkeys(map(os.path.realpath, _named())))


def in_a_box(more: Iterable[str] = ()) -> tuple[str, ...]:
    """What a box shows: the same, and the links that lead there."""
    names = [*_named(), *more, "/bin", os.path.realpath(sys.executable)]
    return tuple(dict.fromkeys([name for n in names for name in (n, os.path.realpath(n))]))


def _named() -> list[str]:
    paths = sysconfig.get_paths()
    own = [paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]]
    own += [path for path in sys.path if Path(path).name in _PACKAGES]
    package = str(Path(__file__).resolve().parents[1])
    names = (sys.prefix, sys.base_prefix, *own, package, *_SYSTEM, *_DEVICES)
    return [name for name in names if name != "/usr"]


def left_out() -> frozenset[str]:
    """The layers that ``ASCEND_LAB_WITHOUT`` names."""
    return frozenset(part.strip() for part in os.environ.get(WITHOUT, "").split(","))


def why_not(layer: str) -> str:
    """Why an optional layer is not there, in a word or two; "" when it is."""
    if layer in left_out():
        return WITHOUT
    match layer:
        case "bubblewrap":
            return bubblewrap.why_not()
        case "landlock":
            return "" if landlock.abi() > 0 else "CONFIG_SECURITY_LANDLOCK"
    return seccomp.why_not()


def enter(bounds: Bounds) -> tuple[str, ...]:
    """Confine this process to ``bounds``. Returns the names of the layers in force."""
    without = left_out()
    layers = ["bubblewrap"] if os.environ.get(IN_A_BOX) else []
    if _limit(bounds):
        layers.append("limits")
    os.chdir(bounds.folder)
    files = (*readable(), *(os.path.realpath(path) for path in bounds.readable))
    may_read = "landlock" not in without and landlock.abi() > 0
    needed = (sys.prefix, sys.base_prefix, __file__, *bounds.readable)
    if rights.drop(bounds.folder, needed, may_read):
        layers.append("no rights")
        die_with_parent()  # the system forgets it when a process becomes another user's
    if not bounds.may_fork and _no_processes():
        layers.append("no processes")
    if "landlock" not in without and landlock.restrict(files, os.curdir):
        layers.append("landlock")
    if "seccomp" not in without and seccomp.restrict(bounds.may_fork, bounds.may_exec):
        layers.append("seccomp")
    return tuple(layers)


def _limit(bounds: Bounds) -> bool:
    if sys.platform == "win32":
        return False
    import resource

    memory, file = bounds.memory_mb << 20, bounds.file_mb << 20
    # What starting a fresh interpreter has used is not the answer's; a forked child has used next to nothing.
    cpu_s = bounds.cpu_s + int(time.process_time() + 0.75)
    wanted = {
        "RLIMIT_CPU": (cpu_s, cpu_s + 1),
        "RLIMIT_AS": (memory, memory),
        "RLIMIT_FSIZE": (file, file),
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
