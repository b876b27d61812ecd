"""`Session`: what the cells of an exam's notebook call."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ascend_lab.course import cells
from ascend_lab.course.card import Card, Line
from ascend_lab.course.edition import Lang, known
from ascend_lab.course.exam.clock import Clock
from ascend_lab.course.exam.practical import CPP, PRACTICAL, Chosen, chosen
from ascend_lab.course.exam.sheet import Paper, Sheet, read_sheet
from ascend_lab.course.exam.store import LIMIT, Store
from ascend_lab.course.exam.words import clock_face, word
from ascend_lab.exercise import Answer, Judge, from_text
from ascend_lab.exercise.bank import Bank


def open(folder: Path | str = ".", clock: Clock | None = None) -> Session:
    """The exam in ``folder``; in a notebook it also brings ``%%exam``. Raises ValueError when there is none."""
    place = Path(folder)
    try:
        sheet = read_sheet(place)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        both = [word("damaged", lang, what=reason) for lang in ("zh", "en")]
        raise ValueError(" ".join(both)) from None
    session = Session(place, sheet, clock or Clock())
    shell = cells.shell()
    if shell is not None:
        shell.register_magic_function(session.magic, "cell", "exam")
    session.show()
    return session


class Session:
    """One exam. Its methods put a card or a form into the output of the cell."""

    def __init__(self, folder: Path, sheet: Sheet, clock: Clock) -> None:
        self.sheet = sheet
        self.lang: Lang = known(sheet.lang) or "en"
        self.store = Store(folder, sheet, clock)
        self._bank = folder / "bank"

    def __repr__(self) -> str:
        return f"Session({self.sheet.exam!r}, {self.sheet.student!r})"

    def show(self) -> None:
        """Rules, weights, and what the log can do and cannot."""
        sheet = self.sheet
        parts = self._say("comma").join(
            self._say("fact_part", part=self._say(part), share=f"{100 * share:g}")
            for part, share in sheet.pass_parts.items()
        )
        facts = self._say(
            "facts", minutes=sheet.minutes, total=f"{sheet.pass_total:g}", parts=parts
        )
        weights = [
            Line(self._say("part_weight", part=self._say(part), weight=f"{weight:g}"))
            for part, weight in sheet.weights.items()
        ]
        state = self._state() if self.store.is_started else self._say("not_started")
        lines = [Line(facts), *weights, Line(self._say("honest"), "note")]
        title = f"{sheet.title.text(self.lang)} · {sheet.student}"
        cells.show(Card(title, lines=lines, foot=[state]))

    def start(self) -> None:
        """Start the clock, or show what is left of it."""
        self.store.start()
        self.timer()

    def timer(self) -> None:
        """The countdown."""
        if cells.shell() is None:
            cells.show(Card(self._state()))
            return
        from ascend_lab.course.exam.forms import Timer

        cells.show(Timer(self.store.left_s, self.lang))

    def theory(self) -> None:
        """The questions."""
        self._form(lambda forms: forms.theory_form(
            self.sheet.theory, self._given(), self.lang, self.store.save
        ))  # fmt: skip

    def paper(self, number: int) -> None:
        """The broken kernel ``number``, from 1 on, and the form for what is said of it."""
        if not 1 <= number <= len(self.sheet.papers):
            known_ones = ", ".join(str(n + 1) for n in range(len(self.sheet.papers)))
            self._tell(self._say("unknown", what=number, known=known_ones))
            return
        chosen = self.sheet.papers[number - 1]
        given = self.store.load(f"paper/{chosen.id}")
        self._form(lambda forms: forms.paper_form(chosen, given, self.lang, self.store.save))

    def magic(self, line: str, cell: str) -> None:
        """``%%exam practical``, ``%%exam repaired 1``, ``%%exam kernel_cpp``: save the cell as an answer."""
        what = line.split()
        papers = self.sheet.papers
        if what in ([PRACTICAL], *([name] for name in CPP)):
            name = what[0] if what[0] == PRACTICAL else f"{PRACTICAL}/{what[0]}"
        elif len(what) == 2 and what[0] == "repaired" and what[1] in _numbers(papers):
            name = f"repaired/{papers[int(what[1]) - 1].id}"
        else:
            options = [PRACTICAL, *CPP, *(f"repaired {n}" for n in _numbers(papers))]
            self._tell(self._say("unknown", what=line or "%%exam", known=", ".join(options)))
            return
        is_new = self._save(name, cell)
        if is_new is not None:
            self._follow(name, cell, is_new)

    def answer(self, what: str, text: str) -> None:
        """Save ``text`` as an answer: "theory/moving/rows", "practical", "paper/never-ends"."""
        self._save(what, text)

    def withdraw_cpp(self) -> None:
        """Take the answer in Ascend C back: the Python kernel counts again."""
        for name in CPP:
            if self.store.load(f"{PRACTICAL}/{name}"):
                self._save(f"{PRACTICAL}/{name}", "")

    def submit(self) -> None:
        """Hand in: everything into one file."""
        if not self._is_running():
            return
        path = self.store.submit()
        data = path.read_bytes()
        said = {
            "file": path.name,
            "size": -(-len(data) // 1024),
            "digest": hashlib.sha256(data).hexdigest()[:16],
        }
        lines = [Line(self._say("hand_in", **said), "good")]
        missing = self._missing()
        if missing:
            lines.append(Line(self._say("left_open", what=", ".join(missing)), "open"))
        cells.show(Card(self._say("submitted"), self._state(), "good", lines))

    # --- inside --------------------------------------------------------------------------------------

    def _form(self, make: Callable[[Any], object]) -> None:
        if not self._is_running():
            return
        from ascend_lab.course.exam import forms

        cells.show(make(forms))

    def _is_running(self) -> bool:
        if not self.store.is_started:
            self._tell(self._say("start_first"))
        return self.store.is_started

    def _save(self, name: str, text: str) -> bool | None:
        """Keep an answer and say so: whether it is another than before, None when it was not kept."""
        if not self._is_running():
            return None
        try:
            is_new = self.store.save(name, text)
        except ValueError:
            self._tell(self._say("too_long", limit=LIMIT >> 10))
            return None
        said = self._say("saved", count=len(text.encode())) if is_new else self._say("same")
        cells.show(Card(name, said, "good", foot=[self._state()]))
        return is_new

    def _follow(self, name: str, text: str, is_new: bool) -> None:
        """What there is to say of an answer that was saved."""
        if name.startswith("repaired/"):
            self._tell(self._repaired(text, name))
            return
        found = self._chosen()
        if name == PRACTICAL:
            self._judge(from_text(text, f"{PRACTICAL}.py"))
            if found.answer is not None and found.answer.form != "python":
                self._tell(self._say("cpp_counts"))
        elif found.missing:
            self._tell(self._say("cpp_missing", names=", ".join(found.missing)))
        elif found.answer is not None and (is_new or name.endswith("/kernel_cpp")):
            self._judge(found.answer)

    def _repaired(self, text: str, name: str) -> str:
        file = next(p.file for p in self.sheet.papers if name == f"repaired/{p.id}")
        if file.endswith(".py"):
            try:
                ast.parse(text)
            except SyntaxError as error:
                return self._say("syntax", line=error.lineno, what=error.msg)
        return self._say("paper_saved")

    def _chosen(self) -> Chosen:
        """What counts of the practical answers saved so far."""
        names = [PRACTICAL, *(f"{PRACTICAL}/{name}" for name in CPP)]
        saved = {name: self.store.load(name) or "" for name in names}
        return chosen(saved, self.sheet.practical.kernel)

    def _judge(self, answer: Answer) -> None:
        """The public cases of the practical task."""
        from ascend_lab.course.verdicts import verdict_card

        bank = Bank(self._bank)
        task = bank.load(self.sheet.practical.task)
        found: list[Any] = []
        with Judge(tasks=bank) as judge:
            result = judge.check(task, answer, watch=lambda _, __, run: found.extend(run.findings))
        texts = {cell.name: cell.text for cell in answer.cells}
        cells.show(verdict_card(task, result, self.lang, found, texts, 0))

    def _given(self) -> dict[str, str]:
        loaded = {q.id: self.store.load(f"theory/{q.id}") for q in self.sheet.theory}
        return {id: text for id, text in loaded.items() if text}

    def _missing(self) -> list[str]:
        """What has no answer yet."""
        questions = len(self.sheet.theory) - len(self._given())
        missing = [f"{self._say('theory')} ({questions})"] if questions else []
        saved = {entry.what for entry in self.store.log.entries if entry.event == "saved"}
        found = self._chosen()
        if found.answer is None or found.missing:
            files = f" ({', '.join(found.missing)})" if found.missing else ""
            missing.append(self._say("practical") + files)
        open_papers = [p.title.text(self.lang) for p in self.sheet.papers
                       if not {f"paper/{p.id}", f"repaired/{p.id}"} <= saved]  # fmt: skip
        return [*missing, *open_papers]

    def _state(self) -> str:
        left = self.store.left_s
        return self._say("running" if left > 0 else "over", left=clock_face(left))

    def _tell(self, text: str) -> None:
        cells.show(Card(self.sheet.title.text(self.lang), lines=[Line(text, "note")]))

    def _say(self, key: str, **values: object) -> str:
        return word(key, self.lang, **values)


def _numbers(papers: tuple[Paper, ...]) -> tuple[str, ...]:
    return tuple(str(n + 1) for n in range(len(papers)))
