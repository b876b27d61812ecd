"""Practical answers in Ascend C: the four files of the official judge, and one source."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab.course import exam as sitting
from ascend_lab.course.exam import chosen
from ascend_lab.exercise import open_bank
from grader.cli import main
from grader.exam import Exam, Result, mark_exam, read_submission
from grader.exam.reporting import record, write_pages
from grader.release import Course
from tests.grader.exam.conftest import answer_all

PROJECT = Path(__file__).parent / "files/clamp"
FILES = {
    "tiling_h": "op_kernel/clamp_tiling.h",
    "tiling_key_h": "op_kernel/tiling_key_clamp.h",
    "host_cpp": "op_host/clamp.cpp",
    "kernel_cpp": "op_kernel/clamp.cpp",
}
#: Where one source differs from a right answer.
WRONG = ("static_cast<T>(highest)", "static_cast<T>(lowest)")
NO_LINE = ("op.Process();", "op.Procss();")
NO_ENQUE = ("        inQueue.EnQue(xLocal);\n", "")
NO_STEP = ("tile += GetBlockNum()", "tile += 0 * GetBlockNum()")
NO_END = ("    auto* tiling", "    volatile int k = 0;\n    while (k == 0) {}\n    auto* tiling")

Open = Callable[[], sitting.Session]
Mark = Callable[..., Result]
needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")


def files_of(drawn: Exam) -> dict[str, str]:
    """A right answer to the exam; its attributes have the names that this student's task gives them."""
    *_, lowest, highest = (p.name for p in drawn.task.parameters)

    def renamed(file: str) -> str:
        text = (PROJECT / file).read_text(encoding="utf-8")
        return text.replace('"lowest"', f'"{lowest}"').replace('"highest"', f'"{highest}"')

    return {name: renamed(file) for name, file in FILES.items()}


@pytest.fixture
def mark(sat: Open, drawn: Exam, tmp_path: Path) -> Mark:
    """The marks of an exam that is right, but for a change in one of the four files."""

    def run(name: str = "", old: str = "", new: str = "", *, without: str = "") -> Result:
        files = files_of(drawn)
        if name:
            assert old in files[name]
            files[name] = files[name].replace(old, new)
        paper = sat()
        paper.start()
        for id, question in drawn.questions:
            paper.answer(f"theory/{id}", "".join(question.key))
        for file, text in files.items():
            if file != without:
                paper.answer(f"practical/{file}", text)
        paper.submit()
        return mark_exam(drawn, read_submission(tmp_path / "s01", drawn.sheet), open_bank())

    return run


def points(result: Result) -> dict[str, float]:
    return {part.name: part.points for part in result.parts}


def said(result: Result, lang: str) -> str:
    practical = next(part for part in result.parts if part.name == "practical")
    told = [item.text.text(lang) for item in practical.items]
    for finding in (finding for item in practical.items for finding in item.findings):
        told.append(f"{finding.file}:{finding.line} {finding.message(lang)}")
    return "\n".join(told)


# --- which of the saved files count ----------------------------------------------------------------------


def saved(**files: str) -> dict[str, str]:
    return {
        name.replace("_", "/", 1) if name != "practical" else name: text
        for name, text in files.items()
    }


def test_the_headers_lie_where_they_are_included_from() -> None:
    found = chosen(
        saved(
            practical_host_cpp='#include "my_tiling.h"\n#include "../op_kernel/tiling_key_my.h"',
            practical_kernel_cpp='#include "my_tiling.h"\n  #include "tiling_key_my.h"',
            practical_tiling_h="struct T;",
            practical_tiling_key_h="key",
            practical="python",
        ),
        "clamp",
    )
    assert found.answer is not None
    assert (found.answer.form, found.missing) == ("project", ())
    assert [cell.name for cell in found.answer.cells] == [
        "op_host/my_tiling.h",
        "op_kernel/my_tiling.h",
        "op_kernel/tiling_key_my.h",
        "op_host/clamp.cpp",
        "op_kernel/clamp.cpp",
    ]


@pytest.mark.parametrize(
    ("files", "form", "missing"),
    [
        ({"practical": "x"}, "python", ()),
        ({"practical_kernel_cpp": "kernel"}, "cpp", ()),
        ({"practical_kernel_cpp": "GET_TILING_DATA(t, tiling);"}, None, ("host_cpp",)),
        ({"practical_host_cpp": "host", "practical": "x"}, "python", ("kernel_cpp",)),
        ({"practical_tiling_h": "struct T;"}, None, ("host_cpp", "kernel_cpp")),
        (
            {"practical_host_cpp": '#include "a_tiling.h"', "practical_kernel_cpp": "k"},
            None,
            ("tiling_h",),
        ),
        (
            {"practical_kernel_cpp": '#include "tiling_key_a.h"'},
            None,
            ("tiling_key_h", "host_cpp"),
        ),
        ({"practical_kernel_cpp": " \n", "practical": "x"}, "python", ()),
        ({"practical": " "}, None, ()),
    ],
)
def test_what_counts(files: dict[str, str], form: str | None, missing: tuple[str, ...]) -> None:
    found = chosen(saved(**files), "clamp")
    assert (found.answer and found.answer.form, found.missing) == (form, missing)


# --- in the notebook -------------------------------------------------------------------------------------


def test_the_notebook_tells_what_is_missing_and_what_counts(
    sat: Open, drawn: Exam, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paper, files = sat(), files_of(drawn)
    judged: list[str] = []
    monkeypatch.setattr(paper, "_judge", lambda answer: judged.append(answer.form))
    paper.start()
    for name in ("tiling_h", "tiling_key_h", "host_cpp"):
        capsys.readouterr()
        paper.magic(name, files[name])
    assert "Still missing: kernel_cpp." in capsys.readouterr().out
    assert judged == []
    paper.magic("kernel_cpp", files["kernel_cpp"])
    paper.magic("tiling_h", files["tiling_h"])  # the same as before
    paper.magic("tiling_h", files["tiling_h"] + "//")
    assert judged == ["project", "project"]
    paper.magic("practical", "def clamp(")
    assert "paper.withdraw_cpp()" in capsys.readouterr().out
    paper.withdraw_cpp()
    capsys.readouterr()
    paper.magic("practical", "def clamp(:")
    assert "withdraw" not in capsys.readouterr().out
    assert judged == ["project", "project", "python", "python"]


# --- marks -----------------------------------------------------------------------------------------------


def test_a_missing_file_is_told_and_costs_nothing_else(mark: Mark) -> None:
    result = mark(without="host_cpp")
    assert points(result) == {
        "theory": 20, "practical": 0, "troubleshooting": 0, "performance": 0,
    }  # fmt: skip
    assert "lacks host_cpp" in said(result, "en")
    assert "缺 host_cpp" in said(result, "zh")
    assert result.is_decided


@needs_compiler
def test_a_host_that_does_not_compile(mark: Mark, tmp_path: Path) -> None:
    result = mark("host_cpp", "const uint32_t tiles =", "const uint32_t tile =")
    assert points(result)["practical"] == 0
    assert points(result)["theory"] == 20
    assert "op_host does not compile" in said(result, "en")
    assert "op_host 编译失败" in said(result, "zh")
    assert "error: 'tiles' was not declared" in said(result, "en")
    write_pages([result], {"s01": "Ann"}, tmp_path, "en")
    assert "was not declared" in (tmp_path / "s01.html").read_text("utf-8")


@needs_compiler
@pytest.mark.nightly
@pytest.mark.parametrize(
    ("file", "change", "en", "zh"),
    [
        pytest.param("kernel_cpp", WRONG, "elements are wrong", "个元素中有", id="wrong"),
        pytest.param("kernel_cpp", NO_LINE, "op_kernel does not compile", "op_kernel 编译失败",
                     id="compile"),
        pytest.param("kernel_cpp", NO_ENQUE, ".cpp:50 F3 ", ".cpp:50 F3 ", id="hangs"),
        pytest.param("kernel_cpp", NO_STEP, ".cpp:71 D7 |No end after", ".cpp:71 D7 |没有结束", id="never-ends"),
        pytest.param("host_cpp", NO_END, "op_host was still running after 2 s",
                     "op_host 超过 2 秒", id="host-never-ends"),
    ],
)  # fmt: skip
def test_wrong_answers_are_explained(
    mark: Mark, file: str, change: tuple[str, str], en: str, zh: str
) -> None:
    result = mark(file, *change)
    assert points(result)["practical"] <= 4
    assert points(result)["performance"] == 0
    assert points(result)["theory"] == 20
    # On a busy machine an endless loop may run out of time before it runs out of instructions.
    assert any(one in said(result, "en") for one in en.split("|"))
    assert any(one in said(result, "zh") for one in zh.split("|"))
    assert result.is_decided


@needs_compiler
@pytest.mark.nightly
def test_four_files_from_new_to_verify(
    course: Course, drawn: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student,name\ns01,王小明\n", encoding="utf-8")
    people = ["--students", str(roster)]
    exams, marks = tmp_path / "exams", tmp_path / "marks"
    assert main(["exam", "new", str(course.folder), *people, "--out", str(exams)]) == 0
    assert main(["exam", "start", str(exams / "s01")]) == 0
    paper = sitting.open(exams / "s01")
    answer_all(paper, drawn, source="")
    capsys.readouterr()
    for name, text in files_of(drawn).items():
        paper.magic(name, text)
    shown = capsys.readouterr().out
    assert "22 / 22 points" in shown
    assert main(["exam", "submit", str(exams / "s01")]) == 0
    handed_in = exams / "s01/s01.exam.zip"
    mark = ["exam", "mark", str(course.folder), str(handed_in), *people, "--out", str(marks)]
    assert main(mark) == 0
    assert "王小明: 100 points, passed" in capsys.readouterr().out
    path = marks / "s01.record.json"
    told = json.loads(path.read_text("utf-8"))
    assert {name: part["points"] for name, part in told["parts"].items()} == {
        "theory": 20, "practical": 40, "troubleshooting": 25, "performance": 15,
    }  # fmt: skip
    verify = ["verify", str(path), "--course", str(course.folder)]
    assert main([*verify, "--submission", str(handed_in)]) == 0


@needs_compiler
@pytest.mark.nightly
def test_one_source(sat: Open, drawn: Exam, tmp_path: Path) -> None:
    kernel, first = drawn.task.kernel, drawn.task.parameters[0].name.upper()
    source = open_bank().source("kernels/exam/clamp.asc").replace("DTYPE_X", f"DTYPE_{first}")
    paper = sat()
    paper.start()
    paper.answer("practical/kernel_cpp", source.replace("void clamp(", f"void {kernel}("))
    paper.submit()
    result = mark_exam(drawn, read_submission(tmp_path / "s01", drawn.sheet), open_bank())
    assert points(result)["practical"] == 40
    assert record(result, "c", "n") == record(
        mark_exam(drawn, result.submission, open_bank()), "c", "n"
    )
