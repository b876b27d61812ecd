"""The zygote: a process of one thread, with everything loaded, that forks one child per launch.

Started by `ascend_lab.exercise.launcher`. It speaks with the judge over one socket, in fixed records, and
does nothing else: it never runs a line of an answer. It ends, with all its children, when the judge does.
"""

from __future__ import annotations

import array
import fcntl
import gc
import os
import resource
import signal
import socket
import struct
import sys
import time
from collections.abc import Mapping
from typing import NoReturn

from ascend_lab import chips
from ascend_lab.asc.registering import register_asc
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise import child, sandbox
from ascend_lab.exercise.clearing import clear
from ascend_lab.exercise.wire import Line

#: command, process id, flag
RECORD = struct.Struct("<cqq")
#: kind ("x" exit, "s" signal), code, CPU time in microseconds
DEATH = struct.Struct("<cqq")
FORK, REAP = b"F", b"R"
#: How long a child that has hung up may take to end by itself.
GRACE_S = 0.2
DATA_FD, PRINTS_FD = 3, 4
_PR_SET_CHILD_SUBREAPER = 36


def main(control_fd: int, scratch: str) -> None:
    """Serve fork requests until the judge hangs up; then nothing is left, even when it was killed."""
    register_asc()
    specs = {name: chips.load(name) for name in chips.names()}
    _adopt_orphans()
    control = socket.socket(fileno=control_fd)
    gc.collect()
    gc.freeze()
    alive: set[int] = set()
    try:
        control.sendall(RECORD.pack(b"U", os.getpid(), 0))
        while (request := _receive(control)) is not None:
            _serve(control, request, specs, alive)
    except ConnectionError:
        pass  # the judge was killed, or has no need of it: as if it had hung up
    for pid in alive:
        _kill(pid)
    _end_strays(set())
    clear(scratch)


def _serve(
    control: socket.socket,
    request: tuple[bytes, int, int, list[int]],
    specs: Mapping[str, ChipSpec],
    alive: set[int],
) -> None:
    command, pid, flag, fds = request
    if command != FORK:
        control.sendall(_reap(pid, bool(flag), alive))
        return
    pid = os.fork()
    if pid == 0:
        _become_child(specs, fds)
    alive.add(pid)
    for fd in fds:
        os.close(fd)
    control.sendall(RECORD.pack(FORK, pid, 0))


def _receive(control: socket.socket) -> tuple[bytes, int, int, list[int]] | None:
    """One request with the descriptors that came with it; None when the judge has gone."""
    data, fds = b"", array.array("i")
    while len(data) < RECORD.size:
        more, ancillary, _, _ = control.recvmsg(RECORD.size - len(data), socket.CMSG_SPACE(8))
        if not more:
            return None
        data += more
        for level, kind, payload in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(payload[: len(payload) - len(payload) % fds.itemsize])
    command, pid, flag = RECORD.unpack(data)
    return command, pid, flag, list(fds)


def _become_child(specs: Mapping[str, ChipSpec], fds: list[int]) -> NoReturn:
    """In the fork: keep two descriptors, run the job, and never return."""
    try:
        sandbox.die_with_parent()
        os.setsid()
        _keep_only(fds)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        child.serve(Line(DATA_FD, DATA_FD), specs, PRINTS_FD)
    finally:
        os._exit(0)


def _keep_only(fds: list[int]) -> None:
    data, prints = (fcntl.fcntl(fd, fcntl.F_DUPFD, PRINTS_FD + 1) for fd in fds)
    null = os.open(os.devnull, os.O_RDWR)
    for source, target in (
        (null, 0),
        (prints, 1),
        (prints, 2),
        (data, DATA_FD),
        (prints, PRINTS_FD),
    ):
        os.dup2(source, target)
    os.closerange(PRINTS_FD + 1, 1024)


def _reap(pid: int, kill: bool, alive: set[int]) -> bytes:
    """Wait for ``pid`` to end, by force if it must be, and say how it ended."""
    if pid not in alive:
        return DEATH.pack(b"?", 0, 0)
    if kill:
        _kill(pid)
    status, usage = _wait(pid)
    alive.discard(pid)
    _end_strays(alive)
    cpu = int((usage.ru_utime + usage.ru_stime) * 1e6)
    if os.WIFSIGNALED(status):
        return DEATH.pack(b"s", os.WTERMSIG(status), cpu)
    return DEATH.pack(b"x", os.WEXITSTATUS(status), cpu)


def _wait(pid: int) -> tuple[int, resource.struct_rusage]:
    """Give ``pid`` its grace, then end it."""
    limit = time.monotonic() + GRACE_S
    pause = 0.0001
    while time.monotonic() < limit:
        found, status, usage = os.wait4(pid, os.WNOHANG)
        if found:
            return status, usage
        time.sleep(pause)
        pause = min(pause * 2, 0.01)
    _kill(pid)
    return os.wait4(pid, 0)[1:]


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        try:
            kill(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _adopt_orphans() -> None:
    """On Linux: processes that a child leaves behind become ours, so that we can end them."""
    if sys.platform.startswith("linux"):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _end_strays(alive: set[int]) -> None:
    """End every process we have that is no child of a running launch."""
    for _ in range(3):
        strays = [pid for pid in _children() if pid not in alive]
        if not strays:
            return
        for pid in strays:
            _kill(pid)
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                continue


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return []
