"""What happens in the answer's process stays there, and every end of it has its own words."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ascend_lab import chips
from ascend_lab.engine.instruction import Argument
from ascend_lab.exercise import Answer, ChildFault, RemoteKernel, from_session, from_text
from ascend_lab.exercise.launcher import ForkLauncher, Launcher, SpawnLauncher
from ascend_lab.exercise.task import Limits
from tests.exercise import kernels

SPEC = chips.load()
NAMES = ("x", "y", "z", "n")
#: What a file that is out of reach is: forbidden, or not even there.
REFUSED = ("PermissionError", "FileNotFoundError", "OSError: [Errno 30]")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux has it")


@pytest.fixture(scope="module")
def forks() -> Iterator[Launcher]:
    launcher = ForkLauncher()
    yield launcher
    launcher.close()


def run(launcher: Launcher, answer: str | Answer, name: str = "add", **limits: Any) -> RemoteKernel:
    """Run both blocks of a kernel to their ends, without a device: scalars asked for are 0."""
    source = from_text(answer, "s01.py") if isinstance(answer, str) else answer
    bounds = Limits(**{"cpu_s": 1, "wall_s": 20, **limits})
    kernel = RemoteKernel(launcher, source, name, NAMES, limits=bounds)
    arrays: list[Any] = [Argument(n, 4096 * i, "float32", 512) for i, n in enumerate("xyz", 1)]
    door = kernel.open([*arrays, 512], 2, SPEC)
    try:
        for block in range(2):
            while True:
                batch = door.resume(block, 0)
                if batch.state in ("done", "crash"):
                    break
            if batch.crash is not None:
                kernel.record.printed.append(f"{batch.crash.kind}: {batch.crash.message}")
    finally:
        door.close()
    return kernel


def fault(launcher: Launcher, *lines: str, **limits: Any) -> ChildFault:
    with pytest.raises(ChildFault) as caught:
        run(launcher, kernels.at_start(*lines), **limits)
    for lang in ("zh", "en"):
        assert caught.value.message(lang)
    return caught.value


def crash(launcher: Launcher, *lines: str) -> str:
    return run(launcher, kernels.at_start(*lines)).record.printed[0]


# --- ends ----------------------------------------------------------------------------------------


def test_a_kernel_that_is_right(forks: Launcher) -> None:
    kernel = run(forks, kernels.ADD)
    assert (kernel.name, kernel.parameters, kernel.file) == ("add", NAMES, "s01.py")
    assert kernel.record.launches[0]["Add"] == 4
    assert kernel.record.launches[0]["TQue"] == 6
    assert not kernel.insert_sync
    assert kernel.auto_sync


@pytest.mark.parametrize("code", [0, 1, 77])
def test_leaving_is_no_success(forks: Launcher, code: int) -> None:
    found = fault(forks, f"import os; os._exit({code})")
    assert (found.kind, found.numbers["detail"]) == ("ended", code)


def test_exit_is_an_exception_of_the_kernel(forks: Launcher) -> None:
    assert crash(forks, "exit(0)").startswith("SystemExit: 0")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("import os; os.abort()", "SIGABRT"),
    ],
)
def test_a_crash_names_signal_and_line(forks: Launcher, line: str, name: str) -> None:
    found = fault(forks, line)
    assert (found.kind, found.numbers["detail"]) == ("crash", name)
    assert (found.file, found.line) == ("s01.py", 21)


def test_a_loop_without_instructions(forks: Launcher) -> None:
    found = fault(forks, "while True: pass")
    assert (found.kind, found.file, found.line) == ("cpu", "s01.py", 21)


def test_a_loop_that_will_not_be_told(forks: Launcher) -> None:
    ignore = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)"
    assert fault(forks, ignore, "while True: pass").kind == "cpu"


def test_sleeping(forks: Launcher) -> None:
    started = time.monotonic()
    assert fault(forks, "import time; time.sleep(100)", wall_s=1).kind == "wall"
    assert time.monotonic() - started < 10


def test_a_fork_that_hangs_on_the_line(forks: Launcher) -> None:
    """The line closes for good only when every process that holds it has gone."""
    line = "import os; (os.fork() or __import__('time').sleep(60)) and os._exit(0)"
    text = "".join(run_or_fault(forks, line))
    assert "BlockingIOError" in text or "ended" in text


def run_or_fault(launcher: Launcher, line: str) -> list[str]:
    try:
        return run(launcher, kernels.at_start(line)).record.printed
    except ChildFault as found:
        return [found.kind]


def test_too_much_memory(forks: Launcher) -> None:
    line = "import numpy; numpy.ones(1 << 30)"
    assert "MemoryError" in crash(forks, line)


def test_too_deep_recursion(forks: Launcher) -> None:
    assert crash(forks, "def f(): f()", "f()").startswith("RecursionError")


def test_too_much_talk(forks: Launcher) -> None:
    found = fault(forks, "import os", r"while True: os.write(3, b'\xff\xff\xff\x7f' * 1000)")
    assert found.kind == "flood"


@pytest.mark.parametrize(
    "sent", [r"b'\x04\0\0\0abcd'", r"b'\x01\0\0\0\xc0'", r"b'\x06\0\0\0\x95\xa3ran\x90'", "b''"]
)
def test_talk_that_makes_no_sense(forks: Launcher, sent: str) -> None:
    found = fault(forks, "import os", f"os.write(3, {sent}); os._exit(0)")
    assert found.kind in ("protocol", "ended")


def test_closing_the_line(forks: Launcher) -> None:
    assert fault(forks, "import os; os.close(3)").kind in ("ended", "protocol")


def test_values_that_cannot_be_sent(forks: Launcher) -> None:
    lines = ("t = out_z.alloc_tensor(x.dtype)", "asc.duplicate(t, 1.0, 1 << 100)")
    with pytest.raises(ChildFault) as caught:
        run(forks, kernels.at_start(*lines))
    assert caught.value.kind in ("unsayable", "instruction")


def test_numbers_beyond_every_register(forks: Launcher) -> None:
    lines = ("t = out_z.alloc_tensor(x.dtype)", "asc.duplicate(t, 1.0, 1 << 50)")
    found = fault(forks, *lines)
    assert (found.kind, found.file, found.line) == ("instruction", "s01.py", 22)


def test_what_the_model_has_not(forks: Launcher) -> None:
    text = kernels.changed("@asc.jit", "@asc.jit(matmul_cube_only=True)")
    with pytest.raises(ChildFault) as caught:
        run(forks, text)
    assert caught.value.is_ours
    assert "matmul_cube_only" in caught.value.message("zh")


# --- what it cannot do ------------------------------------------------------------------------------


def test_nothing_of_ours_is_in_reach(forks: Launcher) -> None:
    kernel = run(
        forks,
        kernels.at_start(
            "import os",
            "print(len(os.environ), os.path.basename(os.getcwd())[:11])",
        ),
    )
    printed = kernel.record.printed[0].splitlines()
    assert printed[0] == "0 ascend-lab-"
    assert "limits" in kernel.record.layers


@linux
def test_files_are_out_of_reach(forks: Launcher, repository: Any) -> None:
    if "landlock" not in run(forks, kernels.ADD).record.layers:
        pytest.skip("this kernel has no Landlock")
    for line in (
        f"open({str(repository / 'exam_bank/tasks/03/seed-add.toml')!r})",
        "open('/etc/passwd')",
        "open('/tmp/x', 'w')",
        f"open('/proc/{os.getpid()}/mem', 'rb')",
    ):
        assert crash(forks, line).startswith(REFUSED), line
    assert crash(forks, "open('own', 'w').write('x'); 1 / 0").startswith("ZeroDivisionError")


@linux
def test_no_process_and_no_signal(forks: Launcher) -> None:
    layers = run(forks, kernels.ADD).record.layers
    if "no processes" not in layers:
        pytest.skip("root without another user")
    assert "BlockingIOError" in crash(forks, "import os; os.fork()")
    assert "PermissionError" in crash(forks, f"import os; os.kill({os.getpid()}, 9)")


def test_the_standard_library_is_there(forks: Launcher) -> None:
    line = "import decimal, json, heapq, fractions, statistics; print(json.dumps([1]))"
    assert run(forks, kernels.at_start(line)).record.printed[0].startswith("[1]")


def test_prints_are_kept_and_cut(forks: Launcher) -> None:
    kernel = run(forks, kernels.at_start("print('é' * 200_000)"))
    assert set(kernel.record.printed[0]) <= {"é", "\n", "\ufffd"}
    assert len(kernel.record.printed[0]) < 70_000


def test_children_share_nothing(forks: Launcher) -> None:
    line = "import asc; print(hasattr(asc, 'seen')); asc.seen = 1; open('here', 'a').write('x')"
    first, second = (
        run(forks, kernels.at_start(line, "import os; print(os.path.getsize('here'))"))
        for _ in range(2)
    )
    assert first.record.printed == second.record.printed


def test_no_child_and_no_folder_is_left(forks: Launcher, tmp_path: Any) -> None:
    kernel = RemoteKernel(forks, from_text(kernels.ADD), "add", NAMES)
    waiting = kernel._waiting
    assert waiting is not None
    folder = waiting.child.folder
    assert os.path.isdir(folder)
    kernel.close()
    assert not os.path.exists(folder)


# --- loading ------------------------------------------------------------------------------------------


def not_loaded(launcher: Launcher, text: str, name: str = "add") -> ChildFault:
    with pytest.raises(ChildFault) as caught:
        run(launcher, text, name)
    for lang in ("zh", "en"):
        assert caught.value.message(lang)
    return caught.value


@pytest.mark.parametrize(
    ("text", "kind", "line"),
    [
        ("def add(:\n    pass\n", "syntax", 1),
        ("x = 1\n\n  def add(): pass\n", "syntax", 3),
        ("def add(" + "(" * 1000, "syntax", 1),
        ("add = 1\0", "syntax", 0),
        ("x = " + "-" * 200_000 + "1\ndef add(): return 1", None, None),
        ("import nope\n\ndef add():\n    nope.x\n", "import", 1),
        ("from asc import nope\ndef add():\n    nope\n", "import", 1),
        ("T = 1 / 0\ndef add():\n    return T\n", "exception", 1),
        ("def f():\n    exit(3)\nT = f()\ndef add():\n    return T\n", "exit", 2),
        ("import os\nT = os._exit(0)\ndef add():\n    return T\n", "ended", 0),
        ("T = [0 for _ in iter(int, 1)]\ndef add():\n    return T\n", "cpu", 1),
        ("def add(x, y, z, n):\n    return x\n", "not_a_kernel", 0),
        ("add = 5\n", "not_a_kernel", 0),
        ("class add:\n    def open(self): pass\n", "not_a_kernel", 0),
        ("import asc\n\n@asc.jit\ndef add(x, y):\n    return x\n", "signature", 0),
        ("import asc\n\n@asc.jit(wrong=1)\ndef add(x):\n    return x\n", "exception", 3),
        ("def ad():\n    return 1\ndef addd():\n    return 1\n", "missing", 0),
        ("def sub():\n    return 1\n", "not_handed_in", 0),
        ("", "not_handed_in", 0),
        ("import asc\n\n@asc.jit\ndef add(x, y, z, n):\n    ...\n", "empty", 0),
    ],
)
def test_what_cannot_be_loaded(
    forks: Launcher, text: str, kind: str | None, line: int | None
) -> None:
    found = not_loaded(forks, text)
    if kind is None:  # deep nesting: whatever Python makes of it, it is the child that pays
        assert found.kind in ("syntax", "crash", "not_a_kernel", "not_handed_in", "exception")
        return
    assert (found.kind, found.line) == (kind, line)


def test_an_error_of_ours_speaks_both_languages(forks: Launcher) -> None:
    found = not_loaded(forks, "import asc\n\n@asc.jit(wrong=1)\ndef add(x):\n    return x\n")
    assert "没有这些选项" in found.message("zh")
    assert "没有" not in found.message("en")


def test_cells_of_a_session(forks: Launcher) -> None:
    cells = [("In[1]", "import ascend_lab.asc as asc"), ("In[4]", kernels.ADD), ("In[5]", "1/0")]
    kernel = run(forks, from_session(cells))
    assert (kernel.file, kernel.defined_in) == ("In[4]", ())


# --- where forking is not possible -------------------------------------------------------------------


def test_a_fresh_interpreter_does_the_same() -> None:
    spawns = SpawnLauncher()
    assert run(spawns, kernels.at_start("print('hi')")).record.printed == ["hi\nhi\n"]
    assert fault(spawns, "import ctypes; ctypes.string_at(0)").kind == "crash"
    assert fault(spawns, "import os; os._exit(0)").kind == "ended"


def test_a_zygote_that_was_killed_is_replaced() -> None:
    launcher = ForkLauncher()
    try:
        run(launcher, kernels.ADD)
        launcher._process.kill()
        launcher._process.wait()
        assert run(launcher, kernels.ADD).record.launches
    finally:
        launcher.close()
