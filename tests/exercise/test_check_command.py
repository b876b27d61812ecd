"""``ascend-lab check``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_lab.cli import main
from tests.exercise import kernels
from tests.exercise.conftest import TASK


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A bank with the small task."""
    (tmp_path / "tasks/00").mkdir(parents=True)
    (tmp_path / "tasks/00/add.toml").write_text(
        TASK.replace('"none"', '"add.py"'), encoding="utf-8"
    )
    (tmp_path / "add.py").write_text(kernels.ADD)
    return tmp_path


def check(bank: Path, source: str, *more: str) -> int:
    path = bank / "s01.py"
    path.write_text(source, encoding="utf-8")
    return main(["check", str(path), "--bank", str(bank), "--lang", "en", *more])


def test_a_right_answer(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(bank, kernels.ADD) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Add  (00/add)  [27 / 27 points]")


def test_a_wrong_answer(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(bank, kernels.changed("asc.add(", "asc.sub(")) == 1
    assert "z[0] should be" in capsys.readouterr().out


def test_json(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(bank, kernels.ADD, "--json", "--task", "00/add") == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert (result["verdict"], result["points"]) == ("pass", 27)


def test_what_cannot_be_decided(bank: Path) -> None:
    assert check(bank, kernels.changed("@asc.jit", "@asc.jit(matmul_cube_only=True)")) == 3


def test_wrong_usage(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(bank, "x = 1") == 2
    assert "add (00/add)" in capsys.readouterr().err
    assert check(bank, kernels.ADD, "--task", "00/ad") == 2
    assert "Did you mean 00/add?" in capsys.readouterr().err
    assert main(["check", str(bank / "absent.py"), "--bank", str(bank)]) == 2
    assert main(["check", str(bank / "s01.py"), "--bank", str(bank / "tasks")]) == 2
    assert main(["check"]) == 2
