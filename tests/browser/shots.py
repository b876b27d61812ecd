"""Pictures of lab 03 as a student sees it: ``python -m tests.browser.shots DIR``.

Both languages, light and dark: the run, the timelines, and the check card of a half-repaired kernel.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.browser.jupyter import Notebook, browser, copy_labs, fill_in, server

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "exam_bank" / "kernels" / "03"
CELLS = (
    "stages run-add depth-predict depth-run depth-timeline seed-predict seed-run seed-check "
    "tail-run cuda cuda-defects cuda-check sigmoid-text sigmoid-check hunt-answers about"
).split()


def answers() -> dict[str, str]:
    """A student half way: one kernel half repaired, one right, some guesses."""
    return {
        "depth-predict": 'lab.predict("03/depth", "A")',
        "seed-predict": 'lab.predict("03/seed-add", ["C3", "D2", "E3"])',
        "tail-predict": 'lab.predict("03/tail", "B")',
        "seed-add": (KERNELS / "repairs" / "seed_add_1_buffers.py").read_text(encoding="utf-8"),
        "cuda-add": (KERNELS / "cuda_add.py").read_text(encoding="utf-8"),
        "sigmoid": (KERNELS / "repairs" / "sigmoid_overflow.py").read_text(encoding="utf-8"),
        "cuda-defects": 'lab.hunt("03/cuda-add", {"F4": 20, "B1": 14, "C3": 9, "D1": 21})',
    }


def main(folder: Path) -> None:
    """Write the pictures to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept:
        root = copy_labs(ROOT / "labs", Path(kept) / "labs")
        for lang in ("zh", "en"):
            fill_in(root / lang / "03_vector_add.ipynb", answers())
        with server(root, Path(kept) / "progress.json") as address, browser() as page:
            for lang in ("zh", "en"):
                notebook = Notebook(page, address, f"{lang}/03_vector_add.ipynb")
                notebook.run_all()
                for theme in ("Light", "Dark"):
                    notebook.theme(f"JupyterLab {theme}")
                    for cell in CELLS:
                        name = f"{lang}-{theme.lower()}-{cell}.png"
                        notebook.show(cell).screenshot(path=folder / name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
