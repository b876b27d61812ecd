"""Speed of the C++ door: compiling a sample, and an Add of 8192 x 8192 halves with its host program.

    python benchmarks/cpp.py [--rounds 3] [--json FILE] [--source FILE]

Compile: cold (nothing was ever built), warm (the source has changed), again (nothing has). Add: 48 blocks, tiles of
16 384 elements, without and with all checks; the ratio compares with NumPy doing the same copies and additions tile
by tile in the same run. Times are CPU seconds of this process and the program's. NumPy and the two kinds of Add take
turns, and the best of the rounds counts: a machine that others use too is now fast, now slow.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import build, run

SOURCE = Path(__file__).parents[1] / "tests" / "ascendc" / "sources" / "add.asc"
SIDE, BLOCKS, TILE = 8192, 48, 16384


def cpu() -> float:
    """CPU seconds of this process and of those it has waited for."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(one) for one in who]
    return sum(one.ru_utime + one.ru_stime for one in used)


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """(CPU seconds, wall seconds) of ``work``."""
    started, clock = cpu(), time.perf_counter()
    work()
    return cpu() - started, time.perf_counter() - clock


def compiling(source: Path) -> dict[str, float]:
    """Cold, warm and repeated builds in a cache folder of their own."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        copy = Path(shutil.copy(source, folder))
        figures = {}
        for name in ("cold", "warm", "again"):
            if name == "warm":
                wait_for_header(Path(folder))
                copy.write_text(copy.read_text("utf-8") + "\n", "utf-8")
            used, wall = timed(lambda: build([copy]))
            figures[f"compile_{name}_cpu_s"], figures[f"compile_{name}_wall_s"] = used, wall
    del os.environ["XDG_CACHE_HOME"]
    return figures


def wait_for_header(folder: Path) -> None:
    """The header is precompiled behind the first build."""
    for _ in range(600):
        if any(folder.rglob("prelude.h.gch")):
            return
        time.sleep(0.1)


def by_numpy() -> None:
    """The same copies and additions, tile by tile."""
    x, y, z = (np.ones(SIDE * SIDE, np.float16) for _ in range(3))
    for start in range(0, x.size, TILE):
        part = slice(start, start + TILE)
        a, b = x[part].copy(), y[part].copy()
        z[part] = a + b


def adding(checks: bool) -> tuple[float, float]:
    """The whole program: host code, copies, 65 536 instructions, comparison."""
    built = build([SOURCE])
    device = HostDevice(checks=checks)
    arguments = [str(number) for number in (SIDE, BLOCKS, TILE)]
    with tempfile.TemporaryFile() as printed:
        return timed(lambda: run(built, arguments, device=device, stdout=printed))


def once() -> dict[str, float]:
    """One round: NumPy, the Add alone, the Add with all checks."""
    found = {"numpy_cpu_s": timed(by_numpy)[0]}
    for name, checks in (("add", False), ("add_checked", True)):
        found[f"{name}_cpu_s"], found[f"{name}_wall_s"] = adding(checks)
    return found


def best(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    """The least of each figure, and how often as long as NumPy that is."""
    least = {name: min(found[name] for found in rounds) for name in rounds[0]}
    ratios = {
        f"{name}_ratio": least[f"{name}_cpu_s"] / least["numpy_cpu_s"]
        for name in ("add", "add_checked")
    }
    return least | ratios


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--source", type=Path, default=SOURCE, help="what to compile")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    figures: dict[str, Any] = compiling(arguments.source)
    build([SOURCE])
    figures |= best([once() for _ in range(arguments.rounds)])
    for name, value in figures.items():
        print(f"{name:24} {value:8.2f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1), "utf-8")


if __name__ == "__main__":
    main()
