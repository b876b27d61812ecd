"""Lab 03 in a real browser: both editions run from top to bottom, in a light and in a dark room."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.jupyter import Notebook, browser, chromium, copy_labs, server

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        chromium() is None or importlib.util.find_spec("playwright") is None,
        reason="needs chromium and playwright",
    ),
]
NAME = "03_vector_add.ipynb"


@pytest.fixture(scope="module")
def lab(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A page, and the address of a JupyterLab on a copy of the labs."""
    folder = tmp_path_factory.mktemp("browser")
    root = copy_labs(repository / "labs", folder / "labs")
    with server(root, folder / "progress.json") as address, browser() as page:
        yield page, address


def plain(outputs: dict[str, list[dict[str, Any]]], cell: str) -> str:
    texts = []
    for output in outputs[cell]:
        assert output["output_type"] != "error", output
        told = output.get("text") or output["data"]["text/plain"]
        texts.append(told if isinstance(told, str) else "".join(told))
    return "\n".join(texts)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_runs_from_top_to_bottom(lab: tuple[Any, str], lang: str) -> None:
    page, address = lab
    notebook = Notebook(page, address, f"{lang}/{NAME}")
    notebook.run_all()
    outputs = notebook.outputs()
    assert all(plain(outputs, cell) for cell in outputs if outputs[cell])
    assert ("尚未作答" if lang == "zh" else "not attempted") in plain(outputs, "seed-check")
    picture = notebook.show("stages").locator("img")
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")

    for theme, background in (("Light", "rgb(255, 255, 255)"), ("Dark", "rgb(17, 17, 17)")):
        notebook.theme(f"JupyterLab {theme}")
        drawings = notebook.show("depth-timeline").locator(
            ".jp-OutputArea-output > svg, .jp-OutputArea-output > div > svg"
        )
        assert drawings.count() == 2
        assert drawings.first.bounding_box()["width"] > 600
        title = notebook.show("seed-check").locator(".title").first
        colours = title.evaluate(
            "e => [getComputedStyle(e).color, getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor]"
        )
        assert colours[1] == background
        assert contrast(*colours) > 4.5


def contrast(one: str, other: str) -> float:
    """WCAG contrast of two CSS colours."""
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    parts = [float(part) for part in colour.split("(")[1].rstrip(")").split(",")]
    linear = [
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4
        for c in (p / 255 for p in parts[:3])
    ]
    strength = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    alpha = parts[3] if len(parts) > 3 else 1.0
    return strength * alpha  # on black; on white the texts are opaque enough
