"""Whether a fault is there, and whether it is found under its own name.

A mutant is run as an answer is: its door in a child, the device here, every case of the task. The first
finding leads. Where nothing is found, adversarial schedules follow, and then what the outputs say.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from ascend_lab import chips
from ascend_lab.exercise import Case, ChildFault, RemoteKernel, Task, from_text
from ascend_lab.exercise.classifying import by_output, known_classes
from ascend_lab.exercise.expression import evaluate
from ascend_lab.exercise.launcher import Launcher, launcher
from ascend_lab.exercise.trial import Bench, Trial
from grader.faults.classes import CLASSES
from grader.faults.cpp.running import CompiledKernel
from grader.faults.fault import FaultClass, Mutant
from grader.faults.references import SUFFIXES, Reference

REALISTIC, ADVERSARIAL = "realistic", "adversarial"
#: A run that takes less than so much more is not slower.
_SLOWER = 1.05
#: Elements of a case for mutants that are very slow.
_FEW = 264
#: Kinds of ends that the kernel itself brings about, though no check names them.
_ENDS = ("ended", "crash", "cpu", "wall", "killed", "flood")


class Status(StrEnum):
    """What became of a mutant."""

    CAUGHT = "caught"
    MISNAMED = "misnamed"  # another class leads
    ESCAPED = "escaped"  # alive, and nothing is said
    UNCHECKED = "check missing"  # no check knows the class
    EQUIVALENT = "equivalent"  # the same bytes everywhere
    TOLERATED = "tolerated"  # other bytes, but within the accuracy asked for
    BROKEN = "broken"  # does not load, or the lab has no model for it

    @property
    def is_alive(self) -> bool:
        """Whether the fault can be seen at all."""
        return self in (Status.CAUGHT, Status.MISNAMED, Status.ESCAPED, Status.UNCHECKED)


@dataclass(frozen=True, slots=True)
class Verification:
    """``leading``: id of the leading finding, ``severity`` its own; ``named``: the id under which it is the class's."""

    class_id: str
    status: Status
    leading: str = ""
    named: str = ""
    found: tuple[str, ...] = ()
    severity: str = ""
    line: int = 0
    case: str = ""
    schedule: str = ""
    zh: str = ""
    en: str = ""

    def message(self, lang: str) -> str:
        """What is said to whoever runs the kernel."""
        return self.zh if lang == "zh" else self.en


@dataclass(slots=True)
class Verifier:
    """Runs mutants. Holds the process that children are forked from: close it, or use ``with``."""

    secret: str = "faults"
    _launcher: Launcher = field(default_factory=lambda: launcher("auto"))
    _right: dict[tuple[str, str], list[dict[str, bytes]]] = field(default_factory=dict)

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

    def verify(self, mutant: Mutant, reference: Reference) -> Verification:
        """Run ``mutant`` on the cases of ``reference``."""
        fault = CLASSES.get(mutant.class_id) or CLASSES[mutant.parts[0].class_id]
        task = _launched(reference.task, mutant.blocks)
        try:
            kernel = self.kernel(task, mutant.source, reference.file)
        except ChildFault as error:
            return _broken(mutant, error)
        try:
            if fault.outcome == "slow":
                return self._timed(mutant, fault, task, reference, kernel)
            trials = list(self._trials(task, reference, kernel))
            return self._judged(mutant, fault, trials, reference, kernel)
        finally:
            kernel.close()

    def clean(self, reference: Reference, chip: str = "") -> tuple[str, ...]:
        """What is wrong with a reference, in every case and order: nothing, it is hoped."""
        kernel = self.kernel(reference.task, reference.source, reference.file)
        task = reference.task
        bench = Bench(task, chips.load(chip or task.chip), kernel, self.secret)
        said = []
        for case, schedule in _launches(task):
            for trial in bench.run(case, schedule):
                said += [f"{case.name}, {schedule}: {text}" for text in _complaints(trial)]
        kernel.close()
        return tuple(said)

    # --- launches ------------------------------------------------------------------------------------

    def kernel(self, task: Task, source: str, file: str) -> RemoteKernel | CompiledKernel:
        """The kernel of ``task`` in ``source``, ready to launch. The door is that of the file's name.

        Raises ChildFault for an Ascend C source that does not compile. The caller closes the kernel.
        """
        if Path(file).suffix in SUFFIXES:
            return CompiledKernel(task, source, file)
        names = [parameter.name for parameter in task.parameters]
        answer = from_text(source, file)
        return RemoteKernel(
            self._launcher, answer, task.kernel, names, given=None, limits=task.limits
        )

    def _trials(
        self, task: Task, reference: Reference, kernel: RemoteKernel | CompiledKernel
    ) -> Iterator[Trial]:
        """Launches until one says something: all cases as they come, then in other orders."""
        bench = Bench(task, chips.load(task.chip), kernel, self.secret)
        for case, schedule in _launches(task):
            for trial in bench.run(case, schedule):
                yield _told(trial)
                if trial.fault is not None or _findings(trial):
                    return

    def _judged(
        self,
        mutant: Mutant,
        fault: FaultClass,
        trials: list[Trial],
        reference: Reference,
        kernel: RemoteKernel | CompiledKernel,
    ) -> Verification:
        last = trials[-1]
        if last.fault is not None and last.fault.kind not in _ENDS:
            return _broken(mutant, last.fault)
        spoken = _findings(last)
        if not spoken:
            spoken = self._by_output(reference, trials, kernel)
        if spoken:
            return _named(mutant, fault, spoken, last)
        status = Status.EQUIVALENT
        if last.fault is not None or not all(trial.is_right for trial in trials):
            status = Status.ESCAPED
        elif self._other_bytes(reference, trials):
            status = Status.TOLERATED
        if status is Status.ESCAPED and not set(fault.expects) & known_classes():
            status = Status.UNCHECKED
        wrong = next((trial for trial in trials if not trial.is_right), last)
        case = wrong.setting.case.name if status.is_alive else ""
        return Verification(mutant.class_id, status, case=case, schedule=wrong.schedule)

    def _timed(
        self,
        mutant: Mutant,
        fault: FaultClass,
        task: Task,
        reference: Reference,
        kernel: RemoteKernel | CompiledKernel,
    ) -> Verification:
        """A kernel that is right but slow: a case or a few, and what the figures of the run say.

        What is said of the right kernel as well, on the same case, is not the fault's doing.
        """
        bench = Bench(task, chips.load(task.chip), kernel, self.secret, performance=True)
        found = Verification(mutant.class_id, Status.EQUIVALENT)
        for case in _cases(task) if fault.brief else task.cases[:1]:
            own = self._own(reference, case)
            if fault.brief and not (own.is_right and not own.errors):
                continue  # cut down, the case makes no sense
            mine = bench.run(case)[0]
            if mine.fault is not None:
                return _broken(mutant, mine.fault)
            if not mine.errors and _cycles(mine) < _SLOWER * _cycles(own):
                continue
            spoken = _unusual(mine, own)
            if spoken:
                return _named(mutant, fault, spoken, mine)
            known = set(fault.expects) & known_classes()
            status = Status.ESCAPED if known else Status.UNCHECKED
            found = Verification(mutant.class_id, status, case=case.name, schedule=mine.schedule)
        return found

    def _own(self, reference: Reference, case: Case) -> Trial:
        """How the right kernel does on a case."""
        kernel = self.kernel(reference.task, reference.source, reference.file)
        try:
            task = reference.task
            bench = Bench(task, chips.load(task.chip), kernel, self.secret, performance=True)
            return bench.run(case)[0]
        finally:
            kernel.close()

    def _by_output(
        self, reference: Reference, trials: list[Trial], kernel: RemoteKernel | CompiledKernel
    ) -> list[Any]:
        plain = [trial for trial in trials if trial.schedule == REALISTIC and trial.fault is None]
        task = reference.task
        bench = Bench(task, chips.load(task.chip), kernel, self.secret)
        found = by_output(task, plain, bench.run, explain=bench.explain)
        return [finding for finding in found if finding.id != "X4"]

    def _other_bytes(self, reference: Reference, trials: list[Trial]) -> bool:
        right = self._right_images(reference)
        return any(_images(a) != b for a, b in zip(trials, right, strict=False))

    def _right_images(self, reference: Reference) -> list[dict[str, bytes]]:
        """Outputs of the right kernel, launch by launch; its results themselves are too large to keep."""
        key = reference.name, reference.source
        if key not in self._right:
            task = reference.task
            kernel = self.kernel(task, reference.source, reference.file)
            images = [_images(t) for t in self._trials(task, reference, kernel)]
            self._right = {key: images}  # of one kernel at a time: they are large
            kernel.close()
        return self._right[key]


def verify(mutant: Mutant, reference: Reference) -> Verification:
    """Run one mutant; for many, keep a `Verifier`."""
    with Verifier() as verifier:
        return verifier.verify(mutant, reference)


def _launched(task: Task, blocks: str) -> Task:
    """The task with the number of blocks that a mutant asks for."""
    if not blocks:
        return task
    cores = chips.load(task.chip).vector_cores
    asked = int(evaluate(blocks, {"cores": cores}))
    cases = tuple(msgspec.structs.replace(case, blocks=asked) for case in task.cases[:1])
    return msgspec.structs.replace(task, cases=cases)


def _launches(task: Task) -> Iterator[tuple[Case, str]]:
    """Every case as it comes, then other orders on the cases that ask for them."""
    for case in task.cases:
        yield case, REALISTIC
    chosen = [case for case in task.cases if case.schedules] or list(task.public_cases[:1])
    if task.schedules:
        for case in chosen:
            yield case, ADVERSARIAL


def _cases(task: Task) -> tuple[Case, ...]:
    """The smallest and the largest case cut down to a few hundred elements, and the smallest as it is: a scalar
    loop takes an age."""
    cases = [case for case in task.public_cases if case.sizes] or list(task.public_cases)
    cases.sort(key=lambda each: sum(each.sizes.values()))
    return _cut(cases[0]), _cut(cases[-1]), cases[0]


def _cut(case: Case) -> Case:
    sizes = {name: min(value, _FEW) for name, value in case.sizes.items()}
    return msgspec.structs.replace(case, sizes=sizes, blocks=1)


@dataclass(frozen=True, slots=True)
class _Told:
    """What is kept of a result: a mutant may need forty launches, and a whole trace is a hundred megabytes."""

    findings: Any
    cycles: float


def _told(trial: Trial) -> Trial:
    if trial.result is None:
        return trial
    kept: Any = _Told(trial.result.findings, trial.result.cycles)
    return dataclasses.replace(trial, result=kept)


def _findings(trial: Trial) -> list[Any]:
    return [] if trial.result is None else list(trial.result.findings)


def _unusual(mine: Trial, own: Trial) -> list[Any]:
    """The findings that the right kernel does not have, those told under others last."""
    found, usual = _findings(mine), _findings(own)
    told = [each for finding in found for each in finding.consequences]
    known = {each.id for finding in usual for each in (finding, *finding.consequences)}
    return [finding for finding in (*found, *told) if finding.id not in known]


def _cycles(trial: Trial) -> float:
    return 0.0 if trial.result is None else trial.result.cycles


def _complaints(trial: Trial) -> list[str]:
    if trial.fault is not None:
        return [str(trial.fault)]
    said = [finding.message() for finding in _findings(trial)]
    return said or ([] if trial.is_right else ["wrong values"])


def _images(trial: Trial) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in trial.after.items()}


def _broken(mutant: Mutant, error: ChildFault) -> Verification:
    zh, en = error.message("zh"), error.message("en")
    return Verification(mutant.class_id, Status.BROKEN, zh=zh, en=en)


def _named(mutant: Mutant, fault: FaultClass, findings: list[Any], trial: Trial) -> Verification:
    """Errors lead; a note leads only where there is no error."""
    errors = [finding for finding in findings if finding.severity == "error"]
    first = (errors or findings)[0]
    own = first.id in fault.expects
    if fault.sentence:
        own = own and fault.id in first.hints
    status = Status.CAUGHT if own else Status.MISNAMED
    if not own and not set(fault.expects) & known_classes():
        status = Status.UNCHECKED
    result = Verification(
        mutant.class_id,
        status,
        leading=first.id,
        named=fault.id if fault.sentence and own else first.id,
        found=tuple(dict.fromkeys(finding.id for finding in findings)),
        severity=first.severity,
        line=first.line or mutant.line,
        case=trial.setting.case.name,
        schedule=trial.schedule,
    )
    return dataclasses.replace(result, zh=first.message("zh"), en=first.message("en"))
