"""Lab 09: blank it is worth nothing, solved everything; its predictions come true; its hunts are found."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device
from ascend_lab.course import hunts
from ascend_lab.exercise import Judge
from ascend_lab.exercise.answer import read
from ascend_lab.exercise.bank import bank
from tests.labs.answers import BANK, Answers, cell, shown

LAB = Answers(
    number="09",
    name="09_why_is_it_slow.ipynb",
    tasks={"table": "09/table", "fast-add": "09/add", "norm": "09/layernorm"},
    kernels={"table": "read_table", "fast-add": "fast_add", "norm": "layernorm_rows"},
    checks={"table": "table-check", "fast-add": "add-check", "norm": "norm-check"},
    predictions={"three": "B", "steps": "C", "layernorm": "B", "sweep": "B"},
    here=79,
)
PREDICTED = {"steps": "09/least", "layernorm": "09/double", "sweep": "09/tile", "three": "09/three"}
LANGS = ("zh", "en")
CHINESE = re.compile("[\u4e00-\u9fff]")


def notebook(repository: Path, lang: str) -> Any:
    return nbformat.read(repository / "labs" / lang / LAB.name, as_version=4)


def test_both_editions_have_the_same_code(repository: Path) -> None:
    zh, en = (notebook(repository, lang) for lang in LANGS)
    code = [[(c.id, c.source) for c in each.cells if c.cell_type == "code"] for each in (zh, en)]
    assert code[0] == code[1]
    assert all(CHINESE.search(c.source) for c in zh.cells if c.cell_type == "markdown")
    assert not any(CHINESE.search(c.source) for c in en.cells)


def test_cells_hold_what_the_bank_holds(repository: Path) -> None:
    en = notebook(repository, "en")
    for id, task in LAB.tasks.items():
        given = LAB.text(f"{LAB.kernels[id]}.start.py").partition("asc\n")[2].strip()
        assert cell(en, id).source == given
        assert cell(en, id).metadata.ascend_lab.answer == task
    for hunt in hunts.load(BANK, "09").values():
        source = cell(en, hunt.id.partition("/")[2]).source
        assert source == (BANK / hunt.kernel).read_text(encoding="utf-8").strip()


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_depends_on_where_it_ran_and_no_key_is_shown(repository: Path, lang: str) -> None:
    cells = notebook(repository, lang).cells
    outputs = json.dumps([c.get("outputs", []) for c in cells], ensure_ascii=False)
    for trace in (r"/(home|root|tmp|work|Users)/", r"ipykernel_\d", r"\b20\d\d-\d\d"):
        assert not re.search(trace, outputs), trace
    everything = outputs + "\n".join(c.source for c in cells)
    for hunt in hunts.load(BANK, "09").values():
        assert all(why not in everything for fault in hunt.faults for why in fault.why.values())
    for task in bank().tasks("09"):
        assert all(hint.text(lang) not in everything for hint in task.hints)


@pytest.mark.parametrize("lang", LANGS)
def test_blank_is_worth_nothing(repository: Path, lang: str) -> None:
    blank = notebook(repository, lang)
    for check in LAB.checks.values():
        assert ("尚未作答" if lang == "zh" else "not attempted") in shown(blank, check)
    points = f"[0 / {LAB.here} 分]" if lang == "zh" else f"[0 / {LAB.here} points]"
    assert shown(blank, "about").splitlines()[0].endswith(points)


def test_predictions_come_true(repository: Path) -> None:
    en = notebook(repository, "en")
    for id, letter in LAB.predictions.items():
        told = shown(en, "steps-log" if id == "steps" else f"{id}-run")
        assert f"the run shows: {letter}" in told, id


@pytest.mark.parametrize("hunt", hunts.load(BANK, "09").values(), ids=lambda hunt: hunt.id)
def test_the_model_finds_what_is_hunted(hunt: hunts.Hunt) -> None:
    path = BANK / hunt.kernel
    names: dict[str, Any] = {"asc": asc}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    x = np.linspace(0.5, 2, 1 << 19, dtype=np.float32)
    device = Device(performance=True)
    result = device.launch(names[path.stem], 8, x, np.zeros_like(x), x.size)
    assert [(f.id, f.line in hunt.fault(f.id).lines) for f in result.findings] == [
        (fault.id, True) for fault in hunt.faults
    ]


@pytest.mark.nightly
@pytest.mark.timeout(600)
def test_solved_is_worth_everything(builder: ModuleType, tmp_path: Path, repository: Path) -> None:
    folder = tmp_path / "en"
    folder.mkdir()
    blank = notebook(repository, "en")
    for id in LAB.tasks:
        cell(blank, id).source = LAB.text(f"{LAB.kernels[id]}.py").partition("asc\n")[2].strip()
    for id, answer in LAB.predictions.items():
        cell(blank, f"{id}-predict").source = f'lab.predict("{PREDICTED[id]}", {answer!r})'
    cell(blank, "hunt-answers").source = "\n".join(
        f'lab.hunt("{hunt.id}", { ({fault.id: fault.lines[0] for fault in hunt.faults})!r})'
        for hunt in hunts.load(BANK, "09").values()
    )
    done = builder.run(blank, folder)
    assert shown(done, "about").splitlines()[0].endswith(f"[{LAB.here} / {LAB.here} points]")
    nbformat.write(done, folder / LAB.name)
    with Judge() as judge:
        answer = read(folder / LAB.name)
        results = [judge.check(task, answer, cases="all") for task in bank().tasks("09")]
    assert sum(r.points for r in results) == 100
    assert all(r.passed for r in results)
