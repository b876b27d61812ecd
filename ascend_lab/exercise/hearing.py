"""The checks of one answer, in order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.answer import from_text
from ascend_lab.exercise.classifying import by_output
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.launcher import Launcher
from ascend_lab.exercise.performing import scored
from ascend_lab.exercise.remote import Answer, RemoteKernel
from ascend_lab.exercise.requirements import broken, refused
from ascend_lab.exercise.sentences import (
    Said,
    both,
    case_outcome,
    faulted,
    hidden_wrong,
    is_error,
    notes_of,
    passed,
    trouble,
    wrong,
    wrong_order,
)
from ascend_lab.exercise.task import Both, Case, Task
from ascend_lab.exercise.texts import say
from ascend_lab.exercise.trial import Bench, Trial, TrialKernel, Watch
from ascend_lab.exercise.verdict import (
    CheckOutcome,
    Provenance,
    TaskResult,
    Told,
    Verdict,
    overall,
    told,
)

#: The check that must have passed before another is made.
NEEDS: Mapping[str, str] = {
    "runs": "loads",
    "values": "runs",
    "hidden": "values",
    "requirements": "values",
    "schedules": "values",
    "performance": "values",
}
_STDOUT = 64 << 10
_SHOWN = 3

Cases = Literal["public", "all"]


class AnswerKernel(TrialKernel, Protocol):
    """The kernel of an answer: where it stands, and its end."""

    file: str
    line: int
    defined_in: tuple[str, ...]

    def close(self) -> None:
        """End what runs."""
        ...


@dataclass(slots=True)
class Hearing:
    """One answer before the judge."""

    task: Task
    spec: ChipSpec
    answer: Answer
    secret: str
    launcher: Launcher
    given: str | None
    cases: Cases
    watch: Watch | None
    kernel: AnswerKernel | None = None
    bench: Bench | None = None
    public: list[Trial] = field(default_factory=list)
    hidden_trials: list[Trial] = field(default_factory=list)
    baseline: str | None = None  # source of the kernel that the time is compared with
    notes: list[Both] = field(default_factory=list)

    def outcomes(self) -> Iterator[CheckOutcome]:
        """Every check in order; one that needs a check that did not pass is not made."""
        steps: dict[str, Callable[[], Said]] = {
            "loads": self._loads,
            "runs": self._runs,
            "values": self._values,
            "hidden": self._hidden,
            "requirements": self._requirements,
            "schedules": self._schedules,
            "performance": self._performance,
        }
        made: dict[str, Verdict] = {}
        try:
            for name in self.task.checks:
                said = self._held_up(name, made) or steps[name]()
                made[name] = said.verdict
                yield self._outcome(name, said)
        finally:
            if self.kernel is not None:
                self.kernel.close()

    def _held_up(self, name: str, made: Mapping[str, Verdict]) -> Said | None:
        """Why ``name`` cannot be checked, or None."""
        needed = NEEDS.get(name)
        if needed is None or made[needed] is Verdict.PASS:
            return None
        title = (say(f"check_{needed}", "zh"), say(f"check_{needed}", "en"))
        match made[needed]:
            case Verdict.NOT_ATTEMPTED:
                return Said(Verdict.NOT_ATTEMPTED, ())
            case Verdict.ERROR:
                return Said(Verdict.ERROR, (both("undecided_by", check=title),))
        return Said(Verdict.BLOCKED, (both("blocked_by", check=title),))

    def _outcome(self, name: str, said: Said) -> CheckOutcome:
        possible = self.task.points.of(name)
        return CheckOutcome(
            name=name,
            verdict=said.verdict,
            points=round(possible * said.worth, 2),
            possible=possible,
            zh="\n".join(text.zh for text in said.texts),
            en="\n".join(text.en for text in said.texts),
            findings=said.findings,
            cases=tuple(case_outcome(trial) for trial in said.trials),
        )

    # --- the checks ----------------------------------------------------------------------------

    def _loads(self) -> Said:
        task = self.task
        names = [parameter.name for parameter in task.parameters]
        try:
            self.kernel = kernel = self._opened(names)
        except ChildFault as fault:
            return faulted(fault)
        if kernel.insert_sync and not task.requirements.insert_sync:
            return faulted(ChildFault("insert_sync"))
        self._note(kernel, names)
        timed = task.performance is not None
        self.bench = Bench(task, self.spec, kernel, self.secret, self.watch, performance=timed)
        return passed("loaded", kernel=task.kernel, place=f"{kernel.file}:{kernel.line}")

    def _opened(self, names: list[str]) -> AnswerKernel:
        """The answer's kernel, whatever form the answer has. Raises ChildFault."""
        task, answer = self.task, self.answer
        if answer.form == "python":
            return RemoteKernel(
                self.launcher, answer, task.kernel, names, given=self.given, limits=task.limits
            )
        if sys.platform == "win32":
            raise ChildFault("no_cpp")
        from ascend_lab.exercise import compiled, projects  # the C++ door is not for everybody

        if answer.form == "cpp":
            return compiled.CompiledKernel(self.launcher, answer, task, given=self.given)
        parameters = task.parameters
        return projects.ProjectKernel(
            self.launcher, answer, task.kernel, parameters, self.spec, task.limits
        )

    def _note(self, kernel: AnswerKernel, names: list[str]) -> None:
        if len(kernel.defined_in) > 1:
            places = ", ".join(kernel.defined_in)
            self.notes.append(both("twice", kernel=kernel.name, places=places))
        if self.answer.besides:
            places = ", ".join(self.answer.besides)
            self.notes.append(both("cpp_first", kernel=kernel.name, cpp=kernel.file, places=places))
        renamed = [
            f"{own} = {name}"
            for own, name in zip(kernel.parameters, names, strict=True)
            if own != name
        ]
        if renamed:
            self.notes.append(both("renamed_parameters", names=", ".join(renamed)))

    def _try(self, cases: tuple[Case, ...], into: list[Trial]) -> Said | None:
        """Run cases until one faults or has a finding that makes the kernel wrong."""
        assert self.bench is not None
        for case in cases:
            for trial in self.bench.run(case):
                into.append(trial)
                said = trouble(trial)
                if said is not None:
                    return said
        return None

    def _runs(self) -> Said:
        held_up = self._try(self.task.public_cases, self.public)
        return held_up or Said(
            Verdict.PASS,
            (both("ran", n=len(self.public)),),
            findings=notes_of(self.public),
        )

    def _values(self) -> Said:
        missed = [trial for trial in self.public if not trial.is_right]
        if not missed:
            return self._right(self.public)
        texts = [text for trial in missed[:_SHOWN] for text in wrong(trial)]
        return Said(
            Verdict.FAIL, tuple(texts), self._explained(self.public, shown=True), tuple(self.public)
        )

    def _right(self, trials: list[Trial]) -> Said:
        worst = max(trial.error for trial in trials)
        return passed("all_right", trials, n=len(trials), worst=f"{worst:.2g}")

    def _explained(self, trials: list[Trial], *, shown: bool = False) -> tuple[Told, ...]:
        """The class of fault that the wrong values show, if they show one; with values where all may be ``shown``."""
        kernel, bench = self.kernel, self.bench
        assert kernel is not None
        assert bench is not None
        explain = bench.explain if shown else None
        found = by_output(self.task, trials, bench.run, kernel.file, kernel.line, explain)
        return tuple(map(told, found))

    def _hidden(self) -> Said:
        if not self.task.hidden_cases:
            return passed("no_hidden")
        if self.cases == "public":
            return Said(Verdict.BLOCKED, (both("not_now"),))
        held_up = self._try(self.task.hidden_cases, self.hidden_trials)
        if held_up is not None:
            return held_up
        missed = [trial for trial in self.hidden_trials if not trial.is_right]
        if not missed:
            return self._right(self.hidden_trials)
        texts = tuple(hidden_wrong(trial) for trial in missed)
        shown = self._explained([*self.public, *self.hidden_trials])
        return Said(Verdict.FAIL, texts, shown, tuple(self.hidden_trials))

    def _requirements(self) -> Said:
        wanted = self.task.requirements
        unmet = broken(wanted, [trial.ops for trial in self.public])
        if wanted.lint and self.answer.form == "python":
            unmet += refused(self.answer, self.task.kernel)
        if unmet:
            return Said(Verdict.FAIL, tuple(unmet))
        some = wanted.uses or wanted.forbids or wanted.at_most or wanted.lint
        return passed("met" if some else "no_requirements")

    def _schedules(self) -> Said:
        assert self.bench is not None
        chosen = [case for case in self.task.cases if case.schedules]
        trials: list[Trial] = []
        for case in chosen or self.task.public_cases[:1]:
            for schedule in self.task.schedules:
                for seed in schedule.seeds:
                    for trial in self.bench.run(case, schedule.kind, seed):
                        trials.append(trial)
                        said = trouble(trial) or wrong_order(trial)
                        if said is not None:
                            return said
        orders = sum(len(t.result.variants) for t in trials if t.result is not None)
        return passed("ordered", trials, n=orders)

    def _performance(self) -> Said:
        task, wanted = self.task, self.task.performance
        assert wanted is not None
        if wanted.baseline_us is not None:
            return scored(task, wanted, self.spec, self.public, wanted.baseline_us)
        assert self.baseline is not None
        case = next(case for case in task.cases if case.name == wanted.case)
        names = [parameter.name for parameter in task.parameters]
        source = from_text(self.baseline, "baseline.py")
        try:
            kernel = RemoteKernel(self.launcher, source, task.kernel, names, limits=task.limits)
        except ChildFault as fault:
            return Said(Verdict.ERROR, faulted(fault).texts)
        try:
            base = Bench(task, self.spec, kernel, self.secret).run(case)[0]
        finally:
            kernel.close()
        if base.result is None:
            assert base.fault is not None
            return faulted(base.fault)
        return scored(task, wanted, self.spec, self.public, base.result.time_us)

    # --- the result ------------------------------------------------------------------------------

    def result(self, outcomes: tuple[CheckOutcome, ...], provenance: Provenance) -> TaskResult:
        """All outcomes together."""
        task = self.task
        stdout = self._stdout()
        leading = next((f.id for check in outcomes for f in check.findings if is_error(f)), "")
        undecided = sum(check.possible for check in outcomes if check.verdict is Verdict.ERROR)
        return TaskResult(
            task=task.id,
            title=task.title,
            kernel=task.kernel,
            verdict=_verdict(outcomes, self.cases),
            points=sum(check.points for check in outcomes),
            possible=task.points.total,
            undecided=undecided,
            checks=outcomes,
            notes=tuple(self.notes),
            hints=task.ladder(leading),
            stdout=stdout,
            provenance=provenance,
        )

    @property
    def layers(self) -> tuple[str, ...]:
        """What confined the answer's process."""
        return self.kernel.record.layers if self.kernel is not None else ()

    def _stdout(self) -> str:
        """What the first launch printed: the others print the same of other data."""
        parts = self.kernel.record.printed[:1] if self.kernel is not None else []
        parts += [trial.result.stdout for trial in self.public[:1] if trial.result is not None]
        text = "".join(parts)
        if len(text) > _STDOUT:
            self.notes.append(both("cut", limit=_STDOUT))
        return text[:_STDOUT]


def _verdict(outcomes: tuple[CheckOutcome, ...], cases: Cases) -> Verdict:
    """In practice hidden cases are not run, which does not keep a task from being passed."""
    relevant = tuple(c for c in outcomes if not (cases == "public" and c.name == "hidden"))
    return overall(relevant)
