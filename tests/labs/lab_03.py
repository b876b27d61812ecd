"""What the tests of lab 03 share: its kernels, and running one."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result

BANK = Path(__file__).resolve().parents[2] / "exam_bank"
KERNELS = BANK / "kernels" / "03"


def text(name: str) -> str:
    """The source of a kernel of the bank."""
    return (KERNELS / name).read_text(encoding="utf-8")


def kernel(source: str, name: str, folder: Path) -> Any:
    """The kernel ``name`` of a source text, from a file in ``folder``."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"lab_03_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    module.__dict__["asc"] = asc  # as in the notebook, where the first cell imports it
    spec.loader.exec_module(module)
    return getattr(module, name)


def add(
    source: str,
    name: str,
    folder: Path,
    n: int = 2088,
    blocks: int = 8,
    chip: str = "Ascend910B1",
    schedule: str = "realistic",
) -> tuple[Result, int]:
    """Run an addition of ``n`` elements; the result and how many of them are right."""
    x = np.arange(n, dtype=np.float32)
    y = x[::-1].copy()
    z = np.full(n, np.nan, np.float32)
    made = kernel(source, name, folder)
    outputs = [made.parameters[2]]
    result = Device(chip, schedule=schedule).launch(made, blocks, x, y, z, n, outputs=outputs)
    return result, int(np.count_nonzero(z == x + y))


def changed(source: str, *edits: tuple[str, str]) -> str:
    """``source`` after edits, each of which must find its place exactly once."""
    for old, new in edits:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source
