"""Labs 02 and 04: half-right answers show the fault that the hints speak of, and hunts are what they say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ascend_lab.course import hunts
from ascend_lab.exercise import TaskResult, check
from tests.labs.answers import BANK, LAB_02, LAB_04, LABS, changed

# --- half-right answers ----------------------------------------------------------------------------------

FILL, STAMP = LAB_02.text("fill_blocks.py"), LAB_02.text("stamp.py")
TILES = FILL[FILL.index("    for done") :]
SHARE = STAMP[STAMP.index("    units =") : STAMP.index("    for at")]
STORE = ("asc.data_copy_pad(z_gm[start:], local, move)", "asc.data_copy(z_gm[start:], local, {})")
LOAD = (
    "asc.data_copy_pad(local, x_gm[start:], move, pad)",
    "asc.data_copy(local, x_gm[start:], count)",
)


def judged(task: str, file: str, *edits: tuple[str, str]) -> TaskResult:
    """The verdict on a reference after ``edits``."""
    lab = LAB_02 if task.startswith("02") else LAB_04
    return check(task, changed(lab.text(file), *edits))


@pytest.mark.parametrize(
    ("task", "file", "edits", "leading"),
    [
        ("02/hello", "hello.py", [("block * LINE, LINE", "0, LINE")], "E1"),
        ("02/hello", "hello.py", [("block * LINE, LINE", "block, LINE")], "A3"),
        (
            "02/fill",
            "fill_blocks.py",
            [(TILES, "    fill(z_gm, queue, block * block_length, block_length, block)\n")],
            "B2",
        ),
        ("02/fill", "fill_blocks.py", [("block * block_length + done", "done")], "E1"),
        (
            "02/fill",
            "fill_blocks.py",
            [("block * block_length + done", "block * FILL_TILE + done")],
            "E2",
        ),
        (
            "02/fill",
            "fill_blocks.py",
            [("range(0, block_length,", "range(0, block_length // FILL_TILE * FILL_TILE,")],
            "E3",
        ),
        (
            "02/fill",
            "fill_blocks.py",
            [("+ done, count, block", "+ done, FILL_TILE, block")],
            "B4",
        ),
        (
            "02/uneven",
            "stamp.py",
            [
                (
                    SHARE,
                    "    own = length // blocks // UNIT * UNIT\n    start = block * own\n"
                    "    end = start + own\n",
                )
            ],
            "E3",
        ),
        ("02/uneven", "stamp.py", [("    end = length if end > length else end\n", "")], "E4"),
        ("02/uneven", "stamp.py", [("block * own + former", "block * own")], "E2"),
        ("04/copy", "copy_any.py", [LOAD, (STORE[0], STORE[1].format("count"))], "A2"),
        (
            "04/copy",
            "copy_any.py",
            [
                (STORE[0], STORE[1].format("(count * size + 31) // 32 * 32 // size")),
                ("set_global_buffer(z + before, length)", "set_global_buffer(z + before)"),
            ],
            "A3",
        ),
        (
            "04/copy",
            "copy_any.py",
            [
                ("pad(local, x_gm", "pad(local[before:], x_gm"),
                ("local, move)", "local[before:], move)"),
            ],
            "A1",
        ),
        (
            "04/copy",
            "copy_any.py",
            [("range(asc.get_block_idx(), tiles, asc.get_block_num())", "range(tiles)")],
            "E2",
        ),
        ("04/join", "join.py", [("(a + b - 1) * size", "(a + b) * size")], "A6"),
        ("04/join", "join.py", [("a * size, 0, b * size, 0)", "a * size, 0, 0, 0)")], "D7"),
    ],
)
def test_half_right_answer_shows_its_fault(
    task: str, file: str, edits: list[tuple[str, str]], leading: str
) -> None:
    result = judged(task, file, *edits)
    assert result.findings[0].id == leading
    assert {hint.finding for hint in result.hints} == {leading}, "there is no ladder for it"
    assert not result.check("runs").points


@pytest.mark.parametrize(
    ("task", "file", "edit", "said"),
    [
        (
            "04/bytes",
            "count_bytes.py",
            ("(0, count * size // 32 * 32)", "(0, (count * size + 31) // 32 * 32)"),
            "z[0] should be 512, it is 544",
        ),
        (
            "04/bytes",
            "count_bytes.py",
            ("(width - cols) * size", "width * size"),
            "z[7] should be 60",
        ),
        (
            "04/copy",
            "copy_any.py",
            ("set_global_buffer(z + before,", "set_global_buffer(z,"),
            "z[0]",
        ),
        ("04/copy", "copy_any.py", ("(1, count * size,", "(1, count,"), "z[4096]"),
    ],
)
def test_wrong_numbers_are_told(task: str, file: str, edit: tuple[str, str], said: str) -> None:
    result = judged(task, file, edit)
    assert result.check("values").verdict == "fail"
    assert said in result.check("values").en


def test_unbalanced_cores_are_seen_in_the_values() -> None:
    """Rounding up for everybody covers all elements, but the last core has less than its share."""
    edit = "    own = (length + UNIT * blocks - 1) // (UNIT * blocks) * UNIT\n"
    edit += "    start = block * own\n    end = start + own\n"
    edit += "    end = length if end > length else end\n"
    result = judged("02/uneven", "stamp.py", (SHARE, edit))
    assert result.check("runs").verdict == "pass"
    assert result.check("values").verdict == "fail"


def test_hello_without_a_word() -> None:
    source = LAB_02.text("hello.py")
    line = next(line for line in source.splitlines(keepends=True) if "printf" in line)
    result = judged("02/hello", "hello.py", (line, ""))
    assert result.check("values").verdict == "pass"
    assert result.check("requirements").verdict == "fail"


def test_element_by_element_is_refused() -> None:
    """Rows of one element and one row at a time: right, but far too many copies."""
    source = LAB_04.text("join.py")
    result = check("04/join", source.replace("tile_rows = JOIN_BYTES // 32", "tile_rows = 1"))
    assert result.check("values").verdict == "pass"
    assert result.check("requirements").verdict == "fail"
    assert "DataCopyPad" in result.check("requirements").en


@pytest.mark.parametrize(
    ("task", "file"),
    [(task, lab.kernels[id]) for lab in LABS for id, task in lab.tasks.items()],
)
def test_reference_gets_everything(task: str, file: str) -> None:
    lab = LAB_02 if task.startswith("02") else LAB_04
    result = check(task, lab.text(f"{file}.py"), cases="all")
    assert result.points == result.possible, [c.en for c in result.checks]


# --- hunts -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawing(repository: Path) -> ModuleType:
    """labs/hunts.py, which is a script and no part of a package."""
    spec = importlib.util.spec_from_file_location("labs_hunts", repository / "labs" / "hunts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["labs_hunts"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.timeout(180)
@pytest.mark.parametrize("number", ["02", "04"])
def test_hunts_are_what_the_injector_draws(
    drawing: ModuleType, repository: Path, number: str
) -> None:
    """Kernels, answers, cells and symptoms; that the model names each fault is a condition of drawing."""
    answers = (BANK / "hunts" / f"{number}.toml").read_text(encoding="utf-8")
    seed = answers.partition("--seed ")[2].partition("`")[0]
    drawn = drawing.draw(number, seed)
    assert drawing.answers(number, seed, drawn) == answers
    (path,) = (repository / "labs" / "src").glob(f"{number}_*.py")
    source = path.read_text(encoding="utf-8")
    assert drawing.with_cells(source, drawn) == source
    kept = hunts.load(BANK, number)
    for each in drawn:
        hunt = kept[each.id]
        assert (BANK / hunt.kernel).read_text(encoding="utf-8") == each.source
        assert [(fault.id, fault.lines) for fault in hunt.faults] == [(each.fault, each.lines)]


def test_another_seed_gives_other_hunts(drawing: ModuleType) -> None:
    first, second = (drawing.draw("04", seed) for seed in ("3", "0"))
    assert [each.source for each in first] != [each.source for each in second]
    assert len({each.fault for each in second}) == 3


def test_cells_that_are_not_there(drawing: ModuleType) -> None:
    drawn = drawing.draw("02", "0")
    with pytest.raises(drawing.NoHunt, match="0 places"):
        drawing.with_cells('# %% key="start"\n', drawn)
