"""The views in JupyterLab: buttons, keys and sliders reach Python, and pictures come back."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from ascend_lab import view
from tests.browser.jupyter import Notebook, browser, chromium, server
from tests.browser.views_shots import START, notebook

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        chromium() is None or importlib.util.find_spec("playwright") is None,
        reason="needs chromium and playwright",
    ),
]
CELLS = {
    "start": START,
    "steps": "view.steps(racy, lang='en').interactive()",
    "dataflow": "view.dataflow(good, lang='en').interactive()",
    "tiling": "view.tiling(total=16384, cores=4, lang='en').interactive()",
    "memory": "view.memory(racy, lang='en').interactive()",
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """A notebook with the widgets, run once."""
    folder = tmp_path_factory.mktemp("views")
    root = folder / "views"
    root.mkdir()
    (root / "views.ipynb").write_text(json.dumps(notebook(CELLS)), encoding="utf-8")
    with server(root, folder / "progress.json") as address, browser() as page:
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        made = Notebook(page, address, "views.ipynb")
        made.run_all()
        yield made
        assert page.errors == []


def board(opened: Notebook, cell: str) -> Any:
    found = opened.show(cell).locator(".al-board")
    found.wait_for()
    return found


def wait_for(opened: Notebook, found: Any, text: str) -> None:
    opened.page.wait_for_function(
        "([board, text]) => board.textContent.includes(text)",
        arg=[found.element_handle(), text],
        timeout=20_000,
    )


@pytest.fixture(scope="module")
def twin() -> Any:
    """The step-through without a browser: what the buttons must show follows the model of the chip."""
    known: dict[str, Any] = {}
    exec(START, known)
    return view.steps(known["racy"], lang="en").interactive().panel


def step(twin: Any, *names: str) -> str:
    """ "step 19 of 59": where the panel stands after these buttons from the start."""
    for name in ("first", *names):
        twin.press(name)
    (found,) = {*re.findall(r"step \d+ of \d+", twin.html())}
    return str(found)


def test_buttons_of_the_step_through(opened: Notebook, twin: Any) -> None:
    found = board(opened, "steps")
    wait_for(opened, found, step(twin))
    places = [step(twin), step(twin, "finding"), step(twin, "finding", "back")]
    assert len({*places}) == len(places)
    found.locator("[data-name='finding']").click()
    wait_for(opened, found, places[1])
    wait_for(opened, found, "D1 · V reads · MTE2 writes")
    found.locator("[data-name='back']").click()
    wait_for(opened, found, places[2])
    found.locator("[data-name='stall']").click()
    wait_for(opened, found, step(twin, "finding", "back", "stall"))


def test_keys_of_the_step_through(opened: Notebook, twin: Any) -> None:
    found = board(opened, "steps")
    found.locator("[data-name='first']").click()
    wait_for(opened, found, step(twin))
    found.focus()
    opened.page.keyboard.press("ArrowRight")
    wait_for(opened, found, step(twin, "next"))
    opened.page.keyboard.press("f")
    wait_for(opened, found, step(twin, "next", "finding"))


def test_quick_presses_all_count_or_the_last_one_wins(opened: Notebook, twin: Any) -> None:
    found = board(opened, "steps")
    if step(twin) not in found.text_content():
        found.locator("[data-name='first']").click()
    wait_for(opened, found, step(twin))
    found.locator("input[type=range]").evaluate(
        """input => {
          for (const value of [5, 9, 14, 20, 33]) {
            input.value = value;
            input.dispatchEvent(new Event('input'));
          }
        }"""
    )
    wait_for(opened, found, step(twin).replace("step 1 ", "step 34 "))


def test_tile_of_the_dataflow(opened: Notebook) -> None:
    found = board(opened, "dataflow")
    found.locator("[data-name='next']").click()
    wait_for(opened, found, "tile 2 of 6")
    found.locator("[data-name='core'] select").select_option("1")
    wait_for(opened, found, "core 1 · tile 2 of 6")


def test_sliders_of_the_tiling_explorer(opened: Notebook) -> None:
    found = board(opened, "tiling")
    found.locator("[data-name='buffers'] select").select_option("0")
    wait_for(opened, found, "buffers: 1")
    tile = found.locator("[data-name='tile'] input")
    tile.evaluate("input => { input.value = input.max; input.dispatchEvent(new Event('input')); }")
    wait_for(opened, found, "tile: 32,768")
    wait_for(opened, found, "(B1); the largest tile is")


def test_a_plotly_figure_out_of_sight_keeps_its_height_when_the_theme_changes(
    opened: Notebook,
) -> None:
    height = "document.querySelector('.js-plotly-plot').offsetHeight"
    opened.show("memory")
    opened.page.wait_for_function(f"{height} > 300")
    opened.show("start")
    opened.theme("JupyterLab Dark")
    opened.page.wait_for_timeout(500)
    opened.show("memory")
    opened.page.wait_for_timeout(500)
    assert opened.page.evaluate(height) > 300
