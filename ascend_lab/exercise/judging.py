"""From an answer to a verdict."""

from __future__ import annotations

from types import TracebackType
from typing import Self

import ascend_lab
from ascend_lab import chips
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.answer import from_text
from ascend_lab.exercise.bank import Bank, bank, digest
from ascend_lab.exercise.cpp_cells import in_cpp
from ascend_lab.exercise.digests import answer_digest, chip_digest, package_digest
from ascend_lab.exercise.hearing import Cases, Hearing
from ascend_lab.exercise.launcher import Launcher, launcher
from ascend_lab.exercise.remote import Answer
from ascend_lab.exercise.task import Task
from ascend_lab.exercise.trial import Watch
from ascend_lab.exercise.verdict import Provenance, TaskResult

#: Seed of the inputs outside grading, where nothing has to be kept secret.
PRACTICE = "practice"


class Judge:
    """Judges answers. Holds the process that children are forked from: make one, and close it.

    ``secret`` decides the inputs of every case. ``how`` is "fork", "spawn" or "auto", or a launcher that has
    been started, and ends with the judge. ``tasks`` is where the source handed out with a task is looked up.
    """

    def __init__(
        self, secret: str = PRACTICE, how: str | Launcher = "auto", tasks: Bank | None = None
    ) -> None:
        self.secret = secret
        self._bank = tasks
        self._launcher: Launcher = launcher(how) if isinstance(how, str) else how
        self._lab_digest = package_digest()
        self._specs: dict[str, ChipSpec] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all children."""
        self._launcher.close()

    def check(
        self, task: Task, answer: Answer, *, cases: Cases = "public", watch: Watch | None = None
    ) -> TaskResult:
        """Judge ``answer``. ``watch`` is called with every result: case, schedule, `Result`.

        Never raises for anything that is in the answer.
        """
        answer = in_cpp(answer, task)
        given = None
        if task.given is not None and answer.form != "project":
            given = (self._bank or bank()).handed_out(task, answer.form)
        spec = self._spec(task.chip)
        hearing = Hearing(task, spec, answer, self.secret, self._launcher, given, cases, watch)
        if task.performance is not None and task.performance.baseline:
            hearing.baseline = (self._bank or bank()).source(task.performance.baseline)
        outcomes = tuple(hearing.outcomes())
        return hearing.result(outcomes, self._provenance(task, answer, hearing.layers))

    def _spec(self, chip: str) -> ChipSpec:
        if chip not in self._specs:
            self._specs[chip] = chips.load(chip)
        return self._specs[chip]

    def _provenance(self, task: Task, answer: Answer, layers: tuple[str, ...]) -> Provenance:
        return Provenance(
            lab=ascend_lab.__version__,
            lab_digest=self._lab_digest,
            chip=task.chip,
            chip_digest=chip_digest(self._spec(task.chip)),
            task_digest=digest(task),
            answer_digest=answer_digest(answer),
            seed=self.secret,
            layers=layers,
        )


def check(
    task: Task | str,
    source: Answer | str,
    *,
    cases: Cases = "public",
    seed: str = PRACTICE,
    watch: Watch | None = None,
) -> TaskResult:
    """Judge one answer to one task (a `Task` or its id). For many, keep a `Judge`."""
    chosen = bank().load(task) if isinstance(task, str) else task
    answer = from_text(source) if isinstance(source, str) else source
    with Judge(seed) as judge:
        return judge.check(chosen, answer, cases=cases, watch=watch)
