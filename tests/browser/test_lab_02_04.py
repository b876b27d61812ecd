"""Labs 02 and 04 in a real browser: they run from top to bottom, in a light and in a dark room."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.jupyter import Notebook, browser, chromium, copy_labs, server
from tests.browser.test_lab_03 import contrast, plain
from tests.labs.answers import LAB_02, LAB_04, Answers

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        chromium() is None or importlib.util.find_spec("playwright") is None,
        reason="needs chromium and playwright",
    ),
]


@pytest.fixture(scope="module")
def room(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A page, and the address of a JupyterLab on a copy of the labs."""
    folder = tmp_path_factory.mktemp("browser")
    root = copy_labs(repository / "labs", folder / "labs")
    with server(root, folder / "progress.json") as address, browser() as page:
        yield page, address


@pytest.mark.parametrize(
    ("lab", "lang", "picture", "drawing"),
    [
        pytest.param(LAB_02, "zh", "launch", "same-run", id="02-zh"),
        pytest.param(LAB_04, "en", "slot-told", "copy-memory", id="04-en"),
    ],
)
def test_runs_from_top_to_bottom(
    room: tuple[Any, str], lab: Answers, lang: str, picture: str, drawing: str
) -> None:
    page, address = room
    notebook = Notebook(page, address, f"{lang}/{lab.name}")
    notebook.run_all()
    outputs = notebook.outputs()
    assert all(plain(outputs, cell) for cell in outputs if outputs[cell])
    for check in lab.checks.values():
        assert ("尚未作答" if lang == "zh" else "not attempted") in plain(outputs, check)
    image = notebook.show(picture).locator("img")
    assert image.evaluate("image => image.complete && image.naturalWidth > 0")

    for theme, background in (("Light", "rgb(255, 255, 255)"), ("Dark", "rgb(17, 17, 17)")):
        notebook.theme(f"JupyterLab {theme}")
        drawn = notebook.show(drawing).locator(".jp-OutputArea-output svg")
        assert drawn.last.bounding_box()["width"] > 500
        title = notebook.show(next(iter(lab.checks.values()))).locator(".title").first
        colours = title.evaluate(
            "e => [getComputedStyle(e).color, getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor]"
        )
        assert colours[1] == background
        assert contrast(*colours) > 4.5
