"""The builder of the notebooks: one source, two languages, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

GOOD = """# What stands here is for the reader of the source.

# %% [markdown] key="title" lang="zh"
# # 标题

# %% [markdown] key="title" lang="en"
# # Title
#
# - a list

# %% key="start"
x = 1

# %% key="answer" answer="99/one"
def one():
    raise NotImplementedError
"""


@pytest.fixture
def made(builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """``made(text)``: the editions of a lab with this source."""
    monkeypatch.setattr(builder, "LABS", tmp_path / "labs")

    def make(text: str) -> Any:
        source = tmp_path / "labs" / "src" / "99_test.py"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        return builder.editions(builder.Lab("99", "99_test", source))

    return make


def test_two_editions_of_one_source(made: Any) -> None:
    editions = made(GOOD)
    zh, en = editions["zh"], editions["en"]
    assert [cell.id for cell in zh.cells] == ["title", "start", "answer"]
    assert zh.cells[0].source.endswith("# 标题")
    assert en.cells[0].source.endswith("# Title\n\n- a list")
    assert zh.cells[1:] == en.cells[1:]
    assert zh.metadata.kernelspec.name == "python3"


def test_header_says_what_the_file_is_made_of(made: Any) -> None:
    for lang, notebook in made(GOOD).items():
        assert notebook.metadata.ascend_lab.lang == lang
        assert notebook.metadata.ascend_lab.source == "labs/src/99_test.py"
        assert notebook.cells[0].source.startswith("<!-- Generated from labs/src/99_test.py")
        assert "what stands here" not in nbformat.writes(notebook).lower()


def test_answer_is_marked(made: Any) -> None:
    assert made(GOOD)["en"].cells[2].metadata.ascend_lab.answer == "99/one"


def test_same_source_same_bytes(made: Any) -> None:
    first, second = made(GOOD), made(GOOD)
    assert nbformat.writes(first["zh"]) == nbformat.writes(second["zh"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('# %% [markdown] key="title" lang="zh"\n# # 标题\n\n', "", '"title" lacks zh'),
        ('key="title" lang="en"', 'key="other" lang="en"', '"title" lacks en'),
        ('key="start"', "", "needs key="),
        ('key="start"', 'key="Start 1"', "needs key="),
        ('key="start"', 'key="title"', '"title" occurs as zh, en, code'),
        ('lang="en"', "", 'needs lang="zh" or lang="en"'),
        ('lang="en"', 'lang="de"', 'needs lang="zh" or lang="en"'),
        ("# # Title", "# ![p](pictures/none.png)", "no picture pictures/none.png"),
        ("# # Title", "# {{ numbered none.py }}", "no file none.py"),
    ],
)
def test_refused(builder: ModuleType, made: Any, old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(builder.SourceError, match=said):
        made(GOOD.replace(old, new))


def test_texts_in_another_order_are_refused(builder: ModuleType, made: Any) -> None:
    head, first, second, rest = GOOD.split("# %%", 3)
    third = ' [markdown] key="b" lang="zh"\n# b\n\n', ' [markdown] key="b" lang="en"\n# b\n\n'
    text = "# %%".join((head, first, third[0], third[1], second, rest))
    with pytest.raises(builder.SourceError, match="another order"):
        made(text)


def test_pictures_and_listings_are_put_in(made: Any, tmp_path: Path) -> None:
    pictures = tmp_path / "labs" / "src" / "pictures"
    pictures.mkdir(parents=True)
    (pictures / "a.png").write_bytes(b"<svg/>")
    (tmp_path / "k.py").write_text("a = 1\n\nb = 2\n", encoding="utf-8")
    text = GOOD.replace("# # Title", "# ![A](pictures/a.png)\n#\n# {{ numbered k.py }}")
    cell = made(text)["en"].cells[0]
    assert "![A](attachment:a.png)" in cell.source
    assert cell.attachments == {"a.png": {"image/png": "PHN2Zy8+"}}
    assert "```python\n  1  a = 1\n  2\n  3  b = 2\n```" in cell.source


def test_command_line(builder: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert builder.main(["98", "--check"]) == 2
    assert "no source for lab 98" in capsys.readouterr().err
