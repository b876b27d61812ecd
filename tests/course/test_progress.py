"""Progress is kept, and nothing that happens to its file stands in a student's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_lab.course.progress import load, place


def test_kept_between_sittings(tmp_path: Path) -> None:
    path = tmp_path / "new" / "progress.json"
    first = load(path)
    assert first.scored("03/seed-add", 10.0) == 10.0
    assert first.scored("03/seed-add", 4.0) == 10.0  # the best counts
    first.predicted["03/depth"] = ["B"]
    first.save()
    again = load(path)
    assert again.points == {"03/seed-add": 10.0}
    assert again.predicted == {"03/depth": ["B"]}


def test_file_says_nothing_of_time_or_place(tmp_path: Path) -> None:
    one, two = load(tmp_path / "a.json"), load(tmp_path / "b" / "c.json")
    for progress in (one, two):
        progress.scored("03/seed-add", 1.0)
    assert one.path.read_bytes() == two.path.read_bytes()
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["a.json"]  # no part left behind


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\xff",
        "[1, 2]",
        '{"points": 3, "hints": null, "predicted": {"a": [1]}, "seen": {"a": "B"}}',
        '{"points": {"03/a": "many", "03/b": true}, "hints": {"03/a": 1.5}}',
        "[" * 100_000,
    ],
)
def test_damaged_file_counts_as_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "progress.json"
    path.write_text(text, encoding="latin-1")
    progress = load(path)
    tables = (progress.points, progress.hints, progress.predicted, progress.seen, progress.found)
    assert tables == ({}, {}, {}, {}, {})
    progress.scored("03/seed-add", 2.0)
    assert load(path).points == {"03/seed-add": 2.0}


def test_what_a_newer_version_adds_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    path.write_text('{"version": 9, "points": {"03/a": 5}, "stars": {"03/a": 1}}', encoding="utf-8")
    assert load(path).points == {"03/a": 5}


def test_file_that_cannot_be_written_is_said_not_raised(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    progress = load(tmp_path / "file" / "progress.json")
    progress.scored("03/seed-add", 2.0)
    assert not progress.saved
    assert progress.points == {"03/seed-add": 2.0}


@pytest.mark.parametrize(
    ("environ", "platform", "folder"),
    [
        ({"HOME": "/h"}, "linux", "/h/.local/share/ascend-lab"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/d"}, "linux", "/d/ascend-lab"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/ascend-lab"),
        ({"USERPROFILE": "/u", "LOCALAPPDATA": "/u/local"}, "win32", "/u/local/ascend-lab"),
        ({"USERPROFILE": "/u"}, "win32", "/u/AppData/Local/ascend-lab"),
    ],
)
def test_place(environ: dict[str, str], platform: str, folder: str) -> None:
    assert place(environ, platform) == Path(folder) / "progress.json"


def test_variable_names_the_file() -> None:
    assert place({"ASCEND_LAB_PROGRESS": "/x/p.json", "HOME": "/h"}, "linux") == Path("/x/p.json")
