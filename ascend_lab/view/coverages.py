"""The coverage map as SVG: which core's block wrote which part of each output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ascend_lab.engine.written import Coverage
from ascend_lab.view import svg
from ascend_lab.view.markup import element, scope_of
from ascend_lab.view.ownership import Map, Segment, ownership
from ascend_lab.view.palette import BLOCKS, Theme, css
from ascend_lab.view.words import Lang, say

WIDTH = 960.0
LEFT, RIGHT = 76.0, 8.0
ROW, PITCH = 24.0, 30.0
#: Faults are drawn at least this wide, and this many are told in words.
LEAST_FAULT, MOST_TOLD = 4.0, 6
_LABEL = 11.0


def coverage_svg(outputs: Sequence[Coverage], theme: Theme = "auto", lang: Lang = "zh") -> str:
    """The maps of all ``outputs`` as one ``<svg>`` element, the same text for the same run."""
    maps = [ownership(output) for output in outputs]
    scope = scope_of("coverage", theme, lang, repr(maps))
    drawing = _Drawing(scope, lang)
    body = "".join(drawing.parts(maps))
    rules = css(scope, theme) + _rules(scope)
    return svg.document(WIDTH, drawing.y, rules, scope, headline(maps, lang), body)


def summary(outputs: Sequence[Coverage]) -> str:
    """One line for a terminal."""
    return f"Coverage({_verdicts([ownership(output) for output in outputs], 'en')})"


def headline(maps: Sequence[Map], lang: Lang) -> str:
    """What the picture shows, in a line."""
    return f"{say('coverage', lang)} · {_verdicts(maps, lang)}"


def _verdicts(maps: Sequence[Map], lang: Lang) -> str:
    told = [f"{output.name}: {verdict(output, lang)}" for output in maps]
    return "; ".join(told) or say("no_output", lang)


def verdict(output: Map, lang: Lang) -> str:
    """Whether every element was written exactly once, or how many were not."""
    told = []
    if gap := output.count("gap"):
        told.append(say("gap_total", lang, n=f"{gap:,}"))
    if twice := output.count("twice"):
        told.append(say("twice_total", lang, n=f"{twice:,}"))
    if combined := output.count("combined"):
        told.append(say("combined_total", lang, n=f"{combined:,}"))
    return ("，" if lang == "zh" else ", ").join(told) or say("all_good", lang)


def tell(output: Map, segment: Segment, lang: Lang) -> str:
    """A segment in words: its elements, its bytes, who wrote it."""
    first, last = output.span(segment)
    if first == last:
        span = say("element_one", lang, a=f"{first:,}")
    else:
        span = say("element_range", lang, a=f"{first:,}", b=f"{last:,}")
    count = say("byte_range", lang, a=f"{segment.low:,}", b=f"{segment.high - 1:,}")
    who = say("and", lang).join(str(block) for block in segment.blocks)
    key = {"gap": "unwritten", "once": "written_by", "twice": "twice", "combined": "combined"}[
        segment.kind
    ]
    inner = f"（{count}）" if lang == "zh" else f" ({count})"
    return f"{span}{inner}{'' if lang == 'zh' else ' '}{say(key, lang, who=who)}"


def faults(output: Map) -> list[Segment]:
    """What is not written exactly once, double writes first."""
    return [*output.of_kind("twice"), *output.of_kind("gap")]


class _Drawing:
    def __init__(self, scope: str, lang: Lang) -> None:
        self.scope = scope
        self.lang = lang
        self.y = 20.0

    def parts(self, maps: Sequence[Map]) -> Iterator[str]:
        yield _patterns(self.scope)
        yield svg.text(say("coverage", self.lang), 8.0, self.y, "head")
        if not maps:
            yield svg.text(say("no_output", self.lang), 8.0, self.y + 24, "muted")
            self.y += 36
            return
        yield from self._legend()
        self.y += 14
        for output in maps:
            yield from self._output(output)

    def _legend(self) -> Iterator[str]:
        x = WIDTH - RIGHT
        for css_class, key in (("twice", "legend_twice"), ("gap", "unwritten")):
            label = say(key, self.lang)
            x -= svg.text_width(label, _LABEL) + 12
            yield svg.text(label, x, self.y, "small")
            yield self._box(css_class, x - 18, self.y - 10, 13.0, 11.0)
            x -= 18
        label = say("number_is_block", self.lang)
        x -= svg.text_width(label, _LABEL) + 12
        yield svg.text(label, x, self.y, "small")

    def _box(
        self, css_class: str, x: float, y: float, width: float, height: float, *children: str
    ) -> str:
        box: dict[str, object] = {"x": x, "y": y, "width": width, "height": height}
        if css_class in ("gap", "twice"):
            box["fill"] = f"url(#{self.scope}-{css_class})"
        return element("rect", {**box, "class": css_class}, *children)

    def _output(self, output: Map) -> Iterator[str]:
        self.y += 18
        yield svg.text(output.name, 8.0, self.y, "core")
        size = say("elements", self.lang, n=f"{output.elements:,}", b=f"{output.nbytes:,}")
        beside = max(LEFT, 8.0 + svg.text_width(output.name, 13.0) + 12)
        yield svg.text(size, beside, self.y, "small")
        self.y += 10
        rows = output.rows()
        scale = (WIDTH - LEFT - RIGHT) / (rows[0][1] - rows[0][0]) if rows else 1.0
        for low, high in rows:
            yield from self._row(output, low, high, scale)
        yield from self._told(output)

    def _row(self, output: Map, low: int, high: int, scale: float) -> Iterator[str]:
        first = f"{low // output.itemsize:,}"
        yield svg.text(first, LEFT - 8, self.y + 16, "tick", text_anchor="end")
        parts = list(output.within(low, high))
        # Faults last: they may be drawn wider than they are and must lie on top.
        for part in sorted(parts, key=lambda part: part.kind != "once"):
            yield self._segment(output, part, LEFT + (part.low - low) * scale, scale)
        self.y += PITCH

    def _segment(self, output: Map, part: Segment, x: float, scale: float) -> str:
        width = (part.high - part.low) * scale
        label = "+".join(str(block) for block in part.blocks)
        css_class = part.kind
        if part.kind == "once":
            css_class = f"b{part.blocks[0] % len(BLOCKS['light'])}"
        elif part.kind == "combined":
            label = "Σ " + (label if len(part.blocks) < 4 else f"×{len(part.blocks)}")
        elif width < LEAST_FAULT:
            x, width = min(x, WIDTH - RIGHT - LEAST_FAULT), LEAST_FAULT
        tip = svg.title(tell(output, part, self.lang))
        shape = self._box(css_class, x, self.y, width, ROW, tip)
        if not label or svg.text_width(label, _LABEL) + 4 > width:
            return shape
        on = "on-twice" if part.kind == "twice" else "on"
        return shape + svg.text(label, x + width / 2, self.y + 16, on, text_anchor="middle")

    def _told(self, output: Map) -> Iterator[str]:
        wrong = faults(output)
        self.y += 12
        if not wrong:
            yield svg.text(f"✓ {verdict(output, self.lang)}", LEFT, self.y, "good")
        for segment in wrong[:MOST_TOLD]:
            css_class = "bad-text" if segment.kind == "twice" else "note-text"
            yield svg.text(tell(output, segment, self.lang), LEFT, self.y, css_class)
            self.y += 17
        if len(wrong) > MOST_TOLD:
            more = say("and_more", self.lang, n=len(wrong) - MOST_TOLD)
            yield svg.text(more, LEFT, self.y, "muted")
        self.y += 12 if not wrong or len(wrong) > MOST_TOLD else -5


def _patterns(scope: str) -> str:
    gap = svg.hatching(f"{scope}-gap", "lane", "hatch")
    return element("defs", {}, gap, svg.hatching(f"{scope}-twice", "bad-back", "stripe"))


def _rules(scope: str) -> str:
    rules = [
        f".{scope} text{{fill:var(--al-text);font-size:11px}}",
        f".{scope} .head{{font-size:13px;font-weight:600}}",
        f".{scope} .core{{font-weight:600;font-size:12px}}",
        f".{scope} .small,.{scope} .muted,.{scope} .tick{{fill:var(--al-muted)}}",
        f".{scope} .tick{{font-variant-numeric:tabular-nums}}",
        f".{scope} .lane{{fill:var(--al-lane)}}",
        f".{scope} .hatch{{stroke:var(--al-wait);stroke-width:2}}",
        f".{scope} .gap{{stroke:var(--al-wait);stroke-width:1}}",
        f".{scope} .bad-back{{fill:var(--al-bad)}}",
        f".{scope} .stripe{{stroke:var(--al-bad-soft);stroke-width:2}}",
        f".{scope} .twice{{stroke:var(--al-bad);stroke-width:1.5}}",
        f".{scope} .on-twice{{fill:var(--al-text);font-weight:700;paint-order:stroke;"
        "stroke:var(--al-page);stroke-width:3px}",
        f".{scope} .on{{fill:var(--al-block-on);font-weight:600;pointer-events:none}}",
        f".{scope} .combined{{fill:var(--al-scalar);stroke:var(--al-page);stroke-width:1}}",
        f".{scope} .good{{fill:var(--al-good)}}",
        f".{scope} .bad-text{{fill:var(--al-bad)}}",
        f".{scope} .note-text{{fill:var(--al-note)}}",
        f".{scope} rect:hover{{filter:brightness(1.12)}}",
    ]
    rules += [
        f".{scope} .b{k}{{fill:var(--al-b{k});stroke:var(--al-page);stroke-width:1}}"
        for k in range(len(BLOCKS["light"]))
    ]
    return "".join(rules)
