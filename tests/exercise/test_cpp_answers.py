"""Answers in C++: the door in a child, the device in the judge."""

from __future__ import annotations

import platform
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab.exercise import Answer, Judge, Task, TaskResult, read, read_project
from ascend_lab.exercise.compiled import defines, file_name, same
from ascend_lab.exercise.wire import Cell

HERE = Path(__file__).parent
ADD = (HERE / "add.asc").read_text(encoding="utf-8")
pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

Check = Callable[..., TaskResult]


@pytest.fixture
def check(judge: Judge, task: Task) -> Check:
    """The verdict on the right source with ``old`` replaced by ``new``."""

    def run(old: str = "", new: str = "") -> TaskResult:
        assert old in ADD
        text = ADD.replace(old, new) if old else ADD
        return judge.check(task, Answer((Cell("s01/add.asc", text),), form="cpp"), cases="all")

    return run


def said(result: TaskResult) -> str:
    return next(check.en for check in result.checks if check.verdict != "pass")


def test_a_source_that_is_right(check: Check) -> None:
    result = check()
    assert (result.verdict, result.points) == ("pass", 31)
    assert "no processes" in result.provenance.layers
    assert not result.notes


def test_a_fault_has_the_line_of_the_source(check: Check) -> None:
    result = check("DataCopy(zGm[i * TILE], z, TILE)", "DataCopy(zGm[i * TILE + 1], z, TILE)")
    finding = next(f for f in result.findings if f.severity == "error")
    assert (finding.file, finding.line) == ("add.asc", 40)
    assert result.points == 0


@pytest.mark.skipif(
    shutil.which("addr2line") is None or platform.machine() != "x86_64", reason="no addr2line"
)
def test_a_word_of_gm_through_a_pointer_has_its_own_line(check: Check) -> None:
    result = check(
        "    op.Process();\n", "    op.Process();\n\n    *((__gm__ float*)z + n + 64) = 1.0f;\n"
    )
    finding = next(f for f in result.findings if f.severity == "error")
    assert (finding.id, finding.file, finding.line) == ("B4", "add.asc", 59)


def test_what_others_wrote_is_not_shown(check: Check) -> None:
    result = check("using namespace", '#include "/etc/passwd"\nusing namespace')
    assert result.check("loads").verdict == "fail"
    assert "root:" not in said(result)
    assert "add.asc does not compile" in said(result)


def test_an_error_names_the_line(check: Check) -> None:
    assert "add.asc:34: error" in said(check("LocalTensor<float> z = ", "LocalTensr<float> z = "))


def test_another_signature(check: Check) -> None:
    assert "takes 3 parameters (x, y, z)" in said(
        check("GM_ADDR z, uint32_t n)\n{\n    K", "GM_ADDR z)\n{ uint32_t n = 1;\n    K")
    )


def test_a_project(judge: Judge, task: Task) -> None:
    result = judge.check(task, read_project(HERE / "project"), cases="all")
    assert (result.verdict, result.points) == ("pass", 31)


@pytest.mark.nightly
def test_a_project_with_a_fault_on_the_host(judge: Judge, task: Task, tmp_path: Path) -> None:
    shutil.copytree(HERE / "project", tmp_path / "p")
    host = tmp_path / "p/op_host/add.cpp"
    host.write_text(host.read_text().replace("total / 4", "total / 0 * (total == 0)"))
    broken = judge.check(task, read_project(tmp_path / "p"), cases="all")
    assert broken.points == 0
    assert "op_host is at fault" in said(broken)


def test_reading(tmp_path: Path) -> None:
    (tmp_path / "a.asc").write_text(ADD)
    assert read(tmp_path / "a.asc").form == "cpp"
    assert [cell.name for cell in read_project(HERE / "project").cells] == [
        "op_host/add.cpp",
        "op_kernel/add.cpp",
        "op_kernel/add_tiling.h",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ADD, True),
        ("__global__ __aicore__ __vector__ void add(GM_ADDR x) {}", True),
        ("__global__ __mix__(0, 1) void add (GM_ADDR x) {}", True),
        ("// __global__ void add(\n", False),
        ("__global__ void added(GM_ADDR x) {}", False),
        ("__global__ void other() { add(x); }", False),
    ],
)
def test_who_defines_a_kernel(text: str, found: bool) -> None:
    assert defines(text, "add") is found


def test_names() -> None:
    assert file_name("s01/../a b.asc") == "a_b.asc"
    assert file_name("s01/-o.cpp") == "o.cpp"
    assert file_name("向量.cpp") == "__.cpp"
    assert same("int a; // one", "int\n a; /* two */")
