"""An exam from the key to the signed record."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab.course import exam as sitting
from ascend_lab.exercise import TaskError, digest, open_bank
from grader.cli import main
from grader.exam import (
    Exam,
    differences,
    draw_exam,
    mark_exam,
    read_blueprint,
    read_submission,
    signed,
)
from grader.exam.reporting import caught, figure_title, record, remark_texts
from grader.exam.submission import claimed
from grader.release import Course, Problem
from tests.grader.exam.conftest import BLUEPRINT, HandClock, answer_all

Open = Callable[[], sitting.Session]


# --- what is drawn -----------------------------------------------------------------------------------


def test_the_usual_blueprint_is_the_one_that_is_documented() -> None:
    plan = read_blueprint()
    assert plan.weights == {
        "theory": 20,
        "practical": 40,
        "troubleshooting": 25,
        "performance": 15,
    }
    assert (plan.minutes, plan.pass_total) == (120, 60)
    assert plan.pass_parts == {"practical": 0.5, "troubleshooting": 0.5}
    assert set(plan.practical.pool) == set(plan.performance.sizes) <= set(open_bank().ids())


@pytest.mark.nightly
def test_an_exam_is_drawn_again_from_key_and_id(course: Course, drawn: Exam) -> None:
    again = draw_exam(course, drawn.blueprint, open_bank(), "s01", "en")
    assert again.sheet == drawn.sheet
    assert digest(again.task) == digest(drawn.task)
    kinds = [question.question.kind for _, question in drawn.questions]
    assert kinds == ["single", "single", "multi", "true_false", "compute"]


def test_the_folder_holds_no_key(drawn: Exam, course: Course, sat: Open, tmp_path: Path) -> None:
    sat()
    files = [path for path in (tmp_path / "s01").rglob("*") if path.is_file()]
    whole = "\n".join(path.read_text("utf-8") for path in files)
    assert sorted(p.relative_to(tmp_path / "s01").as_posix() for p in files) == [
        "bank/kernels/exam/clamp.start.py",
        "bank/tasks/exam/clamp.toml",
        "exam.ipynb",
        "exam.json",
    ]
    secrets = [course.key, drawn.inputs, drawn.papers[0].secret]
    secrets += [option.why.en for _, q in drawn.questions for option in q.options if option.why]
    secrets += [q.because.en for _, q in drawn.questions if q.because]
    assert not [secret for secret in secrets if secret in whole]
    assert "hint" not in whole
    given = open_bank(tmp_path / "s01/bank").load("exam/clamp")
    assert given.kernel == drawn.task.kernel
    assert all(case.sizes == given.cases[0].sizes for case in given.hidden_cases)
    notebook = json.loads((tmp_path / "s01/exam.ipynb").read_text("utf-8"))
    import nbformat

    nbformat.validate(notebook)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BLUEPRINT.replace("minutes = 30", "minutes = 0"), "minutes"),
        (BLUEPRINT.replace("pass_total = 60", "pass_total = 200"), "pass_total"),
        (BLUEPRINT.replace("troubleshooting = 0.5", "essay = 0.5"), "essay"),
        (BLUEPRINT.replace("single = 2", "simple = 2"), "simple"),
    ],
)
def test_a_wrong_blueprint_is_said_with_its_key(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "exam.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match=said):
        read_blueprint(path)


def test_a_bank_that_is_too_small(course: Course, tmp_path: Path) -> None:
    path = tmp_path / "exam.toml"
    path.write_text(BLUEPRINT.replace("multi = 1", "multi = 999"), encoding="utf-8")
    with pytest.raises(Problem, match="999"):
        draw_exam(course, read_blueprint(path), open_bank(), "s01", "en")


# --- sitting it ----------------------------------------------------------------------------------------


def test_answers_are_kept_and_the_last_counts(
    sat: Open, clock: HandClock, drawn: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paper = sat()
    paper.theory()
    assert "paper.start()" in capsys.readouterr().out
    paper.start()
    assert "0:30:00" in capsys.readouterr().out
    paper.magic("practical", "def one(")
    paper.magic("repaired 1", "x = (")
    assert "line 1" in capsys.readouterr().out
    paper.magic("nonsense", "")
    assert "repaired 1" in capsys.readouterr().out
    clock.wait(60)
    again = sat()
    assert again.store.load("practical") == "def one("
    assert not again.store.save("practical", "def one(")
    again.store.save("practical", "def two(")
    again.submit()
    assert "s01.exam.zip" in capsys.readouterr().out
    given = read_submission(tmp_path / "s01/s01.exam.zip", drawn.sheet)
    assert given.answers["practical"] == "def two("
    assert given.remarks == ()
    assert given.answers == read_submission(tmp_path / "s01", drawn.sheet).answers


def test_late_answers_do_not_count_and_are_told(
    sat: Open, clock: HandClock, drawn: Exam, tmp_path: Path
) -> None:
    paper = sat()
    paper.start()
    paper.store.save("practical", "in time")
    clock.wait(30 * 60 + 30)
    paper.store.save("theory/x", "within the grace")
    clock.wait(60)
    paper.store.save("practical", "too late")
    paper.submit()
    given = read_submission(tmp_path / "s01", drawn.sheet)
    assert given.answers == {"practical": "in time", "theory/x": "within the grace"}
    assert given.late == ("practical",)
    assert [remark.kind for remark in given.remarks] == ["late"]


def test_what_was_changed_behind_the_log_does_not_count(
    sat: Open, drawn: Exam, tmp_path: Path
) -> None:
    paper = sat()
    paper.start()
    paper.store.save("practical", "mine")
    paper.submit()
    (version,) = (tmp_path / "s01/answers").iterdir()
    version.write_text("another's")
    sheet = json.loads((tmp_path / "s01/exam.json").read_text())
    (tmp_path / "s01/exam.json").write_text(json.dumps(sheet | {"minutes": 999}))
    given = read_submission(tmp_path / "s01", drawn.sheet)
    assert given.answers == {}
    assert [remark.kind for remark in given.remarks] == ["other_sheet", "lost"]


def test_files_that_are_no_exam(drawn: Exam, tmp_path: Path) -> None:
    (tmp_path / "a.exam.zip").write_bytes(b"PK nonsense")
    with zipfile.ZipFile(tmp_path / "b.exam.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../exam.json", "{}")
        archive.writestr("exam.json", b"0" * (1 << 26))  # unpacks to 64 MB
    (tmp_path / "c.exam.zip").symlink_to("/etc/passwd")
    for name in "abc":
        with pytest.raises(Problem, match="no exam"):
            claimed(tmp_path / f"{name}.exam.zip")


# --- the record ------------------------------------------------------------------------------------------

KEY = "ab" * 32


def test_a_record_tells_what_was_changed() -> None:
    made = signed({"total": 51.5, "parts": {"theory": {"points": [1, 2]}}, "remarks": []}, KEY)
    assert differences(made, KEY) == []
    assert differences(json.loads(json.dumps(made)), KEY) == []
    made["total"] = 99
    assert [(d.kind, d.path, d.value) for d in differences(made, KEY)] == [
        ("changed", "total", "99")
    ]
    made["total"] = 51.5
    made["parts"]["theory"]["points"].append(3)
    made["passed"] = True
    assert {(d.kind, d.path) for d in differences(made, KEY)} == {
        ("added", "parts.theory.points[2]"),
        ("added", "passed"),
    }
    del made["passed"], made["parts"]
    assert {d.kind for d in differences(made, KEY)} == {"missing"}


def test_a_seal_that_is_forged_or_moved() -> None:
    made = signed({"total": 1, "student": "s01"}, KEY)
    other = signed({"total": 100, "student": "s02"}, KEY)
    mixed = {**made, "total": 100}
    mixed["seal"]["values"]["total"] = other["seal"]["values"]["total"]
    assert [(d.kind, d.path) for d in differences(mixed, KEY)] == [("seal", "seal.whole")]
    assert [d.kind for d in differences(other, "cd" * 32)] == ["seal"]
    assert [d.kind for d in differences({"total": 1}, KEY)] == ["seal"]
    assert [d.kind for d in differences({"total": 1, "seal": [1]}, KEY)] == ["seal"]


# --- marking ---------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_everything_right_has_all_points(sat: Open, drawn: Exam, tmp_path: Path) -> None:
    paper = sat()
    paper.start()
    answer_all(paper, drawn)
    paper.submit()
    given = read_submission(tmp_path / "s01", drawn.sheet)
    result = mark_exam(drawn, given, open_bank())
    assert {part.name: part.share for part in result.parts} == {
        "theory": 1, "practical": 1, "troubleshooting": 1, "performance": 1,
    }  # fmt: skip
    assert (result.total, result.passed, result.is_decided) == (100, True, True)
    again = mark_exam(drawn, given, open_bank())
    assert record(again, "c", "n") == record(result, "c", "n")
    assert [(c.id, c.papers, c.located, c.named, c.fixed) for c in caught([result, again])] == [
        (drawn.papers[0].truths[0].names[0], 2, 2, 2, 2)
    ]


@pytest.mark.nightly
def test_60_points_without_practical_do_not_pass(sat: Open, drawn: Exam, tmp_path: Path) -> None:
    paper = sat()
    paper.start()
    answer_all(paper, drawn, source="import os\nos._exit(0)\n")
    paper.submit()
    result = mark_exam(drawn, read_submission(tmp_path / "s01", drawn.sheet), open_bank())
    points = {part.name: part.points for part in result.parts}
    assert points == {"theory": 20, "practical": 0, "troubleshooting": 25, "performance": 0}
    assert not result.passed
    assert remark_texts(result, "zh") == []


@pytest.mark.nightly
def test_the_commands_from_new_to_verify(
    course: Course, tmp_path: Path, drawn: Exam, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student,name\ns01,Ann\ns02,Bo\n")
    exams, marks = tmp_path / "exams", tmp_path / "marks"
    new = ["exam", "new", str(course.folder), "--students", str(roster), "--out", str(exams)]
    assert main(new) == 0
    assert main(["exam", "start", str(exams / "s01")]) == 0
    assert "exam.ipynb" in capsys.readouterr().out
    paper = sitting.open(exams / "s01")
    answer_all(paper, drawn)
    assert main(["exam", "submit", str(exams / "s01"), "--lang", "zh"]) == 0
    capsys.readouterr()
    handed_in = tmp_path / "in"
    handed_in.mkdir()
    (exams / "s01/s01.exam.zip").rename(handed_in / "s01.exam.zip")
    mark = ["exam", "mark", str(course.folder), str(handed_in), "--students", str(roster)]
    assert main([*mark, "--out", str(marks)]) == 0
    assert "Ann: 100 points, passed" in capsys.readouterr().out
    page = (marks / "s01.html").read_text("utf-8")
    assert "通过" in page
    assert "passed" in page
    path = marks / "s01.record.json"
    verify = ["verify", str(path), "--course", str(course.folder)]
    assert main([*verify, "--submission", str(handed_in / "s01.exam.zip")]) == 0
    changed = json.loads(path.read_text("utf-8"))
    changed["parts"]["practical"]["points"] = 12
    path.write_text(json.dumps(changed))
    capsys.readouterr()
    assert main(verify) == 1
    assert "parts.practical.points was changed to 12" in capsys.readouterr().out
    assert main(["verify", str(roster), "--course", str(course.folder)]) == 2
    (handed_in / "x.exam.zip").write_bytes(b"")
    assert main([*mark, "--out", str(marks)]) == 3


def test_items_of_the_class_page_are_named_in_both_languages() -> None:
    for name, zh, en in (
        ("theory · numbers/rounding", "理论 · numbers/rounding", "Theory · numbers/rounding"),
        ("practical · values", "实操 · 公开用例的结果", "Practical · Values, public cases"),
        ("troubleshooting · x: fix", "排错 · x · 修复", "Troubleshooting · x · fix"),
        ("performance · hap", "性能 · 与参考核函数相比", "Performance · against the reference"),
    ):
        assert [figure_title(name, lang) for lang in ("zh", "en")] == [zh, en]
