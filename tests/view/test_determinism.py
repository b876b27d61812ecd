"""The same run looks the same: in another process, at another time, on another machine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from ascend_lab import view
from ascend_lab.view.palette import Theme
from ascend_lab.view.words import Lang
from tests.view import kernels, make

CODE = """
import hashlib, time
time.time = lambda: 1e9
from tests.view.test_determinism import pages
for page in pages():
    print(hashlib.sha256(page.encode()).hexdigest())
"""


def pages() -> list[str]:
    """Every static view in every theme and language."""
    run = make.result(findings=[make.finding()], outputs=[make.coverage(gap=True, overlap=True)])
    found = []
    for lang in ("zh", "en"):
        for theme in ("light", "dark", "auto"):
            found.append(view.timeline(run, theme=theme, lang=lang).html)
            found.append(view.coverage(run, theme=theme, lang=lang).html)
            found.append(view.metrics_table(run, theme=theme, lang=lang).html)
            found.append(view.findings(run, theme=theme, lang=lang).html)
            found += real(theme, lang)
    return found


def real(theme: Theme, lang: Lang) -> list[str]:
    """The views that need a run of the engine."""
    made = (
        view.memory(kernels.racy(), theme=theme, lang=lang),
        view.banks(kernels.racy(), theme=theme, lang=lang),
        view.steps(kernels.racy(), theme=theme, lang=lang, frames=2),
        view.balance(kernels.good(), theme=theme, lang=lang),
        view.dataflow(kernels.racy(), theme=theme, lang=lang),
        view.tiling(total=4096, theme=theme, lang=lang),
    )
    return [picture.html for picture in made]


def test_two_other_processes_draw_the_same(repository: Path) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", CODE],
            check=True,
            cwd=repository,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(repository)},
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert outputs[0] == outputs[1]
    assert len(outputs[0].split()) == len(set(outputs[0].split())) == 60


def test_no_path_address_or_date() -> None:
    told = re.compile(r"/home/|/tmp/|\b0x7f[0-9a-f]{6,}|20\d\d-\d\d-\d\d")
    assert [found.group() for page in pages() for found in told.finditer(page)] == []
