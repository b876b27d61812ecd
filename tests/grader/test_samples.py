"""The samples: every thing that can happen to a grader, with the table their README promises."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main

#: Leading finding, or a word of what is said instead.
WHY = {
    "01-full-marks": "",
    "02-blank": "",
    "03-misaligned": "A1",
    "04-overlap": "E2",
    "05-uninitialised": "C1",
    "06-deadlock": "F3",
    "07-endless-loop": "X2",
    "08-crash": "SIGSEGV",
    "09-corrupt": "no valid notebook",
    "10-numpy": "X1",
    "11-patches-the-lab": "E3",
    "12-exit": "ended its own process",
    "13-two-files": "more than one file",
    "14-renamed": "Close to it: seed_addd",
}
TASKS = ("03/cuda-add", "03/seed-add", "03/sigmoid")


@pytest.fixture(scope="module")
def graded(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    out = tmp_path_factory.mktemp("grades")
    samples = repository / "grader/samples"
    return main(["grade", str(samples), "--out", str(out)]), out


@pytest.fixture(scope="module")
def students(graded: tuple[int, Path]) -> dict[str, Any]:
    data = json.loads((graded[1] / "results.json").read_text(encoding="utf-8"))
    assert [task["id"] for task in data["tasks"]] == list(TASKS)
    return {student["student"]: student for student in data["students"]}


def promised(repository: Path) -> dict[str, list[str]]:
    """Rows of the table in the README."""
    lines = (repository / "grader/samples/README").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if line[:2].isdigit() and line[2] == "-"]
    return {row[0]: row[1:5] for row in rows}


@pytest.mark.timeout(300)
def test_the_table_of_the_readme(repository: Path, students: dict[str, Any]) -> None:
    expected = promised(repository)
    assert sorted(expected) == sorted(students) == sorted(WHY)
    for name, student in students.items():
        assert [cell(mark) for mark in student["marks"]] == expected[name][:3], name
        assert f"{student['points']:g}" == expected[name][3], name


def cell(mark: dict[str, Any]) -> str:
    if mark["verdict"] in ("not attempted", "ungraded"):
        return "-" if mark["verdict"] == "not attempted" else "?"
    return f"{mark['points']:g}/{mark['possible']:g}"


def test_the_exit_code(graded: tuple[int, Path]) -> None:
    assert graded[0] == 3


def test_why(students: dict[str, Any]) -> None:
    for name, word in WHY.items():
        mark = next(m for m in students[name]["marks"] if m["task"] == "03/seed-add")
        if word == "":
            assert mark["verdict"] in ("pass", "not attempted")
            continue
        told = [mark["reason"]["en"]] if mark["reason"] else []
        for check in mark["result"]["checks"] if mark["result"] else []:
            errors = [f["id"] for f in check["findings"] if f["severity"] == "error"]
            told += [check["en"], *errors]
        assert any(word in text for text in told), (name, told)


def test_pages(graded: tuple[int, Path], students: dict[str, Any]) -> None:
    pages = [graded[1] / "index.html", *sorted((graded[1] / "students").glob("*.html"))]
    assert len(pages) == 1 + len(students)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert '<span lang="zh">' in text
        assert '<span lang="en">' in text
        for outside in ("http://", "https://", "<script src", "<link", "plotly", "@import"):
            rest = text.replace("http://www.w3.org/2000/svg", "")
            assert outside not in rest, (page.name, outside)
        assert not re.search(r"url\((?!#)", text)
        assert len(text) < 400_000
    assert "<svg" in (graded[1] / "students/03-misaligned.html").read_text(encoding="utf-8")
    assert "asc.data_copy(x_local[1:]" in pages[3].read_text(encoding="utf-8")


def test_a_page_shows_the_ub_with_the_bytes_of_the_finding(graded: tuple[int, Path]) -> None:
    page = (graded[1] / "students/05-uninitialised.html").read_text(encoding="utf-8")
    assert page.count(">UB memory · seed_add") == page.count(">UB 内存 · seed_add") == 1
    assert "bytes of a finding" in page
    assert len(page) < 300_000
