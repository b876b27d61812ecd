"""Cards of findings, and the metrics table."""

from __future__ import annotations

import dataclasses
import linecache
from html.parser import HTMLParser

import pytest

from ascend_lab import view
from ascend_lab.view.cards import source_line
from tests.view import make

SOURCES = {
    "add.py": "\n" * 33
    + "    asc.data_copy(x_local, x_gm[offset:], TILE)\n"
    + "\n" * 5
    + "    asc.add(z_local, x_local, y_local, TILE)\n"
}


class Text(HTMLParser):
    """The visible texts of a fragment, and a check that its tags match."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []
        self.feed(markup)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] != "style":
            self.found.append(data)


def texts(markup: str) -> list[str]:
    return Text(markup).found


def test_a_card_in_full() -> None:
    card = view.findings(make.result(findings=[make.finding(count=7)]), "en", sources=SOURCES)
    assert texts(card.html) == [
        "D1",
        "Vector reads data that is still being loaded (MTE2→V missing)",
        "error",
        "add.py:40, core 1, V, cycle 900, 7 times",
        "40",
        "asc.add(z_local, x_local, y_local, TILE)",
        *texts(f"<p>{make.finding().part('text', 'en')}</p>"),
        "add.py:34",
        "asc.data_copy(x_local, x_gm[offset:], TILE)",
        "writes these bytes",
        "Rule",
        make.finding().part("rule", "en"),
        "Next step",
        make.finding().part("next", "en"),
        f"npuchk: ErrorSync2 · msSanitizer: {make.finding().sanitizer} · "
        f"asc-devkit: {make.finding().page}",
    ]


def test_a_card_in_chinese() -> None:
    card = texts(view.findings(make.result(findings=[make.finding()]), "zh").html)
    assert card[:4] == [
        "D1",
        make.finding().title("zh"),
        "错误",
        "add.py:40，核 1，V，周期 900",
    ]
    assert {"规则", "下一步", make.finding().part("next", "zh")} <= set(card)


def test_consequences_are_folded_under_their_cause() -> None:
    follow = make.finding(id="D2", line=44)
    cause = dataclasses.replace(make.finding(), consequences=(follow,))
    html = view.findings_html([cause], "en")
    assert "follows from it: D2" in texts(html)
    assert html.index("<details>") < html.index("follows from it")
    assert html.count('class="card ') == 1


def test_no_findings_is_good_news() -> None:
    picture = view.findings(make.result(), "zh")
    assert texts(picture.html) == ["✓ 没有发现问题。"]
    assert repr(picture) == "Findings(none)"


def test_repr_lists_the_ids() -> None:
    found = [make.finding(), make.finding(id="D2", line=44)]
    assert repr(view.findings(make.result(findings=found))) == "Findings(D1, D2)"


def test_a_card_is_no_plotly_figure() -> None:
    with pytest.raises(TypeError, match="no plotly figure"):
        view.findings(make.result()).figure()


def test_source_is_escaped() -> None:
    sources = {"add.py": "\n" * 39 + "if a < b & c: '<script>'"}
    html = view.findings_html([make.finding()], "en", sources=sources)
    assert "<script>" not in html
    assert "if a < b & c: '<script>'" in texts(html)


def test_a_line_python_has_read_is_found_by_base_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linecache, "cache", {})
    assert source_line("k.py", 1, {}) == ""
    linecache.cache["/course/k.py"] = (4, None, ["  a = 1\n"], "/course/k.py")
    assert source_line("k.py", 1, {}) == "a = 1"
    assert source_line("k.py", 2, {}) == ""
    linecache.cache["/other/k.py"] = (4, None, ["b = 1\n"], "/other/k.py")
    assert source_line("k.py", 1, {}) == ""


def test_metrics_table_has_every_field_and_figure() -> None:
    result = make.result()
    picture = view.metrics_table(result, lang="en")
    shown = texts(picture.html)
    for table in result.metrics.as_dict().values():
        for field, value in table.items():
            if not isinstance(value, str):
                assert field in shown
    assert {"2.515", "0.921", "1.644", "256"} <= set(shown)
    assert (shown.count("±35 %"), shown.count("±75 %")) == (3, 3)
    assert shown[-1] == result.metrics.accuracy("en")
    assert repr(picture) == "Metrics(add_kernel: 2.515 us, bottleneck mte2)"


def test_metrics_table_says_when_a_chip_is_not_calibrated() -> None:
    table = view.metrics_table(make.result(chip="Ascend310P3"), lang="zh")
    assert "未校准" in texts(table.html)
    assert "未校准" not in texts(view.metrics_table(make.result(), lang="zh").html)
