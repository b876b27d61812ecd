"""The notebooks of labs 02 and 04: blank they are worth nothing, solved they are worth everything."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

from ascend_lab.course import hunts
from ascend_lab.exercise import Judge
from ascend_lab.exercise.answer import read
from ascend_lab.exercise.bank import bank
from tests.labs.answers import BANK, LABS, Answers, cell, shown

LANGS = ("zh", "en")
CHINESE = re.compile("[\u4e00-\u9fff]")
BY_LAB = [pytest.param(lab, id=lab.number) for lab in LABS]
BY_LAB_AND_LANG = [
    pytest.param(lab, lang, id=f"{lab.number}-{lang}") for lab in LABS for lang in LANGS
]


def notebook(repository: Path, lab: Answers, lang: str) -> Any:
    """An edition as it is committed."""
    return nbformat.read(repository / "labs" / lang / lab.name, as_version=4)


# --- as committed ------------------------------------------------------------------------------------


@pytest.mark.parametrize("lab", BY_LAB)
def test_both_editions_have_the_same_code(repository: Path, lab: Answers) -> None:
    zh, en = (notebook(repository, lab, lang) for lang in LANGS)
    assert [c.id for c in zh.cells] == [c.id for c in en.cells]
    code = [[(c.id, c.source) for c in each.cells if c.cell_type == "code"] for each in (zh, en)]
    assert code[0] == code[1]
    assert all(CHINESE.search(c.source) for c in zh.cells if c.cell_type == "markdown")
    assert not any(CHINESE.search(c.source) for c in en.cells)


@pytest.mark.parametrize(("lab", "lang"), BY_LAB_AND_LANG)
def test_nothing_depends_on_where_or_when_it_ran(repository: Path, lab: Answers, lang: str) -> None:
    cells = notebook(repository, lab, lang).cells
    outputs = json.dumps([c.get("outputs", []) for c in cells])
    for trace in (
        r"0x[0-9a-f]{6,}",
        r"/(home|root|tmp|work|Users)/",
        r"ipykernel_\d",
        r"\b20\d\d-\d\d",
    ):
        assert not re.search(trace, outputs), trace
    told = [shown(notebook(repository, lab, lang), c.id) for c in cells if c.get("outputs")]
    assert not re.search(r"\d{6,}\.py", "\n".join(told)), "a cell is called by its number"
    assert all("execution" not in c.metadata for c in cells)
    kinds = {output.output_type for c in cells for output in c.get("outputs", [])}
    assert "error" not in kinds


@pytest.mark.parametrize("lab", BY_LAB)
def test_cells_hold_what_the_bank_holds(repository: Path, lab: Answers) -> None:
    """The answer cells start from the source that counts as not attempted; hunts show the hunted kernel."""
    en = notebook(repository, lab, "en")
    for id, task in lab.tasks.items():
        given = lab.text(f"{lab.kernels[id]}.start.py").partition("asc\n")[2].strip()
        assert cell(en, id).source == given
        assert cell(en, id).metadata.ascend_lab.answer == task
    for hunt in hunts.load(BANK, lab.number).values():
        source = cell(en, hunt.id.partition("/")[2]).source
        assert source == (BANK / hunt.kernel).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("lab", BY_LAB)
def test_helpers_of_the_cells_are_those_of_the_references(repository: Path, lab: Answers) -> None:
    """A reference brings its helpers with it; in the notebook they stand in a cell of their own."""
    code = "\n".join(c.source for c in notebook(repository, lab, "en").cells)
    for name in lab.kernels.values():
        parts = lab.text(f"{name}.py").split("@asc.jit\n")[1:]
        for helper in parts[:-1]:
            assert helper.strip() in code


@pytest.mark.parametrize(("lab", "lang"), BY_LAB_AND_LANG)
def test_no_key_in_the_notebooks(repository: Path, lab: Answers, lang: str) -> None:
    everything = "\n".join(
        c.source + json.dumps(c.get("outputs", []), ensure_ascii=False)
        for c in notebook(repository, lab, lang).cells
    )
    for hunt in hunts.load(BANK, lab.number).values():
        assert all(why not in everything for fault in hunt.faults for why in fault.why.values())
    for task in bank().tasks(lab.number):
        assert all(hint.text(lang) not in everything for hint in task.hints)
    assert all(lab.task_kernel(id) not in everything for id in lab.tasks)


# --- what the warm-ups claim ----------------------------------------------------------------------------


@pytest.mark.parametrize("lab", BY_LAB)
def test_every_prediction_comes_true(repository: Path, lab: Answers) -> None:
    en = notebook(repository, lab, "en")
    for id, answer in lab.predictions.items():
        told = shown(en, f"{id}-run")
        for part in [answer] if isinstance(answer, str) else answer:
            assert (f"the run shows: {part}\n" in f"{told}\n") or f"  {part}  " in told, id


def test_what_lab_02_says_of_rounds(repository: Path) -> None:
    told = shown(notebook(repository, LABS[0], "en"), "waves-run")
    us = {int(n): float(t) for n, t in re.findall(r"(\d+) blocks: +([\d.]+) us", told)}
    assert us[4] == pytest.approx(us[8], rel=0.05)
    assert us[9] == pytest.approx(us[16], rel=0.05)
    assert us[9] > 1.8 * us[8]


def test_what_lab_04_says_of_bytes(repository: Path) -> None:
    en = notebook(repository, LABS[1], "en")
    told = shown(en, "aligned-run")
    assert re.findall(r"(\d+) of (\d+) elements arrived +(\S+)", told) == [
        ("0", "64", "A1"),
        ("56", "61", "A2"),
        ("64", "64", "-"),
    ]
    assert "byte 32:     5     6     7     8     9" in shown(en, "slot-run")
    assert "A8" in shown(en, "slot-pads")
    fields = shown(en, "fields-run")
    assert "DataCopyParams(4, 1, 2, 0):   0.0 100.0 200.0 300.0" in fields
    assert "DataCopyParams(1, 4, 2, 0):   0.0   8.0  16.0 100.0" in fields
    assert "G7" in fields
    times = [float(time) for time in re.findall(r"([\d.]+) us,", shown(en, "cost-run"))]
    assert times[0] == times[1] < times[2]


# --- blank and solved ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lab", "lang"), BY_LAB_AND_LANG)
def test_blank_lab_is_worth_nothing(repository: Path, lab: Answers, lang: str) -> None:
    blank = notebook(repository, lab, lang)
    for check in lab.checks.values():
        assert ("尚未作答" if lang == "zh" else "not attempted") in shown(blank, check)
    points = f"[0 / {lab.here} 分]" if lang == "zh" else f"[0 / {lab.here} points]"
    assert shown(blank, "about").splitlines()[0].endswith(points)
    answer = read(repository / "labs" / lang / lab.name)
    with Judge() as judge:
        results = [judge.check(task, answer, cases="all") for task in bank().tasks(lab.number)]
    assert [(r.points, r.verdict) for r in results] == [(0, "not attempted")] * 3


def solved(lab: Answers, blank: Any) -> Any:
    """The notebook with all answers filled in."""
    for id in lab.tasks:
        cell(blank, id).source = lab.task_kernel(id)
    for id, answer in lab.predictions.items():
        cell(blank, f"{id}-predict").source = f'lab.predict("{lab.number}/{id}", {answer!r})'
    cell(blank, "hunt-answers").source = "\n".join(
        f'lab.hunt("{hunt.id}", { ({fault.id: fault.lines[0] for fault in hunt.faults})!r})'
        for hunt in hunts.load(BANK, lab.number).values()
    )
    return blank


@pytest.mark.nightly  # test_lab_03 does the same every day
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("lab", "lang"), [pytest.param(LABS[0], "zh", id="02"), pytest.param(LABS[1], "en", id="04")]
)
def test_solved_lab_is_worth_everything(
    builder: ModuleType, tmp_path: Path, repository: Path, lab: Answers, lang: str
) -> None:
    folder = tmp_path / lang
    folder.mkdir()
    done = builder.run(solved(lab, notebook(repository, lab, lang)), folder)
    about = shown(done, "about").splitlines()
    unit = "分" if lang == "zh" else "points"
    assert about[0].endswith(f"[{lab.here} / {lab.here} {unit}]")
    assert [line[0] for line in about[1:7]] == ["✓"] * 6
    nbformat.write(done, folder / lab.name)
    answer = read(folder / lab.name)
    with Judge() as judge:
        results = [judge.check(task, answer, cases="all") for task in bank().tasks(lab.number)]
    assert sum(r.points for r in results) == 100
    assert all(r.passed for r in results)
