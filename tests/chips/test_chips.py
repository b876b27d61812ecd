"""The chips that ship: they load, every figure has a source, and they say what the documents do."""

from __future__ import annotations

import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

from ascend_lab import chips
from ascend_lab.chips.loading import FOLDER
from ascend_lab.chips.spec import VECTOR_OPS

ALL = ("Ascend310P3", "Ascend910B1", "Ascend910B3")


def figures(value: Any, path: str = "") -> list[str]:
    """Dotted paths of all numbers of a spec."""
    if is_dataclass(value):
        parts = [(f.name, getattr(value, f.name)) for f in fields(value) if f.name not in SKIP]
    elif isinstance(value, dict):
        parts = list(value.items())
    else:
        return [] if isinstance(value, (str, bool)) else [path]
    return [p for key, part in parts for p in figures(part, f"{path}.{key}" if path else key)]


SKIP = ("apis", "sources")


def test_names_and_default() -> None:
    assert chips.names() == ALL
    assert chips.DEFAULT == "Ascend910B1"
    assert chips.load().name == "Ascend910B1"


@pytest.mark.parametrize("name", ALL)
def test_every_figure_has_a_source_and_nothing_else_has(name: str) -> None:
    spec = chips.load(name)
    paths = figures(spec)
    assert len(paths) > 120
    assert sorted(paths) == sorted(spec.sources)
    assert all(spec.source(path).strip() for path in paths)


@pytest.mark.parametrize("name", ALL)
def test_two_loads_are_equal_and_not_shared(name: str) -> None:
    one, two = chips.load(name), chips.load(name)
    assert one == two
    assert one.apis is not two.apis


def test_a_spec_cannot_be_changed() -> None:
    spec = chips.load()
    with pytest.raises(FrozenInstanceError):
        spec.memory.ub_bytes = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "arch", "fused", "calibrated", "clock", "cores", "ub"),
    [
        ("Ascend910B1", 2201, False, True, 1850.0, 48, 196608),
        ("Ascend910B3", 2201, False, False, 1800.0, 40, 196608),
        ("Ascend310P3", 2002, True, False, 1060.0, 8, 262144),
    ],
)
def test_identity(
    name: str, arch: int, fused: bool, calibrated: bool, clock: float, cores: int, ub: int
) -> None:
    spec = chips.load(name)
    assert (spec.npu_arch, spec.fused, spec.calibrated) == (arch, fused, calibrated)
    assert (spec.clock_mhz, spec.vector_cores, spec.memory.ub_bytes) == (clock, cores, ub)
    assert spec.memory.ub_usable_bytes == ub  # InitBuffer itself stops at all of UB
    assert ("Not calibrated" in spec.calibration_note) is not calibrated
    assert ("未校准" in spec.calibration_note_zh) is not calibrated


def test_taken_over_figures_say_whose_they_are() -> None:
    spec = chips.load("Ascend310P3")
    assert spec.source("cost.vector.startup").startswith("as Ascend910B1 (fitted: ")
    assert spec.source("cost.vector.repeat.Exp.float16").startswith("as Ascend910B1 (mskpp: ")
    assert spec.source("cost.dma.mte2_rate").startswith("ini: ")


def test_scalar_cost_adds_up_to_what_was_published() -> None:
    scalar = chips.load().cost.scalar
    assert 2 * scalar.get_value + scalar.set_value == 34.0
    # A tile of a2_add_c1: two loads and a store.
    assert 3 * scalar.dma == pytest.approx(26.1, rel=0.02)
    assert scalar.dma_issue == chips.load().cost.dma.issue_interval_cycles == 20.6


def test_published_vector_time_of_one_tile() -> None:
    """add_high_performance case 1: 16384 tiles of 4096 half, sources in one bank group."""
    spec = chips.load()
    vector = spec.cost.vector
    repeats = 4096 * 2 // spec.limits.lanes_bytes
    cycles = vector.startup + repeats * vector.per_repeat("Add", "float16") * 2.0
    assert 16384 * cycles / spec.clock_mhz == pytest.approx(761.65, rel=0.01)


def test_cost_rows() -> None:
    vector = chips.load().cost.vector
    assert tuple(vector.repeat) == VECTOR_OPS
    assert vector.per_repeat("Exp", "float16") == 4.0
    assert vector.per_repeat("Exp", "float32") == 2.0
    assert vector.per_repeat("Cast", "float32>float16") == 0.5
    with pytest.raises(chips.ChipError) as caught:
        vector.per_repeat("WholeReduceSun", "float16")
    assert "WholeReduceSum" in caught.value.near


def test_unknown_chip_names_the_near_ones() -> None:
    with pytest.raises(chips.ChipError) as caught:
        chips.load("ascend910b")
    assert {"Ascend910B1", "Ascend910B3"} <= set(caught.value.near)
    assert "Ascend910B1" in caught.value.message("en")
    assert "是否指" in caught.value.message("zh")
    assert str(caught.value).count("\n") == 1


def test_unknown_source_path_names_the_near_ones() -> None:
    with pytest.raises(chips.ChipError) as caught:
        chips.load().source("memory.ub_byte")
    assert "memory.ub_bytes" in caught.value.near


def test_importing_needs_no_numpy() -> None:
    code = "import sys, ascend_lab.chips as c; c.load(); print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "False", run.stderr


def test_loading_is_cheap() -> None:
    """Less than 10 ms on an idle machine, mostly for reading TOML: so at most twice that here."""
    reading = min(_seconds(_read_toml) for _ in range(10))
    assert min(_seconds(chips.load) for _ in range(10)) < 2 * reading


def _read_toml() -> None:
    for name in ("Ascend910B1", "api"):
        tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
