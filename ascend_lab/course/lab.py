"""`Lab`: what the cells of a notebook call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_lab import __version__
from ascend_lab.course import cells, host_programs, hunts, progress
from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang
from ascend_lab.course.runs import run_card
from ascend_lab.course.verdicts import leading_finding, verdict_card
from ascend_lab.course.words import listed, say
from ascend_lab.exercise import PRACTICE, Judge, Verdict, from_session, from_text
from ascend_lab.exercise.bank import Bank, digest
from ascend_lab.exercise.programs import Programs, ProgramTask
from ascend_lab.exercise.remote import Answer
from ascend_lab.exercise.task import Task
from ascend_lab.exercise.theory import Given, mark, theory
from ascend_lab.exercise.wire import Cell

if TYPE_CHECKING:
    from ascend_lab.checks.finding import Finding
    from ascend_lab.device import Result

#: What `Lab.reveal` notes for a run without findings.
CLEAN = "clean"


class Lab:
    """One lab in one language. Made by `ascend_lab.course.start`.

    Its methods put a card into the output of the cell and return nothing; in a terminal they print.
    """

    def __init__(self, number: str, lang: Lang, bank: Bank, kept: progress.Progress) -> None:
        self.number = number
        self.lang: Lang = lang
        self._bank = bank
        self._kept = kept
        self._hunts = hunts.load(bank.folder, number)
        self._programs = Programs(bank, number)

    def __repr__(self) -> str:
        return f"Lab({self.number!r}, {self.lang!r})"

    # --- looking at runs -----------------------------------------------------------------------

    def show(self, result: Result) -> None:
        """The findings of a run, each with its line, and which core wrote what."""
        cells.show(run_card(result, self.lang))

    def timelines(self, results: Mapping[str, Result], cores: Sequence[int] = (0,)) -> None:
        """Several runs below each other, on one time axis."""
        from ascend_lab.view import timelines

        shows = {
            name: timelines.prepare(result, cores, "auto", self.lang, True)
            for name, result in results.items()
        }
        end = max((show.score.end for show in shows.values()), default=0.0)
        for name, show in shows.items():
            scaled = replace(
                show, score=replace(show.score, end=end), heading=f"{name} · {show.heading}"
            )
            svg, text = timelines.draw(scaled), f"{name}: {timelines.summary(show)}"
            cells.show(_Drawn(svg, text))

    def run_host(self, program: Callable[..., Any], *args: Any) -> Any:
        """Run a host program on a runtime of its own; shows what it did and returns what it returns."""
        from ascend_lab import acl

        runtime = acl.Runtime(strict=True)
        with acl.using(runtime):
            result = program(*args)
        cells.show(host_programs.run_card(runtime, self.lang))
        return result

    # --- tasks ---------------------------------------------------------------------------------

    def check(self, key: str, answer: Any) -> None:
        """Judge an answer: a kernel of this notebook, or the source text of one.

        The kernel runs in a child process, from its source, on the public cases of the task; the best score
        is kept.
        """
        if self._programs.find(key) is not None:
            self._check_program(key, answer)
            return
        task = self._task(key)
        if task is None:
            return
        source = _source(task.kernel, answer)
        if source is None:
            text = self._say("no_source", what=type(answer).__name__)
            cells.show(Card(task.title.text(self.lang), lines=[Line(text, "note")]))
            return
        found: list[Finding] = []
        with Judge(tasks=self._bank) as judge:
            result = judge.check(
                task, source, watch=lambda case, schedule, run: found.extend(run.findings)
            )
        leading = leading_finding(result)
        self._kept.leading[task.id] = leading.id if leading else ""
        if result.verdict is not Verdict.NOT_ATTEMPTED:
            self._kept.scored(task.id, result.points)
        texts = {cell.name: cell.text for cell in source.cells}
        cells.show(verdict_card(task, result, self.lang, found, texts, self._level(task)))

    def _check_program(self, key: str, function: Any) -> None:
        """Judge a host program: a function of this notebook."""
        task = self._programs.find(key)
        source = cells.source_of(function)
        if task is None or source is None:
            text = self._say("no_source", what=type(function).__name__)
            cells.show(Card(key, lines=[Line(text, "note")]))
            return
        if self._programs.is_untouched(task, source[1]):
            cells.show(host_programs.untouched_card(task, self.lang))
            return
        result = self._programs.judge(task, function)
        self._kept.scored(task.id, result.points)
        cells.show(host_programs.judged_card(task, result, self.lang))

    def _hint_program(self, task: ProgramTask, level: int | None) -> None:
        chosen = min(level or self._kept.hints.get(task.id, 0) + 1, len(task.hints))
        self._kept.hints[task.id] = max(chosen, self._kept.hints.get(task.id, 0))
        self._kept.save()
        cells.show(host_programs.hint_card(task, max(chosen, 1), self.lang))

    def hint(self, key: str, level: int | None = None) -> None:
        """The next hint for a task, or the one of ``level`` (1 to 3).

        Where the task has hints for what the last check found first, it is one of those.
        """
        program = self._programs.find(key)
        if program is not None:
            self._hint_program(program, level)
            return
        task = self._task(key)
        if task is None:
            return
        title = task.title.text(self.lang)
        ladder = task.ladder(self._kept.leading.get(task.id, ""))
        if not ladder:
            cells.show(Card(title, lines=[Line(self._say("no_hint"))]))
            return
        chosen = min(level or self._level(task) + 1, len(ladder))
        self._kept.hints[self._rung(task)] = max(chosen, self._level(task))
        self._kept.save()
        hint = ladder[max(chosen, 1) - 1]
        foot = [self._say("last_hint")] if chosen == len(ladder) else []
        badge = self._say("hint", level=hint.level, of=len(ladder))
        text = hint.zh if self.lang == "zh" else hint.en
        cells.show(Card(title, badge, lines=[Line(text)], foot=foot))

    def _task(self, key: str) -> Task | None:
        """The task ``key``; when there is none, a card says which there are."""
        known = (*self._bank.ids(self.number), *(task.id for task in self._programs.tasks))
        if key not in known:
            cells.show(self._unknown(key, known))
            return None
        return self._bank.load(key)

    def _rung(self, task: Task) -> str:
        """Hints are counted for each finding that has a ladder of its own."""
        leading = self._kept.leading.get(task.id, "")
        return f"{task.id} {leading}" if any(h.finding == leading for h in task.hints) else task.id

    def _level(self, task: Task) -> int:
        return self._kept.hints.get(self._rung(task), 0)

    # --- predictions ---------------------------------------------------------------------------

    def predict(self, key: str, choice: str | Sequence[str | None] | None) -> None:
        """Note what the student expects, before the run: one answer, or several in order."""
        said = _answers(choice)
        if said:
            self._kept.predicted[key] = said
            self._kept.save()
            text = self._say("predicted", what=" → ".join(said))
        else:
            text = self._say("predict_first")
        cells.show(Card(self._say("prediction"), lines=[Line(text, "" if said else "open")]))

    def reveal(self, key: str, actual: str | Result) -> None:
        """Compare the prediction with what a run shows.

        ``actual`` is the right letter, or a result, which stands for the id of its leading finding. Of a
        sequence of runs each new event is noted, in the order in which they came.
        """
        said = self._kept.predicted.get(key, [])
        if isinstance(actual, str):
            cells.show(self._single(said, actual))
            return
        event, seen = _event(actual), self._kept.seen.setdefault(key, [])
        if event not in seen:
            seen.append(event)
            self._kept.save()
        cells.show(self._sequence(said, seen))

    def _single(self, said: Sequence[str], actual: str) -> Card:
        agrees = list(said) == [actual]
        mark = "" if not said else "good" if agrees else "bad"
        lines = [
            Line(f"{self._say('you_said')}: {', '.join(said) or self._say('nothing_said')}", mark),
            Line(f"{self._say('it_is')}: {actual}"),
        ]
        if said:
            lines.append(Line(self._say("right" if agrees else "other")))
        return Card(self._say("prediction"), lines=lines)

    def _sequence(self, said: Sequence[str], seen: Sequence[str]) -> Card:
        """Events as they came; those that were predicted next are ticked. A detour is no mistake."""
        lines, waiting = [], list(said)
        for event in seen:
            expected = bool(waiting) and event == waiting[0]
            if expected:
                waiting.pop(0)
            aside = self._say("foretold") if expected else ""
            lines.append(Line(self._event_text(event), "good" if expected else "", aside))
        lines += [Line(self._say("unseen", what=event), "open") for event in waiting]
        return Card(self._say("steps"), lines=lines)

    def _event_text(self, event: str) -> str:
        from ascend_lab.checks.texts import entry

        return (
            self._say(CLEAN)
            if event == CLEAN
            else f"{event}  {entry(event).text('title', self.lang)}"
        )

    # --- hunts ---------------------------------------------------------------------------------

    def hunt(self, key: str, found: Mapping[str, int]) -> None:
        """Judge the answer to a fault hunt: class ids and the lines they stand in."""
        hunt = self._hunts.get(key)
        if hunt is None:
            cells.show(self._unknown(key, list(self._hunts)))
            return
        cells.show(self._hunted(hunt, found))

    def _hunted(self, hunt: hunts.Hunt, found: Mapping[str, int]) -> Card:
        title, of = hunt.title[self.lang], hunt.count
        if not found:
            line = Line(self._say("hunt_empty"), "open")
            return Card(title, self._say("hunt_count", found=0, of=of), "open", [line])
        odd = _malformed(found)
        if odd:
            return Card(
                title, tone="note", lines=[Line(self._say("hunt_malformed", what=odd), "note")]
            )
        if len(found) > of + len(hunt.extra):
            text = self._say("hunt_too_many", of=of, given=len(found))
            return Card(title, tone="note", lines=[Line(text, "note")])
        right = [id for id, line in found.items() if (f := hunt.fault(id)) and line in f.lines]
        self._kept.found[hunt.id] = sorted({*self._kept.found.get(hunt.id, ()), *right})
        self._kept.save()
        badge = self._say("hunt_count", found=len(right), of=of)
        lines = [line for id, at in found.items() for line in self._hunt_lines(hunt, id, at)]
        return Card(title, badge, "good" if len(right) == of else "bad", lines)

    def _hunt_lines(self, hunt: hunts.Hunt, id: str, at: int) -> list[Line]:
        place = f"{id} · {self._say('line', line=at)}"
        fault = hunt.fault(id)
        if id in hunt.extra and hunt.extra_why is not None:
            return [Line(place, "note"), Line(hunt.extra_why[self.lang])]
        if fault is None:
            return [Line(place, "bad", self._say("hunt_wrong"))]
        if at not in fault.lines:
            return [Line(place, "bad", self._say("hunt_line"))]
        return [Line(place, "good", self._say("hunt_right")), Line(fault.why[self.lang])]

    # --- theory ----------------------------------------------------------------------------------

    def quiz(self, key: str, answer: Given = None, seed: str | int = PRACTICE) -> None:
        """A theory question ("tiling/tile-count"), or the judgement of an answer to it.

        ``answer``: a letter, several ("AC"), True or False, a number. Another ``seed`` gives the question
        with other numbers. Nothing of the key is shown before an answer is given; nothing is marked.
        """
        from ascend_lab.course.quizzes import question_card

        bank = theory(self._bank)
        known = bank.ids()
        if key not in known:
            cells.show(self._unknown(key, known))
            return
        found = bank.find(key)
        drawn = found.draw(seed)
        cell = found.cell(drawn)
        cells.show(question_card(key, drawn, self.lang, mark(drawn, answer), cell))

    # --- where one stands ----------------------------------------------------------------------

    def progress(self) -> None:
        """Best score of each task and what has been found, and the versions all this was made with."""
        tasks = sorted(self._bank.tasks(self.number), key=lambda task: task.points.total)
        best = {task.id: self._kept.points.get(task.id, 0.0) for task in tasks}
        lines = [
            Line(
                f"{task.title.text(self.lang)}  ({task.id})",
                "good" if best[task.id] >= _here(task) else "open",
                self._points(best[task.id], _here(task)),
            )
            for task in tasks
        ]
        for program in self._programs.tasks:
            got, of = self._kept.points.get(program.id, 0.0), program.points.total
            text = f"{program.title.text(self.lang)}  ({program.id})"
            lines.append(Line(text, "good" if got >= of else "open", self._points(got, of)))
            best[program.id] = got
        for hunt in self._hunts.values():
            count = hunt.found(self._kept.found.get(hunt.id, ()))
            text = f"{self._say('hunts')} · {hunt.title[self.lang]}"
            mark = "good" if count == hunt.count else "open"
            lines.append(Line(text, mark, self._say("hunt_count", found=count, of=hunt.count)))
        possible = sum(map(_here, tasks)) + sum(p.points.total for p in self._programs.tasks)
        total = self._points(sum(best.values()), possible)
        hidden = sum(task.points.hidden for task in tasks)
        foot = [self._say("hidden_left", points=f"{hidden:g}")] if hidden else []
        foot.append(f"{self._say('about')}: {listed(self.versions(), self.lang)}")
        if not self._kept.saved:
            foot.insert(0, self._say("not_saved"))
        done = all(line.mark == "good" for line in lines)
        cells.show(Card(self._say("progress"), total, "good" if done else "note", lines, foot=foot))

    def versions(self) -> list[str]:
        """What the results of this lab depend on: versions of the lab and hashes of its tasks."""
        from ascend_lab import chips

        tasks = [f"{task.id} {digest(task)[:8]}" for task in self._bank.tasks(self.number)]
        return [f"ascend-lab {__version__}", chips.DEFAULT, "seed 0", *tasks]

    # --- words ---------------------------------------------------------------------------------

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.lang, **values)

    def _points(self, got: float, of: float) -> str:
        return self._say("points", got=f"{got:g}", of=f"{of:g}")

    def _unknown(self, key: str, known: Sequence[str]) -> Card:
        text = self._say("no_task", what=key, known=listed(list(known), self.lang))
        return Card(key, tone="note", lines=[Line(text, "note")])


class _Drawn:
    """One SVG with its text."""

    def __init__(self, svg: str, text: str) -> None:
        self._svg = svg
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self._text, "text/html": self._svg}


def _here(task: Task) -> float:
    """What a task is worth outside grading."""
    return task.points.total - task.points.hidden


def _source(kernel: str, answer: Any) -> Answer | None:
    """The text of an answer; None for what has none."""
    from ascend_lab.ascendc import CppKernel

    if isinstance(answer, str):
        return from_text(answer, f"{kernel}.py")
    if isinstance(answer, CppKernel):  # of a cell that begins with %%ascendc
        path = Path(answer.file)
        name = cells.names().get(path.name, path.name)
        return Answer((Cell(name, path.read_text("utf-8")),), form="cpp")
    found = cells.source_of(answer)
    return None if found is None else from_session(cells.session(kernel, *found))


def _answers(choice: Any) -> list[str]:
    """A prediction as a list; empty while any part of it is open."""
    parts = [choice] if choice is None or isinstance(choice, str) else list(choice)
    return [] if not all(parts) else [str(part).strip() for part in parts]


def _event(result: Result) -> str:
    leading: Finding | None = next((f for f in result.findings if f.severity == "error"), None)
    return CLEAN if leading is None else leading.id


def _malformed(found: Any) -> str:
    if not isinstance(found, Mapping):
        return repr(found)
    for id, line in found.items():
        if not isinstance(id, str) or type(line) is not int:
            return f"{id!r}: {line!r}"
    return ""
