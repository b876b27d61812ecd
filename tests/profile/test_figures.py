"""Metrics: msprof's names, means over cores, unions of intervals, honest labels."""

from __future__ import annotations

import json

import numpy as np
import pytest

from ascend_lab import chips
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile import Metrics, metrics
from ascend_lab.profile.figures import covered
from tests.view import make

CHIP = chips.load("Ascend910B1")
GM, UB = 0, 1
V, MTE2, MTE3, S = int(Pipe.V), int(Pipe.MTE2), int(Pipe.MTE3), int(Pipe.S)
OPS = ["DataCopy", "Add", "WaitFlag", "GetValue", "PipeBarrier"]


def row(
    serial: int,
    core: int,
    pipe: int,
    op: str,
    start: float,
    end: float,
    moved: int = 0,
    issue: float = 0.0,
) -> tuple[float, ...]:
    gm_in, gm_out = pipe == MTE2, pipe == MTE3
    dst = (GM if gm_out else UB, 0, moved)
    src = (GM if gm_in else UB, 0, moved)
    head = (serial, core, core, pipe, OPS.index(op), issue, start, end, 0, moved, moved)
    return (*head, -1, 0, 0, *dst, *src)


def small() -> Trace:
    """Core 0: 370 cycles (0.2 us); core 1: half of that, so that means and the slowest core differ."""
    return Trace.from_rows(
        [
            row(0, 0, MTE2, "DataCopy", 0, 185, 1850),
            row(1, 0, MTE2, "DataCopy", 185, 277.5, 1850),
            row(2, 0, V, "WaitFlag", 0, 277.5),
            row(3, 0, V, "Add", 277.5, 300),
            row(4, 0, V, "Add", 290, 314.5),
            row(5, 0, V, "PipeBarrier", 0, 314.5),
            row(6, 0, MTE3, "DataCopy", 314.5, 370, 925),
            row(7, 1, MTE2, "DataCopy", 0, 185, 1850),
        ],
        OPS,
        [("k.py", 1, "k")],  # type: ignore[list-item]
        [""],
        {"kernel": "add", "blocks": 2},
    )


def test_pipe_utilization_is_the_mean_over_cores() -> None:
    table = metrics(small(), CHIP).as_dict()["PipeUtilization"]
    scalar = table.pop("aiv_scalar_time(us)"), table.pop("aiv_scalar_ratio")
    assert table == pytest.approx(
        {
            "aiv_time(us)": 0.15,
            "aiv_total_cycles": 277.5,
            "aiv_vec_time(us)": 37 / 2 / 1850,
            "aiv_vec_ratio": 37 / 2 / 277.5,
            "aiv_mte2_time(us)": (0.15 + 0.1) / 2,
            "aiv_mte2_ratio": (277.5 + 185) / 2 / 277.5,
            "aiv_mte3_time(us)": 0.03 / 2,
            "aiv_mte3_ratio": 55.5 / 2 / 277.5,
            "aiv_mte2_active_bw(GB/s)": 3 * 1850 / 0.25 / 1e3,
            "aiv_mte3_active_bw(GB/s)": 925 / 0.03 / 1e3,
        }
    )
    assert 1.6 < float(scalar[0]) < 1.7  # that of the prologue, and the transfers


def test_task_duration_is_head_and_blocks_and_the_slowest_core() -> None:
    table = metrics(small(), CHIP).as_dict()["OpBasicInfo"]
    launch = CHIP.cost.launch
    assert table == {
        "Op Name": "add",
        "Op Type": "vector",
        "Task Duration(us)": pytest.approx(launch.head_us + 2 * launch.per_block_us + 0.2),
        "Block Dim": 2,
        "Rated Freq": 1850.0,
    }


def test_memory_counts_what_crosses_gm() -> None:
    assert metrics(small(), CHIP).as_dict()["Memory"] == {
        "GM_to_UB_datas(KB)": 3 * 1850 / 1024,
        "UB_to_GM_datas(KB)": 925 / 1024,
        "aiv_gm_to_ub_bw(GB/s)": pytest.approx(3 * 1850 / 0.3 / 1e3),
        "aiv_ub_to_gm_bw(GB/s)": pytest.approx(925 / 0.3 / 1e3),
        "aiv_mte2_instructions": 3,
        "aiv_mte3_instructions": 1,
    }


def test_scalar_time_is_transfers_and_own_work_without_waiting_and_what_others_do() -> None:
    cost, prologue = CHIP.cost.scalar, CHIP.cost.launch.prologue_scalar_us * CHIP.clock_mhz
    trace = Trace.from_rows(
        [
            row(0, 0, V, "Add", 500, 540, issue=0),
            row(1, 0, V, "Add", 540, 580, issue=300),
            row(2, 0, S, "WaitFlag", 310, 600, issue=310),
            row(3, 0, S, "GetValue", 600, 600 + cost.get_value, issue=590),
            row(4, 0, MTE3, "DataCopy", 640, 700, issue=620),
        ],
        OPS,
        [("k.py", 1, "k")],  # type: ignore[list-item]
        [""],
        {"blocks": 1},
    )
    found = metrics(trace, CHIP).cores[0].busy_cycles[Pipe.S]
    assert found == pytest.approx(prologue + cost.get_value + cost.dma)


def test_covered_is_the_length_of_the_union() -> None:
    start = np.array([30.0, 0.0, 5.0, 50.0, 52.0])
    end = np.array([40.0, 10.0, 20.0, 60.0, 55.0])
    assert covered(start, end) == 40.0
    assert covered(np.zeros(0), np.zeros(0)) == 0.0


def test_per_core_rows() -> None:
    rows = metrics(small(), CHIP).per_core()
    assert [r["core"] for r in rows] == [0, 1]
    assert [r["aiv_time(us)"] for r in rows] == pytest.approx([0.2, 0.1])
    assert [r["aiv_mte2_ratio"] for r in rows] == pytest.approx([0.75, 1.0])
    assert [r["UB_to_GM_datas(KB)"] for r in rows] == [925 / 1024, 0.0]


def test_waves_on_one_core_are_its_blocks() -> None:
    rows = [
        (0, 0, 0, V, 1, 0.0, 0.0, 40.0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
        (1, 3, 0, V, 1, 50.0, 50.0, 90.0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0),
    ]
    trace = Trace.from_rows(rows, OPS, [], [""], {"blocks": 4})
    core = metrics(trace, CHIP).cores[0]
    assert (core.blocks, core.total_cycles, core.busy_cycles[Pipe.V]) == ((0, 3), 90.0, 80.0)


def test_it_is_a_mapping_of_msprof_names() -> None:
    found = metrics(small(), CHIP)
    assert found["aiv_mte2_time(us)"] == pytest.approx(0.125)
    assert list(found) == [name for table in found.as_dict().values() for name in table]
    assert len(found) == len(list(found))
    with pytest.raises(KeyError):
        found["aiv_cube_time(us)"]
    json.dumps(found.as_dict())


def test_a_fused_core_has_msprof_names_of_its_own() -> None:
    found = metrics(small(), chips.load("Ascend310P3"))
    assert "aic_vec_time(us)" in found
    assert not [name for name in found if name.startswith("aiv_")]


def test_bottleneck() -> None:
    assert metrics(small(), CHIP).bottleneck == "mte2"
    assert metrics(Trace.from_rows([], [], [], [], {}), CHIP).bottleneck == ""


def test_an_empty_trace_has_no_busy_time() -> None:
    found = metrics(Trace.from_rows([], [], [], [], {"blocks": 1}), CHIP)
    launch = CHIP.cost.launch
    assert found["Task Duration(us)"] == pytest.approx(launch.head_us + launch.per_block_us)
    assert {v for k, v in found.items() if k.endswith(("_ratio", "_bw(GB/s)"))} == {0.0}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("chip", chips.names())
def test_every_chip_says_how_far_to_trust_mte(chip: str, lang: str) -> None:
    told = metrics(small(), chips.load(chip)).accuracy(lang)
    assert "MTE2" in told
    assert "35 %" in told
    assert "75 %" in told


def test_an_uncalibrated_chip_says_so_in_every_display() -> None:
    found = metrics(small(), chips.load("Ascend310P3"))
    assert "not calibrated" in repr(found)
    assert "Not calibrated" in found.accuracy("en")
    assert "未校准" in found.accuracy("zh")
    assert "Not calibrated" in found._repr_html_()
    good = metrics(small(), CHIP)
    assert "calibrated" not in repr(good)


def test_only_mte_figures_are_marked_indicative() -> None:
    lines = repr(metrics(small(), CHIP)).splitlines()
    marked = [line.split()[0] for line in lines if "±35 %" in line or "±75 %" in line]
    assert marked == [
        *("aiv_mte2_time(us)", "aiv_mte2_ratio", "aiv_mte3_time(us)", "aiv_mte3_ratio"),
        *("aiv_mte2_active_bw(GB/s)", "aiv_mte3_active_bw(GB/s)"),
    ]


def test_repr_is_a_table() -> None:
    assert repr(metrics(make.trace(), CHIP)).splitlines()[:7] == [
        "add_kernel on Ascend910B1",
        "OpBasicInfo",
        "  Op Name                     add_kernel",
        "  Op Type                     vector",
        "  Task Duration(us)           2.515",
        "  Block Dim                   2",
        "  Rated Freq                  1850",
    ]


def test_double_buffering_shows_in_the_ratios() -> None:
    """The same Add with one buffer a tensor: longer, and MTE2 waits."""
    one, two = (metrics(make.trace(buffers=n), CHIP) for n in (1, 2))
    assert isinstance(one, Metrics)
    assert one["aiv_mte2_ratio"] < 0.85 < two["aiv_mte2_ratio"]  # type: ignore[operator]
    assert one["aiv_vec_time(us)"] == two["aiv_vec_time(us)"]
