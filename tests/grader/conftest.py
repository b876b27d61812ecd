"""A small bank, and submissions to grade with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader import journal
from grader.cli import main
from tests.exercise import kernels
from tests.exercise.conftest import TASK


def small_bank(folder: Path) -> Path:
    """A bank with one task, ``00/add``."""
    (folder / "tasks/00").mkdir(parents=True)
    text = TASK.replace('"none"', '"add.py"')
    (folder / "tasks/00/add.toml").write_text(text, encoding="utf-8")
    (folder / "add.py").write_text(kernels.ADD)
    return folder


def notebook(*sources: str) -> str:
    """A notebook of code cells."""
    cells = [{"cell_type": "code", "metadata": {}, "source": text} for text in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Run ``grader grade`` on ``tmp_path / "in"``, reports to ``tmp_path / "out"``.

    The lab is taken to be the same in every run, even when somebody edits it during the tests.
    """
    monkeypatch.setattr(journal, "package_digest", lambda: "one lab")
    small_bank(tmp_path / "bank")
    (tmp_path / "in").mkdir()

    def run(*more: str) -> int:
        places = (tmp_path / "in", "--bank", tmp_path / "bank", "--out", tmp_path / "out")
        return main(["grade", *map(str, places), "-j", "1", *more])

    return run


@pytest.fixture
def results(tmp_path: Path) -> Callable[[], dict[str, Any]]:
    """The marks of results.json, by student."""

    def load() -> dict[str, Any]:
        data = json.loads((tmp_path / "out/results.json").read_text(encoding="utf-8"))
        return {student["student"]: student for student in data["students"]}

    return load
