"""The files that ``msprof op`` writes, under its names, one row for each block.

Columns are those that the guide lists for Atlas A2 (PipeUtilization, ArithmeticUtilization, Memory, MemoryL0,
MemoryUB, L2Cache, ResourceConflictRatio, OpBasicInfo), and on a chip whose cores are not split those for the
inference products; there ``block_id`` and ``sub_block_id`` are added, which tell the rows apart. Left out is what
splits the time of Scalar further (``scalar_single_time`` ...), which the model does not know. A vector kernel has
no cube core: its ``aic_`` fields are 0. Hits of L2 are counted from addresses, in requests of 128 B: what the
launch touched before is a hit.
Source: MindStudio msOpProf user guide, performance data (docs/zh/user_guide/msopprof_performance_data.md).
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile.caching import L2Counts, l2_counts
from ascend_lab.profile.chrome import save_chrome_trace
from ascend_lab.profile.counters import BlockCounters, counters
from ascend_lab.profile.figures import PIPE_FIELDS, Value, metrics

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec

Rows = list[dict[str, Value]]
UNCALIBRATED = "NOT_CALIBRATED.txt"

_HEAD = ("block_id", "sub_block_id", "aic_time(us)", "aic_total_cycles")
_VECTOR_HEAD = ("aiv_time(us)", "aiv_total_cycles")
_CUBE_PIPES = ("cube", "scalar", "mte1", "mte2", "mte3", "fixpipe")
_VECTOR_PIPES = ("vec", "scalar", "mte2", "mte3")


def _times(core: str, pipes: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{core}_{pipe}_{what}" for pipe in pipes for what in ("time(us)", "ratio"))


#: File -> its columns, in order.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "OpBasicInfo": (
        "Op Name", "Op Type", "Task Duration(us)", "Block Dim", "Mix Block Dim", "Device ID", "PID",
        "Current Freq", "Rated Freq",
    ),
    "PipeUtilization": (
        *_HEAD, *_times("aic", _CUBE_PIPES), "aic_fixpipe_active_bw(GB/s)",
        "aic_mte3_active_bw(GB/s)", "aic_icache_miss_rate",
        *_VECTOR_HEAD, *_times("aiv", _VECTOR_PIPES),
        "aiv_mte2_active_bw(GB/s)", "aiv_mte3_active_bw(GB/s)", "aiv_icache_miss_rate",
    ),
    "ArithmeticUtilization": (
        *_HEAD, "aic_cube_ratio", "aic_cube_fp16_ratio", "aic_cube_int8_ratio", "aic_cube_fops",
        "aic_cube_total_instr_number", "aic_cube_fp_instr_number", "aic_cube_int_instr_number",
        *_VECTOR_HEAD, "aiv_vec_ratio", "aiv_vec_fp32_ratio", "aiv_vec_fp16_ratio",
        "aiv_vec_int32_ratio", "aiv_vec_int16_ratio", "aiv_vec_misc_ratio", "aiv_vec_fops",
    ),
    "Memory": (
        *_HEAD, "aic_l1_read_bw(GB/s)", "aic_l1_write_bw(GB/s)", "aic_main_mem_read_bw(GB/s)",
        "aic_main_mem_write_bw(GB/s)", "aic_mte1_instructions", "aic_mte1_ratio",
        "aic_mte2_instructions", "aic_mte2_ratio", "aic_mte3_instructions", "aic_mte3_ratio",
        *_VECTOR_HEAD, "aiv_ub_to_gm_bw(GB/s)", "aiv_gm_to_ub_bw(GB/s)",
        "aiv_main_mem_read_bw(GB/s)", "aiv_main_mem_write_bw(GB/s)", "aiv_mte2_instructions",
        "aiv_mte2_ratio", "aiv_mte3_instructions", "aiv_mte3_ratio",
        "read_main_memory_datas(KB)", "write_main_memory_datas(KB)", "GM_to_L1_datas(KB)",
        "GM_to_L1_bw_usage_rate(%)", "L1_to_GM_datas(KB)(estimate)",
        "L1_to_GM_bw_usage_rate(%)(estimate)", "L0C_to_L1_datas(KB)", "L0C_to_L1_bw_usage_rate(%)",
        "L0C_to_GM_datas(KB)", "L0C_to_GM_bw_usage_rate(%)", "GM_to_UB_datas(KB)",
        "GM_to_UB_bw_usage_rate(%)", "UB_to_GM_datas(KB)", "UB_to_GM_bw_usage_rate(%)",
    ),
    "MemoryL0": (
        *_HEAD, "aic_l0a_read_bw(GB/s)", "aic_l0a_write_bw(GB/s)", "aic_l0b_read_bw(GB/s)",
        "aic_l0b_write_bw(GB/s)", "aic_l0c_read_bw_cube(GB/s)", "aic_l0c_write_bw_cube(GB/s)",
        *_VECTOR_HEAD,
    ),
    "MemoryUB": (
        *_HEAD, *_VECTOR_HEAD, "aiv_ub_read_bw_vector(GB/s)", "aiv_ub_write_bw_vector(GB/s)",
        "aiv_ub_read_bw_scalar(GB/s)", "aiv_ub_write_bw_scalar(GB/s)",
    ),
    "L2Cache": (
        *_HEAD,
        *(f"aic_{name}" for name in (
            "write_cache_hit", "write_cache_miss_allocate", "r0_read_cache_hit",
            "r0_read_cache_miss_allocate", "r1_read_cache_hit", "r1_read_cache_miss_allocate",
            "write_hit_rate(%)", "read_hit_rate(%)", "total_hit_rate(%)",
        )),
        *_VECTOR_HEAD,
        *(f"aiv_{name}" for name in (
            "write_cache_hit", "write_cache_miss_allocate", "r0_read_cache_hit",
            "r0_read_cache_miss_allocate", "r1_read_cache_hit", "r1_read_cache_miss_allocate",
            "write_hit_rate(%)", "read_hit_rate(%)", "total_hit_rate(%)",
        )),
    ),
    "ResourceConflictRatio": (
        *_HEAD, "aic_cube_wait_ratio", "aic_mte1_wait_ratio", "aic_mte2_wait_ratio",
        "aic_mte3_wait_ratio", *_VECTOR_HEAD, "aiv_vec_total_cflt_ratio",
        "aiv_vec_bankgroup_cflt_ratio", "aiv_vec_bank_cflt_ratio", "aiv_vec_resc_cflt_ratio",
        "aiv_vec_mte_cflt_ratio", "aiv_vec_wait_ratio", "aiv_mte2_wait_ratio", "aiv_mte3_wait_ratio",
    ),
}  # fmt: skip


#: The same for a chip whose cores are not split.
FUSED_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "OpBasicInfo": tuple(name for name in COLUMNS["OpBasicInfo"] if name != "Mix Block Dim"),
    "PipeUtilization": (
        *_HEAD, *_times("aic", ("cube", "vec", "scalar", "mte1", "mte2", "mte3")), "aic_icache_miss_rate",
    ),
    "ArithmeticUtilization": (
        *_HEAD, "aic_cube_ratio", "aic_cube_fp16_ratio", "aic_cube_int8_ratio", "aic_cube_fops",
        "aic_cube_total_instr_number", "aic_vec_ratio", "aic_vec_fp32_ratio", "aic_vec_fp16_ratio",
        "aic_vec_int32_ratio", "aic_vec_int16_ratio", "aic_vec_misc_ratio", "aic_vec_fops",
    ),
    "Memory": (
        *_HEAD, "aic_ub_to_gm_bw(GB/s)", "aic_gm_to_ub_bw(GB/s)", "aic_l1_read_bw(GB/s)",
        "aic_l1_write_bw(GB/s)", "aic_main_mem_read_bw(GB/s)", "aic_main_mem_write_bw(GB/s)",
        "aic_mte1_instructions", "aic_mte1_ratio", "aic_mte2_instructions", "aic_mte2_ratio",
        "aic_mte3_instructions", "aic_mte3_ratio",
    ),
    "MemoryL0": (
        *_HEAD, "aic_l0a_read_bw(GB/s)", "aic_l0a_write_bw(GB/s)", "aic_l0b_read_bw(GB/s)",
        "aic_l0b_write_bw(GB/s)", "aic_l0c_read_bw_cube(GB/s)", "aic_l0c_write_bw_cube(GB/s)",
        "aic_l0c_read_bw(GB/s)", "aic_l0c_write_bw(GB/s)",
    ),
    "MemoryUB": (
        *_HEAD, "aic_ub_read_bw_vector(GB/s)", "aic_ub_write_bw_vector(GB/s)",
        "aic_ub_read_bw_scalar(GB/s)", "aic_ub_write_bw_scalar(GB/s)",
    ),
    "L2Cache": (*_HEAD, "aic_l2_cache_hit_rate(%)"),
    "ResourceConflictRatio": (
        *_HEAD, "aic_cube_wait_ratio", "aic_vec_total_cflt_ratio", "aic_vec_bankgroup_cflt_ratio",
        "aic_vec_bank_cflt_ratio", "aic_vec_resc_cflt_ratio", "aic_vec_mte_cflt_ratio",
        "aic_vec_wait_ratio", "aic_mte1_wait_ratio", "aic_mte2_wait_ratio", "aic_mte3_wait_ratio",
    ),
}  # fmt: skip


def columns(file: str, fused: bool) -> tuple[str, ...]:
    """The columns of a file; ``fused``: on a chip whose cores are not split."""
    return (FUSED_COLUMNS if fused else COLUMNS)[file]


def tables(trace: Trace, spec: ChipSpec) -> dict[str, Rows]:
    """File name (without ".csv") -> its rows. Times in us, bandwidth in 1e9 B/s, volumes in KiB."""
    blocks = counters(trace, spec)
    figures = metrics(trace, spec)
    cached = l2_counts(trace, spec)
    basic: dict[str, Value] = {
        "Op Name": figures.op_name,
        "Op Type": "vector",
        "Task Duration(us)": figures.task_duration_us,
        "Block Dim": figures.block_dim,
        "Mix Block Dim": "N/A",
        "Device ID": 0,
        "PID": 0,
        "Current Freq": figures.clock_mhz,
        "Rated Freq": figures.clock_mhz,
    }
    makers: Mapping[str, Callable[[_Row], dict[str, Value]]] = {
        "PipeUtilization": _Row.pipes,
        "ArithmeticUtilization": _Row.arithmetic,
        "Memory": _Row.memory,
        "MemoryL0": _Row.nothing,
        "MemoryUB": _Row.ub,
        "L2Cache": _Row.l2,
        "ResourceConflictRatio": _Row.conflicts,
    }
    made = [_Row(block, spec, cached.get(block.block, L2Counts())) for block in blocks]
    found: dict[str, Rows] = {
        "OpBasicInfo": [{name: basic[name] for name in columns("OpBasicInfo", spec.fused)}]
    }
    for file, maker in makers.items():
        found[file] = [_complete(file, row, maker(row)) for row in made]
    return found


def save_tables(trace: Trace, spec: ChipSpec, folder: str | os.PathLike[str]) -> list[Path]:
    """Write every table as CSV into ``folder``, and ``trace.json`` for Perfetto; the files in order.

    For a chip without measurements also ``NOT_CALIBRATED.txt``, which says so.
    """
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for file, rows in tables(trace, spec).items():
        path = place / f"{file}.csv"
        path.write_text(as_csv(rows), encoding="utf-8", newline="")
        written.append(path)
    save_chrome_trace(trace, place / "trace.json", spec.clock_mhz)
    written.append(place / "trace.json")
    if not spec.calibrated:  # the fields of msprof have no room for it
        note = place / UNCALIBRATED
        note.write_text(f"{spec.calibration_note_zh}\n{spec.calibration_note}\n", encoding="utf-8")
        written.append(note)
    return written


def as_csv(rows: Rows) -> str:
    """``rows`` as the text of a CSV file; numbers have six decimals at most."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _plain(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def _complete(file: str, row: _Row, values: Mapping[str, Value]) -> dict[str, Value]:
    """All columns of a file; what the block's kind of core has none of is 0."""
    known: dict[str, Value] = {**row.head(), **values}
    return {name: known.get(name, 0) for name in columns(file, row.fused)}


class _Row:
    """One block as rows of the files."""

    def __init__(self, block: BlockCounters, spec: ChipSpec, l2: L2Counts) -> None:
        self.of = block
        self.spec = spec
        self.cached = l2
        self.fused = spec.fused
        self.prefix = "aic" if spec.fused else "aiv"

    def us(self, cycles: float) -> float:
        return cycles / self.spec.clock_mhz

    def ratio(self, cycles: float) -> float:
        return cycles / self.of.total if self.of.total else 0.0

    def rate(self, nbytes: float, cycles: float) -> float:
        """GB/s."""
        return nbytes / self.us(cycles) / 1e3 if cycles else 0.0

    def head(self) -> dict[str, Value]:
        return {
            "block_id": self.of.block,
            "sub_block_id": "core0" if self.fused else "vector0",
            f"{self.prefix}_time(us)": self.us(self.of.total),
            f"{self.prefix}_total_cycles": round(self.of.total),
        }

    def nothing(self) -> dict[str, Value]:
        return {}

    def pipes(self) -> dict[str, Value]:
        of, found = self.of, dict[str, Value]()
        for pipe, name in PIPE_FIELDS.items():
            if self.fused or name in _VECTOR_PIPES:
                found[f"{self.prefix}_{name}_time(us)"] = self.us(of.busy[pipe])
                found[f"{self.prefix}_{name}_ratio"] = self.ratio(of.busy[pipe])
        for name, pipe, moved in (
            ("mte2", Pipe.MTE2, of.gm_read),
            ("mte3", Pipe.MTE3, of.gm_write),
        ):
            found[f"{self.prefix}_{name}_active_bw(GB/s)"] = self.rate(moved, of.busy[pipe])
        return found

    def arithmetic(self) -> dict[str, Value]:
        of = self.of
        found: dict[str, Value] = {f"{self.prefix}_vec_ratio": self.ratio(of.busy[Pipe.V])}
        for kind in ("fp32", "fp16", "int32", "int16", "misc"):
            found[f"{self.prefix}_vec_{kind}_ratio"] = self.ratio(of.vector.get(kind, 0.0))
        return {**found, f"{self.prefix}_vec_fops": of.float_operations}

    def memory(self) -> dict[str, Value]:
        of, p, dma = self.of, self.prefix, self.spec.cost.dma
        read, wrote = self.rate(of.gm_read, of.total), self.rate(of.gm_write, of.total)
        return {
            f"{p}_ub_to_gm_bw(GB/s)": wrote,
            f"{p}_gm_to_ub_bw(GB/s)": read,
            f"{p}_main_mem_read_bw(GB/s)": self.rate(self.cached.read_missed, of.total),
            f"{p}_main_mem_write_bw(GB/s)": wrote,
            f"{p}_mte2_instructions": of.instructions[Pipe.MTE2],
            f"{p}_mte2_ratio": self.ratio(of.busy[Pipe.MTE2]),
            f"{p}_mte3_instructions": of.instructions[Pipe.MTE3],
            f"{p}_mte3_ratio": self.ratio(of.busy[Pipe.MTE3]),
            "read_main_memory_datas(KB)": self.cached.read_missed / 1024,
            "write_main_memory_datas(KB)": of.gm_write / 1024,
            "GM_to_UB_datas(KB)": of.gm_read / 1024,
            "GM_to_UB_bw_usage_rate(%)": 100 * read / dma.mte2_rate,
            "UB_to_GM_datas(KB)": of.gm_write / 1024,
            "UB_to_GM_bw_usage_rate(%)": 100 * wrote / dma.mte3_rate,
        }

    def ub(self) -> dict[str, Value]:
        of, p = self.of, self.prefix
        return {
            f"{p}_ub_{way}_bw_{unit}(GB/s)": self.rate(moved[pipe], of.total)
            for unit, pipe in (("vector", Pipe.V), ("scalar", Pipe.S))
            for way, moved in (("read", of.ub_read), ("write", of.ub_write))
        }

    def l2(self) -> dict[str, Value]:
        seen, p = self.cached, self.prefix
        return {
            f"{p}_write_cache_hit": seen.write_hits,
            f"{p}_write_cache_miss_allocate": seen.write_misses,
            f"{p}_r0_read_cache_hit": seen.read_hits,
            f"{p}_r0_read_cache_miss_allocate": seen.read_misses,
            f"{p}_write_hit_rate(%)": _percent(seen.write_hits, seen.write_misses),
            f"{p}_read_hit_rate(%)": _percent(seen.read_hits, seen.read_misses),
            f"{p}_total_hit_rate(%)": _percent(*seen.total),
            f"{p}_l2_cache_hit_rate(%)": _percent(*seen.total),
        }

    def conflicts(self) -> dict[str, Value]:
        of, p = self.of, self.prefix
        group, bank = self.ratio(of.bank_group_cycles), self.ratio(of.bank_cycles)
        return {
            f"{p}_vec_total_cflt_ratio": group + bank,
            f"{p}_vec_bankgroup_cflt_ratio": group,
            f"{p}_vec_bank_cflt_ratio": bank,
            f"{p}_vec_wait_ratio": self.ratio(of.waiting[Pipe.V]),
            f"{p}_mte2_wait_ratio": self.ratio(of.waiting[Pipe.MTE2]),
            f"{p}_mte3_wait_ratio": self.ratio(of.waiting[Pipe.MTE3]),
        }


def _percent(hits: int, misses: int) -> float:
    return 100.0 * hits / (hits + misses) if hits + misses else 0.0
