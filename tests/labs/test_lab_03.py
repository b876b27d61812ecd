"""The notebooks of lab 03: blank they are worth nothing, solved they are worth everything."""

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
from tests.labs.lab_03 import BANK, text

LANGS = ("zh", "en")
NAME = "03_vector_add.ipynb"
TASKS = {"seed-add": "seed_add", "cuda-add": "cuda_add", "sigmoid": "sigmoid"}
HUNTS = hunts.load(BANK, "03")


@pytest.fixture(scope="module")
def notebooks(repository: Path) -> dict[str, Any]:
    """Both editions as they are committed."""
    return {lang: nbformat.read(repository / "labs" / lang / NAME, as_version=4) for lang in LANGS}


def cell(notebook: Any, id: str) -> Any:
    return next(cell for cell in notebook.cells if cell.id == id)


def shown(notebook: Any, id: str) -> str:
    """What the outputs of a cell say, as text."""
    texts = [
        output.text if output.output_type == "stream" else output.data["text/plain"]
        for output in cell(notebook, id).outputs
    ]
    return "\n".join(texts)


# --- as committed ----------------------------------------------------------------------------------


def test_notebooks_are_what_the_sources_give(builder: ModuleType) -> None:
    stale = [lab.name for lab in builder.labs() if not builder.is_current(lab)]
    assert stale == [], "run python labs/build.py"


def test_both_editions_have_the_same_code(notebooks: dict[str, Any]) -> None:
    code = {
        lang: [(c.id, c.source) for c in notebook.cells if c.cell_type == "code"]
        for lang, notebook in notebooks.items()
    }
    assert code["zh"] == code["en"]
    assert [c.id for c in notebooks["zh"].cells] == [c.id for c in notebooks["en"].cells]


def test_texts_are_in_their_language(notebooks: dict[str, Any]) -> None:
    chinese = re.compile("[\u4e00-\u9fff]")
    for cell_ in notebooks["zh"].cells:
        if cell_.cell_type == "markdown":
            assert chinese.search(cell_.source), cell_.id
    for cell_ in notebooks["en"].cells:
        assert not chinese.search(cell_.source), cell_.id


@pytest.mark.parametrize("lang", LANGS)
def test_outputs_are_in_their_language(notebooks: dict[str, Any], lang: str) -> None:
    told = shown(notebooks[lang], "seed-check")
    assert ("尚未作答" if lang == "zh" else "not attempted") in told


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_depends_on_where_or_when_it_ran(notebooks: dict[str, Any], lang: str) -> None:
    outputs = json.dumps([c.get("outputs", []) for c in notebooks[lang].cells])
    for trace in (
        r"0x[0-9a-f]{6,}",
        r"/(home|root|tmp|work|Users)/",
        r"ipykernel_\d",
        r"\b20\d\d-\d\d",
    ):
        assert not re.search(trace, outputs), trace
    assert all("execution" not in c.metadata for c in notebooks[lang].cells)
    assert not any(
        output.output_type == "error"
        for c in notebooks[lang].cells
        for output in c.get("outputs", [])
    )


def test_cells_hold_what_the_bank_holds(notebooks: dict[str, Any]) -> None:
    """The answer cells start from the source that counts as not attempted; hunts show the hunted kernel."""
    start = "import ascend_lab.asc as asc\n\n"
    for id, name in TASKS.items():
        given = text(f"{name}.start.py").removeprefix(start).strip()
        assert cell(notebooks["en"], id).source == given
        assert cell(notebooks["en"], id).metadata.ascend_lab.answer == f"03/{id}"
    for number in (1, 2, 3):
        source = cell(notebooks["en"], f"hunt-{number}").source
        assert source == text(f"hunts/hunt_{number}.py").strip()


def test_no_key_in_the_notebooks(notebooks: dict[str, Any]) -> None:
    for lang, notebook in notebooks.items():
        everything = "\n".join(
            c.source + json.dumps(c.get("outputs", []), ensure_ascii=False) for c in notebook.cells
        )
        for hunt in HUNTS.values():
            for fault in hunt.faults:
                assert fault.why["zh" if lang == "zh" else "en"] not in everything
        for id in TASKS:
            for hint in bank().load(f"03/{id}").hints:
                assert hint.zh not in everything
                assert hint.en not in everything
        for name in TASKS.values():
            assert text(f"{name}.py") not in everything


# --- what the warm-up claims -------------------------------------------------------------------------


def test_num_alone_switches_double_buffering_on(notebooks: dict[str, Any]) -> None:
    told = shown(notebooks["en"], "depth-run")
    times = {
        (int(d), int(n)): float(t)
        for d, n, t in re.findall(r"depth=(\d) num=(\d): +([\d.]+) us, correct: True", told)
    }
    assert len(times) == 4
    assert times[2, 1] == times[1, 1]
    assert times[1, 2] == times[2, 2] < 0.95 * times[1, 1]
    assert "the run shows: B" in told


def test_data_copy_rounds_the_length_down(notebooks: dict[str, Any]) -> None:
    told = shown(notebooks["en"], "tail-run")
    assert "248 of 250 elements arrived: A2" in told
    assert "the run shows: B" in told


# --- blank and solved --------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_blank_lab_is_worth_nothing(notebooks: dict[str, Any], lang: str, repository: Path) -> None:
    for id in TASKS:
        check = f"{id.removesuffix('-add')}-check"
        assert ("尚未作答" if lang == "zh" else "not attempted") in shown(notebooks[lang], check)
    assert (
        shown(notebooks[lang], "about")
        .splitlines()[0]
        .endswith("[0 / 70 分]" if lang == "zh" else "[0 / 70 points]")
    )
    answer = read(repository / "labs" / lang / NAME)
    with Judge() as judge:
        results = [judge.check(task, answer, cases="all") for task in bank().tasks("03")]
    assert [(r.points, r.verdict) for r in results] == [(0, "not attempted")] * 3


def solved(notebook: Any) -> Any:
    """The notebook with all answers filled in."""
    for id, name in TASKS.items():
        cell(notebook, id).source = text(f"{name}.py").split("asc\n", 1)[1].strip()
    cell(notebook, "depth-predict").source = 'lab.predict("03/depth", "B")'
    cell(notebook, "seed-predict").source = 'lab.predict("03/seed-add", ["C3", "D2", "E3"])'
    found = {
        hunt.id: {fault.id: fault.lines[0] for fault in hunt.faults} for hunt in HUNTS.values()
    }
    cell(notebook, "cuda-defects").source = f'lab.hunt("03/cuda-add", {found["03/cuda-add"]})'
    cell(notebook, "hunt-answers").source = "\n".join(
        f'lab.hunt("{id}", {answer})' for id, answer in found.items() if "hunt" in id
    )
    return notebook


# The code is the same in both editions (see above): one of them is solved every day.
@pytest.mark.timeout(300)
@pytest.mark.parametrize("lang", [pytest.param("zh", marks=pytest.mark.nightly), "en"])
def test_solved_lab_is_worth_everything(
    builder: ModuleType, tmp_path: Path, repository: Path, lang: str
) -> None:
    folder = tmp_path / lang
    folder.mkdir()
    notebook = solved(nbformat.read(repository / "labs" / lang / NAME, as_version=4))
    done = builder.run(notebook, folder)
    about = shown(done, "about").splitlines()
    assert about[0].endswith("[70 / 70 分]" if lang == "zh" else "[70 / 70 points]")
    assert [line[0] for line in about[1:8]] == ["✓"] * 7
    assert ("没有问题" if lang == "zh" else "clean") in shown(done, "seed-run")
    nbformat.write(done, folder / NAME)
    answer = read(folder / NAME)
    with Judge() as judge:
        results = [judge.check(task, answer, cases="all") for task in bank().tasks("03")]
    assert sum(r.points for r in results) == 100
    assert all(r.passed for r in results)
