"""UB banks: geometry, the published scenarios, and what the view says of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ascend_lab import chips, view
from ascend_lab.engine.banks import Banks
from ascend_lab.profile import banks
from ascend_lab.profile.banks import Geometry, Operand, judge
from tests.view import kernels, make
from tests.view.picture import rects, texts

#: Scenario -> (src0, src1, dst, block stride and repeat stride of src0), measured us of 1000 Add of 64 repeats.
#: asc-devkit: examples/01_simd_cpp_api/05_best_practices/04_memory_access/bank_conflict_ub/README.md
PUBLISHED = {
    1: ((0x0, 0x10100, 0x20000), 47.80),
    2: ((0x0, 0x4000, 0x10000), 83.34),
    3: ((0x0, 0x10000, 0x14100), 83.34),
    4: ((0x0, 0x10100, 0x4000), 47.78),
    5: ((0x0, 0x10100, 0x4020), 75.02),
    6: ((0x0, 0x10100, 0x10100), 47.80),
    7: ((0x0, 0x10100, 0x10100, 0, 1), 71.68),
    8: ((0x0, 0x10100, 0x10100, 0, 8), 47.78),
}
SHAPE = Geometry(16, 3, 128)
BANKS = Banks.of(chips.shared())


def conflicts(*addresses: int) -> banks.Conflicts:
    result = kernels.banked(*addresses)
    ways, _ = banks.accesses(result.trace, result.spec, 0)
    return next(way.conflicts for way in ways if way.op == "Add")


def test_geometry_of_the_chips() -> None:
    assert banks.geometry(chips.load("Ascend910B1")) == SHAPE
    assert banks.geometry(chips.load("Ascend310P3")) == Geometry(16, 4, 128)


def test_address_bits_as_the_published_example_decodes_them() -> None:
    assert (SHAPE.cell(0x10020), SHAPE.row(0x10020)) == ((1, 1), 0)
    assert [SHAPE.group(a) for a in (0, 31, 32, 511, 512)] == [0, 0, 1, 15, 0]
    assert [SHAPE.row(a) for a in (511, 512, 65535, 65536)] == [0, 1, 127, 0]
    assert [SHAPE.bank(a) for a in (65535, 65536, 196607)] == [0, 1, 2]


@pytest.mark.parametrize("scenario", PUBLISHED)
def test_published_scenarios(scenario: int) -> None:
    addresses, measured = PUBLISHED[scenario]
    found = conflicts(*addresses)
    kinds = {1: (), 2: ("rr",), 3: ("rr",), 4: (), 5: ("rw",), 6: (), 7: ("rr",), 8: ()}
    counts = {"rr": found.read_read, "ww": found.write_write, "rw": found.read_write}
    assert tuple(kind for kind, count in counts.items() if count) == kinds[scenario]
    cycles = 22.5 + 64 * found.factor
    assert cycles == pytest.approx(measured * 1.85, rel=0.11 if scenario == 7 else 0.03)


def test_every_second_repeat_of_scenario_7() -> None:
    found = conflicts(*PUBLISHED[7][0])
    assert (found.read_read, found.repeats, found.first, found.groups) == (32, 64, 1, (1,))
    assert found.factor == pytest.approx(1.5)


def test_eight_blocks_of_a_write_in_one_group() -> None:
    """The strided store of a transposition: block stride 16 puts all blocks into one group, 17 does not."""
    source = Operand("src", False, 0, 1, 8, 4, 255, 255)
    for stride, expected in ((16, 8.0), (17, 1.0)):
        target = Operand("dst", True, 0x10000, stride, 1, 4, 255, 255)
        found = judge([source, target], BANKS)
        assert found.factor == expected
        assert found.write_write == (4 if expected > 1 else 0)


def test_masked_blocks_do_not_collide() -> None:
    a = Operand("src0", False, 0, 1, 8, 1, 0b00001111, 0b00001111)
    b = Operand("src1", False, 0x4080, 1, 8, 1, 0b00001111, 0b00001111)
    c = Operand("dst", True, 0x10000, 1, 8, 1, 0b00001111, 0b00001111)
    assert not judge([a, b, c], BANKS).any
    near = replace(b, addr=0x4060)
    assert judge([a, near, c], BANKS).groups == (3,)


def test_ping_and_pong_that_use_the_same_groups_are_one_entry() -> None:
    svg = view.banks(kernels.good(tiles=6), lang="en").html
    heads = [text for text in texts(svg, "strong") if text.startswith("Add")]
    line = kernels.line(kernels.queued_add, "asc.add(")
    assert heads == [f"Add · kernels.py:{line} · 16 repeats · 6 times · repeat 1 is shown"]


def test_cells_of_the_first_repeat_with_a_conflict() -> None:
    svg = view.banks(kernels.banked(*PUBLISHED[5][0]), lang="en").html
    tips = [r.tip for r in rects(svg, "compute", "compute-read")][: 3 * 8]
    assert tips[0] == "src0: group 0, bank 0, row 0, UB 0x0"
    assert tips[8] == "src1: group 8, bank 1, row 0, UB 0x10100"
    assert tips[16:18] == [
        "dst: group 1, bank 0, row 32, UB 0x4020",
        "dst: group 2, bank 0, row 32, UB 0x4040",
    ]
    assert texts(svg, "bad-text") == ["read-write: 64 of 64 repeats"]
    assert {"repeats take ×1.8", "Put dst k × 512 B from it, or elsewhere."} <= set(texts(svg))


def test_a_clean_line_is_told_as_clean() -> None:
    svg = view.banks(kernels.banked(*PUBLISHED[1][0]), lang="zh").html
    assert set(texts(svg, "good-text")) == {"✓ 没有冲突"}
    assert texts(svg, "bad-text") == []


def test_it_says_that_times_do_not_contain_conflicts() -> None:
    svg = view.banks(kernels.good(), lang="en").html
    assert texts(svg, "muted")[-1] == (
        "What conflicts cost is part of the model's times; the factors are those measured on Atlas A2."
    )


def test_a_trace_without_operands_says_so() -> None:
    svg = view.banks(make.result(), lang="en").html
    assert texts(svg, "muted")[0] == (
        "The trace does not have the operands' addresses, so banks cannot be told."
    )
    assert "Vector instructions not judged: Add × 8" in texts(svg, "muted")


def test_repr_and_no_figure() -> None:
    picture = view.banks(kernels.banked(*PUBLISHED[2][0]))
    assert repr(picture) == "Banks(core 0, 3 ways of access, 1 with conflicts)"
    with pytest.raises(TypeError, match="no plotly figure"):
        picture.figure()


def test_the_operands_survive_a_file(tmp_path: Path) -> None:
    trace = kernels.banked(*PUBLISHED[5][0]).trace
    trace.save(tmp_path / "run.npz")
    again = type(trace).load(tmp_path / "run.npz")
    assert view.banks(again).html == view.banks(trace).html


def test_one_place_read_twice_is_read_once() -> None:
    """x * x reads each row once: as the clock has it."""
    x = [Operand(f"src{n}", False, 0, 1, 8, 4, 255, 255) for n in range(2)]
    z = Operand("dst", True, 0x10100, 1, 8, 4, 255, 255)
    assert not judge([*x, z], BANKS).any
