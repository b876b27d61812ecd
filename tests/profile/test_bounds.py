"""What the diagnosis promises is what the change gains, within a third or 5 points; of kernels whose bound is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ascend_lab import Device, chips, tuning
from ascend_lab.commands.launches import Source
from ascend_lab.profile import Diagnosis, diagnose
from tests.checks import fixtures
from tests.profile.bounds import CASES, Case, diagnosed, gained

SOURCE = Path(__file__).parents[1] / "ascendc" / "sources" / "add.asc"


def kept(promised: float, real: float) -> bool:
    return abs(promised - real) <= max(abs(real) / 3, 0.05)


def _holds(case: Case) -> None:
    seen = diagnosed(case)
    assert seen.bound in case.bounds
    if seen.first is not None:
        assert seen.first.change in case.fast, seen.first
    for gain in seen.gains:
        if gain.change in case.fast:
            real = gained(case, seen, gain)
            assert kept(gain.gain, real), (gain.change, gain.gain, real)


@pytest.mark.parametrize("case", [c for c in CASES if c.daily], ids=lambda case: case.name)
def test_promised_and_gained(case: Case) -> None:
    _holds(case)


@pytest.mark.nightly
@pytest.mark.parametrize("case", [c for c in CASES if not c.daily], ids=lambda case: case.name)
def test_promised_and_gained_of_larger_kernels(case: Case) -> None:
    _holds(case)


def test_where_nothing_is_promised_nothing_is_named() -> None:
    """At least a dozen kernels, of every bound that there is."""
    assert len(CASES) >= 12
    bounds = {bound for case in CASES for bound in case.bounds}
    assert {"MTE2", "MTE3", "V", "S", "latency", "imbalance", "bank conflict", "launch"} <= bounds


# --- the C++ door -------------------------------------------------------------------------------------


def _program(rows: int, blocks: int, tile: int) -> tuple[float, Diagnosis]:
    source = Source(SOURCE, [str(rows), str(blocks), str(tile)], None)
    ((_, result),) = source.run(aside=True).results
    assert not result.findings.errors

    def again(change: object) -> float:
        return source.again(change).results[0][1].time_us  # type: ignore[arg-type]

    return result.time_us, diagnose(result.trace, result.spec, again)


def _time(rows: int, blocks: int, tile: int) -> float:
    source = Source(SOURCE, [str(rows), str(blocks), str(tile)], None)
    return source.run(aside=True).results[0][1].time_us


@pytest.mark.nightly
def test_programs_of_the_cpp_door() -> None:
    pytest.importorskip("ascend_lab.ascendc.building").compiler()
    now, seen = _program(256, 4, 128)
    assert seen.bound in ("latency", "S")
    assert seen.first is not None
    assert seen.first.change == "tile"
    real = 1 - _time(256, 4, 128 * seen.first.numbers["factor"]) / now
    assert kept(seen.first.gain, real), (seen.first.gain, real)
    now, seen = _program(512, 1, 8192)
    assert (seen.bound, seen.first.change if seen.first else "") == ("imbalance", "cores")
    assert seen.first is not None
    cores = 1 << (seen.first.numbers["best"].bit_length() - 1)
    real = 1 - _time(512, cores, min(8192, 512 * 512 // cores)) / now
    assert kept(seen.first.gain, real), (seen.first.gain, real)


@pytest.mark.nightly
def test_the_hint_past_l2_is_named_where_it_helps() -> None:
    pair = fixtures.load("K11")
    spec = pair.bad.small(chips.load("Ascend910B1"))
    x = np.ones(pair.bad.TILE * pair.bad.TILES * pair.bad.CORES, np.float32)
    seen = tuning.bottleneck(pair.bad.kernel, pair.bad.CORES, x, np.zeros_like(x), chip=spec)
    gain = next(gain for gain in seen.gains if gain.change == "hint")
    assert gain.numbers == {"arrays": "x"}
    done = Device(spec).launch(pair.good.kernel, pair.bad.CORES, x, np.zeros_like(x))
    real = 1 - done.time_us / seen.time_us
    assert kept(gain.gain, real), (gain.gain, real)
