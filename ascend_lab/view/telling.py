"""The steps of a replay in words."""

from __future__ import annotations

from collections.abc import Sequence

from ascend_lab.engine.instruction import Pipe
from ascend_lab.view import svg
from ascend_lab.view.replay import Event, Flag, Replay, Step, UnitState
from ascend_lab.view.words import Lang, say


def flag_name(flag: Flag) -> str:
    """ "MTE2→V 0": the pipes and the id."""
    return f"{Pipe(flag[0]).name}→{Pipe(flag[1]).name} {flag[2]}"


def events(replay: Replay, step: Step, lang: Lang) -> list[tuple[str, str]]:
    """What happens in a step: (class, text), a line each; equal lines are told once."""
    told = [(_class(event), _event(replay, event, lang)) for event in step.events]
    return list(dict.fromkeys(told))


def _class(event: Event) -> str:
    return {"finding": "bad-text", "stall": "note-text"}.get(event.kind, "small")


def _event(replay: Replay, event: Event, lang: Lang) -> str:
    if event.finding is not None:
        finding = event.finding
        return f"{finding.id}  {finding.title(lang)} · {finding.file}:{finding.line}"
    row = event.row
    assert row is not None
    unit, what = Pipe(row.pipe).name, replay.source.label(row)
    if event.kind in ("set", "wait"):
        known = replay.flag_of(row)
        flag = flag_name(known) if known is not None else what
        key = "step_passed" if event.kind == "wait" and known is None else f"step_{event.kind}"
        return say(key, lang, unit=unit, what=what, flag=flag)
    if event.kind == "stall":
        return say("step_stall", lang, unit=unit, why=_stopped(replay, event, lang))
    if event.kind == "mark":
        return say("step_mark", lang, what=what, buffer=replay.buffer_of(row))
    return say(f"step_{event.kind}", lang, unit=unit, what=what)


def _stopped(replay: Replay, event: Event, lang: Lang) -> str:
    row = event.row
    assert row is not None
    flag = replay.flag_of(row)
    if flag is not None:
        return say("why_flag", lang, flag=flag_name(flag))
    name = replay.name(row)
    if name == "WaitFlag":
        return say("why_flag_unknown", lang)
    return name if name == "SyncAll" else say("why_auto" if row.auto else "why_own", lang)


def why(replay: Replay, unit: UnitState, lang: Lang) -> str:
    """Why nothing runs on a unit; "" when there is nothing to say."""
    if unit.running:
        return ""
    if unit.flag is not None:
        return say("why_flag", lang, flag=flag_name(unit.flag))
    if unit.held == "flag":
        return say("why_flag_unknown", lang)
    if unit.full is not None:
        return say("why_full", lang, unit=unit.full.name)
    if unit.held:
        return say(f"why_{unit.held}", lang)
    if unit.finished:
        return say("why_done", lang)
    return "" if unit.queue or unit.pipe == Pipe.S else say("why_idle", lang)


def wrapped(texts: Sequence[str], width: float, most: int, lang: Lang) -> list[str]:
    """``texts`` one after the other in at most ``most`` lines; the last says how many found no room."""
    lines: list[str] = []
    for k, text in enumerate(texts):
        joined = f"{lines[-1]}   ·   {text}" if lines else text
        more = "   ·   " + say("step_more", lang, n=len(texts) - k)
        room = width - (
            svg.text_width(more, 11.0) if len(lines) == most and k < len(texts) - 1 else 0
        )
        if lines and svg.text_width(joined, 11.0) <= room:
            lines[-1] = joined
        elif len(lines) < most:
            lines.append(text)
        else:
            lines[-1] += more
            break
    return lines
