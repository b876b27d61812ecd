"""The files of msprof: their columns, that the rows agree with the metrics, and that they are always the same."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from ascend_lab import chips
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.profile import counters, hot_lines, indicators, save_tables, tables
from ascend_lab.profile.caching import l2_counts
from ascend_lab.profile.tables import COLUMNS, columns
from tests.profile import kernels
from tests.view import kernels as others

SPEC = chips.load("Ascend910B1")


def test_the_files_have_the_columns_of_msprof(tmp_path: Path) -> None:
    result = kernels.run()
    paths = save_tables(result.trace, result.spec, tmp_path)
    assert [path.stem for path in paths] == [*COLUMNS, "trace"]
    for path in paths[:-1]:
        header, *rows = csv.reader(path.read_text().splitlines())
        assert tuple(header) == COLUMNS[path.stem]
        assert len(rows) == (1 if path.stem == "OpBasicInfo" else 4)
        assert all(len(row) == len(header) for row in rows)


def test_rows_agree_with_the_metrics() -> None:
    result = kernels.run()
    made = tables(result.trace, result.spec)
    assert made["OpBasicInfo"][0]["Task Duration(us)"] == pytest.approx(result.time_us)
    for name, mean in result.metrics.as_dict()["PipeUtilization"].items():
        if not name.endswith("bw(GB/s)"):
            values = [row[name] for row in made["PipeUtilization"]]
            assert np.mean(values) == pytest.approx(mean, rel=1e-4), name  # cycles are whole
    volume = sum(row["GM_to_UB_datas(KB)"] for row in made["Memory"])
    assert volume == result.metrics["GM_to_UB_datas(KB)"] == 2 * 65536 * 4 / 1024


def test_a_vector_kernel_has_no_cube() -> None:
    made = tables(kernels.run().trace, SPEC)
    for file, rows in made.items():
        for name, value in rows[0].items():
            assert not name.startswith(("aic_", "L0C", "GM_to_L1")) or value == 0, (file, name)


def test_a_chip_of_one_kind_of_core_has_one_kind_of_field() -> None:
    names = columns("PipeUtilization", fused=True)
    assert "aic_vec_time(us)" in names
    assert not any(name.startswith("aiv") for name in names)
    assert len(set(names)) == len(names)


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    trace = kernels.run().trace
    trace.save(tmp_path / "run.npz")
    first = save_tables(trace, SPEC, tmp_path / "a")
    again = save_tables(Trace.load(tmp_path / "run.npz"), SPEC, tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in again]


def test_arithmetic_counts_elements_by_type() -> None:
    block = counters(kernels.run().trace, SPEC)[0]
    assert block.float_operations == 65536 // 4
    assert block.vector == {"fp32": pytest.approx(block.busy[Pipe.V])}
    assert (block.gm_read, block.gm_write) == (2 * 65536, 65536)
    assert block.instructions[Pipe.MTE2] == 2 * block.instructions[Pipe.MTE3] == 32


def test_blocks_of_a_second_wave_begin_where_the_first_ended() -> None:
    found = counters(kernels.run(blocks=64, n=65536, tile=256).trace, SPEC)
    by_core = {block.block: block for block in found}
    assert len(found) == 64
    assert by_core[63].begin == by_core[by_core[63].block - 48].end > 0


def test_what_was_read_before_is_in_l2() -> None:
    cold = l2_counts(kernels.run().trace, SPEC)
    assert all(c.read_hits == c.write_hits == 0 for c in cold.values())
    assert sum(c.read_misses for c in cold.values()) == 2 * 65536 * 4 // 128


def test_conflicts_of_the_banks_are_told_apart() -> None:
    """Scenarios 1, 2 and 5 of asc-devkit's bank_conflict_ub: none, two reads in a group, read and write in a bank."""
    plain, group, bank = (
        counters(others.banked(*addresses).trace, SPEC)[0]
        for addresses in ((0, 0x10100, 0x20000), (0, 0x4000, 0x10000), (0, 0x10100, 0x4020))
    )
    assert plain.bank_group_cycles == plain.bank_cycles == 0
    assert group.bank_group_cycles > 0 == group.bank_cycles
    assert bank.bank_cycles > 0 == bank.bank_group_cycles


def test_indicators() -> None:
    size = {"n": 1 << 18, "tile": 4096}
    one = indicators(kernels.run(buffers=1, **size).trace, SPEC)
    two = indicators(kernels.run(buffers=2, **size).trace, SPEC)
    assert one.advice == "copy"
    assert one.overlap < 0.1
    assert two.overlap > 0.3
    assert two.queue_idle + two.full_idle < one.queue_idle + one.full_idle
    assert max(one.copy_in, one.copy_out) <= one.copy <= one.copy_in + one.copy_out
    assert one.compute == pytest.approx(two.compute)


def test_hot_lines_name_the_copy() -> None:
    found = hot_lines(kernels.run().trace, 50)
    shares = [line.share for line in found]
    assert shares == sorted(shares, reverse=True)
    copy = next(line for line in found if line.pipe == Pipe.MTE2 and not line.waits)
    assert copy.ops == ("DataCopy",)
    assert copy.file == "kernels.py"
    assert {line.waits for line in found} == {True, False}


def test_an_empty_trace_has_no_rows() -> None:
    empty = Trace.from_rows([], [], [], [""], {})
    made = tables(empty, SPEC)
    assert [len(rows) for rows in made.values()] == [1, *[0] * 7]
    assert hot_lines(empty) == []
    assert indicators(empty, SPEC).total == 0
