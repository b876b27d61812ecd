"""Whatever is handed in costs only its owner's mark, is explained in both languages, and loses nothing."""

from __future__ import annotations

import csv
import json
import os
import re
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from grader.cli import main
from tests.exercise import kernels
from tests.grader.conftest import notebook, small_bank

WRONG = kernels.changed("asc.add(", "asc.sub(")
EMPTY = "import asc\n\n@asc.jit\ndef add(x, y, z, n):\n    raise NotImplementedError\n"

#: Student -> (content of the file, verdict, a word of the English explanation).
FILES: dict[str, tuple[str | bytes, str, str]] = {
    "right.py": (kernels.ADD, "pass", ""),
    "right-too.ipynb": (notebook("%pip install x", kernels.ADD, "1/0", "def ("), "pass", ""),
    "duplicate.ipynb": (notebook(kernels.ADD, EMPTY), "pass", "more than once"),
    "wrong.py": (WRONG, "fail", "z[0] should be"),
    "corrupt.ipynb": (notebook(kernels.ADD)[:500], "ungraded", "no valid notebook"),
    "missing.py": ("x = 1\n", "not attempted", "no function named add"),
    "renamed.py": (kernels.changed("def add(", "def addd("), "fail", "Close to it: addd"),
    "blank.py": (EMPTY, "not attempted", "still empty"),
    "syntax.py": (kernels.changed("pipe = asc.TPipe()", "pipe = asc.TPipe("), "fail", "Syntax"),
    "import.py": (
        f"from torch import nn\n{kernels.changed('TILE = 128', 'TILE = nn')}",
        "fail",
        "Import",
    ),
    "forever.py": (kernels.at_start("while True: pass"), "fail", "CPU time"),
    "many.py": (
        kernels.at_start("for _ in range(10**9): asc.pipe_barrier(asc.PipeID.PIPE_V)"),
        "fail",
        "X2",
    ),
    "plain.py": (kernels.changed("@asc.jit\n", ""), "fail", "Put @asc.jit"),
    "number.py": ("def add(): pass\nadd = 5\n", "fail", "no kernel but a int"),
    "latin.py": ("# é\n".encode("latin-1") + kernels.ADD.encode(), "ungraded", "not UTF-8"),
    "word.docx": (b"PK", "ungraded", "neither .py nor .ipynb"),
    "zero.py": ("", "not attempted", "no function named add"),
    "null.py": ("\0", "fail", "Syntax"),
    "deep.ipynb": ("[" * 100_000, "ungraded", "no valid notebook"),
    "=cmd().py": (WRONG, "fail", "z[0]"),
    "<b>&amp;.py": (WRONG, "fail", "z[0]"),
    "学生 一.py": (kernels.ADD, "pass", ""),
    "windows.PY": (b"\xef\xbb\xbf" + kernels.ADD.replace("\n", "\r\n").encode(), "pass", ""),
    "tabs.py": (kernels.ADD.replace("    ", "\t"), "pass", ""),
    "mixed.py": (kernels.ADD.replace("    ", "\t", 3), "fail", "Syntax error at mixed.py:11"),
}


@pytest.fixture(scope="module")
def class_of(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Path]:
    """All of them in one folder, graded once."""
    root = tmp_path_factory.mktemp("class")
    folder = root / "in"
    folder.mkdir()
    for name, (content, _, _) in FILES.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    (folder / "README.md").write_text("not a submission")
    (folder / ".hidden.py").write_text(WRONG)
    with (folder / "huge.ipynb").open("wb") as file:
        file.truncate(50 << 20)
    (folder / "link.py").symlink_to(folder / "right.py")
    (folder / "loop.py").symlink_to(folder / "loop.py")
    os.mkfifo(folder / "pipe.py")
    (folder / "nothing").mkdir()
    (folder / "both").mkdir()
    (folder / "both/a.py").write_text(kernels.ADD)
    (folder / "both/b.ipynb").write_text(notebook(kernels.ADD))
    (folder / "one").mkdir()
    (folder / "one/notes.py").write_text("x = 1")
    (folder / "one/answer.ipynb").write_text(notebook(kernels.ADD))
    (folder / "张 三/作业 1/.ipynb_checkpoints").mkdir(parents=True)
    (folder / "张 三/作业 1/答案.ipynb").write_text(notebook(kernels.ADD))
    (folder / "张 三/作业 1/.ipynb_checkpoints/答案-checkpoint.ipynb").write_text(notebook(WRONG))
    (folder / "张 三/__MACOSX").mkdir()
    (folder / "twin.py").write_text(kernels.ADD)
    (folder / "twin.ipynb").write_text(notebook(kernels.ADD))
    places = (folder, "--bank", small_bank(root / "bank"), "--out", root / "out", "--seed", "s")
    return main(["grade", *map(str, places)]), root / "out"


@pytest.fixture(scope="module")
def marks(class_of: tuple[int, Path]) -> dict[str, Any]:
    data = json.loads((class_of[1] / "results.json").read_text(encoding="utf-8"))
    return {student["student"]: student["marks"][0] for student in data["students"]}


def told(mark: dict[str, Any], lang: str) -> str:
    """All that is said about a mark."""
    result = mark["result"] or {"checks": [], "notes": []}
    texts = [mark["reason"][lang]] if mark["reason"] else []
    texts += [check[lang] for check in result["checks"]]
    texts += [f["id"] + f[lang] for check in result["checks"] for f in check["findings"]]
    texts += [note[lang] for note in result["notes"]]
    return "\n".join(texts)


@pytest.mark.timeout(300)
def test_each_is_explained(marks: dict[str, Any]) -> None:
    for name, (_, verdict, word) in FILES.items():
        mark = marks[name.rpartition(".")[0]]
        assert mark["verdict"] == verdict, name
        assert word in told(mark, "en"), name
        if word:
            assert told(mark, "zh") != told(mark, "en")
        if verdict != "pass":
            assert mark["points"] < 4, name


def test_what_cannot_be_graded(marks: dict[str, Any]) -> None:
    for student, word in (
        ("huge", "has 50 MB; the limit is 20 MB"),
        ("link", "symbolic link"),
        ("loop", "symbolic link"),
        ("pipe", "no regular file"),
        ("nothing", "has no .py, .ipynb, .asc or .cpp file"),
        ("both", "both/a.py, both/b.ipynb"),
        ("twin", "twin.ipynb, twin.py"),
    ):
        assert marks[student]["verdict"] == "ungraded", student
        assert word in told(marks[student], "en"), student


def test_nobody_is_lost(marks: dict[str, Any]) -> None:
    others = {"huge", "link", "loop", "pipe", "nothing", "both", "one", "twin", "张 三"}
    assert set(marks) == {name.rpartition(".")[0] for name in FILES} | others
    assert marks["one"]["verdict"] == marks["张 三"]["verdict"] == "pass"


def test_some_could_not_be_graded(class_of: tuple[int, Path]) -> None:
    assert class_of[0] == 3


def test_nothing_of_ours_is_shown(class_of: tuple[int, Path]) -> None:
    for page in class_of[1].rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "Traceback" not in text
        assert "/work" not in text
        assert str(class_of[1]) not in text
        assert not re.search(r"0x[0-9a-f]{9,}", text)  # an address of this machine, not of the chip


def test_names_are_harmless_in_pages_and_tables(class_of: tuple[int, Path]) -> None:
    index = (class_of[1] / "index.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;&amp;amp;" in index
    assert "<b>&" not in index
    for page in class_of[1].glob("students/*.html"):
        assert "<b>&" not in page.read_text(encoding="utf-8")
    with (class_of[1] / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["student", "00/add points", "00/add verdict", "total", "possible", "graded"]
    names = [row[0] for row in rows[1:]]
    assert "'=cmd()" in names
    assert "学生 一" in names
    raw = (class_of[1] / "grades.csv").read_text(encoding="utf-8-sig")
    assert all(line.startswith('"') for line in raw.splitlines())


def test_every_link_of_the_class_page_leads_somewhere(class_of: tuple[int, Path]) -> None:
    index = (class_of[1] / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="(students/[^"]*)"', index)
    assert len(links) == len(FILES) + 9
    for link in links:
        assert (class_of[1] / unquote(unescape(link))).is_file()
