"""The card of a judged answer: verdict of each check, the leading finding at its line, what comes next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ascend_lab.asc.codegen import lint
from ascend_lab.checks.finding import Finding
from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang
from ascend_lab.course.words import parted, say
from ascend_lab.exercise.task import Task
from ascend_lab.exercise.verdict import CheckOutcome, TaskResult, Told, Verdict
from ascend_lab.view import findings_html
from ascend_lab.view.markup import div, escape

_MARKS = {
    Verdict.PASS: "good",
    Verdict.FAIL: "bad",
    Verdict.BLOCKED: "open",
    Verdict.ERROR: "note",
    Verdict.NOT_ATTEMPTED: "open",
}
_TONES = {Verdict.PASS: "good", Verdict.FAIL: "bad", Verdict.NOT_ATTEMPTED: "open"}


def verdict_card(
    task: Task,
    result: TaskResult,
    lang: Lang,
    found: Sequence[Finding],
    sources: Mapping[str, str],
    hint: int,
) -> Card:
    """The card of ``result``.

    ``found`` are the findings of all launches, ``sources`` the texts of the cells by the names findings use;
    ``hint`` is the level of the hint shown last.
    """
    title = f"{task.title.text(lang)}  ({task.id})"
    if result.verdict is Verdict.NOT_ATTEMPTED:
        lines = [Line(say("not_attempted_why", lang), "open")]
        return Card(title, say("not_attempted", lang), "open", lines, foot=_hidden(task, lang))
    badge = say("points", lang, got=f"{result.points:g}", of=f"{obtainable(result):g}")
    lines = [line for check in result.checks if not _is_left(check) for line in _check(check, lang)]
    lines += [Line(note.text(lang), "note") for note in result.notes]
    lines += _portability(task, lang, sources)
    foot = [*_offer(task, result, lang, hint), *_hidden(task, lang)]
    views = _leading(result, lang, found, sources)
    return Card(title, badge, _TONES.get(result.verdict, "note"), lines, views, foot)


def obtainable(result: TaskResult) -> float:
    """Points that can be had here: hidden cases are run only when the work is graded."""
    return sum(check.possible for check in result.checks if not _is_left(check))


def _is_left(check: CheckOutcome) -> bool:
    return check.name == "hidden" and not check.cases and not check.findings


def leading_finding(result: TaskResult) -> Told | None:
    """The first finding that makes the answer wrong."""
    return next((found for found in result.findings if found.severity == "error"), None)


def _check(check: CheckOutcome, lang: Lang) -> Iterator[Line]:
    if check.possible == 0 and check.verdict in (Verdict.PASS, Verdict.BLOCKED):
        return
    aside = ""
    if check.possible:
        aside = say("points", lang, got=f"{check.points:g}", of=f"{check.possible:g}")
    yield Line(check.title(lang), _MARKS[check.verdict], aside)
    if check.verdict in (Verdict.FAIL, Verdict.ERROR):
        for sentence in check.message(lang).splitlines():
            yield Line(sentence)


def _portability(task: Task, lang: Lang, sources: Mapping[str, str]) -> Iterator[Line]:
    """What pyasc would refuse in the kernel; costs nothing."""
    notes = lint(list(sources.items()), [task.kernel])
    if notes:
        yield Line(say("portability", lang), "note")
        yield from (Line(note.message(lang)) for note in notes)


def _leading(
    result: TaskResult, lang: Lang, found: Sequence[Finding], sources: Mapping[str, str]
) -> list[tuple[str, str]]:
    """The leading finding as the views show it, with the student's lines."""
    told = leading_finding(result)
    if told is None:
        return []
    place = (told.id, told.file, told.line)
    same = [finding for finding in found if (finding.id, finding.file, finding.line) == place]
    html = (
        findings_html(same[:1], lang, sources=sources)
        if same
        else div("foot", escape(told.message(lang)))
    )
    return [(html, told.message(lang))]


def _offer(task: Task, result: TaskResult, lang: Lang, hint: int) -> list[str]:
    leading = leading_finding(result)
    ladder = task.ladder(leading.id if leading else "")
    if result.verdict is not Verdict.FAIL or not ladder:
        return []
    level = min(hint + 1, len(ladder))
    return [say("hint_offer", lang, task=task.id, level=level, of=len(ladder))]


def _hidden(task: Task, lang: Lang) -> list[str]:
    names = [case.title.text(lang) for case in task.hidden_cases if case.title is not None]
    if not names or not task.points.hidden:
        return []
    points = f"{task.points.hidden:g}"
    return [say("hidden_note", lang, names=parted(names, lang), points=points)]
