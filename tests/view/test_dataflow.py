"""The way of one tile: what it depends on, what orders it, and how long it took."""

from __future__ import annotations

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import view
from ascend_lab.device import Device, Result
from ascend_lab.view import flow_panel, flows
from ascend_lab.view.origin import origin
from tests.view import kernels, make
from tests.view.picture import rects, texts

ADD = kernels.line(kernels.racy_add, "asc.add(")


@asc.jit
def chained(x: asc.GlobalAddress, z: asc.GlobalAddress, length: asc.ConstExpr[int]) -> None:
    """Many vector instructions in place, and one that is done before the tile."""
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    out = asc.TQue(asc.TPosition.VECOUT, 1)
    ones = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(queue, 1, 1024)
    pipe.init_buffer(out, 1, 1024)
    pipe.init_buffer(ones, 1024)
    one = ones.get(x.dtype)
    asc.duplicate(one, 1.0, 256)
    local = queue.alloc_tensor(x.dtype)
    asc.data_copy(local, x_gm, 256)
    queue.enque(local)
    local = queue.deque(x.dtype)
    result = out.alloc_tensor(x.dtype)
    for _ in range(length):
        asc.adds(local, local, 1.0, 256)
    asc.add(result, local, one, 256)
    out.enque(result)
    queue.free_tensor(local)
    result = out.deque(x.dtype)
    asc.data_copy(z_gm, result, 256)
    out.free_tensor(result)


def run_chained(length: int) -> Result:
    x = np.zeros(256, np.float32)
    return Device().launch(chained, 1, x, x.copy(), length)


def tile(result: Result, core: int = 0, number: int = 0) -> flows.Flow:
    return flows.flow(origin(result), core, number)


def labels(known: flows.Flow) -> list[str]:
    return [known.source.trace.ops[node.row.op] for node in known.nodes]


def test_a_tile_is_its_store_and_what_that_depends_on() -> None:
    known = tile(kernels.good(), 1, 3)
    assert labels(known) == ["DataCopy", "DataCopy", "Add", "DataCopy"]
    assert known.tiles == 6
    assert [(e.owner.label if e.owner else "", e.sync, e.flag) for e in known.edges] == [
        ("in_x [1]", "flag", (4, 1, 0)),
        ("in_y [1]", "flag", (4, 1, 1)),
        ("out_z [1]", "flag", (1, 5, 0)),
    ]
    loads = [flows.array_of(known.source.trace, node.reads[0]) for node in known.nodes[:2]]
    first = (6 + 3) * kernels.TILE
    assert loads == [("x", first, first + 1023), ("y", first, first + 1023)]


def test_a_missing_flag_is_seen_between_the_two_lines() -> None:
    known = tile(kernels.racy())
    assert [e.sync for e in known.edges] == ["flag", "none", "flag"]
    svg = view.dataflow(kernels.racy(), lang="en").html
    assert texts(svg, "bad-text") == ["no flag between"]
    assert len(rects(svg, "warned")) == 1


def test_without_a_finding_no_alarm_is_raised() -> None:
    bare = view.dataflow(kernels.racy().trace, lang="en").html
    assert texts(bare, "bad-text") == []
    assert "no flag between" in texts(bare)


def test_boxes_say_array_elements_buffers_bytes_and_times() -> None:
    svg = view.dataflow(kernels.good(), core=1, tile=0, lang="en").html
    shown = texts(svg)
    assert {"x", "y", "z", "6144–7167", "in_x [0]", "0x0 · 4 KB", "⚑ V→MTE3 0"} <= set(shown)
    assert [t for t in shown if t.startswith("Add :")]


def test_what_was_done_before_the_tile_is_named_and_not_timed() -> None:
    known = tile(run_chained(2))
    assert labels(known) == ["Duplicate", "DataCopy", "Adds", "Adds", "Add", "DataCopy"]
    load = known.nodes[1].row
    assert known.begin == load.start
    svg = view.dataflow(run_chained(2), lang="en").html
    assert [t for t in texts(svg, "muted") if t.startswith("done earlier: Duplicate")]


def test_many_vector_instructions_are_folded() -> None:
    svg = view.dataflow(run_chained(30), lang="en").html
    assert "… 25 more" in texts(svg)
    assert len([t for t in texts(svg, "on-compute") if t.startswith(("Adds", "Add", "Dup"))]) >= 7


def test_busy_and_waiting_add_up() -> None:
    known = tile(kernels.good())
    total = known.end - known.begin
    assert 0 < known.busy() <= total + 1e-6
    us = known.source.us
    svg = view.dataflow(kernels.good(), lang="en").html
    assert texts(svg, "strong-text")[0].startswith(
        f"From its first load to GM again the tile took {us(total)} us"
    )


def test_a_core_that_stored_nothing_says_so() -> None:
    assert "This core stored nothing to GM." in texts(
        view.dataflow(kernels.stuck(), lang="en").html
    )


def test_a_tile_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="Core 0 stored to GM 6 times: tile is 0 to 5, not 6"):
        view.dataflow(kernels.good(), tile=6, lang="en")
    with pytest.raises(ValueError, match="tile 取 0 到 5，不能是 -1"):
        view.dataflow(kernels.good(), tile=-1)


def test_a_trace_without_operands_says_what_is_missing() -> None:
    svg = view.dataflow(make.result(), core=1, tile=2, lang="en").html
    assert texts(svg, "muted")[-1].startswith("The trace has only the first source")
    assert labels(tile(make.result(), 1, 2)) == ["DataCopy", "Add", "DataCopy"]


def test_panel_goes_from_tile_to_tile_and_core_to_core() -> None:
    made = flow_panel.prepare(origin(kernels.good()), 0, 0, "auto", "en")
    made.press("back")
    assert made.tile == 0
    made.press("next")
    made.set("core", 1)
    assert (made.core, made.tile) == (1, 1)
    made.set("tile", 99)
    assert made.tile == 5
    controls = {c["name"]: c for c in made.controls()[0]}
    assert controls["next"]["disabled"]
    assert controls["tile"]["text"] == "6 / 6"
    assert "core 1 · tile 6 of 6" in made.html()


def test_repr() -> None:
    assert repr(view.dataflow(kernels.racy())) == (
        "Dataflow(core 0, tile 0 of 3, 4 instructions, 0.305 us)"
    )
