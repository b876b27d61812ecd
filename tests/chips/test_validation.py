"""A chip file with anything missing, superfluous or wrong is refused, key by key."""

from __future__ import annotations

import copy
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_lab import chips
from ascend_lab.chips.loading import FOLDER
from ascend_lab.chips.reading import Reader
from ascend_lab.chips.spec import VECTOR_OPS, ChipSpec

DATA: dict[str, Any] = tomllib.loads((FOLDER / "Ascend910B1.toml").read_text(encoding="utf-8"))
EXPLAINED: dict[str, str] = DATA.pop("sources")


def walk(data: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Paths of the leaves `{ v, unit, src }` and of the plain values."""
    for key, value in data.items():
        here = (*path, key)
        if isinstance(value, dict) and "v" not in value and here[:-1] != ROWS:
            yield from walk(value, here)
        else:
            yield here


ROWS = ("cost", "vector", "repeat")
PATHS = list(walk(DATA))
LEAVES = [p for p in PATHS if p[:3] != ROWS and len(p) > 0 and isinstance(DATA.get(p[0]), dict)]
PLAIN = [p for p in PATHS if not isinstance(DATA[p[0]], dict)]


def broken(path: tuple[str, ...], **change: Any) -> dict[str, Any]:
    """The data with `path` removed, replaced (`to=`) or with parts of its leaf replaced."""
    data = copy.deepcopy(DATA)
    owner = data
    for key in path[:-1]:
        owner = owner[key]
    if not change:
        del owner[path[-1]]
    elif "to" in change:
        owner[path[-1]] = change["to"]
    else:
        owner[path[-1]] |= change
    return data


def refused(data: dict[str, Any]) -> chips.ChipError:
    with pytest.raises(chips.ChipError) as caught:
        Reader("a.toml", EXPLAINED).table(ChipSpec, data, skip=("apis", "sources"))
    assert caught.value.file == "a.toml"
    for lang in ("zh", "en"):
        assert caught.value.key in caught.value.message(lang)
    return caught.value


def dotted(path: tuple[str, ...]) -> str:
    return ".".join(path)


def test_the_unbroken_data_reads() -> None:
    Reader("a.toml", EXPLAINED).table(ChipSpec, DATA, skip=("apis", "sources"))
    assert len(LEAVES) > 70


@pytest.mark.parametrize("path", [*PATHS], ids=dotted)
def test_missing(path: tuple[str, ...]) -> None:
    assert refused(broken(path)).key == dotted(path)


@pytest.mark.parametrize("path", PLAIN, ids=dotted)
def test_wrong_plain_type(path: tuple[str, ...]) -> None:
    assert refused(broken(path, to=3)).key == dotted(path)


@pytest.mark.parametrize("path", LEAVES, ids=dotted)
def test_broken_leaf(path: tuple[str, ...]) -> None:
    key = dotted(path)
    assert refused(broken(path, to=3)).key == key
    for value in ("3", True, -1, [-1], ["3"], 0.5j):
        assert refused(broken(path, v=value)).key == key
    assert refused(broken(path, unit="furlong")).key == key
    for src in ("", [], 3, "hearsay: someone", ["ini: x", "hearsay"]):
        assert refused(broken(path, src=src)).key == key
    assert refused(broken(path, value=3)).key == f"{key}.value"


@pytest.mark.parametrize("path", LEAVES, ids=dotted)
def test_misspelled(path: tuple[str, ...]) -> None:
    wrong = f"{path[-1]}s"
    data = broken((*path[:-1], wrong), to=3)
    error = refused(data)
    assert error.key == dotted((*path[:-1], wrong))
    assert path[-1] in error.near


def test_zero_is_refused_where_something_must_be_there() -> None:
    assert refused(broken(("clock_mhz",), v=0.0)).key == "clock_mhz"
    assert refused(broken(("clock_mhz",), v=float("inf"))).key == "clock_mhz"
    assert refused(broken(("clock_mhz",), v=float("nan"))).key == "clock_mhz"
    Reader("a.toml", EXPLAINED).table(
        ChipSpec, broken(("memory", "bt_bytes"), v=0), skip=("apis", "sources")
    )


def test_an_integer_is_not_given_as_a_fraction() -> None:
    assert refused(broken(("memory", "ub_bytes"), v=196608.0)).key == "memory.ub_bytes"


@pytest.mark.parametrize("op", VECTOR_OPS)
def test_broken_cost_row(op: str) -> None:
    path, key = (*ROWS, op), dotted((*ROWS, op))
    assert refused(broken(path, to=1.0)).key == key
    assert refused(broken(path, to={"src": "mskpp: x"})).key == f"{key}.*"
    assert refused(broken(path, to={"*": 1.0})).key == f"{key}.src"
    assert refused(broken(path, src="")).key == key
    assert refused(broken(path, float16=0.0)).key == f"{key}.float16"
    assert refused(broken(path, float16="1")).key == f"{key}.float16"


def test_unknown_cost_row() -> None:
    error = refused(broken((*ROWS, "Exq"), to={"*": 1.0, "src": "mskpp: x"}))
    assert error.key == "cost.vector.repeat.Exq"
    assert "Exp" in error.near


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in FOLDER.glob("*.toml"):
        shutil.copy(file, tmp_path)
    return tmp_path


def load_error(folder: Path, name: str) -> chips.ChipError:
    with pytest.raises(chips.ChipError) as caught:
        chips.load(name, folder)
    return caught.value


def edit(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / f"{name}.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_own_chips_in_an_own_folder(folder: Path) -> None:
    edit(folder, "Ascend910B3", 'name = "Ascend910B3"', 'name = "Mine"')
    (folder / "Ascend910B3.toml").rename(folder / "Mine.toml")
    assert chips.names(folder) == ("Ascend310P3", "Ascend910B1", "Mine")
    assert chips.load("Mine", folder).vector_cores == 40


def test_name_must_be_the_file_name(folder: Path) -> None:
    edit(folder, "Ascend910B1", 'name = "Ascend910B1"', 'name = "Ascend910B2"')
    assert load_error(folder, "Ascend910B1").key == "name"


def test_not_toml(folder: Path) -> None:
    (folder / "Ascend910B1.toml").write_text("name = !\n", encoding="utf-8")
    error = load_error(folder, "Ascend910B1")
    assert "line 1" in error.message("en")
    (folder / "Ascend910B1.toml").write_bytes(b"\xff")
    assert "TOML" in load_error(folder, "Ascend910B1").message("zh")


def test_no_api_table(folder: Path) -> None:
    (folder / "api.toml").unlink()
    assert load_error(folder, "Ascend910B1").file == "api.toml"


def test_sources_must_be_explained(folder: Path) -> None:
    edit(folder, "Ascend910B1", "[sources]\nini", "[source]\nini")
    assert load_error(folder, "Ascend910B1").key == "sources"
    edit(folder, "Ascend910B1", "[source]\n", "[sources]\nhearsay = 3\n")
    assert load_error(folder, "Ascend910B1").key == "sources"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('tables = ["limits",', 'tables = ["limit",', "limit"),
        ('from = "Ascend910B1"\n', "", "inherit"),
        ('"cost.scalar", ', "", "cost.scalar"),
        ('from = "Ascend910B1"', 'from = "Ascend910B9"', ""),
        ('from = "Ascend910B1"', "from = 3", "inherit"),
        ('tables = ["limits",', "tables = [3,", "inherit"),
    ],
)
def test_broken_inheritance(folder: Path, old: str, new: str, key: str) -> None:
    edit(folder, "Ascend310P3", old, new)
    assert load_error(folder, "Ascend310P3").key == key
