"""``ascend-lab export`` and ``ascend-lab lint``: what is written runs on the model and keeps the kernel's text."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ascend_lab.cli import main
from ascend_lab.commands import harness
from ascend_lab.commands.porting import ported_file
from ascend_lab.commands.source import Refused
from ascend_lab.exercise import PRACTICE, open_bank
from ascend_lab.exercise.golden import settings

ROOT = Path(__file__).parents[2]
BANK = open_bank()

SCRIPT = '''#!/usr/bin/env python
"""A script of somebody."""

import numpy as np

import ascend_lab.asc as asc
from ascend_lab.asc.runtime import config
from ascend_lab.asc.lib import (
    runtime as rt,
)

BLOCKS = 2


@asc.jit
def double(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    # kept, as every comment is
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * n)
    z_gm.set_global_buffer(z + asc.get_block_idx()  *  n)
    pipe = asc.TPipe()
    come, go = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(come, 1, n * x.dtype.sizeof())
    pipe.init_buffer(go, 1, n * x.dtype.sizeof())
    a = come.alloc_tensor(x.dtype)
    asc.data_copy(a, x_gm, n)
    come.enque(a)
    a, b = come.deque(x.dtype), go.alloc_tensor(x.dtype)
    asc.add(b, a, a, n)
    go.enque(b)
    come.free_tensor(a)
    b = go.deque(x.dtype)
    asc.data_copy(z_gm, b, n)
    go.free_tensor(b)


if __name__ == "__main__":
    config.set_platform(config.Backend.Model)
    x, z = np.ones(256, np.float32), np.zeros(256, np.float32)
    double[BLOCKS, rt.current_stream()](x, z, 128)
    assert (z == 2).all()
    print("doubled")
'''


def kernel_text(source: str, name: str) -> str:
    node = next(
        n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef) and n.name == name
    )
    first = min(d.lineno for d in node.decorator_list)
    return "\n".join(source.split("\n")[first - 1 : node.end_lineno])


def command(*args: str) -> subprocess.CompletedProcess[str]:
    """``ascend-lab`` in a process of its own."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return subprocess.run(
        [sys.executable, "-m", "ascend_lab.cli", *args],
        capture_output=True, text=True, env=environment, check=False, encoding="utf-8",
    )  # fmt: skip


def written(folder: Path, text: str, name: str = "mine.py") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def exported(file: Path, out: Path, *args: str) -> str:
    done = command("export", str(file), "--out", str(out), *args)
    assert done.returncode == 0, done.stderr
    return out.read_text("utf-8")


def test_a_script_keeps_its_text_and_runs(tmp_path: Path) -> None:
    text = exported(written(tmp_path, SCRIPT), tmp_path / "out.py")
    assert "ascend_lab" not in text
    assert text.startswith("#!/usr/bin/env python\n# Exported by Ascend Lab")
    assert "import asc\nfrom asc.runtime import config\nfrom asc.lib import runtime as rt\n" in text
    assert kernel_text(text, "double") == kernel_text(SCRIPT, "double")
    done = command("run", str(tmp_path / "out.py"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "doubled\n", "")


def test_only_the_imports_of_a_script_change() -> None:
    before, after = SCRIPT.split("\n"), ported_file(SCRIPT, "mine.py").split("\n")
    gone = [line for line in before if line not in after]
    new = [line for line in after if line not in before]
    assert gone == [
        "import ascend_lab.asc as asc",
        "from ascend_lab.asc.runtime import config",
        "from ascend_lab.asc.lib import (",
        "    runtime as rt,",
        ")",
    ]
    assert new == [
        "import asc",
        "from asc.runtime import config",
        "from asc.lib import runtime as rt",
    ]


def test_the_header_says_what_was_not_checked(tmp_path: Path) -> None:
    good = exported(written(tmp_path, SCRIPT), tmp_path / "out.py")
    assert "# NOT RUN ON A CARD.\n" in good
    assert "# - findings: none\n" in good
    assert "Seen on the model of Ascend910B1" in good
    wrong = SCRIPT.replace("    come.free_tensor(a)\n", "    asc.data_cache_preload(x_gm, 0)\n")
    bad = exported(written(tmp_path, wrong), tmp_path / "out.py", "--lang", "zh")
    assert "没有在卡上运行过" in bad
    assert "mine.py:" in bad.split("import")[0]  # the finding and its line
    assert "DataCachePreload" in bad.split("import")[0]


@pytest.mark.parametrize("task_id", ["03/sigmoid", "04/bytes", "exam/softmax"])
def test_an_answer_runs_with_the_cases_of_its_task(tmp_path: Path, task_id: str) -> None:
    task = BANK.load(task_id)
    source = BANK.source(task.reference)
    text = exported(BANK.folder / task.reference, tmp_path / "out.py", "--task", task_id)
    assert "ascend_lab" not in text
    assert kernel_text(text, task.kernel) == kernel_text(source, task.kernel)
    assert "checks: loads pass, runs pass, values pass" in text
    for case in task.hidden_cases:
        assert f"{case.name}:" not in text
    done = command("run", str(tmp_path / "out.py"))
    assert done.returncode == 0, done.stdout + done.stderr
    n = sum(len(case.seeds) for case in task.public_cases)
    assert done.stdout.endswith(f"{n} of {n} cases right\n")


def test_a_wrong_answer_is_said_to_be_wrong_in_both_places(tmp_path: Path) -> None:
    source = BANK.source("kernels/03/sigmoid.py").replace(
        "x_local, 1.0, count", "x_local, 2.0, count"
    )
    file = written(tmp_path, source)
    text = exported(file, tmp_path / "out.py", "--task", "03/sigmoid")
    assert "values fail" in text
    done = command("run", str(tmp_path / "out.py"))
    assert done.returncode == 1
    assert "0 of 3 cases right" in done.stdout


def test_a_notebook_gives_the_answer_of_a_task(tmp_path: Path) -> None:
    source = BANK.source("kernels/03/sigmoid.py")
    cells = ["%matplotlib inline\nfrom ascend_lab import view", source, "view.nothing("]
    notebook = {"cells": [{"cell_type": "code", "source": text} for text in cells]}
    file = written(tmp_path, json.dumps(notebook), "mine.ipynb")
    text = exported(file, tmp_path / "out.py", "--task", "03/sigmoid")
    assert kernel_text(text, "sigmoid") == kernel_text(source, "sigmoid")
    assert "ascend_lab" not in text
    assert "nothing(" not in text
    assert command("export", str(file)).returncode == 1


@pytest.mark.parametrize("task", list(BANK.tasks()), ids=lambda task: task.id)
def test_inputs_and_golden_are_those_of_the_task(task: object) -> None:
    from ascend_lab.exercise.task import Task

    assert isinstance(task, Task)
    structs = {p.name: "dict" for p in task.parameters if p.role == "tiling"}
    text = harness.text(task, PRACTICE, structs).split("def run_case")[0]
    names: dict[str, object] = {"np": np}
    exec(text, names)  # the generated harness, without the launch
    cases, golden = names["CASES"], names["golden"]
    assert isinstance(cases, tuple)
    assert callable(golden)
    wanted = [s for case in task.public_cases for s in settings(task, case, PRACTICE)]
    for case, setting in zip(cases, wanted, strict=True):
        blocks, arguments, sizes = case()
        assert blocks == setting.blocks
        for name, mine, theirs in zip(
            setting.names, arguments.values(), setting.arguments, strict=True
        ):
            if isinstance(mine, dict):
                theirs = theirs.values  # type: ignore[union-attr]
            assert (
                np.array_equal(mine, theirs, equal_nan=True)
                if isinstance(mine, np.ndarray) and mine.dtype.kind == "f"
                else np.all(mine == theirs)
            ), name
        widened = names["widened"]
        assert callable(widened)
        inputs = {
            p.name: widened(arguments[p.name])
            for p in task.parameters
            if p.role in ("in", "inout", "scalar")
        }
        with np.errstate(all="ignore"):
            exact = golden(**{**sizes, **inputs})
        for name, value in exact.items():
            shaped = np.broadcast_to(np.asarray(value), setting.expected[name].shape)
            assert np.array_equal(
                shaped.astype(setting.expected[name].dtype), setting.expected[name], equal_nan=True
            )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("import ascend_lab.asc as asc", "import ascend_lab.asc as asc\nfrom ascend_lab import Device"), "mine.py:7: from ascend_lab import Device exists in the lab only"),
        (("import ascend_lab.asc as asc", "import ascend_lab.asc as asc\nimport ascend_lab.view as view"), "mine.py:7: import ascend_lab.view exists in the lab only"),
        (("BLOCKS = 2", "BLOCKS = 2\nTYPE = asc.bfloat16"), "asc.bfloat16 is an addition of the lab"),
        (("config.Backend.Model)", "config.Backend.Model, config.Platform.Ascend310P3)"), "Ascend310P3 is an addition"),
        (("    come.free_tensor(a)\n", "    if n > 1:\n        return\n"), "lint/return-in-block"),
        (("@asc.jit\n", ""), "no kernel marked @asc.jit"),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], said: str
) -> None:
    file = written(tmp_path, SCRIPT.replace(*change))
    assert main(["export", str(file), "--lang", "en"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert main(["export", str(file), "--lang", "zh"]) == 1
    assert capsys.readouterr().err != err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import asc\n", "there is no kernel sigmoid of task 03/sigmoid"),
        (BANK.source("kernels/03/sigmoid.start.py"), "or it is still empty"),
        ("import asc\n@asc.jit\ndef sigmoid(x):\n    asc.exp(x, x, 8)\n", "parameters"),
        (BANK.source("kernels/03/sigmoid.py").replace("TILE_LENGTH", "THRESHOLDS"), "THRESHOLDS"),
        (BANK.source("kernels/03/sigmoid.py") + "  break", "mine.py:45: unindent does not match"),
    ],
)
def test_answers_that_cannot_be_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], source: str, said: str
) -> None:
    file = written(tmp_path, source)
    code = main(["export", str(file), "--task", "03/sigmoid", "--lang", "en"])
    err = capsys.readouterr().err
    assert code == 1, err
    assert said in err
    assert "Traceback" not in err


def test_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("lint", "export"):
        for name in ("absent.py", "kernel.txt"):
            assert main([verb, str(tmp_path / name), "--lang", "en"]) == 2
            assert name in capsys.readouterr().err
    with pytest.raises(Refused):
        ported_file("from ascend_lab.device import Device", "a.py")


def test_lint_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, SCRIPT)
    assert main(["lint", str(good), "--lang", "en"]) == 0
    assert capsys.readouterr().out == "1 kernel function, 0 places that pyasc refuses\n"
    bad = written(tmp_path, SCRIPT.replace("    go.enque(b)\n", "    go.enque(b)\n    print(n)\n"))
    assert main(["lint", str(bad), "--lang", "en"]) == 1
    assert capsys.readouterr().out.startswith("mine.py:31: lint/builtin: print")
    assert main(["lint", str(bad), "--json"]) == 1
    [note] = json.loads(capsys.readouterr().out)
    assert (note["rule"], note["line"], note["function"]) == ("builtin", 31, "double")
    assert main(["lint", str(bad), "--kernel", "other", "--lang", "en"]) == 2
    assert "The file has: double" in capsys.readouterr().err


def test_a_run_ends_with_the_notes(tmp_path: Path) -> None:
    text = SCRIPT.replace("    pipe = asc.TPipe()\n", "    assert n > 0\n    pipe = asc.TPipe()\n")
    done = command("run", str(written(tmp_path, text)))
    assert (done.returncode, done.stdout) == (0, "doubled\n")
    assert done.stderr.startswith("portability (this runs on the model, but pyasc refuses it")
    assert "mine.py:21: lint/assert" in done.stderr
    chinese = command("run", "--lang", "zh", str(tmp_path / "mine.py"))
    assert chinese.stderr.startswith("可移植性")
