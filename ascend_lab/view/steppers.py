"""The step-through: key moments as a static picture, all of them behind buttons in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ascend_lab.view.cards import Sources
from ascend_lab.view.frames import Look, frame
from ascend_lab.view.markup import FONT, div, escape, scope_of, scoped
from ascend_lab.view.origin import Origin, one_core
from ascend_lab.view.palette import Theme, css
from ascend_lab.view.replay import Replay
from ascend_lab.view.words import Lang, say

KEYS: Mapping[str, str] = {
    "ArrowLeft": "back",
    "ArrowRight": "next",
    "Home": "first",
    "End": "last",
    "s": "stall",
    "S": "stall_back",
    "f": "finding",
    "l": "line",
    "L": "line_back",
}


def pick_core(source: Origin, core: int | None) -> int:
    """``core``, else the core of the first finding, else the first."""
    if core is not None:
        return core
    wanted = [finding.core for finding in source.findings if finding.core in source.cores]
    return [*wanted, *source.cores, 0][0]


def key_steps(replay: Replay, most: int) -> tuple[int, ...]:
    """At most ``most`` steps worth a picture: findings, the busiest moment, the first stall, both ends."""
    steps = replay.steps
    if not steps:
        return ()
    found = [k for k, step in enumerate(steps) if step.has("finding")]
    starts = [k for k, step in enumerate(steps) if step.has("start")]
    stalls = [k for k, step in enumerate(steps) if step.has("stall") and starts and k > starts[0]]
    busy = max(starts, key=lambda k: (_busy(replay, k), -k), default=0)
    wanted = dict.fromkeys([*found, *starts[:1], busy, *stalls[:1], len(steps) - 1])
    return tuple(sorted([k for k in wanted if k >= 0][:most]))


def _busy(replay: Replay, number: int) -> int:
    time = replay.steps[number].time
    return len({row.pipe for row in replay.rows if row.start <= time < row.end and row.pipe})


def summary(replay: Replay) -> str:
    """One line for a terminal."""
    found = sum(step.has("finding") for step in replay.steps)
    stalls = sum(step.has("stall") for step in replay.steps)
    return (
        f"Steps(core {replay.core}, {len(replay.steps)} steps, {stalls} stalls, {found} findings)"
    )


def static(replay: Replay, look: Look, frames: int) -> str:
    """The key moments one below the other, as one HTML element."""
    shown = key_steps(replay, frames)
    source, lang = replay.source, look.lang
    parts = [say("steps", lang), source.kernel, f"{say('core', lang)} {replay.core}"]
    title = " · ".join(part for part in [*parts, source.chip(lang)] if part)
    scope = scope_of("steps", title, look.theme, lang, source.trace.digest())
    note = say("step_nothing", lang)
    if shown:
        note = say("step_frames", lang, n=len(shown), all=len(replay.steps))
    body = [div("title", escape(title)), div("note", escape(note))]
    body += [div("moment", frame(replay, number, look)) for number in shown]
    style = f"<style>{css(scope, look.theme)}{_rules(scope)}</style>"
    return div(scope, style, *body)


def _rules(scope: str) -> str:
    rules = (
        f".title{{font:600 14px/1.5 {FONT};color:var(--al-text)}}",
        f".note{{font:12px/1.5 {FONT};color:var(--al-muted)}}",
        ".moment{max-width:960px;border-top:1px solid var(--al-line);padding-top:4px;margin-top:8px}",
    )
    return scoped(scope, rules)


@dataclass(slots=True)
class StepPanel:
    """The controls of the step-through; a `ascend_lab.view.board.Panel`."""

    source: Origin
    core: int
    look: Look
    number: int = 0
    line: int = 0
    keys: Mapping[str, str] = field(default_factory=lambda: KEYS)
    _replays: dict[int, Replay] = field(default_factory=dict)

    @property
    def replay(self) -> Replay:
        """The steps of the present core."""
        if self.core not in self._replays:
            self._replays[self.core] = Replay(self.source, self.core)
        return self._replays[self.core]

    @property
    def summary(self) -> str:
        return summary(self.replay)

    def copy(self) -> StepPanel:
        """Another panel of the same run, at its first step."""
        return StepPanel(self.source, self.core, self.look, _replays=self._replays)

    def controls(self) -> list[list[dict[str, Any]]]:
        lang, last = self.look.lang, max(len(self.replay.steps) - 1, 0)
        slider: dict[str, Any] = {"kind": "slider", "name": "step", "label": say("go_step", lang)}
        slider |= {"last": last, "text": f"{self.number + 1} / {last + 1}"}
        lines = [say("go_any_line", lang), *(f":{line}" for line in self.replay.lines)]
        first: list[dict[str, Any]] = []
        if len(self.source.cores) > 1:
            cores = [str(core) for core in self.source.cores]
            first.append(_choice("core", say("go_core", lang), cores))
        first += [
            _button("first", lang, self.number == 0),
            _button("back", lang, self.number == 0),
            _button("next", lang, self.number == last),
            _button("last", lang, self.number == last),
            slider,
        ]
        second = [
            _button(name, lang, self._target(name) == self.number)
            for name in ("stall_back", "stall", "finding")
        ]
        second.append(_choice("lines", say("go_line_pick", lang), lines))
        second += [
            _button(name, lang, self._target(name) == self.number) for name in ("line_back", "line")
        ]
        return [first, second]

    def values(self) -> dict[str, int]:
        lines = (0, *self.replay.lines)
        cores: Sequence[int] = self.source.cores or (0,)
        return {
            "core": cores.index(self.core) if self.core in cores else 0,
            "step": self.number,
            "lines": lines.index(self.line) if self.line in lines else 0,
        }

    def set(self, name: str, value: int) -> None:
        if name == "core":
            self._change_core(self.source.cores[value])
        elif name == "lines":
            self.line = (0, *self.replay.lines)[value]
        else:
            self.number = min(max(value, 0), max(len(self.replay.steps) - 1, 0))

    def _change_core(self, core: int) -> None:
        """Go to the same moment on another core."""
        time = self.replay.steps[self.number].time if self.replay.steps else 0.0
        self.core = core
        self.number = self.replay.number_at(time)
        self.line = self.line if self.line in self.replay.lines else 0

    def press(self, name: str) -> None:
        self.number = self._target(name)

    def _target(self, name: str) -> int:
        """Where a button leads."""
        replay, last = self.replay, max(len(self.replay.steps) - 1, 0)
        direction = -1 if name.endswith("back") else 1
        if name in ("first", "last"):
            return 0 if name == "first" else last
        if name in ("back", "next"):
            return min(max(self.number + direction, 0), last)
        if name == "finding":
            found = replay.find(self.number, "finding")
            first = replay.find(-1, "finding")
            if found == self.number and first >= 0:
                return first
            return found
        kind = "stall" if name.startswith("stall") else ""
        line = 0 if kind else self.line
        return replay.find(self.number, kind, direction, line)

    def html(self) -> str:
        if not self.replay.steps:
            return static(self.replay, self.look, 0)
        return frame(self.replay, self.number, self.look)


def prepare(
    source: Origin, core: int | None, theme: Theme, lang: Lang, sources: Sources
) -> StepPanel:
    """The panel at its first step. Raises ValueError for a core that executed nothing."""
    chosen = one_core(source.cores, pick_core(source, core), lang)
    return StepPanel(source, chosen, Look(theme, lang, sources))


def _button(name: str, lang: Lang, disabled: bool) -> dict[str, Any]:
    label = say(f"go_{name}", lang)
    return {"kind": "button", "name": name, "label": label, "disabled": disabled}


def _choice(name: str, label: str, options: Sequence[str]) -> dict[str, Any]:
    return {"kind": "choice", "name": name, "label": label, "options": list(options)}
