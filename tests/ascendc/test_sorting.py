"""Sort, Extract and TopK of the library against NumPy, and the host's half of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ascend_lab.ascendc import CppKernel, build, kernels, run
from ascend_lab.device import Device
from tests.ascendc.conftest import SOURCES

SCHEDULES = ["realistic", "adversarial"]
HOST = """#include "tiling/tiling_api.h"
#include <cstdio>
int main()
{
    using namespace AscendC;
    auto platform = *platform_ascendc::PlatformAscendCManager::GetInstance();
    uint32_t most = 0, least = 0;
    const bool known = GetTopKMaxMinTmpSize(platform, 64, 2, false, false, TopKMode::TOPK_NORMAL, true, 4, most, least);
    optiling::TopkTiling tiling;
    AscendC::tiling::TopkTiling plain;
    TopKTilingFunc(platform, 64, 2, 5, 4, false, TopKMode::TOPK_NORMAL, true, tiling);
    TopKTilingFunc(platform, 64, 2, 5, 4, false, TopKMode::TOPK_NORMAL, true, plain);
    const bool odd = GetTopKMaxMinTmpSize(platform, 33, 2, false, false, TopKMode::TOPK_NORMAL, true, 4, most, least);
    std::printf("%d %u %u %d %d %d %u\\n", known, least, most, tiling.get_kAlignFourBytes(), plain.innerDataSize, odd,
        GetSortTmpSize(platform, 128, 4));
}
"""


@pytest.fixture(scope="module")
def sorting() -> dict[str, CppKernel]:
    return kernels(SOURCES / "sorting.asc")


def descending(x: NDArray[Any]) -> NDArray[np.int64]:
    return np.argsort(-x.astype(np.float64), kind="stable")


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("name", "count"), [("sort_float", 32), ("sort_float", 1056), ("sort_half", 672)]
)
def test_all_are_sorted(
    name: str, count: int, schedule: str, sorting: dict[str, CppKernel]
) -> None:
    dtype = np.float16 if name == "sort_half" else np.float32
    x = np.random.default_rng(4).integers(-99, 99, count).astype(dtype)  # some are equal
    values, index = np.zeros(count, dtype), np.zeros(count, np.uint32)
    result = Device(schedule=schedule).launch(
        sorting[name], 1, x, values, index, count, outputs=["values", "index"]
    )
    assert list(result.findings) == []
    order = descending(x)
    np.testing.assert_array_equal(values, x[order])
    np.testing.assert_array_equal(index, order)


#: kernel, type, rows, inner, n, k, bytes that each row of values is a multiple of (1: packed)
TOPS = [
    ("top_rows", np.float32, 3, 96, 90, 10, 32),
    ("top_halves", np.float16, 2, 64, 64, 5, 32),
    ("top_small", np.float32, 8, 32, 30, 3, 1),
]


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("case", TOPS, ids=lambda case: case[0])
def test_the_best_of_every_row(
    case: Any, largest: bool, schedule: str, sorting: dict[str, CppKernel]
) -> None:
    name, dtype, rows, inner, n, k, unit = case
    worst = -np.inf if largest else np.inf
    x = np.random.default_rng(9).normal(size=(rows, inner)).astype(dtype)
    x[:, n:] = worst
    finish = np.zeros(32, np.uint8)
    finish[1] = name == "top_rows"
    apart = -(-k * x.itemsize // unit) * unit // x.itemsize
    index_apart = -(-k * 4 // unit) * unit // 4
    values = np.zeros((rows, apart), dtype)
    index = np.zeros((rows, index_apart), np.int32)
    given = (x, finish, values, index, rows, inner, n, k, int(largest))
    result = Device(schedule=schedule).launch(sorting[name], 1, *given, outputs=["values", "index"])
    assert list(result.findings) == []
    for row in range(rows):
        order = descending(x[row] if largest else -x[row])[:k]
        np.testing.assert_array_equal(values[row, :k], x[row][order])
        first = 0 if name == "top_rows" else 100  # the kernel brings its own numbers
        expected = np.full(k, n) if finish[row] else order + first
        np.testing.assert_array_equal(index[row, :k], expected)


def test_a_shape_that_topk_does_not_take_is_told(sorting: dict[str, CppKernel]) -> None:
    x, finish = np.zeros((2, 96), np.float32), np.zeros(32, np.uint8)
    values, index = np.zeros((2, 128), np.float32), np.zeros((2, 128), np.int32)
    result = Device().launch(sorting["top_rows"], 1, x, finish, values, index, 2, 96, 90, 97, 1)
    assert "1 <= k <= n <= inner" in result.findings[0].message("en")


def test_the_host_gives_sizes_and_tiling(tmp_path: Path) -> None:
    source = tmp_path / "sizes.cpp"
    source.write_text(HOST)
    with (tmp_path / "out").open("wb") as out:
        outcome = run(build([source]), folder=tmp_path, stdout=out)
    assert outcome.code == 0
    needed = 64 * (8 + 8 + 4 + 4)
    assert (tmp_path / "out").read_text() == f"1 {needed} {needed} 8 64 0 1024\n"
