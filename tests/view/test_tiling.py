"""The tiling explorer: the arithmetic, the plan against check B1, and runs on the model."""

from __future__ import annotations

import linecache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_lab import chips, view
from ascend_lab.device import Device
from ascend_lab.view import tiling_kernel
from ascend_lab.view.tiling_panel import MOST_TILES, TilingPanel, prepare
from ascend_lab.view.tilings import DTYPES, Tiling, check, plan
from tests.view.picture import texts

B1 = chips.load("Ascend910B1")
OLD = chips.load("Ascend310P3")
USUAL = Tiling(65536, 8, 2048, 2, "float32", 3)

tilings = st.builds(
    Tiling,
    st.integers(1, 300_000),
    st.integers(1, 48),
    st.integers(1, 20_000),
    st.integers(1, 2),
    st.sampled_from(DTYPES),
    st.integers(2, 3),
)


@given(tilings)
def test_the_shares_cover_every_element_once_and_differ_by_one_block(tiling: Tiling) -> None:
    made = plan(tiling, B1)
    covered = [n for s in made.shares if s.length for n in (s.begin, s.begin + s.length)]
    assert sum(share.length for share in made.shares) == tiling.total
    assert covered == sorted(covered)
    assert made.former_num + made.tail_num == tiling.cores
    assert made.former_length - made.tail_length in (0, tiling.per_block, made.former_length)
    rounded = made.former_num * made.former_length + made.tail_num * made.tail_length
    assert 0 <= rounded - tiling.total < tiling.per_block
    for share in made.shares:
        assert share.begin % tiling.per_block == 0
        if share.length:
            assert (share.tiles - 1) * tiling.tile + share.last == share.length
            assert 0 < share.last <= tiling.tile


def test_former_and_tail_cores() -> None:
    made = plan(Tiling(100_000, 6, 2048, 2, "float32", 3), B1)
    assert (made.former_num, made.former_length) == (2, 16672)
    assert (made.tail_num, made.tail_length) == (4, 16664)
    assert [(s.tiles, s.last) for s in made.shares] == [(9, 288)] * 2 + [(9, 280)] * 4


def test_lengths_are_rounded_up_to_32_bytes_as_init_buffer_does() -> None:
    made = plan(Tiling(1000, 1, 100, 2, "int16", 3), B1)
    assert [(p.name, p.index, p.low, p.high) for p in made.parts] == [
        ("in_x", 0, 0, 224),
        ("in_x", 1, 224, 448),
        ("in_y", 0, 448, 672),
        ("in_y", 1, 672, 896),
        ("out_z", 0, 896, 1120),
        ("out_z", 1, 1120, 1344),
    ]


@pytest.mark.parametrize("tile", [8192, 8200, 16384])
@pytest.mark.parametrize("operands", [2, 3])
def test_the_plan_says_of_ub_what_check_b1_says(tile: int, operands: int) -> None:
    tiling = Tiling(3 * tile, 1, tile, 2, "float32", operands)
    made = plan(tiling, B1)
    result = tiling_kernel.run(tiling, Device(B1))
    found = [f for f in result.findings if f.id == "B1"]
    assert bool(found) == bool(made.excess)
    if found:
        numbers = found[0].numbers
        assert (numbers["total"], numbers["excess"]) == (made.planned, made.excess)
        assert numbers["largest"] == made.largest_tile * tiling.itemsize


@settings(max_examples=12, deadline=None)
@given(
    st.builds(
        Tiling,
        st.integers(1, 3000),
        st.integers(1, 8),
        st.integers(16, 600),
        st.integers(1, 2),
        st.sampled_from(DTYPES),
        st.integers(2, 3),
    )
)
def test_the_kernel_is_right_for_any_tiling_and_runs_as_many_tiles_as_planned(
    tiling: Tiling,
) -> None:
    result = tiling_kernel.run(tiling, Device(B1))  # raises when the sum is wrong
    assert result.findings.ids == ()
    stores = [
        row
        for row in result.trace.rows()
        if row.write_bytes and result.trace.ops[row.op] == "DataCopyPad" and row.dst_space == 0
    ]
    assert len(stores) == plan(tiling, B1).tiles


def test_a_chip_without_data_copy_pad_gets_data_copy() -> None:
    result = tiling_kernel.run(Tiling(4096, 4, 256, 2, "float16", 2), Device(OLD))
    assert result.findings.ids == ()
    assert "DataCopyPad" not in result.trace.names
    wrong = check(Tiling(1001, 4, 256, 2, "float16", 2), OLD)
    assert [key for key, _ in wrong] == ["tiling_aligned"]


def test_the_generated_kernel_can_be_read() -> None:
    tiling_kernel.kernel(3, True)
    lines = linecache.getlines("elementwise_3_pad.py")
    assert "".join(lines) == tiling_kernel.text(3, True)
    assert max(len(line) for line in lines) <= 100


def test_double_buffering_pays() -> None:
    two, one = (view.tiling(buffers=n, lang="en") for n in (2, 1))
    times = [float(repr(p).split(", ")[-1].split(" us")[0]) for p in (two, one)]
    started = 2.4  # us that pass before the first instruction and for the launch
    assert times[0] - started < 0.95 * (times[1] - started)


def test_what_the_picture_says() -> None:
    html = view.tiling(total=100_003, cores=40, tile=1000, dtype="float16", operands=2, lang="en")
    svg = html.html[html.html.index("<svg") : html.html.index("</svg>") + 6]
    shown = texts(svg)
    assert "formerNum = 11, formerLength = 2,512" in shown
    assert "tailNum = 29, tailLength = 2,496" in shown
    assert "the last core with data has 13 elements less (rounded up to 32 B)" in shown
    assert "last tile 483 elements = 966 B · no multiple of 32 B: DataCopyPad" in shown
    assert "2×in_x 2016 + 2×out_z 2016 = 8,064 B of 196,608 B usable: fits, 188,544 B left" in shown
    assert html.html.count("<svg") == 2


def test_a_plan_that_does_not_fit_shows_the_finding() -> None:
    picture = view.tiling(tile=16384, total=262144, lang="en")
    assert "196608 B too many" in repr(picture)
    assert "(B1); the largest tile is 8,192" in picture.html
    assert ">B1 " in picture.html


def test_too_many_tiles_are_planned_and_not_run() -> None:
    picture = view.tiling(total=1 << 20, tile=64, lang="en")
    assert repr(picture).endswith("not run)")
    assert f"16,384 tiles: more than {MOST_TILES:,} are not run here" in picture.html


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"dtype": "float64"}, "type float64 is none of float32, float16, int32, int16"),
        ({"cores": 49}, "cores 49 must be between 1 and 48"),
        ({"total": 0}, "total 0 and tile 2048 must both be greater than 0"),
        ({"buffers": 3}, "buffers is 1 or 2 .now 3."),
        ({"chip": "Ascend310P3", "total": 1001}, "Ascend310P3 has no DataCopyPad"),
    ],
)
def test_numbers_that_are_no_tiling(change: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        view.tiling(lang="en", **change)


# --- sliders ---------------------------------------------------------------------------------


def panel(tiling: Tiling = USUAL, chip: str = "Ascend910B1") -> TilingPanel:
    return prepare(tiling, chip, "auto", "en")


def test_the_values_given_are_among_the_choices() -> None:
    made = panel(Tiling(12345, 7, 777, 1, "int16", 2))
    assert set(made.values()) == {"total", "cores", "tile", "buffers", "dtype", "operands"}
    controls = {c["name"]: c for row in made.controls() for c in row}
    assert controls["total"]["text"] == "12,345"
    assert controls["tile"]["text"] == "777"
    assert controls["operands"]["options"][made.values()["operands"]] == "1 in, 1 out"


def test_moving_a_slider_changes_the_plan_and_each_choice_runs_once() -> None:
    made = panel()
    first = made.outcome
    made.set("buffers", 0)
    assert made.tiling.buffers == 1
    assert made.outcome.result is not None
    assert first.result is not None
    assert made.outcome.result.cycles > first.result.cycles
    made.set("buffers", 1)
    assert made.outcome is first


def test_a_chip_without_pad_only_offers_whole_blocks() -> None:
    made = panel(Tiling(65536, 4, 1024, 2, "int32", 3), "Ascend310P3")
    made.set("dtype", DTYPES.index("int16"))
    assert made.tiling.total % 16 == made.tiling.tile % 16 == 0
    for name in ("total", "tile"):
        last = next(c["last"] for c in made.controls()[0] if c["name"] == name)
        for value in range(last + 1):
            made.set(name, value)
            assert getattr(made.tiling, name) % 16 == 0
