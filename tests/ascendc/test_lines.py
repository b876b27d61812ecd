"""Words of GM through pointers, and printing, stand at their own lines."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from ascend_lab.ascendc import kernels
from ascend_lab.ascendc.lines import Lines
from ascend_lab.ascendc.records import Tables
from ascend_lab.device import Device

SOURCE = Path(__file__).parent / "sources" / "lines.asc"


def place(mark: str) -> int:
    lines = SOURCE.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if mark in line)


@pytest.mark.skipif(shutil.which("addr2line") is None, reason="no addr2line")
def test_each_has_its_own_line() -> None:
    x, y = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    result = Device().launch(kernels(SOURCE)["lines"], 1, x, y)
    assert y[0] == 3
    trace = result.trace
    found = {}
    for op, where in zip(trace.op, trace.where, strict=True):
        found.setdefault(trace.ops[op], set()).add(trace.sources[where].line)
    assert found["GetValue"] <= {place("return p[k]"), place("sum += Read")}
    assert found["Printf"] == {place("    printf("), place("    AscendC::printf(")}
    assert found["SetValue"] == {place("= sum;")}
    assert {where.file for where in trace.sources if where.line > 0} == {"lines.asc"}


def test_without_a_table_it_is_the_line_before(tmp_path: Path) -> None:
    assert Lines(tmp_path / "absent")(64) is None
    for tables in (Tables(), Tables(lambda code: None)):
        tables.define(_site("a.asc", "k", 7) + _site("@", "1", 4096))
        assert tables.sources[2] == tables.sources[1]


def _site(file: str, function: str, line: int) -> bytes:
    texts = b"".join(len(t).to_bytes(4, "little") + t.encode() for t in (file, function))
    return b"p" + texts + line.to_bytes(4, "little")
