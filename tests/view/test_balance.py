"""Balance of the cores: the slowest is named, the figures are those of the metrics."""

from __future__ import annotations

import pytest

from ascend_lab import view
from ascend_lab.device import Result
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.trace import Trace
from tests.view import kernels, make
from tests.view.picture import rects, texts


def uneven() -> Result:
    """Core 1 ends 999 cycles later."""
    rows = [
        (*r[:7], r[7] + 999, *r[8:]) if r[2] == 1 and r[3] == int(Pipe.MTE3) else r
        for r in make.rows(tiles=1, blocks=4)
    ]
    meta = {**make.META, "blocks": 4}
    return make.result(Trace.from_rows(rows, make.OPS, make.SOURCES, make.CAUSES, meta))


def test_the_slowest_core_is_named_with_its_share() -> None:
    result = uneven()
    totals = [core.total_cycles for core in result.metrics.cores]
    ratio = max(totals) / (sum(totals) / 4)
    assert repr(view.balance(result)) == (
        f"Balance(4 cores, slowest core 1: {max(totals) / 1850:.3f} us, {ratio:.2f} x mean)"
    )
    svg = view.balance(result, lang="en").html
    assert texts(svg, "bad-text") == [
        "core 1",
        f"Core 1 is the slowest: {max(totals) / 1850:.3f} us, {ratio:.2f} × the mean; "
        "it moved 24 KB, the mean is 24 KB.",
    ]
    assert [r.css for r in rects(svg, "core-slow", "core-bar")] == [
        "core-bar",
        "core-slow",
        "core-bar",
        "core-bar",
    ]


def test_even_cores_are_good_news() -> None:
    svg = view.balance(kernels.good(), lang="zh").html
    assert len(texts(svg, "good-text")) == 1
    assert texts(svg, "good-text")[0].startswith("✓ 负载均衡：最慢的核 0")
    assert texts(svg, "bad-text") == []


def test_stripes_are_the_busy_times_of_the_metrics() -> None:
    result = kernels.good()
    svg = view.balance(result, lang="en").html
    bars = rects(svg, "in")
    ends = rects(svg, "core-bar")
    for core, bar, end in zip(result.metrics.cores, bars, ends, strict=True):
        share = core.busy_cycles[Pipe.MTE2] / core.total_cycles
        assert bar.width / end.width == pytest.approx(share, abs=1e-3)
        assert bar.tip == (
            f"MTE2 is busy for {core.busy_cycles[Pipe.MTE2] / 1850:.3f} us, "
            f"{share:.0%} of the core's time"
        )


def test_used_cores_and_blocks() -> None:
    svg = view.balance(kernels.good(), lang="en").html
    assert "2 of the chip's 48 vector cores were used." in texts(svg, "muted")
    assert texts(svg, "strong") == ["core 0", "core 1"]


def test_a_bare_trace_and_an_empty_one() -> None:
    assert view.balance(kernels.good().trace).html == view.balance(kernels.good()).html
    empty = Trace.from_rows([], [], [], [], make.META)
    assert repr(view.balance(empty)) == "Balance(no core ran)"
    assert "没有执行任何指令。" in texts(view.balance(empty).html)


def test_plotly_has_the_same_figures() -> None:
    pytest.importorskip("plotly")
    result = uneven()
    figure = view.balance(result, lang="en").figure().to_plotly_json()
    ends = figure["data"][0]
    assert list(ends["x"]) == pytest.approx(
        [core.total_cycles / 1850 for core in result.metrics.cores]
    )
    assert [t["name"] for t in figure["data"][1:]] == [
        "S scalar",
        "MTE2 move in",
        "V compute",
        "MTE3 move out",
    ]
    assert figure["layout"]["annotations"][0]["text"].startswith("Core 1 is the slowest")
