"""A race, step by step, recorded in JupyterLab: ``python -m tests.browser.views_race DIR``.

Presses the buttons of the step-through and writes race_steps.gif and race_steps.zh.gif.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.browser import gif
from tests.browser.jupyter import Notebook, browser, server
from tests.browser.views_shots import START, notebook

#: The buttons that are pressed, and how long the picture after each is shown (1/100 s).
PRESSED = (
    ("stall", 160),
    ("stall", 160),
    ("finding", 420),
    ("next", 160),
    ("stall", 220),
    ("next", 160),
    ("next", 160),
    ("stall", 200),
    ("next", 420),
)
CELLS = {
    "en": "view.steps(racy, lang='en').interactive()",
    "zh": "view.steps(racy, lang='zh').interactive()",
}


def press(page: Any, board: Any, name: str) -> None:
    """Press a button and wait for the new picture."""
    before = board.locator("svg").get_attribute("class")
    board.locator(f"[data-name='{name}']").click()
    page.wait_for_function(
        "([board, before]) => board.querySelector('svg').getAttribute('class') !== before",
        arg=[board.element_handle(), before],
    )


def record(page: Any, cell: Any, path: Path) -> None:
    """Press :data:`PRESSED` on the board of ``cell`` and write the pictures to ``path``."""
    board = cell.locator(".al-board")
    board.wait_for()
    shots, times = [board.screenshot()], [160]
    for name, time in PRESSED:
        press(page, board, name)
        shots.append(board.screenshot())
        times.append(time)
    gif.save(path, [gif.pixels(page, shot) for shot in shots], times)


def main(folder: Path) -> None:
    """Write both pictures to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        root = Path(kept) / "race"
        root.mkdir()
        text = json.dumps(notebook({"start": START, **CELLS}))
        (root / "race.ipynb").write_text(text, encoding="utf-8")
        with server(root, Path(kept) / "progress.json") as address, browser(1280, 1100) as page:
            opened = Notebook(page, address, "race.ipynb")
            opened.theme("JupyterLab Light")
            opened.run_all()
            for lang in CELLS:
                name = "race_steps.gif" if lang == "en" else f"race_steps.{lang}.gif"
                record(page, opened.show(lang), folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
