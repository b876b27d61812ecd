"""The UB of a core over time: buffers, accesses, races, and what is said about them."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

from ascend_lab import view
from ascend_lab.engine.trace import Trace
from ascend_lab.view import memory_map, uses
from ascend_lab.view.origin import origin
from tests.view import kernels, make
from tests.view.picture import SVG, parse, rects, texts

ADD = kernels.line(kernels.racy_add, "asc.add(")
LOAD_X = kernels.line(kernels.racy_add, "asc.data_copy(x_local")
LOAD_Y = kernels.line(kernels.racy_add, "asc.data_copy(y_local")


def racy() -> memory_map.Map:
    return memory_map.memory_map(origin(kernels.racy()), 0)


def test_buffers_have_their_names_bytes_and_life() -> None:
    trace = kernels.good().trace
    found = [(b.label, b.low, b.high, b.block) for b in uses.buffers(trace, 1)]
    assert found == [
        ("in_x [0]", 0, 4096, 1),
        ("in_x [1]", 4096, 8192, 1),
        ("in_y [0]", 8192, 12288, 1),
        ("in_y [1]", 12288, 16384, 1),
        ("out_z [0]", 16384, 20480, 1),
        ("out_z [1]", 20480, 24576, 1),
    ]
    ops = {row.serial: (trace.ops[row.op], row) for row in trace.rows(core=1)}
    made = [row.end for op, row in ops.values() if op == "InitBuffer"]
    gone = next(row.start for op, row in ops.values() if op == "TPipeDestroy")
    assert sorted({b.born for b in uses.buffers(trace, 1)}) == sorted(made)
    assert {b.gone for b in uses.buffers(trace, 1)} == {gone}


def test_every_access_to_ub_is_a_box_at_its_time_and_bytes() -> None:
    known = racy()
    add = [box for box in known.boxes if kernels.racy().trace.ops[box.uses[0].row.op] == "Add"]
    assert [(b.low, b.high, b.writes) for b in add[:3]] == [
        (0, 4096, False),
        (4096, 8192, False),
        (8192, 12288, True),
    ]
    assert {(b.begin, b.end) for b in add[:3]} == {
        (add[0].uses[0].row.start, add[0].uses[0].row.end)
    }
    assert len(known.boxes) == known.accesses == 18


def test_a_race_is_marked_each_time_it_happens_and_told_once() -> None:
    known = racy()
    assert [(r.finding.id, r.low, r.high) for r in known.races] == [("D1", 4096, 8192)] * 3
    for race in known.races:
        lines = {
            known.source.line(box.uses[0].row.where)
            for box in known.boxes
            if box.low == 4096 and box.begin <= race.begin < box.end
        }
        assert lines == {ADD, LOAD_Y}
    svg = view.memory(kernels.racy(), lang="en").html
    assert texts(svg, "on-bad") == ["D1"]
    assert len(rects(svg, "race")) == 3
    assert known.unmarked == 0


def test_a_good_run_has_no_race() -> None:
    known = memory_map.memory_map(origin(kernels.good()), 0)
    assert known.races == ()
    assert "bytes in conflict" not in texts(view.memory(kernels.good(), lang="en").html)


def test_boxes_stand_at_their_addresses_true_to_scale() -> None:
    svg = view.memory(kernels.good(), lang="en").html
    rows = sorted({r.y for r in rects(svg, "in")})
    assert len(rows) == 4
    # Six buffers of the same length share the height of the plot.
    assert [b - a for a, b in pairwise(rows)] == pytest.approx([280 / 6] * 3, abs=0.02)


def test_small_buffers_stay_visible_and_it_is_said() -> None:
    known = racy()
    scale = memory_map.Scale(known, 0.0, 20.0, 22.0)
    assert scale.stretched
    assert [scale.y(a) for a in (0, 4096, 8192, 12288)] == [0.0, 22.0, 44.0, 66.0]
    assert memory_map.notes(known, 18, True, "en") == [
        "Small buffers are drawn higher than to scale."
    ]


def test_what_a_box_says() -> None:
    svg = view.memory(kernels.racy(), lang="en").html
    tips = [r.tip.split("\n") for r in rects(svg, "in")]
    assert tips[0][:3] == [
        "DataCopy · MTE2 · core 0 · block 0",
        f"kernels.py:{LOAD_X}",
        "writes 4,096 B: in_x · UB 0x0 – 0xfff",
    ]
    zh = [r.tip.split("\n") for r in rects(view.memory(kernels.racy()).html, "compute-read")]
    assert zh[0][2] == "读 4,096 B：in_x · UB 0x0 – 0xfff"


def test_heading_and_repr() -> None:
    picture = view.memory(kernels.racy(), lang="en")
    assert repr(picture) == (
        "Memory(core 0, 3 buffers, 12 KB of 192 KB UB, 18 accesses, 1 findings)"
    )
    assert texts(picture.html, "head") == [
        "UB memory · racy_add · core 0 · 12 KB of 192 KB planned · Ascend910B1, 1850 MHz"
    ]
    assert "free 180 KB" in texts(picture.html)


def test_findings_about_something_else_are_counted() -> None:
    svg = view.memory(kernels.stuck(), lang="en").html
    assert "Findings that are not about bytes of the UB: 1; see the timeline." in texts(
        svg, "muted"
    )


def test_tensors_placed_by_address_have_their_names() -> None:
    assert texts(view.memory(kernels.stuck(), lang="en").html, "strong") == ["x_local", "z_local"]


def test_a_trace_without_names_says_so() -> None:
    svg = view.memory(make.result(), core=1, lang="en").html
    assert texts(svg, "muted")[-2:] == [
        "The trace names no buffers: only the addresses that were used are shown.",
        "The trace has only the first source and destination of each instruction.",
    ]
    assert texts(svg, "strong") == []
    assert len(rects(svg, "in")) == 16


def test_a_long_run_is_joined_and_says_so() -> None:
    svg = view.memory(make.result(make.trace(tiles=900, blocks=1)), lang="en").html
    boxes = rects(svg, "in", "compute", "out", "compute-read", "out-read")
    assert len(boxes) <= 1500
    note = [text for text in texts(svg, "muted") if "accesses drawn as" in text]
    assert len(note) == 1
    assert any("MTE2 writes " in box.tip and " times" in box.tip for box in boxes)


def test_a_part_of_a_run() -> None:
    whole = view.memory(kernels.good(), lang="en")
    part = view.memory(kernels.good(), lang="en", span=(1.5, 1.7))
    low, high = 1.5 * 1850, 1.7 * 1850
    inside = [
        use
        for use in uses.uses(kernels.good().trace, 0)
        if use.row.end > low and use.row.start < high
    ]
    kinds = ("in", "compute", "out", "compute-read", "out-read")
    assert len(rects(part.html, *kinds)) == len(inside) < len(rects(whole.html, *kinds))
    ticks = [float(text) for text in texts(part.html, "tick") if "." in text]
    assert ticks
    assert all(1.5 <= tick <= 1.7 for tick in ticks)
    with pytest.raises(ValueError, match="span="):
        view.memory(kernels.good(), span=(2.0, 1.0))


def test_a_run_without_memory_says_so() -> None:
    empty = Trace.from_rows([], [], [], [], make.META)
    assert "This core did not use its UB." in texts(view.memory(empty, lang="en").html)


def test_a_core_that_did_nothing_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="core 7 executed nothing; there are 0, 1"):
        view.memory(kernels.good(), core=7, lang="en")
    with pytest.raises(ValueError, match="有记录的核：0, 1"):
        view.memory(kernels.good(), core=7)


def test_a_bare_trace_will_do() -> None:
    assert repr(view.memory(kernels.racy().trace)).endswith("0 findings)")


def test_it_is_one_svg() -> None:
    root = parse(view.memory(kernels.racy()).html)
    assert root.tag == f"{SVG}svg"
    assert isinstance(root, ElementTree.Element)


def test_plotly_has_the_same_boxes() -> None:
    pytest.importorskip("plotly")
    figure = view.memory(kernels.racy(), lang="en").figure().to_plotly_json()
    named = {t["name"]: t for t in figure["data"] if t.get("name")}
    assert list(named) == [
        "MTE2 writes",
        "V writes",
        "V reads",
        "MTE3 reads",
        "bytes in conflict",
    ]
    assert sum(len(t["x"]) for name, t in named.items() if name != "bytes in conflict") == 18
    assert len(named["bytes in conflict"]["x"]) == 3
    assert [a["text"] for a in figure["layout"]["annotations"]] == ["<b>D1</b>"]
    assert figure["layout"]["yaxis"]["ticktext"][0] == "in_x · 4 KB"


def test_an_address_that_stopped_the_core_is_marked() -> None:
    known = memory_map.memory_map(origin(kernels.misaligned()), 0)
    (race,) = known.races
    assert (race.finding.id, race.low, race.high) == ("A1", 4, 36)
    assert known.unmarked == 0
    svg = view.memory(kernels.misaligned(), lang="en").html
    assert texts(svg, "on-bad") == ["A1"]
    assert "bytes of a finding" in texts(svg)
