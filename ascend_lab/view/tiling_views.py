"""The tiling explorer's picture: cores, tiles, UB plan, and what a run on the model took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view import svg
from ascend_lab.view.drawing import WIDTH, fitting, patterns, shape, style
from ascend_lab.view.markup import div, element, escape, scope_of, scoped
from ascend_lab.view.memory_map import size
from ascend_lab.view.origin import marked
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.tilings import Plan, Share
from ascend_lab.view.timelines import timeline_svg
from ascend_lab.view.words import Lang, say

if TYPE_CHECKING:
    from ascend_lab.chips import ChipSpec
    from ascend_lab.device import Result

LEFT, RIGHT, BAR = 8.0, 8.0, 26.0
#: Tiles drawn one by one; of more, the first and the last ones.
MOST_TILES = 24
_PIPES = {"vec": "V", "scalar": "S", "mte2": "MTE2", "mte3": "MTE3"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A plan and its run; ``result`` is None when there are too many tiles to run here."""

    plan: Plan
    spec: ChipSpec
    result: Result | None
    most: int


def summary(known: Outcome) -> str:
    """One line for a terminal."""
    t, result = known.plan.tiling, known.result
    run = "not run" if result is None else marked(f"{result.time_us:.2f} us", known.spec.calibrated)
    fit = f"{known.plan.excess} B too many" if known.plan.excess else "fits"
    return (
        f"Tiling({t.total} {t.dtype}, {t.cores} cores, tile {t.tile}, {t.buffers} buffers: "
        f"{known.plan.planned} B of UB {fit}, {run})"
    )


def heading(known: Outcome, lang: Lang) -> str:
    """What the picture shows, in a line."""
    t = known.plan.tiling
    values = {"total": f"{t.total:,}", "dtype": t.dtype, "cores": t.cores}
    values |= {"tile": f"{t.tile:,}", "buffers": t.buffers}
    kind = say("tiling_binary" if t.operands == 3 else "tiling_unary", lang)
    return " · ".join(
        (say("tiling", lang), say("tiling_head", lang, **values), kind, known.spec.name)
    )


def html(known: Outcome, theme: Theme, lang: Lang) -> str:
    """The plan, and below it the timeline of the first core, as one HTML element."""
    parts = [draw(known, theme, lang)]
    if known.result is not None and len(known.result.trace):
        cores = [0, *([known.plan.tiling.cores - 1] if known.plan.tail_num else [])]
        parts.append(timeline_svg(known.result, cores, theme, lang))
    elif known.result is None:
        values = {"n": f"{known.plan.tiles:,}", "most": f"{known.most:,}"}
        parts.append(div("note", escape(say("tiling_too_many", lang, **values))))
    scope = scope_of("tiling", theme, lang, heading(known, lang))
    rules = f".{scope} .note{{color:var(--al-note);font:13px sans-serif;padding:6px 8px}}"
    return div(scope, f"<style>{css(scope, theme)}{rules}</style>", *parts)


def draw(known: Outcome, theme: Theme, lang: Lang) -> str:
    """The plan and the figures of the run as one ``<svg>``."""
    cycles = "" if known.result is None else f"{known.result.cycles}"
    scope = scope_of("tiling-plan", theme, lang, heading(known, lang), cycles)
    drawing = _Drawing(known, lang, scope)
    body = "".join(drawing.parts())
    rules = css(scope, theme) + style(scope) + _rules(scope)
    return svg.document(WIDTH, drawing.y, rules, scope, heading(known, lang), body)


class _Drawing:
    def __init__(self, known: Outcome, lang: Lang, scope: str) -> None:
        self.known = known
        self.plan = known.plan
        self.tiling = known.plan.tiling
        self.lang = lang
        self.scope = scope
        self.y = 20.0
        self.width = WIDTH - LEFT - RIGHT

    def parts(self) -> Iterator[str]:
        yield patterns(self.scope)
        yield svg.text(heading(self.known, self.lang), LEFT, self.y, "head")
        yield from self._cores()
        yield from self._tiles()
        yield from self._ub()
        yield from self._run()
        self.y += 12

    def _title(self, key: str, *told: tuple[str, str]) -> Iterator[str]:
        """A section: its name, and what there is to say, on one line."""
        self.y += 26
        name = say(key, self.lang)
        yield svg.text(name, LEFT, self.y, "strong")
        x = LEFT + svg.text_width(name, 11.5) + 18
        for css_class, text in told:
            yield svg.text(text, x, self.y, css_class)
            x += svg.text_width(text, 11.0) + 22
        self.y += 8

    # --- cores ----------------------------------------------------------------------------

    def _cores(self) -> Iterator[str]:
        plan, lang = self.plan, self.lang
        former = say("tiling_former", lang, n=plan.former_num, length=f"{plan.former_length:,}")
        told = [("small", former)]
        if plan.tail_num:
            length = f"{plan.tail_length:,}"
            told.append(("small", say("tiling_tail", lang, n=plan.tail_num, length=length)))
        else:
            told.append(("small", say("tiling_same", lang)))
        if plan.idle:
            told.append(("note-text", say("tiling_idle", lang, n=plan.idle)))
        elif short := self._short():
            told.append(("small", say("tiling_short", lang, n=short)))
        yield from self._title("tiling_split", *told)
        scale = self.width / max(sum(self._asked(share) for share in plan.shares), 1)
        x = LEFT
        for core, share in enumerate(plan.shares):
            wide = self._asked(share) * scale
            yield from self._share(core, share, x, wide)
            x += wide
        self.y += BAR

    def _asked(self, share: Share) -> int:
        return self.plan.former_length if share.former else self.plan.tail_length

    def _short(self) -> int:
        """Elements that the last core with data has less than its share."""
        with_data = [share for share in self.plan.shares if share.length]
        return self._asked(with_data[-1]) - with_data[-1].length if with_data else 0

    def _share(self, core: int, share: Share, x: float, wide: float) -> Iterator[str]:
        real = wide * share.length / max(self._asked(share), 1)
        box: dict[str, object] = {"x": x, "y": self.y, "height": BAR, "width": max(wide - 1, 0.5)}
        last = share.begin + max(share.length - 1, 0)
        text = f"{say('core', self.lang)} {core}: {share.begin:,} – {last:,} ({share.length:,})"
        yield shape("lane", box, self.scope)
        css_class = "former" if share.former else "tail"
        body = {**box, "width": max(real - 1, 0.0)}
        yield element("rect", {**body, "class": css_class}, svg.title(text))
        label = fitting([f"{core} · {share.length:,}", str(core)], wide)
        if label and share.length:
            y = self.y + BAR / 2 + 3.5
            yield svg.text(label, x + real / 2, y, f"on-{css_class}", text_anchor="middle")

    # --- tiles ----------------------------------------------------------------------------

    def _tiles(self) -> Iterator[str]:
        shares = [s for s in self.plan.shares if s.length]
        if not shares:
            return
        former = shares[0]
        told = [("small", self._tiles_text("tiling_former_tiles", former))]
        tail = next((s for s in shares if not s.former), None)
        if tail is not None:
            told.append(("small", self._tiles_text("tiling_tail_tiles", tail)))
        yield from self._title("tiling_tiles", *told)
        count = min(former.tiles, MOST_TILES)
        cut = former.tiles > MOST_TILES
        full = self.width - (30 if cut else 0)
        drawn = count * self.tiling.tile - (self.tiling.tile - former.last)
        scale = full / max(drawn, 1)
        x = LEFT
        for k in range(count):
            number = former.tiles - count + k if k >= count // 2 else k
            if cut and k == count // 2:
                yield svg.text("…", x + 15, self.y + 17, "strong", text_anchor="middle")
                x += 30
            length = former.last if number == former.tiles - 1 else self.tiling.tile
            yield from self._tile(number, length, x, length * scale)
            x += length * scale
        self.y += BAR
        yield from self._last(shares)

    def _tiles_text(self, key: str, share: Share) -> str:
        return say(key, self.lang, n=f"{share.tiles:,}", last=f"{share.last:,}")

    def _tile(self, number: int, length: int, x: float, wide: float) -> Iterator[str]:
        box: dict[str, object] = {"x": x, "y": self.y, "height": BAR, "width": max(wide - 1, 0.5)}
        css_class = "in-soft" if length < self.tiling.tile else "in"
        nbytes = length * self.tiling.itemsize
        tip = svg.title(f"{number}: {length:,} = {size(nbytes)}")
        yield shape(css_class, {**box, "rx": 2}, self.scope, tip)
        label = fitting([f"{length:,} · {size(nbytes)}", f"{length:,}"], wide)
        if label:
            y = self.y + BAR / 2 + 3.5
            yield svg.text(label, x + wide / 2, y, f"on-{css_class}", text_anchor="middle")

    def _last(self, shares: list[Share]) -> Iterator[str]:
        """Last tiles that are no multiple of 32 B, named once each."""
        odd = {s.last: s.last * self.tiling.itemsize for s in shares}
        odd = {n: b for n, b in odd.items() if b % 32}
        for elements, nbytes in list(odd.items())[:2]:
            self.y += 16
            text = say("tiling_last", self.lang, n=f"{elements:,}", b=f"{nbytes:,}")
            text += f" · {say('tiling_unaligned', self.lang)}"
            yield svg.text(text, LEFT, self.y, "note-text")

    # --- UB -------------------------------------------------------------------------------

    def _ub(self) -> Iterator[str]:
        plan, lang = self.plan, self.lang
        each = plan.parts[0].high - plan.parts[0].low
        names = list(dict.fromkeys(part.name for part in plan.parts))
        total = " + ".join(f"{self.tiling.buffers}×{name} {each}" for name in names)
        values = {"sum": total, "planned": f"{plan.planned:,}", "usable": f"{plan.usable:,}"}
        if plan.excess:
            more = {"excess": f"{plan.excess:,}", "largest": f"{plan.largest_tile:,}"}
            told = ("bad-text", say("tiling_over", lang, **values, **more))
        else:
            left = f"{plan.usable - plan.planned:,}"
            told = ("good-text", say("tiling_fits", lang, **values, left=left))
        yield from self._title("tiling_ub", told)
        span = max(plan.planned, plan.usable)
        scale = self.width / span
        box: dict[str, object] = {"x": LEFT, "y": self.y, "height": BAR}
        yield shape("lane", {**box, "width": plan.usable * scale}, self.scope)
        for part in plan.parts:
            yield from self._part(part.name, part.index, part.low, part.high, scale)
        x = LEFT + plan.usable * scale
        if plan.excess:
            yield element(
                "line",
                {"x1": x, "x2": x, "y1": self.y - 4, "y2": self.y + BAR + 4, "class": "limit"},
            )
        self.y += BAR
        self.y += 13
        yield svg.text(size(plan.usable), min(x, WIDTH - RIGHT), self.y, "tick", text_anchor="end")

    def _part(self, name: str, index: int, low: int, high: int, scale: float) -> Iterator[str]:
        x, wide = LEFT + low * scale, (high - low) * scale
        over = high > self.plan.usable
        box: dict[str, object] = {"x": x, "y": self.y, "height": BAR, "width": max(wide - 1, 0.5)}
        css_class = "race" if over else ("out-soft" if name == "out_z" else "in-soft")
        tip = svg.title(f"{name} [{index}]: UB 0x{low:x} – 0x{high - 1:x}, {size(high - low)}")
        yield shape(css_class, {**box, "rx": 2}, self.scope, tip)
        label = fitting([f"{name} [{index}] · {size(high - low)}", f"{name} [{index}]"], wide)
        if label:
            y = self.y + BAR / 2 + 3.5
            on = "on" if over else f"on-{css_class}"
            yield svg.text(label, x + wide / 2, y, on, text_anchor="middle")

    # --- the run --------------------------------------------------------------------------

    def _run(self) -> Iterator[str]:
        result = self.known.result
        if result is None:
            return
        told = [("bad-text", f"{f.id} {f.title(self.lang)}") for f in result.findings[:2]]
        if not told:
            told = [("strong", self._time(result))]
            told += [("small", text) for text in self._figures(result)]
        yield from self._title("tiling_time", *told)

    def _time(self, result: Result) -> str:
        cycles = f"{result.cycles:,.0f}"
        told = say("tiling_us", self.lang, us=f"{result.time_us:.2f}", cycles=cycles)
        return told if result.spec.calibrated else f"{told} · {say('uncalibrated', self.lang)}"

    def _figures(self, result: Result) -> Iterator[str]:
        moved = self.tiling.total * self.tiling.itemsize * self.tiling.operands
        yield say("tiling_rate", self.lang, rate=f"{moved / result.time_us / 1e3:,.1f}")
        tile = min(self.tiling.tile, max(share.length for share in self.plan.shares))
        yield say("tiling_copy", self.lang, size=size(tile * self.tiling.itemsize))
        figures = result.metrics
        total = sum(core.total_cycles for core in figures.cores)
        for unit in _PIPES.values():
            share = sum(figures.working(core, Pipe[unit]) for core in figures.cores) / total
            yield say("tiling_busy", self.lang, unit=unit, share=f"{share:.0%}")
        if figures.bottleneck:
            unit = _PIPES.get(figures.bottleneck, figures.bottleneck)
            yield say("tiling_bound", self.lang, unit=unit)


def _rules(scope: str) -> str:
    rules = [
        ".former{fill:var(--al-in)}",
        ".tail{fill:var(--al-in-soft);stroke:var(--al-in)}",
        ".on-former{fill:var(--al-in-on);font-size:10px;pointer-events:none}",
        ".on-tail{fill:var(--al-in-deep);font-size:10px;pointer-events:none}",
        ".limit{stroke:var(--al-bad);stroke-width:2.5}",
    ]
    return scoped(scope, rules)
