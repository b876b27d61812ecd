"""Exports against what the receiving systems publish, and notebooks of nbgrader."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from grader.cli import main
from grader.exports import FORMATS, Scores, read_assignment, read_scores, write
from grader.exports.nbgrader import checksum
from grader.release import read_roster

HERE = Path(__file__).parent


def mark(task: str, verdict: str, points: float, said: str = "") -> dict[str, Any]:
    checks = [{"verdict": "fail", "zh": "错" + said, "en": said}] if said else []
    result = None if verdict == "ungraded" else {"checks": checks}
    reason = {"zh": "读不了", "en": "cannot be read"} if result is None else None
    return {
        "task": task, "verdict": verdict, "points": points, "possible": 10.0,
        "reason": reason, "result": result,
    }  # fmt: skip


RESULTS = {
    "format": 1,
    "students": [
        {
            "student": "s01",
            "marks": [mark("03/add", "pass", 10), mark("03/exp", "fail", 4.5, "A <b> & \x01 'c'")],
        },
        {
            "student": "=s02",
            "marks": [mark("03/add", "not attempted", 0), mark("03/exp", "error", 0)],
        },
        {"student": "王", "marks": [mark("03/add", "ungraded", 0), mark("03/exp", "pass", 10)]},
    ],
}


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    """A small class as `grader grade` leaves it."""
    (tmp_path / "results.json").write_text(json.dumps(RESULTS), encoding="utf-8")
    return read_scores(tmp_path)


def text(scores: Scores, kind: str, out: Path, **more: Any) -> str:
    (path,) = write(scores, kind, out, **more)
    return path.read_text("utf-8")


def test_gradescope_takes_every_file(scores: Scores, tmp_path: Path) -> None:
    schema = json.loads((HERE / "gradescope.schema.json").read_text())
    files = write(scores, "gradescope", tmp_path / "out")
    assert len(files) == 3
    for path in files:
        jsonschema.validate(json.loads(path.read_text("utf-8")), schema)
    first = json.loads(files[0].read_text("utf-8"))
    assert first["score"] == 14.5 == sum(test["score"] for test in first["tests"])
    assert [test["status"] for test in first["tests"]] == ["passed", "failed"]
    second = json.loads(files[1].read_text("utf-8"))
    assert "status" not in second["tests"][1]  # ours: neither passed nor failed
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"tests": [{"status": "maybe"}]}, schema)


#: Attributes and children of junit-10.xsd (jenkinsci/xunit-plugin) that are used.
JUNIT = {
    "testsuites": ({"name"}, ["testsuite"]),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time"},
        ["testcase"],
    ),
    "testcase": ({"classname", "name", "time"}, ["skipped", "error", "failure"]),
    "failure": ({"message", "type"}, []),
    "error": ({"message", "type"}, []),
    "skipped": (set(), []),
}


def test_junit_is_what_its_schema_allows(scores: Scores, tmp_path: Path) -> None:
    root = ElementTree.fromstring(text(scores, "junit", tmp_path / "out"))
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.keys()) <= attributes
        assert all(child.tag in children for child in element)
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite)
        for attribute, tag in (
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ):
            assert int(suite.get(attribute, "")) == len(suite.findall(f".//{tag}"))
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.text == "A <b> &  'c'"
    assert failure.get("message") == "4.5 / 10"


def test_canvas_has_the_gradebook_s_columns(scores: Scores, tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        "    Points Possible,,,,\nAnn Ah,7,s01,ann@x,A1\n"
    )
    people = read_roster(roster)
    rows = list(csv.reader(io.StringIO(text(scores, "canvas", tmp_path / "out", people=people))))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "ascend-lab 03"]
    assert rows[1] == ["    Points Possible", "", "", "", "", "20"]
    assert rows[2] == ["Ann Ah", "7", "s01", "ann@x", "A1", "14.5"]
    assert rows[3][0] == "'=s02"  # no formula
    assert [row[-1] for row in rows[3:]] == ["", ""]  # was not judged: neither 0 nor 10


#: Names and sentences as they come: Chinese, combining and bidirectional characters, an emoji, half a character.
NAMES = ("王小明", "Zoe\u0308 O’Neil", "عمر", "学生🎓", 'a"b,c; <d>')
SAID = "错 🎓 \ud800 \uffff \x08 <&>"


@pytest.mark.parametrize("kind", FORMATS)
def test_any_name_and_text(kind: str, tmp_path: Path) -> None:
    marks = {
        "format": 1,
        "students": [
            {"student": name, "marks": [mark("03/add", "fail", 4.5, SAID)]} for name in NAMES
        ],
    }
    (tmp_path / "results.json").write_text(json.dumps(marks), encoding="utf-8")
    for lang in ("zh", "en"):
        files = write(read_scores(tmp_path), kind, tmp_path / "out" / lang, lang=lang)
        whole = "".join(path.read_text("utf-8") for path in files)
        if kind == "gradescope":
            assert {path.parent.name for path in files} == set(NAMES)
            tests = [json.loads(path.read_text("utf-8"))["tests"] for path in files]
            assert all("错 🎓 ?" in t[0]["output"] for t in tests)
        elif kind == "junit":
            root = ElementTree.fromstring(whole)
            assert [suite.get("name") for suite in root] == list(NAMES)
            assert all("错 🎓 " in str(f.text) for f in root.iter("failure"))
        elif kind == "json":
            assert [s["student"] for s in json.loads(whole)["students"]] == list(NAMES)
        else:
            rows = list(csv.reader(io.StringIO(whole.removeprefix("\ufeff"))))
            assert [row[0] for row in rows[-len(NAMES) :]] == list(NAMES)


def test_csv_and_json(scores: Scores, tmp_path: Path) -> None:
    told = text(scores, "csv", tmp_path / "out")
    rows = list(csv.DictReader(io.StringIO(told.removeprefix("\ufeff"))))
    assert [row["total"] for row in rows] == ["14.5", "0", "10"]
    assert rows[0]["03/exp"] == "4.5"
    assert (rows[1]["03/add"], rows[1]["03/exp"], rows[2]["03/add"]) == ("0", "", "")
    assert [row["graded"] for row in rows] == ["yes", "no", "no"]
    data = json.loads(text(scores, "json", tmp_path / "out"))
    assert data["students"][2]["items"][0]["zh"] == "读不了"
    assert [student["graded"] for student in data["students"]] == [True, False, False]
    assert set(FORMATS) == {"csv", "json", "gradescope", "junit", "canvas"}


def test_the_command(scores: Scores, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    for kind in FORMATS:
        assert main(["export", str(tmp_path), "--to", kind, "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.rpartition("\n{")[2].join(("{", "")))["files"]
    assert main(["export", str(tmp_path / "nowhere"), "--to", "csv", "--lang", "zh"]) == 2
    assert "没有成绩" in capsys.readouterr().err
    (tmp_path / "results.json").write_text("[1]")
    assert main(["export", str(tmp_path), "--to", "csv"]) == 2
    assert main(["export", str(tmp_path), "--to", "xls"]) == 2


def test_records_of_an_exam(tmp_path: Path) -> None:
    part = {"points": 12.0, "weight": 20.0, "items": [{"undecided": False}]}
    told = {"exam": "mock", "student": "s01", "parts": {"theory": part}}
    (tmp_path / "s01.record.json").write_text(json.dumps(told))
    scores = read_scores(tmp_path)
    assert [(i.name, i.points, i.state) for i in scores.scores[0].items] == [
        ("theory", 12.0, "fail")
    ]


# --- nbgrader ----------------------------------------------------------------------------------------


def test_a_notebook_of_nbgrader_loses_nothing() -> None:
    path = HERE / "nbgrader.ipynb"
    found = read_assignment(path)
    assert json.loads(found.text()) == json.loads(path.read_text("utf-8"))
    assert [(cell.marking.grade_id, cell.marking.kind) for cell in found.cells] == [
        ("intro", "read-only"),
        ("squares", "solution"),
        ("correct_squares", "tests"),
        ("why", "manual"),
        ("explore", "task"),
    ]
    assert found.possible == 8
    assert [cell.is_unchanged for cell in found.cells] == [True, None, True, None, True]


def test_a_changed_locked_cell_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hw.ipynb"
    document = json.loads((HERE / "nbgrader.ipynb").read_text("utf-8"))
    path.write_text(json.dumps(document))
    assert main(["nbgrader", str(path)]) == 0
    cell = next(c for c in document["cells"] if "correct" in str(c["metadata"]))
    cell["source"] = "pass"
    path.write_text(json.dumps(document))
    assert main(["nbgrader", str(path)]) == 1
    assert "correct_squares: tests, 2 points, not as it was released" in capsys.readouterr().out
    assert main(["nbgrader", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["possible"] == 8
    cell["metadata"]["nbgrader"]["schema_version"] = 1
    path.write_text(json.dumps(document))
    assert main(["nbgrader", str(path), "--lang", "zh"]) == 2
    assert "第 4 个单元" in capsys.readouterr().err
    cell["metadata"]["nbgrader"] |= {"schema_version": 3, "colour": 1}
    path.write_text(json.dumps(document))
    assert main(["nbgrader", str(path)]) == 2
    assert "colour" in capsys.readouterr().err


@pytest.mark.parametrize(
    "cells", ["[1]", '[{"metadata": null}]', '[{"metadata": {"nbgrader": null}}]', "{}", "7",
              '[{"metadata": {"nbgrader": {"schema_version": 3, "grade": true, "locked": true, '
              '"solution": false}}}]']
)  # fmt: skip
def test_what_is_no_notebook_of_nbgrader(
    cells: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.ipynb").write_text(f'{{"cells": {cells}}}')
    code = main(["nbgrader", str(tmp_path / "a.ipynb")])
    assert code == (0 if cells == "{}" else 2)
    assert "Traceback" not in capsys.readouterr().err


def test_the_checksum_is_nbgrader_s() -> None:
    """The value that nbgrader 0.9.5 itself computes for this cell."""
    found = read_assignment(HERE / "nbgrader.ipynb")
    cell = next(c for c in found.cells if c.marking.grade_id == "correct_squares")
    assert checksum(cell.marking, cell.type, cell.source) == cell.marking.checksum
    assert checksum(cell.marking, cell.type, cell.source + " ") != cell.marking.checksum
