"""Small parts of the grader."""

from __future__ import annotations

import re
from pathlib import Path

from ascend_lab.exercise import Both, Verdict
from grader.grading import workers
from grader.marks import Class, Exit, Mark, Report
from grader.reports.console import remark, verdict
from grader.reports.files import harmless
from grader.reports.html import page_name
from grader.words import LANGS, _words, keys, word

TITLE = Both("任务", "Task")


def report(*marks: Mark) -> Report:
    return Report("s", ("s.py",), marks, {})


def test_an_ungraded_mark_decides_the_exit_code() -> None:
    ungraded = Mark("00/a", TITLE, 5, reason=Both("坏文件：x。重交。", "Bad file: x. Again."))
    group = Class((("00/a", TITLE),), (report(ungraded),))
    assert group.exit is Exit.UNGRADED
    assert remark(group.reports[0], "en") == "Bad file: x"
    assert remark(group.reports[0], "zh") == "坏文件：x"
    assert [verdict(ungraded, lang) for lang in LANGS] == ["未能评分", "not graded"]


def test_no_students_have_passed() -> None:
    assert Class((), ()).exit is Exit.PASSED


def test_formulas_are_quoted() -> None:
    assert [harmless(text) for text in ("=1+1", "+1", "-1", "@x", "a=1", "")] == [
        "'=1+1",
        "'+1",
        "'-1",
        "'@x",
        "a=1",
        "",
    ]


def test_page_names_are_apart_and_harmless() -> None:
    names = [page_name(name) for name in ("s01", "王小明", "a/b", "a:b", "..", "<x>")]
    assert names[:2] == ["s01.html", "王小明.html"]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[\w.\- ]+", name) for name in names)


def test_words_take_the_same_numbers_in_both_languages() -> None:
    for key in keys():
        zh, en = (set(re.findall(r"\{(\w+)\}", _words()[key][lang])) for lang in LANGS)
        assert zh == en, key
    assert word("no_folder", "en", path=Path("x")) == "There is no folder x."


def test_verdicts_have_words() -> None:
    for found in Verdict:
        assert found.text("zh") != found.text("en")


def test_workers() -> None:
    assert workers("auto") >= 1
    assert workers("3") == 3
