"""Records that a kernel has spoilt are told as the kernel's own fault."""

from __future__ import annotations

import pytest

from ascend_lab.ascendc import records
from ascend_lab.ascendc.ends import garbled


@pytest.mark.parametrize(("space", "pos"), [(200, 0), (0, 200)])
def test_an_operand_in_no_memory_is_the_kernels_fault(space: int, pos: int) -> None:
    data = records._REF.pack(space, 0, pos, 0, 0, 0)
    with pytest.raises(records.Garbled) as caught:
        records._ref(data, 0, "DataCopy", 7)
    assert (caught.value.op, caught.value.site) == ("DataCopy", 7)


def test_an_operand_in_a_memory_is_read() -> None:
    data = records._REF.pack(0, 0, 0, 3, 64, 8)
    ref = records._ref(data, 0, "DataCopy", 7)
    assert (ref.buf, ref.addr, ref.size) == (3, 64, 8)


def test_both_languages_name_the_instruction() -> None:
    assert all("DataCopy" in text for text in garbled("DataCopy"))
