"""The troubleshooting arena: twelve kernels with a fault each, blind, in three belts.

>>> from ascend_lab.course import arena
>>> ring = arena.enter(lab)
>>> ring.show("yellow-1")  # the kernel, and what its user reports
>>> ring.answer("yellow-1", {"E1": 12})

What is counted are minutes that the same work would take at a desk: reading 3, a run 2, a hint 4 times its
level, a wrong answer 5. No clock is read, so the same steps always cost the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ascend_lab.checks.texts import catalogue, entry
from ascend_lab.course import cells, hunts
from ascend_lab.course.arena_words import say
from ascend_lab.course.card import Card, Line
from ascend_lab.course.lab import Lab
from ascend_lab.exercise import Judge, Task, TaskResult, Verdict, from_text
from ascend_lab.exercise.bank import read

if TYPE_CHECKING:
    from ascend_lab.device import Result

BELTS = ("yellow", "green", "black")
READING, RUN, HINT, WRONG = 3, 2, 4, 5
_IMPORT = "import ascend_lab.asc as asc\n\n"
#: Minutes for one kernel of players that everybody can compare with: reads only, one run each, all hints.
PLAYERS = {"reader": READING, "runner": READING + RUN, "hinted": READING + HINT * (1 + 2 + 3)}


def enter(lab: Lab) -> Arena:
    """The arena of a lab, with what the student has done so far."""
    return Arena(lab)


class Arena:
    """What the cells of lab 13 call. Each method puts a card into the output."""

    def __init__(self, lab: Lab) -> None:
        self._number = lab.number
        self._lang = lab.lang
        self._bank = lab._bank
        self._folder = self._bank.folder
        self._kept = lab._kept
        self._hunts = {
            id.partition("/")[2]: hunt for id, hunt in hunts.load(self._folder, lab.number).items()
        }

    def board(self) -> None:
        """All kernels by belt: found, open, and what has been spent."""
        lines = []
        for name, hunt in self._hunts.items():
            spent, done = self._spent(name), self._is_found(name)
            aside = self._say("minutes", n=spent) if spent else ""
            mark = "good" if done else "open"
            lines.append(Line(f"{name}  {self._title(hunt)}", mark, aside))
        lines += [
            Line(self._say(f"belt_{b}"), "good" if got == of else "", f"{got} / {of}")
            for b, (got, of) in self._belts().items()
        ]
        got = sum(map(self._is_found, self._hunts))
        badge = self._say("found", got=got, of=len(self._hunts))
        tone = "good" if got == len(self._hunts) else "note"
        cells.show(Card(self._say("board"), badge, tone, lines, foot=[self._say("costs")]))

    def classes(self) -> None:
        """Every class of faults that a run can tell, with its id."""
        ids = sorted(catalogue(), key=lambda name: (name[0], int(name[1:])))
        lines = [Line(f"{id}  {entry(id).text('title', self._lang)}") for id in ids]
        cells.show(Card(self._say("classes"), lines=lines))

    def show(self, name: str) -> None:
        """The kernel ``name`` with line numbers, what it is to do, and what its user reports."""
        hunt = self._known(name)
        if hunt is None:
            return
        task = self._task(hunt)
        goals = [f"{output} = {line}" for output, line in task.formulas.items()]
        lines = [Line(goal, code=True) for goal in goals]
        if not task.auto_sync:
            lines.append(Line(self._say("no_auto_sync"), "note"))
        if task.text is not None:
            lines.append(Line(f"{self._say('report')}: {task.text.text(self._lang)}"))
        source = self._source(hunt).splitlines()
        lines += [Line(f"{n:3}  {text}", code=True) for n, text in enumerate(source, 1)]
        cells.show(Card(f"{name} · {self._title(hunt)}", lines=lines))

    def run(self, name: str) -> None:
        """Run the kernel: which cases are right, wrong, or do not end well. No finding is told."""
        hunt = self._known(name)
        if hunt is None:
            return
        self._spend(name, "run")
        troubled = set()

        def watch(case: str, schedule: str, seen: Result) -> None:
            if seen.findings.errors:
                troubled.add((case, schedule))

        answer = from_text(*self._runnable(hunt))
        with Judge() as judge:
            result = judge.check(self._task(hunt), answer, cases="all", watch=watch)
        cells.show(Card(f"{name} · {self._say('ran')}", lines=self._seen(result, troubled)))

    def hint(self, name: str) -> None:
        """The next of three hints."""
        hunt = self._known(name)
        if hunt is None:
            return
        ladder = self._task(hunt).hints
        level = min(self._count(name, "hint") + 1, len(ladder))
        if level > self._count(name, "hint"):
            self._spend(name, "hint")
        badge = self._say("hint", level=level, of=len(ladder))
        cells.show(Card(name, badge, lines=[Line(ladder[level - 1].text(self._lang))]))

    def answer(self, name: str, found: Mapping[str, int] | None = None) -> None:
        """Judge an answer: the class of the fault and a line of it."""
        hunt = self._known(name)
        if hunt is None:
            return
        if not found:
            self._tell(name, self._say("empty"), "open")
            return
        if len(found) != 1:
            self._tell(name, self._say("one"), "note")
            return
        ((id, line),) = found.items()
        fault = hunt.fault(str(id))
        if fault is None or line not in fault.lines:
            self._spend(name, "wrong")
            self._tell(name, self._say("wrong", id=id, line=line), "bad")
            return
        self._kept.found[hunt.id] = [fault.id]
        self._kept.save()
        minutes = self._say("minutes", n=self._spent(name))
        text = [Line(f"{id} · {self._say('line', n=line)}", "good"), Line(fault.why[self._lang])]
        cells.show(Card(name, minutes, "good", text))

    def standing(self) -> None:
        """Minutes for what has been found, beside those of three players."""
        found = [name for name in self._hunts if self._is_found(name)]
        if not found:
            cells.show(Card(self._say("standing"), lines=[Line(self._say("nobody"), "open")]))
            return
        rows = {self._say(f"player_{who}"): each * len(found) for who, each in PLAYERS.items()}
        rows[self._say("you")] = sum(self._spent(name) for name in found)
        order = sorted(rows.items(), key=lambda row: row[1])
        lines = [
            Line(f"{place}. {who}", "good" if who == self._say("you") else "", f"{n} min")
            for place, (who, n) in enumerate(order, 1)
        ]
        belts = [b for b, (got, of) in self._belts().items() if got == of]
        worn = self._say(f"belt_{belts[-1]}") if belts else self._say("no_belt")
        badge = self._say("found", got=len(found), of=len(self._hunts))
        cells.show(Card(f"{self._say('standing')} · {worn}", badge, "good", lines))

    def mutant(self, kernel: Any, id: str | None = None, task: str = "yellow") -> None:
        """Judge a fault that the student has put into a right kernel: it has to be alive, and be named ``id``.

        ``kernel``: a function whose cell holds everything it needs, or a source text. ``task``: whose
        inputs and results it is judged by.
        """
        judged = self._bank.load(f"{self._number}/{task}")
        source = kernel if isinstance(kernel, str) else (cells.source_of(kernel) or ("", ""))[1]
        name = "" if isinstance(kernel, str) else str(getattr(kernel, "__name__", ""))
        source = re.sub(rf"\b{name}\b", judged.kernel, source) if name else source
        if id is None or not source.strip():
            self._tell("mutant", self._say("mutant_empty"), "open")
            return
        with Judge() as judge:
            text = source if _IMPORT.strip() in source else _IMPORT + source
            result = judge.check(judged, from_text(text, f"{judged.kernel}.py"), cases="all")
        key, mark = _verdict_of_mutant(result, id)
        if key == "mutant_caught":
            self._kept.found[f"{self._number}/mutant"] = [id]
            self._kept.save()
        ids = ", ".join(dict.fromkeys(each.id for each in result.findings)) or "-"
        self._tell("mutant", self._say(key, id=id, ids=ids), mark)

    # --- what is kept ----------------------------------------------------------------------------

    def _key(self, name: str) -> str:
        return f"{self._number}/{name} steps"

    def _spend(self, name: str, step: str) -> None:
        if not self._is_found(name):
            self._kept.seen.setdefault(self._key(name), []).append(step)
            self._kept.save()

    def _count(self, name: str, step: str) -> int:
        return self._kept.seen.get(self._key(name), []).count(step)

    def _spent(self, name: str) -> int:
        runs, hints = self._count(name, "run"), self._count(name, "hint")
        spent = RUN * runs + HINT * hints * (hints + 1) // 2 + WRONG * self._count(name, "wrong")
        return spent + READING if spent or self._is_found(name) else 0

    def _is_found(self, name: str) -> bool:
        hunt = self._hunts[name]
        return hunt.found(self._kept.found.get(hunt.id, ())) == hunt.count

    def _belts(self) -> dict[str, tuple[int, int]]:
        names = {belt: [n for n in self._hunts if n.startswith(belt)] for belt in BELTS}
        return {belt: (sum(map(self._is_found, n)), len(n)) for belt, n in names.items()}

    # --- the files -------------------------------------------------------------------------------

    def _known(self, name: str) -> hunts.Hunt | None:
        if name not in self._hunts:
            self._tell(str(name), self._say("unknown", known=", ".join(self._hunts)), "note")
            return None
        return self._hunts[name]

    def _source(self, hunt: hunts.Hunt) -> str:
        return (self._folder / hunt.kernel).read_text(encoding="utf-8")

    def _runnable(self, hunt: hunts.Hunt) -> tuple[str, str]:
        file, source = Path(hunt.kernel).name, self._source(hunt)
        return (source if file.endswith(".asc") else _IMPORT + source), file

    def _task(self, hunt: hunts.Hunt) -> Task:
        path = (self._folder / hunt.kernel).with_suffix(".toml")
        task = read(path.read_bytes(), path.name)
        if hunt.kernel.endswith(".py"):
            return task
        cases = tuple(case for case in task.cases if not case.dtypes)
        return msgspec.structs.replace(task, cases=cases)  # an Ascend C source has one type

    # --- words -----------------------------------------------------------------------------------

    def _title(self, hunt: hunts.Hunt) -> str:
        return re.split("[:：] ?", hunt.title[self._lang], maxsplit=1)[-1]

    def _seen(self, result: TaskResult, troubled: Collection[tuple[str, str]]) -> Sequence[Line]:
        lines = []
        for case in (case for check in result.checks for case in check.cases):
            said = "case_right" if case.passed else "case_wrong"
            if case.passed and (case.case, case.schedule) in troubled:
                said = "case_lucky"
            text = f"{case.case} · {self._say(case.schedule)}: {self._say(said)}"
            lines.append(
                Line(text, "good" if said == "case_right" else "bad", f"{case.time_us:.1f} us")
            )
        return lines or [Line(self._say("case_none"), "bad")]

    def _say(self, key: str, **values: object) -> str:
        return say(key, self._lang, **values)

    def _tell(self, title: str, text: str, mark: str) -> None:
        cells.show(Card(title, tone=mark, lines=[Line(text, mark)]))


def _verdict_of_mutant(result: TaskResult, id: str) -> tuple[str, str]:
    if result.check("loads").verdict is not Verdict.PASS:
        return "mutant_dead", "bad"
    if result.verdict is Verdict.NOT_ATTEMPTED:
        return "mutant_given", "bad"
    if result.verdict is Verdict.PASS:
        return "mutant_harmless", "bad"
    # X4 says that the output is wrong, not why.
    errors = [each for each in result.findings if each.severity == "error" and each.id != "X4"]
    if not errors:
        return "mutant_unseen", "bad"
    return ("mutant_caught", "good") if errors[0].id == id else ("mutant_other", "bad")
