"""One table of kernels runs against both doors: the same instructions at the same times, the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.ascendc import CppKernel, kernels
from ascend_lab.device import Device, Result
from ascend_lab.engine.trace import COLUMNS, Trace
from tests.ascendc import cases as twins
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
