"""Lines of TOML keys: every path that tomllib finds, at the line that has its name."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_lab.exercise.locating import line_of, positions

ODD = r'''
# [not] = "a table"
title = "a # in a string" # and a comment
"quoted key" = 1
'single' = 2
a.b.c = 3
a."b d" = 4
multi = """
key = "no key"
"""
literal = ~~~
[no]
'quotes' in it'~~~
escaped = "a \" ] } , quote"
numbers = [
    1, # one
    [2, 3], { x = 4, "y z" = [5] },
]
date = 1979-05-27 07:32:00
[table.inner]
flag = true
[[rows]]
name = "first"
[rows.more]
deep = 1
[[rows.sub]]
q = 1
[[rows.sub]]
q = 2
[[rows]]
name = "second"
[[rows.sub]]
q = 3
'''.replace("~~~", "'" * 3)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


def assert_located(text: str) -> None:
    known, lines = positions(text), text.splitlines()
    wanted = list(paths(tomllib.loads(text)))
    assert set(known) == set(wanted)
    for path in wanted:
        if isinstance(path[-1], str):
            assert path[-1] in lines[known[path] - 1]


def test_every_form_of_key() -> None:
    assert_located(ODD)
    line = positions(ODD)
    lines = ODD.splitlines()
    assert lines[line["rows", 1, "sub", 0, "q"] - 1] == "q = 3"
    assert lines[line["rows", 0, "sub", 1, "q"] - 1] == "q = 2"
    assert lines[line["numbers", 2, "y z"] - 1].startswith("    [2, 3]")
    assert lines[line["escaped",] - 1].startswith("escaped")


def test_the_files_of_the_repository(repository: Path) -> None:
    files = [*repository.glob("exam_bank/**/*.toml"), *repository.glob("ascend_lab/**/*.toml")]
    assert len(files) > 30
    for file in files:
        assert_located(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("rows[1].name", "second"),
        ("rows[1].nothing", "[[rows]]"),
        ("rows[0].sub[1].q (in cases[0])", "q = 2"),
        ("table.inner.flag", "flag"),
        ("numbers[1][0]", "[2, 3]"),
    ],
)
def test_keys_as_errors_write_them(key: str, line: str) -> None:
    assert line in ODD.splitlines()[line_of(ODD, key) - 1]


def test_what_cannot_be_read() -> None:
    assert line_of("a = 1\nb = \n", "", "not TOML: Invalid value (at line 2, column 5).") == 2
    assert line_of("a = 1\nb = [1,", "", "not TOML: ... (at end of document)") == 1
    assert line_of("a = 1\n= =\n", "a") == 1
    assert line_of("", "a.b") == 1
