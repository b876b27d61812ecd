"""Occupancy, roofline, silicon beside model: both languages, both themes, and what is not calibrated says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_lab import Device, view
from tests.profile import kernels

ROWS = [
    {
        "id": "a2_case",
        "chip": "Ascend910B1",
        "class": "kernel",
        "quantity": "Task Duration",
        "unit": "us",
        "measured": 200.0,
        "predicted": 210.0,
        "error": 0.05,
        "source": "published there",
        "use": "fit",
    }
]


@pytest.fixture(scope="module")
def uncalibrated() -> object:
    return Device("Ascend310P3").launch(kernels.add, 4, *kernels.arguments())


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_pictures_in_every_language_and_theme(lang: str, theme: str, uncalibrated: object) -> None:
    mark = {"zh": "未校准", "en": "not calibrated"}[lang]
    for draw in (view.occupancy, view.roofline):
        plain = draw(kernels.run(), theme=theme, lang=lang).html  # type: ignore[arg-type]
        marked = draw(uncalibrated, theme=theme, lang=lang).html  # type: ignore[arg-type]
        assert plain.startswith("<svg")
        assert mark in marked
        assert mark not in plain
        assert draw(kernels.run(), theme=theme, lang=lang).html == plain  # type: ignore[arg-type]


def test_occupancy_adds_up() -> None:
    picture = view.occupancy(kernels.run(), lang="en")
    metrics = kernels.run().metrics
    assert f"MTE2 {metrics['aiv_mte2_ratio']:.0%}" in repr(picture)
    assert "MTE2 100%" not in picture.html
    with pytest.raises(ValueError, match="core 40"):
        view.occupancy(kernels.run(), core=40, lang="en")


def test_roofline_is_of_one_chip(uncalibrated: object) -> None:
    several = {"few": kernels.run(), "more": kernels.run(blocks=8)}
    html = view.roofline(several, lang="en").html
    assert all(name in html for name in several)
    with pytest.raises(ValueError, match="one chip at a time"):
        view.roofline({"a": kernels.run(), "b": uncalibrated}, lang="en")  # type: ignore[dict-item]


def test_silicon_beside_model(tmp_path: Path) -> None:
    path = tmp_path / "silicon.json"
    path.write_text(json.dumps(ROWS))
    picture = view.silicon({"a2_case": "step 3", "a2_other": "step 5"}, lang="en", path=str(path))
    for text in ("step 3", "210", "200", "+5.0%", "published there", "step 5", "no measurement"):
        assert text in picture.html
    assert repr(picture) == "Silicon(1 quantities, mean error 5.0%, worst 5.0%)"


def test_without_a_table_it_says_how_to_make_one(tmp_path: Path) -> None:
    for lang in ("zh", "en"):
        html = view.silicon(lang=lang, path=str(tmp_path / "none.json")).html  # type: ignore[arg-type]
        assert "benchmarks/silicon.py" in html


def test_plotly_forms_have_the_same_words() -> None:
    for draw in (view.occupancy, view.roofline):
        picture = draw(kernels.run(), lang="en")
        assert "add" in picture.figure().to_json()
