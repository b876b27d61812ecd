"""On a chip without measurements every place that shows a figure says so, in both languages; on the others none does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from ascend_lab import acl, chips, tuning, view
from ascend_lab.commands.prof import report
from ascend_lab.course.host_programs import run_card as host_card
from ascend_lab.course.runs import run_card
from ascend_lab.device import Result
from ascend_lab.exercise.performing import scored
from ascend_lab.profile import Diagnosis, Experiments, chrome_trace, save_tables, tables
from ascend_lab.view.words import Lang
from tests.checks import fixtures
from tests.profile import kernels

MARKS = {"zh": "未校准", "en": "not calibrated"}
CHIPS = chips.names()
UNMEASURED = [name for name in CHIPS if not chips.load(name).calibrated]


@cache
def ran(chip: str) -> Result:
    return kernels.run(blocks=2, chip=chip, n=8192)


@cache
def slow(chip: str) -> Result:
    """A kernel with findings of what is slow."""
    return fixtures.load("K15").launch("bad", chip, "realistic")


def _picture(
    make: Callable[..., view.Picture], timed: bool = True
) -> Callable[[str, Lang], list[str]]:
    """A view; ``timed``: its line for a terminal has a time."""

    def shown(chip: str, lang: Lang) -> list[str]:
        made = make(ran(chip), lang=lang)
        return [made.html, *([made.summary] if lang == "en" and timed else [])]

    return shown


def _score(chip: str, lang: Lang) -> list[str]:
    """The sentence of a check that marks time."""
    case = SimpleNamespace(name="timed")
    trial = SimpleNamespace(
        setting=SimpleNamespace(case=case, arguments=(), blocks=2), result=ran(chip)
    )
    wanted = SimpleNamespace(case="timed", full_at=0.6, pass_at=0.5)
    task = SimpleNamespace(parameters=())
    said = scored(task, wanted, ran(chip).spec, [trial], 2 * ran(chip).time_us)  # type: ignore[arg-type, list-item]
    return [getattr(text, lang) for text in said.texts]


def _report(chip: str, lang: Lang) -> list[str]:
    return ["\n".join(report(ran(chip), lang, 100.0))]


@cache
def diagnosed(chip: str) -> Diagnosis:
    return tuning.bottleneck(kernels.add, 2, *kernels.arguments(n=2048), chip=chip)


def _diagnosis(chip: str, lang: Lang) -> list[str]:
    return ["\n".join(diagnosed(chip).lines(lang))]


def _findings(chip: str, lang: Lang) -> list[str]:
    return [finding.message(lang) for finding in slow(chip).findings]


def _card(chip: str, lang: Lang) -> list[str]:
    made = run_card(ran(chip), lang)
    return [made.title]


def _repr(chip: str, lang: Lang) -> list[str]:
    return [repr(ran(chip)), repr(ran(chip).metrics)] if lang == "en" else []


def _host(chip: str, lang: Lang) -> list[str]:
    return [host_card(acl.Runtime(acl.HostDevice(chip), environment={}), lang).title]


def _chrome(chip: str, lang: Lang) -> list[str]:
    events = chrome_trace(ran(chip).trace)["traceEvents"]
    return [e["args"]["name"] for e in events if e["name"] == "process_name"]


def _log(chip: str, lang: Lang) -> list[str]:
    log, known = Experiments(), ran(chip).spec.calibrated
    log.add("one", ran(chip).time_us, tile=1, calibrated=known)
    log.add("two", slow(chip).time_us, tile=2, calibrated=known)
    return [step.text(lang) for step in log.steps()]


def _accuracy(chip: str, lang: Lang) -> list[str]:
    return [ran(chip).metrics.accuracy(lang)]


PLACES: dict[str, Callable[[str, Lang], list[str]]] = {
    "timeline": _picture(view.timeline),
    "metrics": _picture(view.metrics_table),
    "occupancy": _picture(view.occupancy),
    "roofline": _picture(view.roofline),
    "balance": _picture(view.balance),
    "dataflow": _picture(view.dataflow),
    "memory": _picture(view.memory, timed=False),
    "steps": _picture(view.steps, timed=False),
    "bottleneck": _diagnosis,
    "findings": _findings,
    "card of a run": _card,
    "text of a result": _repr,
    "card of a host program": _host,
    "trace.json": _chrome,
    "experiments": _log,
    "accuracy": _accuracy,
    "score": _score,
    "prof": _report,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_place_without_the_word_is_found(place: str) -> None:
    for chip in CHIPS:
        for lang in ("zh", "en"):
            for text in PLACES[place](chip, lang):
                assert (MARKS[lang] in text.lower()) == (chip in UNMEASURED), (
                    chip,
                    lang,
                    text[:300],
                )


def test_files_of_msprof_lie_beside_the_word(tmp_path: Path) -> None:
    """Their fields are msprof's; a file beside them says it."""
    for chip in CHIPS:
        names = {
            path.name for path in save_tables(ran(chip).trace, ran(chip).spec, tmp_path / chip)
        }
        assert ("NOT_CALIBRATED.txt" in names) == (chip in UNMEASURED)
        assert len(names) == len(tables(ran(chip).trace, ran(chip).spec)) + 1 + (chip in UNMEASURED)
    text = (tmp_path / UNMEASURED[0] / "NOT_CALIBRATED.txt").read_text(encoding="utf-8")
    assert all(mark in text.lower() for mark in MARKS.values())
