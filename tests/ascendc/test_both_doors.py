"""One table of kernels runs against both doors: the same instructions at the same times, the same bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.ascendc import CppKernel, kernels
from ascend_lab.device import Device, Result
from ascend_lab.engine.trace import COLUMNS, Trace
from tests.ascendc import cases as twins
from tests.ascendc import row_twins
from tests.ascendc import twins as long_twins
from tests.ascendc.conftest import SOURCES

CASES = [name for name, value in vars(twins).items() if isinstance(value, JITFunction)]
#: What differs by nature: numbers of lines, and names by their place in a table.
APART = ("where", "op")


def same_trace(one: Trace, other: Trace) -> None:
    assert [one.ops[k] for k in one.op] == [other.ops[k] for k in other.op]
    for column in COLUMNS:
        if column not in APART:
            np.testing.assert_array_equal(getattr(one, column), getattr(other, column), column)


def said(result: Result) -> list[str]:
    return [finding.id for finding in result.findings]


def run(kernel: Any, schedule: str) -> tuple[Result, bytes]:
    x, z = np.arange(64, dtype=np.float32) / 8, np.zeros(64, np.float32)
    result = Device(schedule=schedule).launch(kernel, 2, x, z)
    return result, z.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_the_same_case_is_the_same_in_both_doors(name: str, cases: dict[str, CppKernel]) -> None:
    mine, my_bytes = run(cases[name], "realistic")
    its, its_bytes = run(getattr(twins, name), "realistic")
    same_trace(mine.trace, its.trace)
    assert said(mine) == said(its)
    assert mine.cycles == its.cycles
    assert my_bytes == its_bytes
    assert list(mine.trace.details.marks) == list(its.trace.details.marks)
    assert list(mine.trace.details.places) == list(its.trace.details.places)


def test_every_case_has_a_twin(cases: dict[str, CppKernel]) -> None:
    assert sorted(cases) == sorted(CASES)


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_add_is_the_same_in_both_doors(schedule: str) -> None:
    rng = np.random.default_rng(7)
    x, y = (rng.random(96 * 96).astype(np.float16) for _ in range(2))
    kernel = kernels(SOURCES / "add.asc")["add_custom"]
    results = []
    for one in (kernel, long_twins.add):
        z = np.zeros_like(x)
        results.append((Device(schedule=schedule).launch(one, 4, x, y, z, x.size, 128), z))
    (mine, my_z), (its, its_z) = results
    assert my_z.tobytes() == its_z.tobytes() == (x + y).tobytes()
    same_trace(mine.trace, its.trace)
    assert mine.cycles == its.cycles
    assert said(mine) == said(its) == []


Matrix = NDArray[Any]


def softmax(x: Matrix) -> Matrix:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x: Matrix, gamma: Matrix, beta: Matrix) -> Matrix:
    deviation = np.sqrt(x.var(axis=1, keepdims=True) + row_twins.EPSILON)
    return (x - x.mean(axis=1, keepdims=True)) / deviation * gamma + beta


@dataclass(frozen=True)
class Rows:
    """A kernel over the rows of a matrix: its shape, its weights, what it computes and how exactly."""

    name: str
    golden: Any
    dtype: type
    rows: int
    columns: int
    weights: int
    tolerance: float


#: By basic instructions rows that are no whole blocks; the library takes whole blocks.
ROWS = [
    Rows("softmax", softmax, np.float32, 12, 77, 0, 1e-6),
    Rows("layer_norm", layer_norm, np.float32, 12, 77, 2, 2e-6),
    Rows("softmax_by_library", softmax, np.float16, 16, 64, 0, 2e-4),
    Rows("layer_norm_by_library", layer_norm, np.float32, 16, 64, 2, 2e-6),
]


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.name)
def test_softmax_and_layer_norm_are_the_same_in_both_doors(case: Rows, schedule: str) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(case.rows, case.columns)).astype(case.dtype)
    weights = [rng.normal(size=case.columns).astype(case.dtype) for _ in range(case.weights)]
    results = []
    for kernel in (kernels(SOURCES / "rows.asc")[case.name], getattr(row_twins, case.name)):
        z = np.zeros_like(x)
        given = (x, *weights, z, case.rows, case.columns)
        results.append((Device(schedule=schedule).launch(kernel, 4, *given, outputs=["z"]), z))
    (mine, my_z), (its, its_z) = results
    assert my_z.tobytes() == its_z.tobytes()
    same_trace(mine.trace, its.trace)
    assert mine.cycles == its.cycles
    assert said(mine) == said(its) == []
    expected = case.golden(*(array.astype(np.float64) for array in (x, *weights)))
    np.testing.assert_allclose(my_z, expected, rtol=0, atol=case.tolerance)
