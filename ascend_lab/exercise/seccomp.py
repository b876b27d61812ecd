"""Seccomp: the kernel of Linux refuses this process the calls that no kernel of a student needs, for good.

No network, no new processes (and no other program, where none is to be started), no signals to others, no look
into others, no change of the system. Source: the kernel's documentation, userspace-api/seccomp_filter.rst.
Numbers of calls: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Iterator
from typing import NamedTuple

_PR_SET_NO_NEW_PRIVS, _PR_GET_SECCOMP, _PR_SET_SECCOMP = 38, 21, 22
_MODE_FILTER = 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_X32 = 0x40000000


class _Machine(NamedTuple):
    """What a filter has to know of a processor: its audit name, and which of two columns its numbers are."""

    audit: int
    column: int


_MACHINES = {"x86_64": _Machine(0xC000003E, 0), "aarch64": _Machine(0xC00000B7, 1)}

Numbers = tuple[int, int]


def _calls(table: str) -> dict[str, Numbers]:
    """Rows "name x86_64 aarch64", with commas between; -1: there is none."""
    rows = (row.split() for row in table.split(","))
    return {name: (int(first), int(second)) for name, first, second in rows}


_NETWORK = _calls(
    "socket 41 198, connect 42 203, accept 43 202, sendto 44 206, sendmsg 46 211, "
    "bind 49 200, listen 50 201, socketpair 53 199, accept4 288 242, sendmmsg 307 269"
)
_OTHERS = _calls(
    "ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, "
    "rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, pidfd_send_signal 424 424, "
    "pidfd_open 434 434, pidfd_getfd 438 438"
)
_LEFT_BEHIND = _calls(
    "shmget 29 194, semget 64 190, msgget 68 186, mq_open 240 180, memfd_create 319 279, "
    "add_key 248 217, request_key 249 218, keyctl 250 219"
)
_SYSTEM = _calls(
    "personality 135 92, pivot_root 155 41, adjtimex 159 171, chroot 161 51, "
    "acct 163 89, settimeofday 164 170, mount 165 40, umount2 166 39, swapon 167 224, "
    "swapoff 168 225, reboot 169 142, init_module 175 105, delete_module 176 106, "
    "quotactl 179 60, clock_settime 227 112, kexec_load 246 104, unshare 272 97, "
    "perf_event_open 298 241, fanotify_init 300 262, name_to_handle_at 303 264, "
    "open_by_handle_at 304 265, clock_adjtime 305 266, setns 308 268, "
    "finit_module 313 273, kexec_file_load 320 294, bpf 321 280, userfaultfd 323 282, "
    "io_uring_setup 425 425, io_uring_enter 426 426, io_uring_register 427 427, "
    "open_tree 428 428, move_mount 429 429, fsopen 430 430, fsmount 432 432, "
    "mount_setattr 442 442"
)
_SIGNALS = _calls("kill 62 129, tkill 200 130, tgkill 234 131")
_PROCESSES = _calls("clone 56 220, fork 57 -1, vfork 58 -1")
_CLONE3 = _calls("clone3 435 435")
_PROGRAMS = _calls("execve 59 221, execveat 322 281")


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("jt", ctypes.c_uint8),
        ("jf", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filters", ctypes.POINTER(_Filter)))


def why_not() -> str:
    """Why there is no filter here, in a word; "" when there is one."""
    if not sys.platform.startswith("linux"):
        return sys.platform
    if platform.machine() not in _MACHINES:
        return platform.machine()
    if ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) < 0:
        return "CONFIG_SECCOMP"
    return ""


def restrict(may_fork: bool, may_exec: bool) -> bool:
    """Refuse this process all calls of the lists above. Returns whether the filter is in force."""
    if why_not():
        return False
    rows = list(_filters(_MACHINES[platform.machine()], may_fork, may_exec))
    program = _Program(len(rows), (_Filter * len(rows))(*rows))
    libc = ctypes.CDLL(None)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    done = libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0)
    return bool(done == 0)


def _filters(machine: _Machine, may_fork: bool, may_exec: bool) -> Iterator[_Filter]:
    refuse = _ERRNO | errno.EPERM
    yield _Filter(_LOAD, 0, 0, _ARCH_AT)
    yield _Filter(_EQUAL, 1, 0, machine.audit)
    yield _Filter(_RETURN, 0, 0, refuse)
    yield _Filter(_LOAD, 0, 0, _NUMBER_AT)
    yield _Filter(_AT_LEAST, 0, 1, _X32)
    yield _Filter(_RETURN, 0, 0, refuse)
    for numbers in _SIGNALS.values():  # to itself: abort() does that
        yield _Filter(_EQUAL, 0, 4, numbers[machine.column])
        yield _Filter(_LOAD, 0, 0, _FIRST_ARGUMENT_AT)
        yield _Filter(_EQUAL, 1, 0, os.getpid())
        yield _Filter(_RETURN, 0, 0, refuse)
        yield _Filter(_RETURN, 0, 0, _ALLOW)
    refused = {**_NETWORK, **_OTHERS, **_LEFT_BEHIND, **_SYSTEM}
    if not may_exec:
        refused |= _PROGRAMS
    codes = dict.fromkeys((pair[machine.column] for pair in refused.values()), errno.EPERM)
    if (
        not may_fork
    ):  # as a limit of processes would say it; clone3 is not known, so libc tries clone
        codes |= dict.fromkeys((pair[machine.column] for pair in _PROCESSES.values()), errno.EAGAIN)
        codes |= dict.fromkeys((pair[machine.column] for pair in _CLONE3.values()), errno.ENOSYS)
    for number, code in codes.items():
        if number >= 0:
            yield _Filter(_EQUAL, 0, 1, number)
            yield _Filter(_RETURN, 0, 0, _ERRNO | code)
    yield _Filter(_RETURN, 0, 0, _ALLOW)
