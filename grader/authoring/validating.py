"""Checks files of the bank: the schema, then what they promise, by running it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from ascend_lab.exercise import (
    Bank,
    CheckOutcome,
    Judge,
    Task,
    TaskError,
    TaskResult,
    Verdict,
    from_text,
)
from ascend_lab.exercise.bank import read as read_task
from ascend_lab.exercise.hunting import read as read_hunts
from ascend_lab.exercise.theory import Found, Topic
from ascend_lab.exercise.theory import read as read_topic
from grader.authoring.problem import Report, located
from grader.authoring.words import word
from grader.troubleshooting import NothingToDraw, draw
from grader.troubleshooting.templates import read as read_paper

FOLDERS = ("tasks", "theory", "hunts", "troubleshooting")
LANGS = ("zh", "en")
#: Called with how many files are done, and of how many.
Tick = Callable[[int, int], None]


class Unknown(Exception):
    """A path that names nothing to check; ``str()`` says why."""


def found_files(paths: Sequence[Path], bank: Path, lang: str) -> list[Path]:
    """The TOML files of ``paths``, or of the whole bank. Raises Unknown."""
    if not paths:
        return [path for name in FOLDERS for path in sorted((bank / name).rglob("*.toml"))]
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise Unknown(word("no_path", lang, path=path))
        inside = [path] if path.is_file() else _of_folder(path)
        if not inside:
            raise Unknown(word("no_files", lang, path=path))
        files += inside
    for file in files:
        if _place(file) is None:
            raise Unknown(word("not_a_bank", lang, path=file))
    return list(dict.fromkeys(files))


def _of_folder(folder: Path) -> list[Path]:
    files = sorted(folder.rglob("*.toml"))
    return [file for file in files if _place(file) is not None] or files


def _place(file: Path) -> tuple[Path, str] | None:
    """The bank that a file lies in, and its folder there; a bank may lie in a folder of such a name."""
    for parent in file.resolve().parents:
        if parent.name in FOLDERS:
            return parent.parent, parent.name
    return None


class Validator:
    """Checks files. ``quick``: nothing is run. ``seeds``: how often a theory item is drawn."""

    def __init__(self, quick: bool = False, seeds: int = 5) -> None:
        self.report = Report()
        self._quick = quick
        self._seeds = seeds
        self._judges: dict[Path, Judge] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for judge in self._judges.values():
            judge.close()

    def check(self, files: Sequence[Path], tick: Tick) -> Report:
        """Check each file; never raises for what is in one."""
        for done, file in enumerate(files):
            tick(done, len(files))
            place = _place(file)
            assert place is not None
            self._check(file, *place)
        return self.report

    def _check(self, file: Path, bank: Path, folder: str) -> None:
        data = file.read_bytes()
        text = data.decode("utf-8", "replace")
        try:
            match folder:
                case "tasks":
                    self._task(file, text, data, bank)
                case "theory":
                    self._topic(file, text, data)
                case "troubleshooting":
                    self._paper(file, data, bank)
                case _:
                    self.report.hunts += len(read_hunts(data, file.name, bank).hunts)
        except TaskError as error:
            self._add(error, file, text)

    def _add(self, error: TaskError, file: Path, text: str) -> None:
        self.report.problems.append(located(error, str(file), text))

    def _paper(self, file: Path, data: bytes, folder: Path) -> None:
        """A troubleshooting task: its kernel has a place for the faults, alive and named."""
        bank = Bank(folder)
        template = read_paper(data, file.name, bank)
        self.report.troubles += 1
        if self._quick:
            return
        try:
            draw(template, "validate", bank=bank)
        except NothingToDraw:
            said = _both("no_place")
            raise TaskError(file.name, "faults", said["en"], said["zh"]) from None

    # --- theory --------------------------------------------------------------------------------

    def _topic(self, file: Path, text: str, data: bytes) -> None:
        topic = read_topic(data, file.name)
        self.report.items += len(topic.items)
        for index in range(len(topic.items)):
            try:
                self._item(topic, index, file.name)
            except TaskError as error:
                self._add(error, file, text)

    def _item(self, topic: Topic, index: int, file: str) -> None:
        found = Found(topic, topic.items[index], file, f"items[{index}]")
        for seed in range(self._seeds):
            drawn = found.draw(seed)
            if not self._quick:
                found.prove(drawn)

    # --- tasks ---------------------------------------------------------------------------------

    def _task(self, file: Path, text: str, data: bytes, folder: Path) -> None:
        bank = Bank(folder)
        task = read_task(data, file.name)
        self.report.tasks += 1
        id = file.resolve().relative_to(folder / "tasks").with_suffix("").as_posix()
        if id in bank.ids():
            task = bank.load(id)
        if self._quick:
            return
        for key, sentences in self._promises(bank, task):
            self._add(TaskError(file.name, key, sentences["en"], sentences["zh"]), file, text)

    def _promises(self, bank: Bank, task: Task) -> list[tuple[str, dict[str, str]]]:
        """What the reference and the source handed out do not keep."""
        broken = []
        if task.given is not None and (said := self._given(bank, task, task.given)):
            broken.append(("given", said))
        if said := self._reference(bank, task):
            broken.append(("reference", said))
        return broken

    def _given(self, bank: Bank, task: Task, name: str) -> dict[str, str] | None:
        source = bank.source(name)
        result = self._run(bank, task, source)
        if result.points:
            return _both("start_earns", points=f"{result.points:g}")
        # As an answer of its own: whether it can be read, and whether there is anything to do.
        bare = self._run(bank, msgspec.structs.replace(task, given=None), source)
        loads = bare.check("loads")
        if loads.verdict is Verdict.FAIL:
            return {lang: word("start_broken", lang, said=loads.message(lang)) for lang in LANGS}
        return _both("start_passes") if bare.passed else None

    def _reference(self, bank: Bank, task: Task) -> dict[str, str] | None:
        result = self._run(bank, task, bank.source(task.reference))
        if result.passed and result.points == result.possible:
            return None
        worst = _worst(result)
        return {
            lang: word(
                "reference_fails",
                lang,
                points=f"{result.points:g}",
                possible=f"{result.possible:g}",
                check=worst.title(lang),
                said=worst.message(lang),
            )
            for lang in LANGS
        }

    def _run(self, bank: Bank, task: Task, source: str) -> TaskResult:
        judge = self._judges.get(bank.folder)
        if judge is None:
            judge = self._judges[bank.folder] = Judge(tasks=bank)
        return judge.check(task, from_text(source), cases="all")


def _worst(result: TaskResult) -> CheckOutcome:
    """The first check that did not pass."""
    bad = [check for check in result.checks if check.verdict is not Verdict.PASS]
    return bad[0] if bad else result.checks[-1]


def _both(key: str, **values: object) -> dict[str, str]:
    return {lang: word(key, lang, **values) for lang in LANGS}
