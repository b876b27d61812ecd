"""Names of operands come from the student's line."""

from __future__ import annotations

import pytest

from ascend_lab.checks.names import Names, SourceFile, flaggings, without_memory
from ascend_lab.engine.instruction import Where

SOURCE = """\
import asc
x_gm = asc.GlobalTensor()
z_gm = asc.GlobalTensor()
x_gm.set_global_buffer(x)
buf = asc.TBuf()
asc.data_copy(zLocal[1:], x_gm[i * tile:], 64)
asc.add(dst=out, src0=a, src1=b, count=64)
total = tmp.get_value(3) + tmp.get_value(n - 1)
asc.data_copy_pad(
    z_gm,
    行[0:],  # the name has letters of three bytes
    rows,
)
if tail:
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
else:
    asc.bitwise_and(mask, mask, other, 16)
asc.wait_flag(event=asc.HardEvent.MTE2_V, event_id=0)
asc.wait_flag(asc.HardEvent.MTE2_V, 0)
buf.get(asc.float32)
"""


@pytest.fixture
def source() -> SourceFile:
    return SourceFile(SOURCE.splitlines(keepends=True))


@pytest.mark.parametrize(
    ("line", "op", "position", "text"),
    [
        (6, "DataCopy", 0, "zLocal[1:]"),
        (6, "DataCopy", 1, "x_gm[i * tile:]"),
        (7, "Add", 0, "out"),
        (7, "Add", 1, "a"),
        (7, "Add", 2, "b"),
        (8, "GetValue", 1, "tmp[n - 1]"),
        (9, "DataCopyPad", 1, "行[0:]"),
        (11, "DataCopyPad", 0, "z_gm"),
        (17, "And", 0, "mask"),
        (7, "Sub", 0, ""),
        (99, "Add", 0, ""),
    ],
)
def test_operands(source: SourceFile, line: int, op: str, position: int, text: str) -> None:
    assert source.argument(line, op, position) == text


def test_long_operands_are_cut() -> None:
    long = SourceFile([f"asc.exp({'a' * 80}, b, 64)\n"])
    assert long.argument(1, "Exp", 0) == "a" * 45 + "..."


def test_branches(source: SourceFile) -> None:
    assert source.branches(15) == ((15, 15),)
    assert source.branches(17) == ((17, 17),)
    assert source.branches(6) == ()


def test_flags(source: SourceFile) -> None:
    found = [(f.call, f.event, f.line) for f in flaggings(source)]
    assert found == [("set_flag", "MTE2_V", 15), ("wait_flag", "MTE2_V", 19)]


def test_what_has_no_memory(source: SourceFile) -> None:
    found = without_memory(source, 10)
    assert found is not None
    assert found[0] == "C2"
    assert found[1]["operand"] == "z_gm"
    found = without_memory(source, 20)
    assert found is not None
    assert found[0] == "C3"


@pytest.mark.parametrize("lines", [[], ["def broken(:\n"], ["#include <x.h>\n"]])
def test_no_text_no_names(lines: list[str]) -> None:
    names = Names([Where("kernel.py", 1)], lambda file: lines)
    assert names.operand(0, "Add", 0) == ""
    assert names.operand(5, "Add", 0) == ""
    assert names.place(-1).line == 0
