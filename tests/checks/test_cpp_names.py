"""Names of operands in C++ sources."""

from __future__ import annotations

import pytest

from ascend_lab.checks.cpp_names import CppSource
from ascend_lab.checks.names import Names, flaggings
from ascend_lab.engine.instruction import Where

TEXT = """void f()
{
    // Add(a, b, c, 1);
    AscendC::Add(zLocal, this->xLocal, yLocal[tile * i], n);
    DataCopy(dst,
             srcGm[Off(i, 2)],
             {1, len, 0, 0});
    Compares<float, uint8_t>(mask, x, 0.0f, CMPMODE::LT, n);
    const float v = tableGm.GetValue(i + 1);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    if (i == 0) {
        WaitFlag<AscendC::HardEvent::MTE2_V>(0);
    } else if (last)
        WaitFlag<HardEvent::V_MTE3>(0);
}
"""


@pytest.fixture
def source() -> CppSource:
    return CppSource(TEXT.splitlines(keepends=True))


@pytest.mark.parametrize(
    ("line", "op", "position", "wanted"),
    [
        (4, "Add", 0, "zLocal"),
        (4, "Add", 1, "xLocal"),
        (4, "Add", 2, "yLocal[tile * i]"),
        (4, "Add", 9, ""),
        (7, "DataCopy", 1, "srcGm[Off(i, 2)]"),
        (8, "CompareScalar", 1, "x"),
        (9, "GetValue", 1, "tableGm[i + 1]"),
        (9, "Mul", 0, ""),
    ],
)
def test_an_operand_is_called_as_it_is_written(
    line: int, op: str, position: int, wanted: str, source: CppSource
) -> None:
    assert source.argument(line, op, position) == wanted


def test_flags_and_branches_are_found(source: CppSource) -> None:
    found = [(f.call, f.event, f.line) for f in flaggings(source)]
    assert found == [
        ("set_flag", "MTE2_V", 10),
        ("wait_flag", "MTE2_V", 12),
        ("wait_flag", "V_MTE3", 14),
    ]
    assert source.branches(12) == ((11, 13),)
    assert source.branches(14) == ((14, 14),)
    assert source.branches(10) == ()


def test_names_take_the_file_for_what_it_is() -> None:
    names = Names([Where("k.asc", 4)], lambda _: TEXT.splitlines(keepends=True))
    assert names.operand(0, "Add", 0) == "zLocal"


UNBOUND = """void f()
{
    Process(xGm[8]);
}
GlobalTensor<float> xGm;
GlobalTensor<float> zGm;
zGm.SetGlobalBuffer(z);
void g()
{
    queue.EnQue(local);
    one();
    two();
}
"""


def test_an_index_has_no_line_and_its_tensor_is_found_all_the_same() -> None:
    """The kernel stopped behind line 10, in another function than the index."""
    source = CppSource(UNBOUND.splitlines(keepends=True))
    assert source.without_memory(10) == ("C2", {"op": "operator[]", "operand": "xGm"})
    bound = CppSource(UNBOUND.replace("zGm.Set", "xGm.Set").splitlines(keepends=True))
    assert bound.without_memory(10) is None
