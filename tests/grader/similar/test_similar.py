"""Similarity: what renaming does not hide, what everybody was given, and what reports say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ascend_lab.exercise import open_bank
from grader.cli import main
from grader.similar import Source, Token, compare, fingerprints, tokens
from grader.similar.winnowing import GRAM, WINDOW
from tests.grader.conftest import small_bank

BANK = open_bank()
CLAMP = BANK.source("kernels/exam/clamp.py")
SOFTMAX = BANK.source("kernels/exam/softmax.py")
CPP = BANK.source("kernels/reference/add_queues.asc")


def disguised(text: str, comment: str) -> str:
    """The same with other names, other numbers, other layout and comments."""
    names = {"tile": "k", "left": "rest", "count": "many", "start": "begin", "length": "total"}
    renamed = re.sub(r"\b(" + "|".join(names) + r")\b", lambda m: names[m[0]], text)
    renamed = re.sub(r"\b2048\b", "1024", renamed)
    return "\n".join(
        f"{line}  {comment} mine" if line.strip() else line + "\n" for line in renamed.splitlines()
    )


def one(name: str, text: str, is_cpp: bool = False) -> tuple[Source, ...]:
    return (Source(name, text, is_cpp),)


def test_a_renamed_copy_is_the_same() -> None:
    students = {"a": one("a.py", CLAMP), "b": one("b.py", disguised(CLAMP, "#"))}
    (pair,) = compare(students, [])
    assert pair.share > 0.95
    assert {name for name, _ in pair.lines[1]} == {"b.py"}


def test_a_renamed_copy_in_ascend_c_is_the_same() -> None:
    other = disguised(CPP, "//").replace("KernelAdd", "Mine")
    (pair,) = compare({"a": one("a.asc", CPP, True), "b": one("b.asc", other, True)}, [])
    assert pair.share > 0.9


def test_two_people_s_own_work_is_not() -> None:
    assert not compare({"a": one("a.py", CLAMP), "b": one("b.py", SOFTMAX)}, [], 0.5)


def test_what_was_handed_out_does_not_count() -> None:
    students = {"a": one("a.py", CLAMP + "\nx = 1\n"), "b": one("b.py", CLAMP + "\ny = 2\n")}
    assert compare(students, [Source("given.py", CLAMP, False)]) == []


def test_a_copied_passage_is_found_and_its_lines_are_told() -> None:
    part = "\n".join(CLAMP.splitlines()[12:])
    mixed = SOFTMAX + "\n\ndef more():\n" + part
    (pair,) = compare({"a": one("a.py", CLAMP), "b": one("b.py", mixed)}, [])
    lines = {line for _, line in pair.lines[1]}
    assert 0.5 < pair.share
    assert max(lines) > len(SOFTMAX.splitlines())


def test_what_most_of_a_class_has_does_not_count() -> None:
    students = {f"s{n}": one("x.py", CLAMP) for n in range(6)}
    assert compare(students, []) == []
    assert len(compare(dict(list(students.items())[:5]), [])) == 10


def test_every_shared_passage_of_the_promised_length_is_seen() -> None:
    shared = [Token(f"t{n}", n) for n in range(GRAM + WINDOW - 1)]
    for before in range(20):
        one_side = [Token(f"a{n}", 0) for n in range(before)] + shared
        other = shared + [Token(f"b{n}", 0) for n in range(7 * before)]
        assert fingerprints(one_side).keys() & fingerprints(other).keys()


def test_sources_that_do_not_parse() -> None:
    assert [t.text for t in tokens("x = (1 + asc.Exp", False)][:4] == ["name", "=", "(", "0"]
    assert tokens("", False) == []
    assert tokens("", True) == []
    assert [t.text for t in tokens('DataCopy(x, "a" /* b */, 3u);', True)] == [
        "DataCopy", "(", "name", ",", '""', ",", "0", ")", ";",
    ]  # fmt: skip
    assert fingerprints(tokens("x = 1", False)) == {}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    (folder / "ann").mkdir(parents=True)
    (folder / "bo").mkdir()
    (folder / "ann/clamp.py").write_text(CLAMP, encoding="utf-8")
    (folder / "bo/mine.py").write_text(disguised(CLAMP, "# <b>"), encoding="utf-8")
    (folder / "cy.py").write_text(SOFTMAX, encoding="utf-8")
    out = tmp_path / "pages"
    bank = ["--bank", str(small_bank(tmp_path / "bank"))]
    assert main(["similar", str(folder), "--out", str(out), "--lang", "zh", *bank]) == 1
    assert "ann 和 bo" in capsys.readouterr().out
    page = (out / "pair-1.html").read_text("utf-8")
    assert 'class="meant"' in page
    assert "<b> mine" not in page
    assert main(["similar", str(folder), "--json", *bank]) == 1
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["students"] == ["ann", "bo"]
    assert pair["lines"][0]["clamp.py"]
    assert main(["similar", str(folder), "--least", "1.01", *bank]) == 0
    assert main(["similar", str(tmp_path / "nowhere")]) == 2
    (tmp_path / "empty").mkdir()
    assert main(["similar", str(tmp_path / "empty")]) == 2
