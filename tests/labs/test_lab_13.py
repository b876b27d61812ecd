"""Lab 13: blank it is worth nothing, solved everything; the arena is blind and counts by steps, not by the clock."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from ascend_lab import course
from ascend_lab.ascendc import NoCompiler
from ascend_lab.ascendc.building import compiler
from ascend_lab.course import arena, hunts
from ascend_lab.exercise import Judge, from_text
from ascend_lab.exercise.answer import read
from ascend_lab.exercise.bank import bank
from tests.labs.answers import BANK, cell, shown

NAME = "13_troubleshooting.ipynb"
TASKS = {"yellow": "add_parts", "green": "softmax_parts", "black": "normalise_parts"}
HUNTS = hunts.load(BANK, "13")
LANGS = ("zh", "en")


def notebook(repository: Path, lang: str) -> Any:
    """An edition as it is committed."""
    return nbformat.read(repository / "labs" / lang / NAME, as_version=4)


def kernel(name: str) -> str:
    """What of a kernel stands in its cell."""
    text = (BANK / "kernels" / "13" / name).read_text(encoding="utf-8")
    return text.partition("asc\n")[2].strip()


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> arena.Arena:
    monkeypatch.setenv("ASCEND_LAB_PROGRESS", str(tmp_path / "progress.json"))
    return arena.enter(course.start("13", "en"))


def test_twelve_kernels_in_three_belts_of_as_many_classes() -> None:
    belts = [id.partition("/")[2].partition("-")[0] for id in HUNTS]
    assert [belts.count(belt) for belt in arena.BELTS] == [4, 4, 4]
    assert len({hunt.faults[0].id for hunt in HUNTS.values()}) == 12
    assert sum(hunt.kernel.endswith(".asc") for hunt in HUNTS.values()) == 3


@pytest.mark.parametrize("lang", LANGS)
def test_the_notebook_is_blind(repository: Path, lang: str) -> None:
    made = notebook(repository, lang)
    text = "\n".join(
        c.source + json.dumps(c.get("outputs", []), ensure_ascii=False) for c in made.cells
    )
    for hunt in HUNTS.values():
        assert all(why not in text for why in hunt.faults[0].why.values())
    for name in TASKS.values():
        assert kernel(f"{name}.py") not in text
    belts = "".join(shown(made, f"arena-{belt}") for belt in arena.BELTS)
    for hunt in HUNTS.values():
        source = (BANK / hunt.kernel).read_text(encoding="utf-8")
        assert all(line.strip() in belts for line in source.splitlines())


def test_both_editions_have_the_same_code(repository: Path) -> None:
    code = [
        [(c.id, c.source) for c in notebook(repository, lang).cells if c.cell_type == "code"]
        for lang in LANGS
    ]
    assert code[0] == code[1]


@pytest.mark.parametrize("lang", LANGS)
def test_blank_lab_is_worth_nothing(repository: Path, lang: str) -> None:
    blank = notebook(repository, lang)
    for id, name in TASKS.items():
        assert cell(blank, id).source == kernel(f"{name}.start.py")
        assert ("尚未作答" if lang == "zh" else "not attempted") in shown(blank, f"{id}-check")
    answer = read(repository / "labs" / lang / NAME)
    with Judge() as judge:
        results = [judge.check(task, answer, cases="all") for task in bank().tasks("13")]
    assert [(r.points, r.verdict) for r in results] == [(0, "not attempted")] * 3


def test_references_get_all_points() -> None:
    with Judge() as judge:
        results = [
            judge.check(task, from_text(bank().source(task.reference)), cases="all")
            for task in bank().tasks("13")
        ]
    assert sum(result.points for result in results) == 100


def test_what_the_warm_up_shows(repository: Path) -> None:
    assert "the run shows: C" in shown(notebook(repository, "en"), "leak-run")


# --- the arena ---------------------------------------------------------------------------------------


def test_answers_are_judged_and_steps_counted(
    ring: arena.Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = HUNTS["13/yellow-1"].faults[0]
    ring.answer("yellow-1", {})
    assert "Open" in capsys.readouterr().out
    ring.answer("yellow-1", {"A1": 1})
    ring.answer("yellow-1", {fault.id: 2})
    wrong = capsys.readouterr().out
    assert wrong.count("not told here") == 2
    ring.hint("yellow-1")
    ring.hint("yellow-1")
    ring.answer("yellow-1", {fault.id: fault.lines[0]})
    told = capsys.readouterr().out
    assert fault.why["en"] in told
    assert f"[{arena.READING + 2 * arena.WRONG + arena.HINT * 3} min]" in told
    ring.answer("yellow-1", {"A1": 1})  # what is found stays found, and costs no more
    capsys.readouterr()
    ring.standing()
    ranked = capsys.readouterr().out
    assert "1. one who only reads" in ranked
    assert "4. you" not in ranked
    assert "no belt yet" in ranked


def test_a_belt_is_worn_when_all_four_are_found(
    ring: arena.Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    for id, hunt in HUNTS.items():
        if "yellow" in id:
            ring.answer(id.partition("/")[2], {hunt.faults[0].id: hunt.faults[0].lines[-1]})
    capsys.readouterr()
    ring.standing()
    ring.board()
    out = capsys.readouterr().out
    assert "Standing · yellow belt  [4 of 12 found]" in out
    assert "✓ yellow belt  (4 / 4)" in out


def test_a_run_tells_cases_and_no_class(
    ring: arena.Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    ring.run("yellow-3")
    out = capsys.readouterr().out
    assert "wrong, or it did not end well" in out
    assert "E3" not in out


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("id", sorted(HUNTS))
def test_every_kernel_fails_in_a_run(
    ring: arena.Arena, id: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if HUNTS[id].kernel.endswith(".asc"):
        try:
            compiler()
        except NoCompiler as error:
            pytest.skip(error.message("en").splitlines()[0])
    ring.run(id.partition("/")[2])
    assert "✗" in capsys.readouterr().out


def test_names_and_forms_that_are_wrong(
    ring: arena.Arena, capsys: pytest.CaptureFixture[str]
) -> None:
    ring.show("brown-1")
    ring.answer("yellow-1", {"A1": 1, "A2": 2})
    out = capsys.readouterr().out
    assert "There are: yellow-1" in out
    assert "one answer" in out


def test_a_mutant_has_to_be_alive_and_to_be_named(
    ring: arena.Arena, repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    right = cell(notebook(repository, "en"), "mutant-cell").source.replace("my_mutant", "add_parts")
    offset = right.replace("z_gm[start:], z_local", "z_gm[start + 64 :], z_local")
    other = right.replace("asc.add(z_local", "asc.sub(z_local")
    for source, id, said in (
        (right, "A1", "equivalent mutant"),
        (offset, "B4", "alive, and found under its own id"),
        (offset, "A1", "is found is B4"),
        (other, "H1", "no check says why"),
        ("def add_parts(:", "A1", "does not load"),
        (right, None, "put a fault in"),
    ):
        ring.mutant(source, id)
        assert said in capsys.readouterr().out


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("lang", LANGS)
def test_solved_lab_is_worth_everything(
    builder: ModuleType, tmp_path: Path, repository: Path, lang: str
) -> None:
    done = notebook(repository, lang)
    for id, name in TASKS.items():
        cell(done, id).source = kernel(f"{name}.py")
    cell(done, "leak-predict").source = 'lab.predict("13/leak", "C")'
    cell(done, "arena-answers").source = "\n".join(
        f'ring.answer("{id.partition("/")[2]}", {{"{h.faults[0].id}": {h.faults[0].lines[0]}}})'
        for id, h in HUNTS.items()
    )
    mutant = cell(done, "mutant-cell")
    mutant.source = mutant.source.replace("z_gm[start:], z_local", "z_gm[start + 64 :], z_local")
    cell(done, "mutant-check").source = 'ring.mutant(my_mutant, "B4")'
    folder = tmp_path / lang
    folder.mkdir()
    done = builder.run(done, folder)
    assert ("黑带" if lang == "zh" else "black belt") in shown(done, "arena-board")
    assert "B4" in shown(done, "mutant-check")
    assert "✓" in shown(done, "mutant-check")
    assert "[69 / 69" in shown(done, "about")
    nbformat.write(done, folder / NAME)
    with Judge() as judge:
        tasks = bank().tasks("13")
        points = [judge.check(task, read(folder / NAME), cases="all").points for task in tasks]
    assert sum(points) == 100
