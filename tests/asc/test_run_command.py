"""``ascend-lab run``: scripts written for pyasc, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ascend_lab.cli import main

ROOT = Path(__file__).parents[2]

SCRIPT = """
import sys
import torch
import asc
import asc.runtime.config as config
import asc.lib.runtime as rt
from asc.language.core.struct import Field, Struct


class Tiling(Struct):
    length = Field(dtype=asc.int32, default=0)


@asc.jit
def double(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * tiling.length)
    z_gm.set_global_buffer(z + asc.get_block_idx() * tiling.length)
    pipe = asc.TPipe()
    que_in, que_out = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que_in, 1, tiling.length * x.dtype.sizeof())
    pipe.init_buffer(que_out, 1, tiling.length * x.dtype.sizeof())
    x_local = que_in.alloc_tensor(x.dtype)
    asc.data_copy(x_local, x_gm, tiling.length)
    que_in.enque(x_local)
    x_local = que_in.deque(x.dtype)
    z_local = que_out.alloc_tensor(x.dtype)
    asc.add(z_local, x_local, x_local, tiling.length)
    que_out.enque(z_local)
    que_in.free_tensor(x_local)
    z_local = que_out.deque(x.dtype)
    asc.data_copy(z_gm, z_local, tiling.length)
    que_out.free_tensor(z_local)
    WRONG
    if asc.get_block_idx() == 0:
        asc.printf("%d blocks\\n", asc.get_block_num())


if __name__ == "__main__":
    config.set_platform(config.Backend.Model)
    x = torch.rand(256, dtype=torch.float32)
    z = torch.zeros_like(x)
    double[4, rt.current_stream()](x, z, Tiling(length=64))
    assert torch.allclose(z, x + x)
    print("ok", *sys.argv[1:])
"""


def ascend_lab(*args: str, lang: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run the command in a fresh process."""
    environment = {**os.environ, "LC_ALL": lang, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "ascend_lab.cli", *args]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, check=False, encoding="utf-8"
    )


def script(folder: Path, wrong: str = "pass") -> str:
    """The script above in ``folder``, with one line of the kernel as given."""
    path = folder / "double.py"
    path.write_text(SCRIPT.replace("WRONG", wrong), encoding="utf-8")
    return str(path)


def test_a_script_runs_unmodified(tmp_path: Path) -> None:
    done = ascend_lab("run", script(tmp_path), "one", "--two")
    assert (done.stdout, done.stderr, done.returncode) == ("4 blocks\nok one --two\n", "", 0)


def test_a_fault_of_the_kernel_is_said_in_both_languages(tmp_path: Path) -> None:
    path = script(tmp_path, wrong="x_gm[0:4]")
    english = ascend_lab("run", path)
    chinese = ascend_lab("run", "--lang", "zh", path)
    german = ascend_lab("run", path, lang="zh_CN.UTF-8")
    assert [done.returncode for done in (english, chinese, german)] == [1, 1, 1]
    line = SCRIPT.splitlines().index("    WRONG") + 1
    assert f"double.py:{line}" in english.stderr
    assert "a subscript gives a start only" in english.stderr
    assert "切片只能写起点" in chinese.stderr
    assert chinese.stderr == german.stderr
    assert "Traceback" not in english.stderr + chinese.stderr
    assert str(tmp_path) not in english.stderr


def test_what_is_not_modelled_is_named(tmp_path: Path) -> None:
    done = ascend_lab("run", script(tmp_path, wrong="asc.mmad()"))
    assert done.returncode == 1
    assert "asc.mmad" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_scripts_own_error_is_its_own_traceback(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("def f():\n    raise ValueError('mine')\n\nf()\n", encoding="utf-8")
    done = ascend_lab("run", str(path))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ValueError: mine"
    assert "runpy" not in done.stderr
    assert "commands" not in done.stderr


@pytest.mark.parametrize(("code", "expected"), [("0", 0), ("3", 3), ("'no'", 1)])
def test_a_script_may_exit(tmp_path: Path, code: str, expected: int) -> None:
    path = tmp_path / "leave.py"
    path.write_text(f"import sys\nsys.exit({code})\n", encoding="utf-8")
    assert ascend_lab("run", str(path)).returncode == expected


def test_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for args in ([], ["run"], ["run", str(tmp_path / "gone.py")], ["run", str(tmp_path)], ["fly"]):
        assert main(args) == 2
        assert capsys.readouterr().err


def test_the_chip_can_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "which.py"
    path.write_text(
        "import asc.lib.runtime as rt\nprint(rt.current_platform())\n", encoding="utf-8"
    )
    assert ascend_lab("run", "--chip", "Ascend310P3", str(path)).stdout == "Ascend310P3\n"
    unknown = ascend_lab("run", "--chip", "Ascend910B7", str(path))
    assert (unknown.returncode, "Traceback" in unknown.stderr) == (2, False)
    assert "Ascend910B1" in unknown.stderr


def test_the_npu_is_the_model_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "npu.py"
    path.write_text(
        "import asc.runtime.config as config\nconfig.set_platform('NPU')\nprint('set')\n",
        encoding="utf-8",
    )
    refused = ascend_lab("run", str(path))
    assert (refused.returncode, "--npu-is-model" in refused.stderr) == (1, True)
    assert ascend_lab("run", "--npu-is-model", str(path)).stdout == "set\n"


@pytest.mark.nightly  # the double below runs as one
def test_pytest_files_run_too(tmp_path: Path) -> None:
    test = tmp_path / "test_double.py"
    text = SCRIPT.replace("WRONG", "pass").replace("config.Backend.Model", "config.Backend.NPU")
    test.write_text(text.replace('if __name__ == "__main__":', "def test_it():"), encoding="utf-8")
    done = ascend_lab("run", "--pytest", str(tmp_path), "-q")
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


PAST_THE_END = ("double[4, rt", "double[5, rt")


def test_findings_can_be_reported_instead_of_raised(tmp_path: Path) -> None:
    path = Path(script(tmp_path))
    path.write_text(path.read_text(encoding="utf-8").replace(*PAST_THE_END), encoding="utf-8")
    raised = ascend_lab("run", str(path))
    reported = ascend_lab("run", "--findings", "report", str(path))
    assert (raised.returncode, reported.returncode) == (1, 0)
    assert "ok" not in raised.stdout
    assert reported.stdout.endswith("ok\n")
    heading, columns, *rows = reported.stderr.splitlines()
    assert "ran to their end" in heading
    assert columns.split() == ["test", "id", "line", "count"]
    assert [row.split()[1] for row in rows] == ["B3", "B4"]
    assert all(row.split()[2].startswith("double.py:") for row in rows)


def test_pytest_reports_by_default_and_may_raise(tmp_path: Path) -> None:
    test = tmp_path / "test_double.py"
    text = SCRIPT.replace("WRONG", "pass").replace(*PAST_THE_END)
    test.write_text(text.replace('if __name__ == "__main__":', "def test_it():"), encoding="utf-8")
    reported = ascend_lab("run", "--pytest", str(test), "-q")
    assert reported.returncode == 0, reported.stdout + reported.stderr
    assert "test_double.py::test_it  B3" in reported.stdout
    raised = ascend_lab("run", "--findings", "raise", "--pytest", str(test), "-q")
    assert raised.returncode == 1
    assert "LabError: B3" in raised.stdout


def test_what_the_chip_would_stop_for_is_raised_all_the_same(tmp_path: Path) -> None:
    path = script(tmp_path, wrong="asc.data_copy(x_local[3:], x_gm, tiling.length)")
    done = ascend_lab("run", "--findings", "report", path)
    assert done.returncode == 1
    assert "A1  " in done.stderr
    assert "test  id" not in done.stderr.splitlines()[0]
    assert "ok" not in done.stdout
