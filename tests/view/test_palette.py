"""Colours: readable on their ground, apart for the colour blind; CSS that follows the page."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from ascend_lab import view
from ascend_lab.view.palette import AUTO, BLOCKS, DARK, LIGHT, Colours, css
from tests.view import kernels, make

KINDS = ("in", "compute", "out", "scalar")
#: Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
BLIND = {
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def linear(colour: str) -> NDArray[np.float64]:
    values = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2.1 contrast ratio."""
    light, dark = sorted((float(linear(c) @ XYZ[1]) for c in (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    xyz = np.array(XYZ) @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one: str, other: str, sight: str) -> float:
    """CIE76 distance of two colours as seen with ``sight``."""
    seen = [lab(np.array(BLIND[sight]) @ linear(colour)) for colour in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_and_texts_stand_out_from_the_page(palette: Colours) -> None:
    marks = {name: contrast(palette[name], palette["page"]) for name in (*KINDS, "bad", "wait")}
    texts = {
        name: contrast(palette[name], palette[ground])
        for name in ("text", "muted", "bad", "good", "note")
        for ground in ("page", "lane")
    }
    assert {name: ratio for name, ratio in marks.items() if ratio < 3} == {}
    assert {name: ratio for name, ratio in texts.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_labels_can_be_read_on_their_bars(palette: Colours) -> None:
    ratios = {kind: contrast(palette[f"{kind}-on"], palette[kind]) for kind in (*KINDS, "bad")}
    soft = {kind: contrast(palette[f"{kind}-deep"], palette[f"{kind}-soft"]) for kind in KINDS}
    assert {kind: r for kind, r in (ratios | soft).items() if r < 4.4} == {}


@pytest.mark.parametrize(("theme", "label"), [("light", "#ffffff"), ("dark", "#101418")])
def test_block_numbers_can_be_read(theme: str, label: str) -> None:
    assert [c for c in BLOCKS[theme] if contrast(c, label) < 4.5] == []


def test_the_colours_for_plotly_stand_out_on_white_and_on_black() -> None:
    for ground in ("#ffffff", "#111111"):
        ratios = {name: contrast(AUTO[name], ground) for name in (*KINDS, "bad", "wait", "text")}
        assert {name: ratio for name, ratio in ratios.items() if ratio < 3} == {}
        assert [c for c in BLOCKS["auto"] if contrast(c, ground) < 3] == []


@pytest.mark.parametrize("sight", list(BLIND))
@pytest.mark.parametrize("palette", [LIGHT, DARK, AUTO], ids=["light", "dark", "auto"])
def test_kinds_stay_apart_for_the_colour_blind(palette: Colours, sight: str) -> None:
    pairs = itertools.combinations(KINDS, 2)
    near = {pair: distance(*(palette[k] for k in pair), sight) for pair in pairs}
    assert {pair: d for pair, d in near.items() if d < 12} == {}


@pytest.mark.parametrize("sight", ["deuteranopia", "protanopia"])
@pytest.mark.parametrize("theme", list(BLOCKS))
def test_neighbouring_blocks_stay_apart_for_the_colour_blind(theme: str, sight: str) -> None:
    ring = [*BLOCKS[theme], BLOCKS[theme][0]]
    assert min(distance(a, b, sight) for a, b in itertools.pairwise(ring)) > 10


def test_auto_follows_jupyterlab_then_vscode_then_the_system() -> None:
    rules = css("x", "auto")
    dark = f"--al-page:{DARK['page']}"
    assert rules.index(".x{--al-page:#ffffff") == 0
    for switch in ("@media (prefers-color-scheme:dark)", "[data-jp-theme-light=false] .x"):
        assert rules.index(dark, rules.index(switch)) > rules.index(switch)
    assert ".vscode-dark .x" in rules
    assert "prefers-color-scheme" not in css("x", "light") + css("x", "dark")


def test_every_view_names_its_own_scope_only() -> None:
    """Two views in one page must not restyle each other."""
    run = make.result(findings=[make.finding()])
    real = kernels.racy()
    drawn = (view.memory(real), view.banks(real), view.balance(real), view.dataflow(real))
    for picture in (view.timeline(run), view.coverage(run), *drawn):
        root = ElementTree.fromstring(picture.html)
        scope = root.get("class", "?")
        style = next(node.text or "" for node in root.iter() if node.tag.endswith("style"))
        rules = style.replace("@media (prefers-color-scheme:dark){", "").split("}")
        heads = [rule.split("{")[0] for rule in rules if "{" in rule]
        assert heads
        assert [head for head in heads if scope not in head] == []


def test_rules_of_a_view_reach_nothing_else() -> None:
    """Every selector begins with the view's own class."""
    from ascend_lab.view.markup import scoped

    assert scoped("s", ["td,th{a:b}", ".x .y{c:d}"]) == ".s td,.s th{a:b}.s .x .y{c:d}"
