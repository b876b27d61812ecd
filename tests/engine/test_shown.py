"""What people call a file, and what a notebook prints of an error of ours."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Where
from ascend_lab.engine.shown import shown

CELL = "/tmp/ipykernel_12/3456.py"


def notebook(monkeypatch: pytest.MonkeyPatch, numbers: dict[str, int]) -> None:
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map=numbers))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def test_a_file_is_called_by_its_base_name() -> None:
    assert shown("/a/b/add.py") == shown("C:\\work\\add.py") == "add.py"


def test_a_cell_is_called_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook(monkeypatch, {"/tmp/ipykernel_12/1.py": 1, CELL: 5})
    assert shown(CELL) == "In[5]"
    assert shown("/tmp/ipykernel_12/unknown.py") == "unknown.py"
    assert LabError("错", "wrong", Where(CELL, 7)).message("en") == "In[5]:7: wrong"


def test_without_history_the_order_of_the_cells_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    notebook(monkeypatch, {"/tmp/ipykernel_12/1.py": 1, CELL: 1})
    assert shown(CELL) == "In[2]"


@pytest.mark.parametrize("error", [LabError("错", "wrong"), NotModelled("asc.fixpipe")])
def test_a_notebook_shows_the_text_and_no_traceback(error: LabError | NotModelled) -> None:
    assert error._render_traceback_() == str(error).splitlines()
    assert error.message("zh") in error._render_traceback_()
