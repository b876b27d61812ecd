"""The timeline: what is drawn, where, and what it says when pointed at."""

from __future__ import annotations

import pytest

from ascend_lab import view
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from ascend_lab.view.timelines import LEFT, RIGHT, WIDTH, pick_cores, tick_step, timeline_svg
from tests.view import make
from tests.view.picture import SVG, parse, rects, texts

END = 3302.5
SCALE = (WIDTH - LEFT - RIGHT) / END


def test_a_lane_for_each_pipe_of_each_core_with_its_busy_share() -> None:
    svg = timeline_svg(make.result(), lang="en")
    assert texts(svg, "core") == ["core 0", "core 1"]
    assert texts(svg, "pipe") == ["S", "MTE2", "V", "MTE3"] * 2
    assert texts(svg, "busy") == ["6%", "92%", "13%", "49%"] * 2  # S: without the start


def test_the_shares_are_those_of_the_metrics_table() -> None:
    """But for S: msprof counts the start of the core there, which is no work of the kernel and is named as such."""
    result = make.result()
    figures = result.metrics
    begin = figures.prologue_scalar_us * figures.clock_mhz
    names = {"scalar": begin, "mte2": 0.0, "vec": 0.0, "mte3": 0.0}
    ratios = [
        f"{float(row[f'aiv_{name}_ratio']) - left_out / float(row['aiv_total_cycles']):.0%}"
        for row in figures.per_core()
        for name, left_out in names.items()
    ]
    svg = timeline_svg(result, lang="en")
    assert texts(svg, "busy") == ratios
    (note,) = texts(svg, "muted")
    assert f"the start of the core ({figures.prologue_scalar_us:g} us" in note


def test_the_time_before_the_first_instruction_is_named() -> None:
    late = [(*r[:5], *(t + 1000 for t in r[5:8]), *r[8:]) for r in make.rows(tiles=1)]
    trace = Trace.from_rows(late, make.OPS, make.SOURCES, make.CAUSES, make.META)
    assert texts(timeline_svg(trace, lang="en"), "muted") == ["kernel start-up"] * 2
    assert texts(timeline_svg(make.trace(tiles=1), lang="en"), "muted") == []


def test_bars_stand_where_and_when_the_instructions_ran() -> None:
    bars = rects(timeline_svg(make.result(), cores=[0]), "compute")
    starts = [row.start for row in make.trace().rows(block=0, pipe=Pipe.V) if row.write_bytes]
    assert len(bars) == 8
    for bar, start in zip(bars, starts, strict=True):
        assert bar.x == pytest.approx(LEFT + start * SCALE, abs=0.01)
        assert bar.width == pytest.approx(54.5 * SCALE, abs=0.01)
    assert len({bar.y for bar in bars}) == 1


def test_colours_follow_the_kind_and_the_buffer() -> None:
    bars = rects(timeline_svg(make.result(), cores=[0]), "in", "compute", "out")
    pairs = {"in": ["in", "in", "in pong", "in pong"], "compute": ["compute", "compute pong"]}
    found = {
        kind: [b.css for b in bars if kind in b.css.split()] for kind in ("in", "compute", "out")
    }
    assert found == {
        "in": pairs["in"] * 4,
        "compute": pairs["compute"] * 4,
        "out": ["out", "out pong"] * 4,
    }


def test_single_buffering_has_no_second_buffer() -> None:
    svg = timeline_svg(make.result(make.trace(buffers=1)), lang="en")
    assert not [bar for bar in rects(svg) if "pong" in bar.css]
    assert "second buffer (pong)" not in texts(svg)
    assert "second buffer (pong)" in texts(timeline_svg(make.result(), lang="en"))


def test_tooltip_of_an_instruction() -> None:
    bar = rects(timeline_svg(make.result(), cores=[1], lang="en"), "compute")[1]
    assert bar.tip.split("\n") == [
        "Add · V · core 1 · block 1",
        "add.py:40  add_kernel()",
        "cycles 886 – 940.5 (54.5)",
        "0.479 – 0.508 us (0.029 us)",
        "reads 16,384 B, writes 8,192 B",
        "UB 0xa000 · buffer 2 of 2",
    ]


def test_tooltip_of_an_instruction_in_chinese() -> None:
    bar = rects(timeline_svg(make.result(), cores=[1], lang="zh"), "out")[0]
    assert bar.tip.split("\n") == [
        "DataCopy · MTE3 · 核 1 · block 1",
        "add.py:44  add_kernel()",
        "第 580.5 – 782.5 个周期（共 202）",
        "0.314 – 0.423 us（0.109 us）",
        "读 8,192 B，写 8,192 B",
        "UB 0x4000 · 缓冲 1/2",
    ]


def test_a_wait_tells_what_it_waited_for() -> None:
    waits = rects(timeline_svg(make.result(), cores=[0], lang="en"), "wait")
    on_v = [bar for bar in waits if bar.tip.startswith("V waited")]
    assert on_v[1].tip.split("\n") == [
        "V waited 305.5 cycles",
        "for: DataCopy (MTE2), add.py:35",
        "released by set_flag at add.py:36",
        "add.py:36  add_kernel()",
        "cycles 580.5 – 886 (305.5)",
        "0.314 – 0.479 us (0.165 us)",
    ]
    assert on_v[1].x == pytest.approx(LEFT + 580.5 * SCALE, abs=0.01)


def test_a_wait_for_a_barrier_says_for_what() -> None:
    op = ("Add", "PipeBarrier", "SyncAll")
    none = (-1, 0, 0, -1, 0, 0)
    rows = [
        (0, 0, 0, 1, 0, 0.0, 0.0, 50.0, 0, 0, 0, -1, 0, 0, *none),
        (1, 0, 0, 5, 1, 2.0, 2.0, 70.0, 0, 0, 0, -1, 0, 0, *none),
        (2, 0, 0, 0, 2, 4.0, 4.0, 90.0, 0, 0, 0, -1, 0, 0, *none),
    ]
    trace = Trace.from_rows(rows, op, make.SOURCES, make.CAUSES, make.META)
    tips = [bar.tip for bar in rects(timeline_svg(trace, lang="en"), "wait")]
    assert [tip.split("\n")[1] for tip in tips] == [
        "for: all cores to arrive",
        "for: everything issued to it before",
    ]


def test_labels_carry_the_line_when_they_fit() -> None:
    labels = texts(timeline_svg(make.result(make.trace(tiles=2, blocks=1))), "on-in")
    assert labels == ["DataCopy :34", "DataCopy :35", "DataCopy :34", "DataCopy :35"]


def test_a_finding_is_marked_on_its_lane_at_its_time() -> None:
    svg = timeline_svg(make.result(findings=[make.finding()]), lang="en")
    assert texts(svg, "on-bad") == ["D1"]
    assert "finding" in texts(svg)
    tops = {bar.y for bar in rects(svg, "compute")}
    pin = next(r for r in parse(svg).iter() if r.get("class") == "stem")
    assert float(pin.get("x1", "")) == pytest.approx(LEFT + 900 * SCALE, abs=1)
    assert float(pin.get("y1", "")) + 4 == max(tops)
    tip = next(n.text for g in parse(svg).iter(f"{SVG}g") for n in g)
    assert tip == make.finding().message("en")


def test_findings_can_be_left_out() -> None:
    result = make.result(findings=[make.finding()])
    assert texts(timeline_svg(result, findings=False), "on-bad") == []


def test_findings_at_one_place_share_a_mark() -> None:
    many = [make.finding(), make.finding(id="D2", line=41), make.finding(line=60, time=2500.0)]
    svg = timeline_svg(make.result(findings=many))
    assert sorted(texts(svg, "on-bad")) == ["D1", "D1 D2"]


def test_a_finding_without_a_pipe_or_after_the_end_stays_in_the_picture() -> None:
    lost = [make.finding(pipe="", time=1e9)]
    svg = timeline_svg(make.result(findings=lost))
    stem = next(r for r in parse(svg).iter() if r.get("class") == "stem")
    assert float(stem.get("x1", "")) <= WIDTH - RIGHT


def test_a_finding_of_the_whole_launch_has_no_place_here() -> None:
    svg = timeline_svg(make.result(findings=[make.finding(core=-1, block=-1)]))
    assert texts(svg, "on-bad") == []


def test_cores_are_chosen_and_the_choice_is_said() -> None:
    result = make.result(make.trace(tiles=1, blocks=8), findings=[make.finding(core=5, block=5)])
    svg = timeline_svg(result, lang="en")
    assert texts(svg, "core") == ["core 0", "core 1", "core 2", "core 5"]
    assert "4 of 8 cores are shown; choose with cores=[...]." in texts(svg, "muted")
    assert texts(timeline_svg(result, cores=[7, 3], lang="en"), "core") == ["core 3", "core 7"]


def test_the_slowest_core_is_among_the_chosen() -> None:
    rows = make.rows(tiles=1, blocks=8)
    slow = [
        (*r[:7], r[7] + 999, *r[8:]) if r[2] == 6 and r[3] == int(Pipe.MTE3) else r for r in rows
    ]
    trace = Trace.from_rows(slow, make.OPS, make.SOURCES, make.CAUSES, make.META)
    assert pick_cores(trace, [], 4) == (0, 1, 2, 6)


def test_narrow_bars_are_merged_and_it_says_so() -> None:
    result = make.result(make.trace(tiles=400, blocks=4))
    svg = timeline_svg(result, lang="en")
    assert len(rects(svg)) <= 1500
    instructions = 400 * 4 * 6
    note = [text for text in texts(svg, "muted") if "instructions drawn as" in text]
    assert note == [
        f"{instructions:,} instructions drawn as "
        f"{len(rects(svg, 'in', 'compute', 'out', 'scalar')):,} bars: "
        "short neighbours are merged, deeper is busier."
    ]
    assert any("instructions: DataCopy × " in bar.tip for bar in rects(svg, "in"))
    assert len(svg) < 600_000


def test_a_merged_bar_says_how_much_of_it_is_work() -> None:
    """Every second instruction of V lies between two waits twice as long: a third of the run is work."""
    none, op = (-1, 0, 0, -1, 0, 0), make.OPS.index("Add")
    rows = [
        (k, 0, 0, 1, op, 3.0 * k, 3.0 * k, 3.0 * k + 1, 0, 0, 0, -1, 0, 0, *none)
        for k in range(12_000)
    ]
    trace = Trace.from_rows(rows, make.OPS, make.SOURCES, make.CAUSES, make.META)
    svg = timeline_svg(trace, lang="en")
    bars = rects(svg, "compute")
    assert 100 < len(bars) <= 1500
    assert sum(int(bar.tip.split()[0]) for bar in bars) == 12_000
    assert {bar.tip.split("\n")[1] for bar in bars} <= {
        f"at work {share}% of this time" for share in (33, 34, 35, 36, 40, 50)
    }
    strengths = {n.get("fill-opacity") for n in parse(svg).iter(f"{SVG}rect")} - {None}
    assert all(0.45 < float(strength or 0) < 0.65 for strength in strengths)


def test_nothing_is_merged_without_need() -> None:
    svg = timeline_svg(make.result(make.trace(tiles=2)), lang="en")
    assert len(rects(svg, "in", "compute", "out", "scalar")) == 2 * 2 * 6
    assert not any("merged" in text for text in texts(svg, "muted"))


def test_an_empty_run_says_so() -> None:
    svg = timeline_svg(make.result(Trace.from_rows([], [], [], [], make.META)), lang="zh")
    assert "没有执行任何指令。" in texts(svg)


def test_a_bare_trace_will_do() -> None:
    assert texts(timeline_svg(make.trace(), lang="en"), "head") == [
        "Timeline · add_kernel · 1.785 us · Ascend910B1, 1850 MHz"
    ]


def test_names_are_escaped() -> None:
    rows = make.rows(1, 1)
    ops = ["<b>&", *make.OPS[1:]]
    trace = Trace.from_rows(rows, ops, make.SOURCES, make.CAUSES, make.META | {"kernel": "a<b&c"})
    svg = timeline_svg(trace)
    assert "a<b&c" in texts(svg, "head")[0]
    assert any(bar.tip.startswith("<b>&") for bar in rects(svg))


@pytest.mark.parametrize(
    ("span", "step"), [(1.785, 0.2), (0.4, 0.05), (29.4, 5), (9000, 1000), (1e-4, 1e-3)]
)
def test_ticks_are_round_numbers(span: float, step: float) -> None:
    assert tick_step(span) == step


def test_another_language_is_refused() -> None:
    with pytest.raises(ValueError, match='choose "zh" or "en"'):
        view.timeline(make.result(), lang="fr")  # type: ignore[arg-type]


def test_repr_is_one_stable_line() -> None:
    picture = view.timeline(make.result(findings=[make.finding()]))
    assert repr(picture) == "Timeline(1.785 us, 2 of 2 cores, 96 instructions, 1 findings)"
    assert picture._repr_mimebundle_() == {"text/plain": repr(picture), "text/html": picture.html}
