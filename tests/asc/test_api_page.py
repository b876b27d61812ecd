"""docs/api.md is what the code says, has every name of the door once, and tells the truth about its status."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from tests.asc import test_names as names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def build() -> Iterator[ModuleType]:
    """docs/build_api.py, as it runs from its folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "docs")
        yield importlib.import_module("build_api")


@pytest.fixture(scope="module")
def table() -> dict[str, list[str]]:
    """Name -> cells of its row."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / "docs" / "api.md").read_text("utf-8").splitlines():
        if line.startswith("| `"):
            name, *cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            name = name.strip("`").removesuffix(" +")
            assert name not in found, f"{name} is there twice"
            found[name] = cells
    return found


STATUS, PIPE, CHIPS, TYPES, ASCEND_C = 5, 4, 3, 2, 0


def test_the_page_is_current(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert build.main(["--check"]) == 0, capsys.readouterr().err


def test_an_old_page_is_found(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "api.md"
    monkeypatch.setattr(build, "PAGE", old)
    assert build.main(["--check"]) == 1
    assert build.main([]) == 0
    assert build.main(["--check"]) == 0
    old.write_text(old.read_text("utf-8").replace("modelled", "perfect", 1), "utf-8")
    assert build.main(["--check"]) == 1


def test_every_public_name_is_there(table: dict[str, list[str]]) -> None:
    public = [n for n in asc.__all__ if not isinstance(getattr(asc, n), ModuleType)]
    assert [n for n in public if f"asc.{n}" not in table] == []
    assert [n for n in asc.adv.__all__ if f"asc.adv.{n}" not in table] == []
    assert [n for n in names.RUNTIME if f"rt.{n}" not in table] == []
    assert [n for n in names.HOST if f"host.{n}" not in table] == []


def test_every_api_of_the_chips_with_a_python_name_is_there(table: dict[str, list[str]]) -> None:
    apis = chips.load("Ascend910B1").apis
    shown = " ".join(cells[ASCEND_C] for cells in table.values()).replace(",", " ").split()
    wanted = {api.name for api in apis.values() if api.pyasc}
    assert sorted(wanted - set(shown)) == []


def test_what_raises_is_not_called_modelled(table: dict[str, list[str]]) -> None:
    wrong = [
        n for n in names.NOT_MODELLED if table.get(f"asc.{n}", [""] * 6)[STATUS] != "NotModelled"
    ]
    assert wrong == []
    said = [n for n, cells in table.items() if cells[STATUS] == "NotModelled" and "." not in n[4:]]
    assert sorted(n.removeprefix("asc.") for n in said if n.startswith("asc.")) == sorted(
        names.NOT_MODELLED
    )


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("asc.add", PIPE, "V"),
        ("asc.add", TYPES, "int16 float16 int32 float32"),
        ("asc.data_copy", PIPE, "MTE2, MTE3, V"),
        ("asc.data_copy_pad", CHIPS, "910B1, 910B3"),
        ("asc.data_cache_preload", STATUS, "recorded"),
        ("asc.mmad", STATUS, "NotModelled"),
        ("asc.fixpipe", ASCEND_C, "Fixpipe"),
        ("TPipe.init_buffer", ASCEND_C, "InitBuffer"),
        ("asc.get_block_idx", CHIPS, "all"),
    ],
)
def test_rows(table: dict[str, list[str]], name: str, column: int, value: str) -> None:
    assert table[name][column] == value
