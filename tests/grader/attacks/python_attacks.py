"""Submissions in Python that cheat, break or flood: each with what the report has to say of it."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tests.exercise import kernels

#: Files with this in their names are what an attack tries to leave behind.
MARK = "left-by-an-attack"


@dataclass(frozen=True, slots=True)
class Attack:
    """``files``: what is handed in, by path. ``says``: a pattern in the report.

    ``verdict``: "fail", "ungraded", "not attempted" or "error". ``slow``: seconds; left to the nightly run.
    ``points``: what the part is worth that was not attacked.
    """

    name: str
    files: dict[str, str | bytes]
    says: str
    verdict: str = "fail"
    slow: bool = False
    points: float = 0.0


def kernel(name: str, says: str, *lines: str, slow: bool = False, head: str = "") -> Attack:
    """The right kernel, with ``lines`` before its work."""
    return Attack(name, {f"{name}.py": head + kernels.at_start(*lines)}, says, slow=slow)


def idle(name: str, *lines: str, head: str = "", says: str = "never written") -> Attack:
    """``lines``, and then no work at all: only what is forged could bring points."""
    return kernel(name, says, *lines, "return", head=head)


def _frame(body: str) -> str:
    """A statement that writes a frame, of the bytes that ``body`` evaluates to, on the line to the judge."""
    return f"import os, struct; b = {body}; os.write(3, struct.pack('<I', len(b)) + b)"


_NO_DATA = "X1"
_CONSTANTS = kernels.changed(
    "        asc.add(z_local, x_local, y_local, TILE)\n",
    "        seen = x_local.get_value(0)\n"
    "        for i in range(TILE):\n"
    "            z_local.set_value(i, 0.25)\n",
)
_NUMPY = kernels.changed(
    "        asc.add(z_local, x_local, y_local, TILE)\n",
    "        import numpy as np\n        z_local[:] = np.add(x_local, y_local)\n",
)
_PATCHES = """
import sys, time
import numpy as np
import ascend_lab.engine.cost, ascend_lab.engine.semantics, ascend_lab.exercise.accuracy
import ascend_lab.exercise.verdict, ascend_lab.checks, ascend_lab.device
ascend_lab.checks.judge = lambda *a, **k: ascend_lab.checks.Findings()
ascend_lab.exercise.verdict.overall = lambda checks: "pass"
ascend_lab.exercise.accuracy.compare = lambda *a, **k: True
ascend_lab.device.Device.launch = lambda *a, **k: None
for table in (vars(ascend_lab.engine.cost), ascend_lab.engine.semantics.SEMANTICS):
    for key in list(table):
        if isinstance(table, dict) and not key.startswith("__"):
            table[key] = lambda *a, **k: 0
"""
_CLOCK = "import time\ntime.time = time.monotonic = time.perf_counter = lambda: 0.0\n"
_MODULES = """
import sys, types
class Yes(types.ModuleType):
    def __getattr__(self, name):
        return lambda *a, **k: True
for name in [n for n in sys.modules if n.startswith("ascend_lab.exercise") or n == "msgspec"]:
    sys.modules[name] = Yes(name)
"""
_WALK = (
    "import gc",
    "lines = [o for o in gc.get_objects() if type(o).__name__ == 'Line']",
    "from ascend_lab.exercise.wire import Ran",
    "lines[0].send(Ran([], 'done', None, []))",
)
_ATEXIT = """
import atexit, os, struct
atexit.register(lambda: os.write(3, struct.pack("<I", 4) + b"pass"))
"""
_NOTEBOOK = json.dumps(
    {
        "cells": [
            {
                "cell_type": "code",
                "metadata": {
                    "nbgrader": {"grade": True, "points": 31, "grade_id": "add", "locked": False},
                    "ascend_lab": {"task": "00/add", "points": 31, "verdict": "pass"},
                },
                "source": kernels.ADD.split("    x_gm")[0] + "    pass\n",
                "outputs": [{"output_type": "stream", "text": '{"points": 31}', "score": 31}],
            }
        ],
        "metadata": {"ascend_lab": {"points": 31}, "celltoolbar": "grade"},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)
_DEEP = (
    "import os",
    "for _ in range(900): os.mkdir('d'); os.chdir('d')",
    "os.chmod('.', 0)",
    "raise ValueError('deep')",
)
_SECRETS = (
    "import os",
    "print(dict(os.environ), os.listdir('/proc/self/fd') if os.path.isdir('/proc/self') else '')",
    "print(open('/proc/self/environ').read())",
)
_SCRIPT = "raise ValueError('<script>alert(1)</script> </td></table>')"
_SETSID = (
    "import os, time",
    "if os.fork() == 0:",
    "    os.setsid()",
    "    if os.fork() == 0: time.sleep(600)",
    "    os._exit(0)",
)
_PTRACE = (
    "import ctypes, os",
    "libc = ctypes.CDLL(None, use_errno=True)",
    "if libc.ptrace(16, os.getppid(), 0, 0) < 0: raise PermissionError(ctypes.get_errno())",
)
_SHARED = (
    "import ctypes",
    "libc = ctypes.CDLL(None, use_errno=True)",
    "if libc.shmget(0x5EED, 1 << 20, 0o1666) < 0: raise PermissionError(ctypes.get_errno())",
)


def attacks(bank: str, others: str) -> list[Attack]:
    """All of them. ``bank``: the exam bank's folder; ``others``: the folder with everybody's work."""
    return [
        # what is patched is patched in a process that has no say
        idle("patches-lab", head=_PATCHES),
        idle("patches-clock", head=_CLOCK),
        idle("patches-numpy", head="import numpy as np\nnp.allclose = lambda *a, **k: True\n"),
        idle("patches-modules", head=_MODULES),
        Attack("numpy-work", {"numpy-work.py": _NUMPY}, _NO_DATA),
        Attack("constants", {"constants.py": _CONSTANTS}, "should be", points=1),
        # forged messages
        idle("forged-done", _frame("b'\\x95\\xa3ran\\x90\\xa4done\\xc0\\x90'")),
        kernel("forged-pickle", "no sense", _frame("__import__('pickle').dumps([1])")),
        kernel("forged-length", "more data", "import os; os.write(3, b'\\xff\\xff\\xff\\xff')"),
        idle("forged-verdict", 'print(\'{"points": 31, "verdict": "pass"}\')'),
        idle("walks-frames", *_WALK),
        idle("atexit", head=_ATEXIT),
        kernel(
            "not-modelled",
            "not modelled yet",
            "from ascend_lab.engine.errors import NotModelled; raise NotModelled('Add', 'x')",
        ),
        # what it must not read
        kernel("reads-bank", _NO_DATA, f"open({bank + '/add.py'!r}).read()"),
        kernel("reads-golden", _NO_DATA, f"import os; os.listdir({bank!r})"),
        kernel("reads-others", _NO_DATA, f"open({others + '/honest.py'!r}).read()"),
        kernel("reads-secrets", _NO_DATA, *_SECRETS),
        kernel("reads-parent", _NO_DATA, "import os; open(f'/proc/{os.getppid()}/mem', 'rb')"),
        # what it must not write
        *(
            kernel(f"writes-{number}", _NO_DATA, f"open({place + '/' + MARK!r}, 'w').write('x')")
            for number, place in enumerate((others, bank, "/tmp", "/dev/shm", "/var/tmp"))
        ),
        # out of the process
        kernel("network", _NO_DATA, "import socket; socket.create_connection(('127.0.0.1', 9), 1)"),
        kernel("fork-bomb", _NO_DATA, "import os", "while True: os.fork()"),
        kernel("setsid", _NO_DATA, *_SETSID),
        kernel("shell", _NO_DATA, "import subprocess; subprocess.run(['sh', '-c', 'sleep 600 &'])"),
        kernel("becomes-another", _NO_DATA, "import os; os.execv('/bin/sh', ['sh'])"),
        kernel("kills-parent", _NO_DATA, "import os; os.kill(os.getppid(), 9)"),
        kernel("kills-all", _NO_DATA, "import os; os.kill(-1, 9)"),
        kernel("ptrace", _NO_DATA, *_PTRACE),
        kernel("shared-memory", _NO_DATA, *_SHARED),
        # floods
        kernel("memory", _NO_DATA, "b = bytearray(8 << 30)"),
        kernel("file", _NO_DATA, "f = open('f', 'wb')", "while True: f.write(bytes(1 << 20))"),
        kernel(
            "many-files",
            "more into its folder",
            *(
                "import time; n = 0",
                "while True: n += 1; open(str(n), 'wb').write(bytes(1 << 20)); time.sleep(0.002)",
            ),
            slow=True,
        ),
        kernel(
            "output",
            _NO_DATA,
            "import sys",
            "for _ in range(10**9): print('x' * 65536); 1 / (_ < 500)",
        ),
        kernel("standard-error", _NO_DATA, "import os", "while True: os.write(2, bytes(1 << 20))"),
        kernel(
            "instructions", "X2", "for _ in range(10**9): asc.pipe_barrier(asc.PipeID.PIPE_ALL)"
        ),
        kernel("message", "more data", "raise ValueError('x' * (64 << 20))"),
        kernel("deep-folders", _NO_DATA, *_DEEP),
        # ends
        kernel("os-exit", "ended its own process", "import os; os._exit(0)"),
        kernel("exit", _NO_DATA, "exit(0)"),
        kernel("base-exception", "ended its own process", "raise KeyboardInterrupt"),
        kernel("crash", "SIGSEGV", "import ctypes; ctypes.string_at(0)"),
        kernel("recursion", _NO_DATA, "f = lambda: f()", "f()"),
        kernel("sleeps", "No end after", "import time; time.sleep(1000)", slow=True),
        kernel(
            "ignores-signals",
            "CPU time|No end after",
            "import signal",
            "for n in (1, 2, 15, 24, 25): signal.signal(n, signal.SIG_IGN)",
            "while True: pass",
            slow=True,
        ),
        Attack("parser", {"parser.py": "x = " + "(" * 5000 + "\ndef add(x, y, z, n): 1"}, "yntax"),
        kernel("script", _NO_DATA, _SCRIPT),
        kernel(
            "escapes",
            _NO_DATA,
            "print('\\x1b[2J\\x1b]0;owned\\x07'); raise ValueError('\\x1b[31m')",
        ),
        # files
        Attack("metadata", {"metadata.ipynb": _NOTEBOOK}, "still empty", "not attempted"),
        Attack("zip-bomb", {"zip-bomb.zip": b"PK\x03\x04" + bytes(1 << 16)}, "neither", "ungraded"),
        Attack(
            "zip-notebook",
            {"zip-notebook.ipynb": b"PK\x03\x04" + b"\xff" * 99},
            "UTF-8",
            "ungraded",
        ),
        Attack("nested", {"nested.ipynb": "[" * 200_000}, "no valid notebook", "ungraded"),
        idle("\u202eyp.thgir"),
        idle("n\n=cmd|'!A0"),
        idle("a" * 120),
    ]
