"""Every view in JupyterLab, light and dark: ``python -m tests.browser.views_shots DIR``."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.browser.jupyter import Notebook, browser, server

START = """
from ascend_lab import view
from tests.profile import kernels as adds
from tests.view import kernels
racy, good = kernels.racy(), kernels.good()
slow = adds.run(blocks=4, performance=True, tile=256)
few, many = adds.run(blocks=4), adds.run(blocks=16, n=1 << 18, tile=4096, buffers=2)
"""
#: Cell -> its last line.
CELLS: Mapping[str, str] = {
    "timeline": "view.timeline(few, cores=[0, 1], lang='zh')",
    "timeline-plotly": "view.timeline(few, cores=[0, 1], lang='en').interactive()",
    "timeline-short": "view.timeline(good, lang='en')",
    "coverage": "view.coverage(racy, lang='zh')",
    "coverage-plotly": "view.coverage(racy, lang='en').interactive()",
    "metrics": "view.metrics_table(few, lang='zh')",
    "metrics-uncalibrated": "view.metrics_table(adds.run(blocks=2, chip='Ascend310P3'), lang='en')",
    "findings": "view.findings(slow, lang='zh')",
    "memory": "view.memory(racy, lang='en')",
    "memory-plotly": "view.memory(racy, lang='en').interactive()",
    "banks-conflict": "view.banks(many, lang='en')",
    "banks": "view.banks(good, lang='zh')",
    "steps": "view.steps(racy, lang='en', frames=2)",
    "steps-widget": "view.steps(racy, lang='zh').interactive()",
    "balance": "view.balance(good, lang='en')",
    "balance-plotly": "view.balance(good, lang='zh').interactive()",
    "tiling-widget": "view.tiling(total=100000, cores=6, lang='en').interactive()",
    "occupancy": "view.occupancy(few, lang='en')",
    "occupancy-plotly": "view.occupancy(few, lang='zh').interactive()",
    "roofline": "view.roofline({'4 cores': few, '16 cores': many}, lang='en')",
    "roofline-plotly": "view.roofline({'4 cores': few, '16 cores': many}, lang='zh').interactive()",
    "silicon": "view.silicon([f'a2_add_c{k}' for k in range(7)], lang='en')",
    "dataflow": "view.dataflow(racy, lang='en')",
    "dataflow-widget": "view.dataflow(good, lang='zh').interactive()",
}


def notebook(cells: Mapping[str, str]) -> dict[str, Any]:
    """A notebook of code cells, in the format of Jupyter."""
    made = [
        {
            "cell_type": "code",
            "id": name,
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source.strip(),
        }
        for name, source in cells.items()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def main(folder: Path) -> None:
    """Write the pictures to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        root = Path(kept) / "views"
        root.mkdir()
        text = json.dumps(notebook({"start": START, **CELLS}))
        (root / "views.ipynb").write_text(text, encoding="utf-8")
        with server(root, Path(kept) / "progress.json") as address, browser(1280, 1100) as page:
            opened = Notebook(page, address, "views.ipynb")
            opened.run_all()
            for theme in ("Light", "Dark"):
                opened.theme(f"JupyterLab {theme}")
                for cell in CELLS:
                    shown = opened.show(cell)
                    page.wait_for_timeout(800)
                    shown.screenshot(path=folder / f"{theme.lower()}-{cell}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
