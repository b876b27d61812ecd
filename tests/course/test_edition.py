"""The language of a notebook is found without the notebook's code saying it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_lab import course
from ascend_lab.course.edition import language


def notebook(path: Path, lang: str | None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {} if lang is None else {"ascend_lab": {"lang": lang}}
    path.write_text(json.dumps({"cells": [], "metadata": metadata}), encoding="utf-8")
    return path


def test_variable_decides(tmp_path: Path) -> None:
    path = notebook(tmp_path / "en" / "03.ipynb", "en")
    environ = {"ASCEND_LAB_LANG": "zh", "JPY_SESSION_NAME": str(path)}
    assert language(environ, tmp_path) == "zh"


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_metadata_of_the_notebook_jupyter_runs(tmp_path: Path, lang: str) -> None:
    path = notebook(tmp_path / "moved" / "my copy.ipynb", lang)
    assert language({"JPY_SESSION_NAME": str(path)}, tmp_path) == lang


def test_metadata_of_the_notebook_vs_code_runs(tmp_path: Path) -> None:
    path = notebook(tmp_path / "a.ipynb", "zh")
    assert language({}, tmp_path, {"__vsc_ipynb_file__": str(path)}) == "zh"


def test_folder_of_a_notebook_that_cannot_be_read(tmp_path: Path) -> None:
    assert language({"JPY_SESSION_NAME": str(tmp_path / "zh" / "gone.ipynb")}, tmp_path) == "zh"


def test_folder_a_notebook_runs_in(tmp_path: Path) -> None:
    """What nbclient, nbval and a plain Jupyter kernel give."""
    assert language({}, tmp_path / "labs" / "zh") == "zh"
    assert language({}, tmp_path / "labs" / "en") == "en"


@pytest.mark.parametrize("name", ["somewhere", "zh-copy", ""])
def test_anything_else_is_english(tmp_path: Path, name: str) -> None:
    assert language({"JPY_SESSION_NAME": "x" if name else ""}, tmp_path / name) == "en"


def test_damaged_notebook_falls_through(tmp_path: Path) -> None:
    for text in ("", "[]", '{"metadata": []}', '{"metadata": {"ascend_lab": {"lang": "de"}}}'):
        path = tmp_path / "zh" / "n.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        assert language({"JPY_SESSION_NAME": str(path)}, tmp_path) == "zh"


def test_start_takes_a_language_and_refuses_another() -> None:
    assert repr(course.start("03", lang="zh")) == "Lab('03', 'zh')"
    with pytest.raises(ValueError, match="choose"):
        course.start("03", lang="fr")
