"""A project as msopgen's users write them: four types by DTYPE_X, a tiling key for lengths with a rest, bf16 through float."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from ascend_lab import chips
from ascend_lab.ascendc.project import Project
from ascend_lab.device import Device

SPEC = chips.load(chips.DEFAULT)
NIGHTLY = pytest.mark.nightly


@pytest.fixture(scope="module")
def project() -> Project:
    return Project(Path(__file__).with_name("keys"), SPEC)


@pytest.mark.parametrize(
    ("dtype", "shape", "key"),
    [
        (np.float16, (37, 83), 2),
        pytest.param(np.float16, (8, 2048), 1, marks=NIGHTLY),
        pytest.param(np.float32, (37, 83), 2, marks=NIGHTLY),
        pytest.param(np.int32, (3,), 2, marks=NIGHTLY),
        pytest.param(ml_dtypes.bfloat16, (8, 2048), 1, marks=NIGHTLY),
        pytest.param(ml_dtypes.bfloat16, (37, 83), 2, marks=NIGHTLY),
    ],
)
@pytest.mark.parametrize("schedule", ["realistic", pytest.param("adversarial", marks=NIGHTLY)])
def test_every_type_and_key_is_right(
    project: Project, dtype: Any, shape: tuple[int, ...], key: int, schedule: str
) -> None:
    random = np.random.default_rng(5)
    inputs = {name: random.integers(1, 9, shape).astype(dtype) for name in ("x", "bias")}
    ran = project.run(project.prototype(), inputs, {"scale": 3.0}, Device(SPEC, schedule=schedule))
    assert ran.ok
    assert ran.ready.tiling is not None
    assert ran.ready.tiling.key == key
    assert ran.result is not None
    assert list(ran.result.findings) == []
    wanted = 3 * inputs["x"].astype(np.float64) + inputs["bias"].astype(np.float64)
    np.testing.assert_array_equal(ran.outputs["y"].astype(np.float64), wanted)
