"""What several pictures share: the time axis, legends, labels that fit, and the style of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view import svg
from ascend_lab.view.bars import KINDS
from ascend_lab.view.markup import element
from ascend_lab.view.timelines import tick_step
from ascend_lab.view.words import Lang, say

WIDTH = 960.0
SMALL = 11.0
KIND_NAMES = ("in", "compute", "out", "scalar")
#: The kind a colour stands for -> the pipes of a vector core that have it.
KIND_PIPES = {"in": "MTE2", "compute": "V", "out": "MTE3", "scalar": "S"}


def kind_of(pipe: int) -> str:
    """The colour of a pipe: "in", "compute", "out" or "scalar"."""
    return KINDS[Pipe(pipe)]


@dataclass(frozen=True, slots=True)
class Axis:
    """Time from ``begin`` to ``end`` (cycles) on x from ``left`` to ``right``."""

    begin: float
    end: float
    left: float
    right: float
    mhz: float

    @property
    def scale(self) -> float:
        """px per cycle."""
        return (self.right - self.left) / (self.end - self.begin) if self.end > self.begin else 1.0

    def x(self, cycles: float) -> float:
        return self.left + (min(max(cycles, self.begin), self.end) - self.begin) * self.scale

    def draw(self, top: float, bottom: float, lang: Lang) -> Iterator[str]:
        """Grid lines from ``top`` to ``bottom`` and their times in us below."""
        unit = say("axis", lang)
        first, last = self.begin / self.mhz, self.end / self.mhz
        step = tick_step(last - first)
        k = int(first / step)
        while k * step <= last + step * 1e-9:
            time = k * step
            k += 1
            if time < first - step * 1e-9:
                continue
            x = self.x(time * self.mhz)
            yield element("line", {"x1": x, "x2": x, "y1": top, "y2": bottom, "class": "grid"})
            if x < WIDTH - 8 - svg.text_width(unit, SMALL) - 16:
                yield svg.text(f"{time:g}", x, bottom + 13, "tick", text_anchor="middle")
        yield svg.text(unit, WIDTH - 8, bottom + 13, "tick", text_anchor="end")


def legend(items: Iterable[tuple[str, str]], y: float, scope: str, x: float = 8.0) -> Iterator[str]:
    """Swatches of (class, label) from ``x`` on; ``y`` is the baseline."""
    for css_class, label in items:
        box: dict[str, object] = {"x": x + 0.5, "y": y - 9, "width": 12, "height": 11, "rx": 2}
        yield shape(css_class, box, scope)
        yield svg.text(label, x + 18, y, "small")
        x += 18 + svg.text_width(label, SMALL) + 16


#: Classes that are filled with a pattern of the same name.
PATTERNS = ("wait", "race", *(f"{kind}-read" for kind in KIND_NAMES), "any-read")


def shape(css_class: str, box: dict[str, object], scope: str, *children: str) -> str:
    """A ``<rect>``; patterned classes get their pattern."""
    if css_class in PATTERNS:
        box = {**box, "fill": f"url(#{scope}-{css_class})"}
    return element("rect", {**box, "class": css_class}, *children)


def patterns(scope: str) -> str:
    """``<defs>`` for :data:`PATTERNS`."""
    made = [svg.hatching(f"{scope}-wait", None, "hatch", 5)]
    made.append(svg.hatching(f"{scope}-race", "bad-back", "bad-stripe", 6))
    made += [
        svg.hatching(f"{scope}-{name}-read", f"{name}-back", f"{name}-stripe", 5)
        for name in (*KIND_NAMES, "any")
    ]
    return element("defs", {}, *made)


def fitting(labels: Sequence[str], width: float, size: float = 10.0) -> str:
    """The first of ``labels`` that is narrower than ``width``, "" when none is."""
    return next((s for s in labels if s and svg.text_width(s, size) + 6 <= width), "")


def shortened(label: str, width: float, size: float = SMALL) -> str:
    """``label``, cut with "…" to fit ``width``."""
    if svg.text_width(label, size) <= width:
        return label
    while label and svg.text_width(label + "…", size) > width:
        label = label[:-1]
    return label + "…"


def pin(label: str, x: float, top: float, bottom: float, tip: str, right: float = WIDTH) -> str:
    """A red flag with a stem from ``top`` to ``bottom``."""
    width = svg.text_width(label, 10.0) + 10
    left = min(max(x - width / 2, 0.0), right - width)
    box = {"x": left, "y": top - 13, "width": width, "height": 13, "rx": 3, "class": "bad"}
    return element(
        "g",
        {},
        svg.title(tip),
        element("line", {"x1": x, "x2": x, "y1": top - 3, "y2": bottom, "class": "stem"}),
        element("rect", box),
        svg.text(label, left + width / 2, top - 3, "on-bad", text_anchor="middle"),
    )


def style(scope: str) -> str:
    """The rules of every class used here."""
    rules = [
        "text{fill:var(--al-text);font-size:11px}",
        ".head{font-size:13px;font-weight:600}",
        ".strong{font-weight:600}",
        ".small,{scope} .muted,{scope} .tick{fill:var(--al-muted)}",
        ".tick{font-variant-numeric:tabular-nums}",
        ".lane{fill:var(--al-lane)}",
        ".frame{fill:none;stroke:var(--al-line)}",
        ".grid{stroke:var(--al-line);stroke-width:.75}",
        ".hatch{stroke:var(--al-wait);stroke-width:1.5}",
        ".wait{stroke:var(--al-wait);stroke-width:.75}",
        ".bad{fill:var(--al-bad)}",
        ".bad-text{fill:var(--al-bad);font-weight:600}",
        ".good-text{fill:var(--al-good)}",
        ".note-text{fill:var(--al-note)}",
        ".stem{stroke:var(--al-bad);stroke-width:2}",
        ".on-bad{fill:var(--al-bad-on);font-size:10px;font-weight:700}",
        ".bad-back{fill:var(--al-bad-soft)}",
        ".bad-stripe{stroke:var(--al-bad);stroke-width:3}",
        ".race{stroke:var(--al-bad);stroke-width:1.5}",
        ".any-back{fill:var(--al-page)}",
        ".any-stripe{stroke:var(--al-muted);stroke-width:2.5}",
        ".any-read{stroke:var(--al-muted)}",
        ".any{fill:var(--al-muted)}",
        ".on{font-size:10px;font-weight:600;paint-order:stroke;stroke:var(--al-page);"
        "stroke-width:3px;pointer-events:none}",
        "rect:hover{filter:brightness(1.12)}",
    ]
    for kind in KIND_NAMES:
        rules += [
            f".{kind}{{fill:var(--al-{kind})}}",
            f".on-{kind}{{fill:var(--al-{kind}-on);font-size:10px;pointer-events:none}}",
            f".{kind}-soft{{fill:var(--al-{kind}-soft);stroke:var(--al-{kind})}}",
            f".on-{kind}-soft{{fill:var(--al-{kind}-deep);font-size:10px;pointer-events:none}}",
            f".{kind}-back{{fill:var(--al-{kind}-soft)}}",
            f".{kind}-stripe{{stroke:var(--al-{kind});stroke-width:2.5}}",
            f".{kind}-read{{stroke:var(--al-{kind});stroke-width:.75}}",
        ]
    return "".join(f".{scope} {rule.replace('{scope}', '.' + scope)}" for rule in rules)
