"""What a student reads, word for word, for some of the classes met most often."""

from __future__ import annotations

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device, checks
from tests.checks import fixtures

TEXTS = {
    "A1": "DataCopy: z_local[1:] starts at byte 4100 of UB, which is not a multiple of 32 B.",
    "A2": "DataCopy is asked for 133 elements of float32 (532 B) but moves 512 B: "
    "5 elements not copied.",
    "A4": "DataCopyPad (line 23) puts each of 4 rows of 18 B into a slot of 32 B: row 1 starts at "
    "byte 32. Adds reads x_local as if it started at byte 18, so padding goes into the result.",
    "B1": "UB plan: 2×in_x 262144 + 2×out_z 262144 = 1048576 B, but UB has 196608 B: 851968 B too "
    "much. Scaled down together, the largest buffer that fits has 49152 B instead of 262144 B.",
    "B3": "Core 0: DataCopy reads x[512..767], but x has 600 elements.",
    "C1": "Add reads 1024 B of z_local that no instruction has written, and they reach z.",
    "C2": "data_copy uses z_gm, which was never bound to an argument.",
    "C6": "ReduceSum reads 7 padding elements of x_local (1); with them the result is 52, without "
    "them 45. The padding was loaded at line 22.",
    "D12": "MTE2_V id 0: the set at line 22 runs only when its branch is taken, the wait at line 23 "
    "always: core 0 waits for ever.",
    "E1": "All 4 cores write z[0..767]; z[768..3071] is never written.",
    "E3": "z[4096..4863] is never written: 768 of 4864 elements (4864 = 8 x 512 + 768).",
    "F1": "out_z: AllocTensor number 3 cannot succeed; 2 buffers, all still held, taken at line 27.",
    "F4": "in_q has 1 buffer; AllocTensor at line 26 cannot succeed while the tensor taken at "
    "line 23 is in use.",
}


@pytest.mark.parametrize("class_id", TEXTS)
def test_text(class_id: str) -> None:
    fixture = fixtures.load(class_id)
    finding = fixture.launch("bad", "Ascend910B1", "realistic").findings[0]
    assert finding.part("text", "en") == TEXTS[class_id]


def test_both_lines_of_a_race() -> None:
    finding = fixtures.load("D1").launch("bad", "Ascend910B1", "realistic").findings[0]
    assert (finding.line, finding.related[0].line) == (21, 19)
    assert "x_local, which DataCopy (MTE2, line 19) writes until cycle" in finding.message("en")
    assert "D1_bad.py:19: 写这些字节" in finding.message("zh")


def test_a_deadlock_names_its_chain() -> None:
    finding = fixtures.load("D9").launch("bad", "Ascend910B1", "realistic").findings[0]
    text = finding.part("text", "en")
    assert "V waits for MTE2 (MTE2_V id 0, line 20); nothing sets MTE2_V id 0." in text


@asc.jit
def waits_in_a_branch(x: asc.GlobalAddress, z: asc.GlobalAddress, tail: int) -> None:
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    asc.data_copy(local, x_gm, 64)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    if tail:
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)


def test_a_wait_in_a_branch() -> None:
    x, z = np.zeros(64, np.float32), np.zeros(64, np.float32)
    finding = Device().launch(waits_in_a_branch, 1, x, z, 0).findings[0]
    assert (finding.id, finding.variant) == ("D12", "leak")
    assert finding.numbers["line1"] == finding.line + 2


def test_the_same_launch_gives_the_same_findings() -> None:
    fixture = fixtures.load("E2")
    one, two = (fixture.launch("bad", "Ascend910B1", "adversarial", 3).findings for _ in range(2))
    assert [repr(f) for f in one.all] == [repr(f) for f in two.all]


def test_no_path_of_this_machine() -> None:
    for class_id in ("A1", "D1", "F1"):
        for finding in fixtures.load(class_id).launch("bad", "Ascend910B1", "realistic").findings:
            assert finding.file == f"{class_id}_bad.py"
            assert "/" not in finding.message("en").replace("ErrorRead", "").split("Rule:")[0]


def test_explain_covers_all() -> None:
    assert all(checks.explain(class_id, "zh") for class_id in checks.catalogue())
