"""The coverage map: segments, gaps, double writes, and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_lab import view
from ascend_lab.engine.written import Coverage
from ascend_lab.view.coverages import LEAST_FAULT
from ascend_lab.view.ownership import Segment, ownership
from tests.view import make
from tests.view.picture import rects, texts

writes = st.lists(
    st.tuples(st.integers(-8, 60), st.integers(-8, 60), st.integers(0, 4)), max_size=12
)


Store = tuple[int, int, int]


def segments(*stores: Store, nbytes: int = 64, combined: Sequence[Store] = ()) -> list[Segment]:
    return list(ownership(Coverage("z", nbytes, 4, list(stores), combined)).segments)


def test_tiles_of_one_block_are_one_segment() -> None:
    assert segments((0, 16, 0), (16, 32, 0), (32, 64, 1)) == [
        Segment(0, 32, (0,), 1),
        Segment(32, 64, (1,), 1),
    ]


def test_gaps_and_double_writes_are_segments_of_their_own() -> None:
    found = segments((4, 32, 0), (28, 40, 2), (28, 36, 1))
    assert found == [
        Segment(0, 4, (), 0),
        Segment(4, 28, (0,), 1),
        Segment(28, 32, (0, 1, 2), 3),
        Segment(32, 36, (1, 2), 2),
        Segment(36, 40, (2,), 1),
        Segment(40, 64, (), 0),
    ]
    assert [s.kind for s in found] == ["gap", "once", "twice", "twice", "once", "gap"]


def test_writing_again_oneself_is_no_fault() -> None:
    assert segments((0, 64, 3), (16, 32, 3)) == [Segment(0, 64, (3,), 1)]


def test_blocks_may_meet_in_atomic_stores_but_not_in_plain_ones() -> None:
    found = segments((0, 16, 0), (8, 24, 1), combined=[(16, 48, 0), (24, 48, 1), (40, 64, 2)])
    assert [(s.low, s.blocks, s.kind) for s in found] == [
        (0, (0,), "once"),
        (8, (0, 1), "twice"),
        (16, (0, 1), "combined"),
        (40, (0, 1, 2), "combined"),
        (48, (2,), "once"),
    ]


def test_atomic_sums_are_told_and_are_no_fault() -> None:
    sums = Coverage("z", 64, 4, [], [(0, 64, block) for block in range(8)])
    svg = view.coverage_svg([sums], lang="en")
    assert texts(svg, "good") == ["✓ 16 elements combined atomically"]
    assert texts(svg, "on") == ["Σ ×8"]
    assert rects(svg, "twice", "gap") == []
    zh = rects(view.coverage_svg([sums], lang="zh"))[0].tip
    assert zh.endswith("由 block 0、1、2、3、4、5、6、7 以原子方式合并写入")


def test_nothing_written_is_one_gap() -> None:
    assert segments() == [Segment(0, 64, (), 0)]
    assert segments(nbytes=0) == []


@given(writes)
def test_segments_agree_with_a_map_of_single_bytes(stores: list[tuple[int, int, int]]) -> None:
    expected = [
        tuple(sorted({block for low, high, block in stores if low <= byte < high}))
        for byte in range(48)
    ]
    found = segments(*stores, nbytes=48)
    assert [s.blocks for s in found for _ in range(s.low, s.high)] == expected
    assert [s.low for s in found[1:]] == [s.high for s in found[:-1]]


def test_a_good_run_has_a_segment_a_core_and_a_tick() -> None:
    svg = view.coverage_svg(make.result(), lang="en")
    assert [bar.tip for bar in rects(svg)] == [
        "elements 0 – 16,383 (bytes 0 – 65,535) written by block 0",
        "elements 16,384 – 32,767 (bytes 65,536 – 131,071) written by block 1",
    ]
    assert texts(svg, "on") == ["0", "1"]
    assert texts(svg, "good") == ["✓ every element written exactly once"]


def test_a_gap_is_hatched_and_an_overlap_red_with_both_blocks() -> None:
    svg = view.coverage_svg([make.coverage(gap=True, overlap=True)], lang="zh")
    assert [bar.tip for bar in rects(svg, "twice")] == [
        "元素 16,368 – 16,383（字节 65,472 – 65,535）被 block 0、1 重复写入"
    ]
    assert [bar.tip for bar in rects(svg, "gap")] == [
        "元素 32,635 – 32,767（字节 130,540 – 131,071）未写入"
    ]
    assert texts(svg, "bad-text") + texts(svg, "note-text") == [
        bar.tip for bar in rects(svg, "twice", "gap")
    ]
    assert texts(svg, "good") == []


def test_one_wrong_byte_in_a_large_output_can_be_seen() -> None:
    big = Coverage("z", 1 << 30, 4, [(0, 1 << 29, 0), ((1 << 29) - 1, 1 << 30, 1)])
    bar = rects(view.coverage_svg([big]), "twice")[0]
    assert bar.width == LEAST_FAULT


def test_many_blocks_are_wrapped_into_rows() -> None:
    stores = [(b * 1024, (b + 1) * 1024, b) for b in range(48)]
    svg = view.coverage_svg([Coverage("z", 48 * 1024, 4, stores)])
    assert texts(svg, "on") == [str(b) for b in range(48)]
    assert texts(svg, "tick") == ["0", "4,096", "8,192"]


def test_neighbours_never_share_a_colour() -> None:
    stores = [(b * 64, (b + 1) * 64, b) for b in range(9)]
    colours = [bar.css for bar in rects(view.coverage_svg([Coverage("z", 9 * 64, 4, stores)]))]
    assert all(a != b for a, b in pairwise(colours))


def test_only_some_faults_are_told_in_words() -> None:
    stores = [(b * 64, b * 64 + 32, b) for b in range(20)]
    svg = view.coverage_svg([Coverage("z", 20 * 64, 4, stores)], lang="en")
    assert len(texts(svg, "note-text")) == 6
    assert "… and 14 more" in texts(svg, "muted")


def test_no_output() -> None:
    assert "没有写入任何输出。" in texts(view.coverage_svg([]))


@pytest.mark.parametrize(
    ("gap", "overlap", "told"),
    [
        (False, False, "z: every element written exactly once"),
        (True, False, "z: 133 elements not written"),
        (True, True, "z: 133 elements not written, 16 elements written twice"),
    ],
)
def test_repr_is_the_verdict(gap: bool, overlap: bool, told: str) -> None:
    outputs = [make.coverage(gap, overlap)]
    assert repr(view.coverage(make.result(outputs=outputs))) == f"Coverage({told})"
