"""``lab.check`` of a kernel in Ascend C, as a notebook makes it."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FILL = Path(__file__).parents[1] / "exercise/fill_blocks.asc"
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def test_a_kernel_of_a_cell_is_judged_with_its_lines(tmp_path: Path) -> None:
    source = FILL.read_text(encoding="utf-8")
    wrong = source.replace("        queue.EnQue(zLocal);\n", "")
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(text)
            for text in (
                'from ascend_lab import course\nlab = course.start("02", lang="en")',
                f"%%ascendc\n{source}",
                'lab.check("02/fill", fill_blocks)',
                f"%%ascendc\n{wrong}",
                'lab.check("02/fill", fill_blocks)',
            )
        ]
    )
    path = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=path).execute()

    def told(index: int) -> str:
        return "\n".join(
            output.get("data", {}).get("text/plain", "") for output in notebook.cells[index].outputs
        )

    assert "Runs without a fault" in told(2)
    assert "✗" not in told(2)
    assert "F3" in told(4)
    assert "In[4]" in told(4)
