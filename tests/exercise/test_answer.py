"""Files as they are handed in: what can be read is read, everything else is explained in two languages."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from ascend_lab.exercise import AnswerFault, read


def notebook(*cells: Any, **more: Any) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, **more}).encode()


def code(source: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "metadata": {}}


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def fault(path: Path) -> AnswerFault:
    with pytest.raises(AnswerFault) as caught:
        read(path)
    for lang in ("zh", "en"):
        assert path.name in caught.value.message(lang)
    return caught.value


def test_a_script(tmp_path: Path) -> None:
    (cell,) = read(write(tmp_path, "s.py", b"\xef\xbb\xbfx = 1\r\ny = 2\r\n")).cells
    assert (cell.name, cell.text) == ("s.py", "x = 1\ny = 2\n")


def test_a_script_that_declares_its_encoding(tmp_path: Path) -> None:
    text = "# -*- coding: gbk -*-\n# 向量加法\n"
    (cell,) = read(write(tmp_path, "s.py", text.encode("gbk"))).cells
    assert cell.text == text


def test_code_cells_of_a_notebook(tmp_path: Path) -> None:
    data = notebook(
        code("a = 1"), {"cell_type": "markdown", "source": ["# no"]}, code(["b = 2\n", "c = 3"])
    )
    first, second = read(write(tmp_path, "s.ipynb", data)).cells
    assert (first.name, first.text) == ("s.ipynb [1]", "a = 1")
    assert (second.name, second.text) == ("s.ipynb [2]", "b = 2\nc = 3")


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("s.ipynb", b"", "not_a_notebook"),
        ("s.ipynb", b'{"cells": [', "not_a_notebook"),
        ("s.ipynb", b"[]", "not_a_notebook"),
        ("s.ipynb", b'{"worksheets": []}', "not_a_notebook"),
        ("s.ipynb", notebook({"cell_type": "code", "source": 7}), "not_a_notebook"),
        (
            "s.ipynb",
            notebook(code('"\\ud800"')).replace(b"\\\\ud800", b"\\ud800"),
            "not_a_notebook",
        ),
        ("s.ipynb", b"[" * 100_000, "not_a_notebook"),
        ("s.ipynb", '{"cells": "向量"}'.encode("gbk"), "not_utf8"),
        ("s.py", "# 向量加法".encode("gbk"), "not_utf8"),
        ("s.py", b"# coding: no-such-thing\n", "unreadable"),
        ("s.py", b"#" * ((1 << 20) + 1), "too_large"),
        ("s.ipynb", notebook(code("x" * (3 << 20))), "too_large"),
        ("s.docx", b"", "wrong_suffix"),
        ("s", b"", "wrong_suffix"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    assert fault(write(tmp_path, name, data)).kind == kind


def test_a_notebook_of_an_old_format(tmp_path: Path) -> None:
    """Before nbformat 4 cells lie in worksheets, and code is an input."""
    cells = [
        {"cell_type": "markdown", "source": ["# text"]},
        {"cell_type": "code", "input": ["x = 1\n", "y = 2"], "language": "python"},
        {"cell_type": "code", "input": "z = 3", "language": "python"},
    ]
    data = {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells}]}
    found = read(write(tmp_path, "s.ipynb", json.dumps(data).encode()))
    assert [cell.text for cell in found.cells] == ["x = 1\ny = 2", "z = 3"]


@pytest.mark.parametrize(
    ("data", "zh", "en"),
    [
        (b'{"cells": [,', "第 11 字节", "byte 11"),
        (b'{"cells": [', "没有结束", "cut off"),
        (b'{"cells": 7}', "结构与 notebook 不符 cells", "not built as one cells"),
        (b"{}", "没有 cells", "no cells"),
    ],
)
def test_what_is_wrong_with_a_notebook_is_told_in_both_languages(
    tmp_path: Path, data: bytes, zh: str, en: str
) -> None:
    found = fault(write(tmp_path, "s.ipynb", data))
    assert zh in found.message("zh")
    assert en in found.message("en")


def test_fifty_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "s.ipynb"
    with path.open("wb") as file:
        file.truncate(50 << 20)
    found = fault(path)
    assert (found.kind, found.numbers["size"]) == ("too_large", 50)


def test_links_are_not_followed(tmp_path: Path) -> None:
    target = write(tmp_path, "real.py", b"x = 1")
    for name, to in (("link.py", target), ("loose.py", tmp_path / "nowhere")):
        (tmp_path / name).symlink_to(to)
        assert fault(tmp_path / name).kind == "link"


def test_things_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    assert fault(tmp_path / "folder.py").kind == "not_a_file"
    os.mkfifo(tmp_path / "pipe.py")
    assert fault(tmp_path / "pipe.py").kind == "not_a_file"
    assert fault(tmp_path / "absent.py").kind == "unreadable"
