"""The plotly figures carry the same facts as the static views."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from ascend_lab import view
from ascend_lab.engine.written import Coverage
from ascend_lab.view.timelines_plotly import MOST_BARS
from tests.view import make
from tests.view.picture import rects

pytest.importorskip("plotly")


def plot(picture: view.Picture) -> dict[str, Any]:
    found: dict[str, Any] = picture.figure().to_plotly_json()
    return found


def test_bars_are_those_of_the_svg_with_the_same_tooltips() -> None:
    picture = view.timeline(make.result(make.trace(tiles=2)), lang="en")
    tips = [bar.tip for bar in rects(picture.html)]
    hover = [text for trace in plot(picture)["data"] for text in trace["hovertext"]]
    assert sorted(text.replace("<b>", "").replace("</b>", "").split("<br>") for text in hover) == (
        sorted(tip.split("\n") for tip in tips)
    )


def test_times_are_microseconds() -> None:
    data = plot(view.timeline(make.trace(tiles=1, blocks=1), lang="en"))["data"]
    add = next(trace for trace in data if trace["name"] == "compute")
    assert (list(add["base"]), list(add["x"])) == ([526 / 1850], pytest.approx([54.5 / 1850]))


def test_one_legend_entry_for_the_second_buffer() -> None:
    data = plot(view.timeline(make.trace(), lang="en"))["data"]
    shown = [trace["name"] for trace in data if trace.get("showlegend", True)]
    assert sorted(shown) == [
        *("compute", "move in", "move out", "scalar", "second buffer (pong)", "waiting")
    ]
    assert len(data) == 8


def test_findings_are_marks_with_labels() -> None:
    figure = plot(view.timeline(make.result(findings=[make.finding()]), lang="en"))
    mark = figure["data"][-1]
    assert mark["name"] == "finding"
    assert list(mark["x"]) == [900 / 1850]
    assert mark["hovertext"][0].startswith("<b>D1  Vector reads data that")
    lanes = dict(
        zip(
            figure["layout"]["yaxis"]["ticktext"],
            figure["layout"]["yaxis"]["tickvals"],
            strict=True,
        )
    )
    assert list(mark["y"]) == [lanes["core 1 · V"]]
    assert [a["text"] for a in figure["layout"]["annotations"]] == ["<b>D1</b>"]


def test_a_long_run_is_merged_and_says_so() -> None:
    figure = plot(view.timeline(make.trace(tiles=400, blocks=4), lang="en"))
    bars = sum(len(trace["x"]) for trace in figure["data"])
    assert 1000 < bars <= MOST_BARS
    notes = [a["text"] for a in figure["layout"]["annotations"]]
    assert len(notes) == 1
    assert notes[0].startswith("9,600 instructions drawn as ")


def test_backgrounds_are_transparent() -> None:
    for picture in (view.timeline(make.trace()), view.coverage([make.coverage()])):
        layout = plot(picture)["layout"]
        assert (layout["paper_bgcolor"], layout["plot_bgcolor"]) == ("rgba(0,0,0,0)",) * 2


def test_coverage_rows_fill_the_width() -> None:
    outputs = [make.coverage(gap=True, overlap=True), Coverage("w", 64, 4, [(0, 64, 0)])]
    figure = plot(view.coverage(outputs, lang="en"))
    widths: dict[float, float] = {}
    for trace in figure["data"]:
        for y, x in zip(trace["y"], trace["x"], strict=True):
            widths[y] = widths.get(y, 0.0) + x
    assert list(widths.values()) == pytest.approx([1.0, 1.0])
    hover = [text for trace in figure["data"] for text in trace["hovertext"]]
    assert "elements 16,368 – 16,383 (bytes 65,472 – 65,535) written by blocks 0 and 1" in hover


def test_notebook_output_is_json_without_random_ids() -> None:
    def bundle() -> str:
        return json.dumps(view.timeline(make.result()).interactive()._repr_mimebundle_())

    assert bundle() == bundle()
    assert json.loads(bundle())["text/plain"].startswith("Timeline(")
    html = view.coverage(make.result()).interactive().to_html(plotlyjs=False, name="map")
    assert 'id="map"' in html


def test_static_views_do_not_load_plotly() -> None:
    code = (
        "import sys; sys.modules['plotly'] = None\n"
        "from tests.view import make\nfrom ascend_lab import view\n"
        "r = make.result(findings=[make.finding()])\n"
        "print([len(p.html) > 500 for p in (view.timeline(r), view.coverage(r), view.metrics_table(r))])"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[True, True, True]"
