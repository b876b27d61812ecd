"""Roofline, HAP, the experiment log, and the diagnosis, which is made by running again."""

from __future__ import annotations

import numpy as np
import pytest

from ascend_lab import Device, chips, tuning
from ascend_lab.engine.errors import LabError
from ascend_lab.profile import Experiments, hap, roofline
from ascend_lab.profile.whatif import Change, aligned, faster, larger_tiles
from tests.checks import fixtures
from tests.profile import kernels

SPEC = chips.load("Ascend910B1")


def test_hap() -> None:
    assert hap(100.0, 100.0, 20.0) == 0.5
    assert hap(100.0, 20.0, 20.0) == hap(100.0, 10.0, 20.0) == 1.0
    assert hap(100.0, 60.0, 20.0) == pytest.approx(80 / 120)
    for wrong in ((20.0, 30.0, 20.0), (0.0, 1.0, 1.0), (1.0, 1.0, -1.0)):
        with pytest.raises(ValueError, match="must be"):
            hap(*wrong)


def test_roofline_has_the_limits_of_the_chip() -> None:
    roof = roofline(kernels.run().trace, SPEC)
    assert roof.memory_rate == SPEC.cost.dma.hbm_rate
    assert roof.vector_rate == pytest.approx(64 * 48 * 1.85)
    assert roof.intensity == pytest.approx(1 / 12)
    assert roof.side == "memory"
    assert roof.roof == pytest.approx(roof.memory_rate / 12)
    assert roof.rate < roof.roof
    assert 0 < roof.share < 1


def test_more_cores_come_nearer_to_the_roof() -> None:
    shares = [
        roofline(kernels.run(blocks=b, n=1 << 18, tile=4096).trace, SPEC).share for b in (1, 4, 16)
    ]
    assert shares == sorted(shares)
    assert shares[-1] > 5 * shares[0]


def test_one_knob_at_a_time() -> None:
    log = Experiments()
    log.add("base", 100.0, cores=1, tile=1024)
    log.add("cores", 30.0, cores=8, tile=1024)
    log.add("tile", 24.0, cores=8, tile=4096)
    assert [(step.knob, round(step.gain, 2)) for step in log.steps()] == [
        ("cores", 0.7),
        ("tile", 0.2),
    ]
    assert "tile: 1024 → 4096" in log.steps()[1].text()
    with pytest.raises(LabError) as caught:
        log.compare("base", "tile")
    for lang, first in (("zh", "只把 cores 改成 8"), ("en", "only sets cores to 8")):
        text = caught.value.message(lang)
        assert "cores: 1 → 8" in text
        assert "tile: 1024 → 4096" in text
        assert first in text


def test_the_log_refuses_what_cannot_be_compared() -> None:
    log = Experiments()
    log.add("a", 1.0, tile=1)
    log.add("same", 2.0, tile=1)
    for call in (
        lambda: log.compare("a", "same"),
        lambda: log.compare("a", "b"),
        lambda: log.add("a", 3.0, tile=2),
        lambda: log.add("c", 3.0, tile=2, cores=4),
    ):
        with pytest.raises(LabError):
            call()


@pytest.mark.parametrize("unit", ["MTE2", "MTE3", "V", "S", "latency"])
def test_a_faster_unit_is_never_slower(unit: str) -> None:
    now = kernels.run().time_us
    then = tuning.Changed(SPEC, Change(unit, faster(unit))).launch(
        kernels.add, 4, *kernels.arguments()
    )
    assert then.time_us <= now
    assert then.spec is not SPEC


def test_what_if_two_buffers_is_what_two_buffers_take() -> None:
    """The wait that is left out gives the time that InitBuffer(queue, 2, ...) would."""
    change = Change("buffers", more_buffers=True)
    values = kernels.arguments(buffers=1)
    asked = tuning.Changed(SPEC, change).launch(kernels.add, 4, *values)
    done = kernels.run(buffers=2)
    assert asked.time_us == pytest.approx(done.time_us, rel=0.02)
    assert asked.time_us < 0.97 * kernels.run(buffers=1).time_us
    assert np.array_equal(values[2], np.full(65536, 65535, np.float32))


def test_what_if_a_larger_tile_is_what_a_larger_tile_takes() -> None:
    asked = tuning.Changed(SPEC, Change("tile", larger_tiles(4))).launch(
        kernels.add, 4, *kernels.arguments(n=1 << 18, buffers=2)
    )
    done = kernels.run(n=1 << 18, tile=4096, buffers=2)
    assert asked.time_us == pytest.approx(done.time_us, rel=0.08)


def test_unaligned_bursts_cost_nothing_when_nothing_is_unaligned() -> None:
    change = Change("align", aligned)
    then = tuning.Changed(SPEC, change).launch(kernels.add, 4, *kernels.arguments())
    assert then.time_us == kernels.run().time_us


def test_the_diagnosis_names_bound_and_change() -> None:
    small = tuning.bottleneck(kernels.add, 4, *kernels.arguments(n=4 * 4096, tile=128))
    assert small.bound in ("latency", "S")
    assert small.first is not None
    assert "tile" in [gain.change for gain in small.gains]
    assert small.first.time_us < small.time_us
    lone = tuning.bottleneck(kernels.add, 1, *kernels.arguments(tile=4096, buffers=2))
    assert lone.bound == "imbalance"
    assert lone.first is not None
    assert lone.first.change == "cores"
    for lang in ("zh", "en"):
        assert all("{" not in line for line in lone.lines(lang))
    assert lone.as_dict()["bound"] == "imbalance"


def test_the_diagnosis_sees_a_scalar_loop() -> None:
    found = fixtures.load("K3").bad
    x, z = np.ones(256, np.float32), np.zeros(256, np.float32)
    seen = tuning.bottleneck(found.kernel, 1, x, z)
    assert seen.bound == "S"
    assert seen.first is not None
    assert seen.first.change == "scalar"


def test_a_wrong_kernel_is_no_slow_kernel() -> None:
    with pytest.raises(LabError):
        tuning.bottleneck(kernels.add, 4, *kernels.arguments(tile=65536))


def test_other_chips_say_that_they_are_not_calibrated() -> None:
    seen = tuning.bottleneck(kernels.add, 4, *kernels.arguments(), chip="Ascend310P3")
    assert "not calibrated" in seen.lines("en")[0]
    assert "未校准" in seen.lines("zh")[0]
    assert Device().spec.calibrated
