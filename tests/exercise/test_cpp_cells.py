"""Notebooks with cells in Ascend C: what they answer, and where their faults are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ascend_lab.exercise import Judge, Task, answers, open_bank, read
from ascend_lab.exercise.cpp_cells import in_cpp
from grader.cli import main

HERE = Path(__file__).parent
FILL = (HERE / "fill_blocks.asc").read_text(encoding="utf-8")
STUB = "@asc.jit\ndef fill_blocks(z: asc.GlobalAddress, total_length: int):\n    pass\n"
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


@pytest.fixture
def fill() -> Task:
    """Lab 02's task whose kernel is ``fill_blocks``."""
    return open_bank().load("02/fill")


def notebook(path: Path, *sources: str) -> Path:
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}), encoding="utf-8")
    return path


def test_a_cell_in_ascend_c_is_the_answer(fill: Task, tmp_path: Path) -> None:
    cpp = f"%%ascendc -n mine\n{FILL}"
    answer = read(notebook(tmp_path / "s.ipynb", STUB, "%%ascendc\n// nothing", cpp, "mine"))
    found = in_cpp(answer, fill)
    assert (found.form, found.besides) == ("cpp", ("s.ipynb [1]",))
    (cell,) = found.cells
    assert cell.name == "s.ipynb [3]"
    assert cell.text.startswith("// %%ascendc -n mine\n#include")
    assert answers(answer, fill)


def test_what_is_no_answer(fill: Task, tmp_path: Path) -> None:
    shown = FILL.replace("(GM_ADDR z, int32_t totalLength)", "()") + "int main() { return 0; }"
    for number, cell in enumerate(
        (
            f"%%ascendc\n{shown}",  # a program that a lab shows
            f"# %%ascendc\n{FILL}",
            "%%ascendc\n// __global__ void fill_blocks(GM_ADDR z)",
            f"%%ascendc\n{FILL.replace('fill_blocks(', 'fill_block(')}",
        )
    ):
        answer = read(notebook(tmp_path / f"{number}.ipynb", cell))
        assert in_cpp(answer, fill) is answer
        assert not answers(answer, fill)


def test_no_lab_hands_out_an_answer_in_ascend_c(repository: Path) -> None:
    tasks = list(open_bank().tasks())
    for path in sorted((repository / "labs/en").glob("*.ipynb")):
        blank = read(path)
        assert [task.id for task in tasks if in_cpp(blank, task).form != "python"] == []


@needs_compiler
def test_a_fault_has_its_cell_and_line(judge: Judge, fill: Task, tmp_path: Path) -> None:
    wrong = FILL.replace("        queue.EnQue(zLocal);\n", "")
    result = judge.check(fill, read(notebook(tmp_path / "王.ipynb", f"%%ascendc\n{wrong}")))
    finding = next(f for f in result.findings if f.severity == "error")
    assert (finding.id, finding.file) == ("F3", "王.ipynb [1]")
    line = finding.line - 1
    assert "DeQue" in f"%%ascendc\n{wrong}".splitlines()[line]


@needs_compiler
def test_a_line_that_does_not_compile(judge: Judge, fill: Task, tmp_path: Path) -> None:
    wrong = FILL.replace("const int32_t block =", "const int32_t blocks =")
    result = judge.check(fill, read(notebook(tmp_path / "s.ipynb", f"%%ascendc\n{wrong}")))
    assert "s.ipynb [1]:21: error: 'block' was not declared" in result.check("loads").en


@needs_compiler
def test_from_a_notebook_to_the_grade(
    tmp_path: Path, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lab's own notebook, blank but for a cell in Ascend C; what it shows in C++ answers nothing."""
    document = json.loads((repository / "labs/en/02_many_cores.ipynb").read_text("utf-8"))
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    cell = {
        "cell_type": "code", "source": f"%%ascendc\n{FILL}", "metadata": {}, "outputs": [],
        "execution_count": None, "id": "mine",
    }  # fmt: skip
    document["cells"].append(cell)
    (handed_in / "s01.ipynb").write_text(json.dumps(document), encoding="utf-8")
    grade = ["grade", str(handed_in), "--out", str(tmp_path / "out"), "--only", "02"]
    assert main(grade) == 1
    told = json.loads((tmp_path / "out/results.json").read_text("utf-8"))
    marks = {mark["task"]: mark for mark in told["students"][0]["marks"]}
    assert marks["02/fill"]["points"] == marks["02/fill"]["possible"]
    assert marks["02/hello"]["points"] == 0
    page = (tmp_path / "out/students/s01.html").read_text("utf-8")
    assert "fill_blocks is defined in Ascend C" in page
