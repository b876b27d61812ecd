"""Bubblewrap, where it is installed: the zygote starts in a box, and every child is born in it.

The box has its own view of the file system (what a child may read, and the work folders), its own processes and no
network. A box costs its start once, not once for each child.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SECONDS = 10
_OWN = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")


@functools.cache
def why_not() -> str:
    """Why there is no box here: what is missing, or what bwrap says; "" when there is one."""
    if not sys.platform.startswith("linux"):
        return sys.platform
    if shutil.which("bwrap") is None:
        return "bwrap"
    command = prefix(("/usr", "/bin", "/lib", "/lib64"), "/tmp")
    try:
        tried = subprocess.run(
            [*command, "/bin/true"], capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = tried.stderr.decode("utf-8", "replace").strip()
    return "" if tried.returncode == 0 else said.splitlines()[-1] if said else "bwrap"


def prefix(readable: Sequence[str], scratch: str) -> list[str]:
    """The words before a command that has to run in a box. Only ``scratch`` can be written, at its own place."""
    words = ["bwrap", *_OWN, "--unshare-cgroup-try"]
    if os.geteuid() != 0:
        words.append("--unshare-user")
    words += ["--proc", "/proc", "--dev", "/dev"]
    shown = [path for path in readable if not path.startswith(("/dev/", "/proc/"))]
    for place in sorted({str(up) for path in (*shown, scratch) for up in Path(path).parents}):
        words += ["--perms", "0755", "--dir", place]  # else only root could pass through
    for path in shown:
        words += _shown(path)
    words += ["--bind", scratch, scratch, "--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, "--chdir", "/", "--"]


def _shown(path: str) -> list[str]:
    """A path as it is outside: a link stays a link."""
    if Path(path).is_symlink():
        return ["--symlink", os.readlink(path), path]
    return ["--ro-bind-try", path, path]
