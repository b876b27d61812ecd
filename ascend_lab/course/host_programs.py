"""Cards of host programs: their judgement, and their hints."""

from __future__ import annotations

from ascend_lab.acl import Runtime
from ascend_lab.course import cells
from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang
from ascend_lab.course.words import say
from ascend_lab.exercise.programs import ProgramResult, ProgramTask
from ascend_lab.view.markup import FONT, element


def untouched_card(task: ProgramTask, lang: Lang) -> Card:
    """The card of an answer that is as it was given."""
    line = Line(say("not_attempted_why", lang), "open")
    return Card(_title(task, lang), say("not_attempted", lang), "open", [line])


def judged_card(task: ProgramTask, result: ProgramResult, lang: Lang) -> Card:
    """Verdict of each check, why not, and the findings at their lines."""
    from ascend_lab import view

    lines = []
    for check in result.checks:
        possible = getattr(task.points, check.name)
        got = possible if check.ok and result.points else 0.0
        aside = say("points", lang, got=f"{got:g}", of=f"{possible:g}")
        mark = "good" if check.ok else "bad"
        lines.append(Line(say(f"program_{check.name}", lang), mark, aside))
        why = check.why[lang == "en"]
        if why:
            lines.append(Line(why))
    found = [cells.renamed(finding) for finding in result.findings]
    text = "\n".join(finding.message(lang) for finding in found)
    views = [(view.findings_html(found, lang, sources=cells.texts()), text)] if found else []
    badge = say("points", lang, got=f"{result.points:g}", of=f"{task.points.total:g}")
    foot = [] if result.ok else [say("program_hint", lang, task=task.id)]
    return Card(_title(task, lang), badge, "good" if result.ok else "bad", lines, views, foot)


def hint_card(task: ProgramTask, level: int, lang: Lang) -> Card:
    """The hint of ``level``."""
    badge = say("hint", lang, level=level, of=len(task.hints))
    foot = [say("last_hint", lang)] if level == len(task.hints) else []
    line = Line(task.hints[level - 1].text(lang))
    return Card(_title(task, lang), badge, lines=[line], foot=foot)


_ROWS = ("h2d", "kernel", "d2h")
_COLOURS = {"h2d": "in", "kernel": "good", "d2h": "note"}


def run_card(runtime: Runtime, lang: Lang) -> Card:
    """What a host program did: time, findings at their lines, and what its streams did when."""
    from ascend_lab import view

    found = [cells.renamed(finding) for finding in runtime.findings]
    ids = ", ".join(finding.id for finding in found) or say("clean", lang)
    text = "\n".join(finding.message(lang) for finding in found)
    views = [(view.findings_html(found, lang, sources=cells.texts()), text)] if found else []
    if runtime.tasks():
        views.append((_picture(runtime), _listing(runtime)))
    title = say("program_ran", lang, time=f"{runtime.now_us:.0f}")
    title += "" if runtime.device.spec.calibrated else say("uncalibrated", lang)
    tone = "bad" if runtime.findings.errors else "good"
    return Card(title, ids, tone, views=views, foot=[say("program_times", lang)])


def _picture(runtime: Runtime) -> str:
    """Copies and kernels of each stream on one time axis."""
    tasks = [task for task in runtime.tasks() if task[0] in _ROWS]
    streams = sorted({stream for _, stream, _, _ in tasks})
    scale = 700 / max((end for *_, end in tasks), default=1.0)
    shapes = []
    for row, stream in enumerate(streams):
        label = {"x": 0, "y": 22.0 + 34 * row, "fill": "var(--al-text)"}
        shapes.append(element("text", label, f"stream {stream}"))
    for kind, stream, start, end in tasks:
        x, y, width = 70 + start * scale, 6.0 + 34 * streams.index(stream), (end - start) * scale
        fill = f"var(--al-{_COLOURS[kind]})"
        box = {"x": x, "y": y, "width": width, "height": 24, "fill": fill, "opacity": "0.75"}
        tip = element("title", {}, f"{kind} {start:.0f}-{end:.0f} us")
        name = {"x": x + 4, "y": y + 16, "fill": "white"}
        shapes += [element("rect", box, tip), element("text", name, kind)]
    size = {"viewBox": f"0 0 780 {34 * max(len(streams), 1) + 8}", "width": "100%"}
    return element("svg", {**size, "style": f"font:11px {FONT}"}, *shapes)


def _listing(runtime: Runtime) -> str:
    return "\n".join(
        f"stream {stream}: {kind} {start:.0f}-{end:.0f} us"
        for kind, stream, start, end in runtime.tasks()
    )


def _title(task: ProgramTask, lang: Lang) -> str:
    return f"{task.title.text(lang)}  ({task.id})"
