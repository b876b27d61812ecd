"""Every CSV file against the fields that the msOpProf guide lists for it: names, units, types.

Source: MindStudio msOpProf user guide, docs/zh/user_guide/msopprof_performance_data.md: the tables of Atlas A2 and of
the inference products (310P). ``ai*`` there stands for aic and aiv, ``r*`` for two channels, ``id*`` for a number.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from ascend_lab import chips
from ascend_lab.profile import save_tables
from ascend_lab.profile.tables import COLUMNS, columns
from tests.profile import kernels

_HEAD = "block_id sub_block_id aic_time(us) aic_total_cycles aiv_time(us) aiv_total_cycles "
A2 = {
    "OpBasicInfo": (
        "Op_Name Op_Type Task_Duration(us) Block_Dim Mix_Block_Dim Device_ID PID Current_Freq Rated_Freq"
    ),
    "PipeUtilization": _HEAD
    + """aiv_vec_time(us) aiv_vec_ratio aic_cube_time(us) aic_cube_ratio ai*_scalar_time(us) ai*_scalar_ratio
    aic_fixpipe_time(us) aic_fixpipe_ratio aic_mte1_time(us) aic_mte1_ratio ai*_mte2_time(us) ai*_mte2_ratio
    ai*_mte3_time(us) ai*_mte3_ratio ai*_icache_miss_rate aic_mte3_active_bw(GB/s) aiv_mte3_active_bw(GB/s)
    aic_fixpipe_active_bw(GB/s) aiv_mte2_active_bw(GB/s)""",
    "ArithmeticUtilization": _HEAD
    + """aic_cube_ratio aic_cube_fp16_ratio aic_cube_int8_ratio aic_cube_fops aic_cube_total_instr_number
    aic_cube_fp_instr_number aic_cube_int_instr_number aiv_vec_ratio aiv_vec_fp32_ratio aiv_vec_fp16_ratio
    aiv_vec_int32_ratio aiv_vec_int16_ratio aiv_vec_misc_ratio aiv_vec_fops""",
    "Memory": _HEAD
    + """aiv_ub_to_gm_bw(GB/s) aiv_gm_to_ub_bw(GB/s) aic_l1_read_bw(GB/s) aic_l1_write_bw(GB/s)
    ai*_main_mem_read_bw(GB/s) ai*_main_mem_write_bw(GB/s) aic_mte1_instructions aic_mte1_ratio
    ai*_mte2_instructions ai*_mte2_ratio ai*_mte3_instructions ai*_mte3_ratio read_main_memory_datas(KB)
    write_main_memory_datas(KB) GM_to_L1_datas(KB) L1_to_GM_datas(KB)(estimate) L0C_to_L1_datas(KB)
    L0C_to_GM_datas(KB) GM_to_UB_datas(KB) UB_to_GM_datas(KB) GM_to_L1_bw_usage_rate(%)
    L1_to_GM_bw_usage_rate(%)(estimate) L0C_to_L1_bw_usage_rate(%) L0C_to_GM_bw_usage_rate(%)
    GM_to_UB_bw_usage_rate(%) UB_to_GM_bw_usage_rate(%)""",
    "MemoryL0": _HEAD
    + """aic_l0a_read_bw(GB/s) aic_l0a_write_bw(GB/s) aic_l0b_read_bw(GB/s) aic_l0b_write_bw(GB/s)
    aic_l0c_read_bw_cube(GB/s) aic_l0c_write_bw_cube(GB/s)""",
    "MemoryUB": _HEAD
    + """aiv_ub_read_bw_vector(GB/s) aiv_ub_write_bw_vector(GB/s) aiv_ub_read_bw_scalar(GB/s)
    aiv_ub_write_bw_scalar(GB/s)""",
    "L2Cache": _HEAD
    + """ai*_write_cache_hit ai*_write_cache_miss_allocate ai*_r*_read_cache_hit
    ai*_r*_read_cache_miss_allocate ai*_write_hit_rate(%) ai*_read_hit_rate(%) ai*_total_hit_rate(%)""",
    "ResourceConflictRatio": _HEAD
    + """aic_cube_wait_ratio aiv_vec_total_cflt_ratio aiv_vec_bankgroup_cflt_ratio aiv_vec_bank_cflt_ratio
    aiv_vec_resc_cflt_ratio aiv_vec_mte_cflt_ratio aiv_vec_wait_ratio aic_mte1_wait_ratio ai*_mte2_wait_ratio
    ai*_mte3_wait_ratio""",
}
_ONE = "aic_time(us) aic_total_cycles "
INFERENCE = {
    "OpBasicInfo": (
        "Op_Name Op_Type Task_Duration(us) Block_Dim Device_ID PID Current_Freq Rated_Freq"
    ),
    "PipeUtilization": _ONE
    + """aic_cube_time(us) aic_cube_ratio aic_scalar_time(us) aic_scalar_ratio aic_mte1_time(us) aic_mte1_ratio
    aic_mte2_time(us) aic_mte2_ratio aic_mte3_time(us) aic_mte3_ratio aic_icache_miss_rate aic_vec_time(us)
    aic_vec_ratio""",
    "ArithmeticUtilization": _ONE
    + """aic_cube_ratio aic_cube_fp16_ratio aic_cube_int8_ratio aic_cube_fops aic_cube_total_instr_number
    aic_vec_ratio aic_vec_fp32_ratio aic_vec_fp16_ratio aic_vec_int32_ratio aic_vec_int16_ratio
    aic_vec_misc_ratio aic_vec_fops""",
    "Memory": _ONE
    + """aic_ub_to_gm_bw(GB/s) aic_gm_to_ub_bw(GB/s) aic_l1_read_bw(GB/s) aic_l1_write_bw(GB/s)
    aic_main_mem_read_bw(GB/s) aic_main_mem_write_bw(GB/s) aic_mte1_instructions aic_mte1_ratio
    aic_mte2_instructions aic_mte2_ratio aic_mte3_instructions aic_mte3_ratio""",
    "MemoryL0": _ONE
    + """aic_l0a_read_bw(GB/s) aic_l0a_write_bw(GB/s) aic_l0b_read_bw(GB/s) aic_l0b_write_bw(GB/s)
    aic_l0c_read_bw_cube(GB/s) aic_l0c_write_bw_cube(GB/s) aic_l0c_read_bw(GB/s) aic_l0c_write_bw(GB/s)""",
    "MemoryUB": _ONE
    + """aic_ub_read_bw_vector(GB/s) aic_ub_write_bw_vector(GB/s) aic_ub_read_bw_scalar(GB/s)
    aic_ub_write_bw_scalar(GB/s)""",
    "L2Cache": "aic_l2_cache_hit_rate(%)",
    "ResourceConflictRatio": _ONE
    + """aic_cube_wait_ratio aic_vec_total_cflt_ratio aic_vec_bankgroup_cflt_ratio aic_vec_bank_cflt_ratio
    aic_vec_resc_cflt_ratio aic_vec_mte_cflt_ratio aic_vec_wait_ratio aic_mte1_wait_ratio aic_mte2_wait_ratio
    aic_mte3_wait_ratio""",
}
#: Fields of ours that the guide does not list for the chip: they tell the rows apart.
ADDED = {*_HEAD.split()[:4]}
#: No decimals: counts and ids. Everything else that is a number may have some.
WHOLE = re.compile(r"(^block_id|_ID|PID|_Dim|_cycles|_instructions|_number|_fops|_hit|_allocate)$")


def documented(listed: str) -> set[str]:
    """The fields with ``*`` written out."""
    found = set()
    for name in listed.split():
        for core in ("c", "v") if "ai*" in name else ("",):
            for channel in "01" if "r*" in name else "":
                found.add(name.replace("ai*", f"ai{core}").replace("r*", f"r{channel}"))
            if "r*" not in name:
                found.add(name.replace("ai*", f"ai{core}"))
    return found


@pytest.mark.parametrize("file", COLUMNS)
def test_fields_of_a2(file: str) -> None:
    assert {name.replace(" ", "_") for name in columns(file, False)} == documented(A2[file])


@pytest.mark.parametrize("file", COLUMNS)
def test_fields_of_the_inference_products(file: str) -> None:
    mine = {name.replace(" ", "_") for name in columns(file, True)}
    assert documented(INFERENCE[file]) <= mine
    assert mine - documented(INFERENCE[file]) <= ADDED


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend310P3"])
@pytest.mark.parametrize("file", COLUMNS)
def test_values(file: str, chip: str, tmp_path: Path) -> None:
    """Counts have no decimals, shares lie in 0 to 1, rates in 0 to 100, and times and cycles agree by the clock."""
    spec = chips.load(chip)
    result = kernels.run(chip=chip)
    save_tables(result.trace, spec, tmp_path)
    rows = list(csv.DictReader((tmp_path / f"{file}.csv").read_text().splitlines()))
    assert rows
    prefix = "aic" if spec.fused else "aiv"
    for row in rows:
        for name, value in row.items():
            if WHOLE.search(name.replace(" ", "_")):
                assert value in ("N/A",) or float(value) == int(float(value)), (name, value)
                assert "." not in value
            elif name.endswith("_ratio"):
                assert 0 <= float(value) <= 1, (name, value)
            elif name.endswith("(%)"):
                assert 0 <= float(value) <= 100, (name, value)
        if file == "OpBasicInfo":
            assert float(row["Task Duration(us)"]) == pytest.approx(result.time_us, abs=1e-6)
            assert float(row["Rated Freq"]) == spec.clock_mhz
        else:
            cycles = float(row[f"{prefix}_total_cycles"])
            assert float(row[f"{prefix}_time(us)"]) == pytest.approx(
                cycles / spec.clock_mhz, abs=0.5 / spec.clock_mhz
            )


def test_volumes_and_rates_agree() -> None:
    """KB are 1024 B, GB are 1e9 B."""
    result = kernels.run()
    from ascend_lab.profile import tables

    for row in tables(result.trace, result.spec)["Memory"]:
        nbytes = float(row["GM_to_UB_datas(KB)"]) * 1024
        assert nbytes == 2 * 65536
        assert float(row["aiv_gm_to_ub_bw(GB/s)"]) == pytest.approx(
            nbytes / float(row["aiv_time(us)"]) / 1e3
        )


def test_the_trace_of_chrome(tmp_path: Path) -> None:
    """Trace Event Format: complete events have ts and dur in us, and the lanes have names."""
    result = kernels.run()
    save_tables(result.trace, result.spec, tmp_path)
    told = json.loads((tmp_path / "trace.json").read_text())
    events = told["traceEvents"]
    assert {event["ph"] for event in events} <= {"X", "M", "s", "f"}
    for event in events:
        assert {"name", "ph", "pid", "tid"} <= set(event)
        if event["ph"] == "X":
            assert event["dur"] > 0
            assert 0 <= event["ts"] <= result.time_us
    names = {e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    assert {"SCALAR", "MTE2", "VECTOR", "MTE3"} <= names
