"""What a check says of launches: verdicts with a sentence in both languages, on the way to an outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ascend_lab.exercise.accuracy import Comparison
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.task import Both
from ascend_lab.exercise.texts import say
from ascend_lab.exercise.trial import Trial
from ascend_lab.exercise.verdict import CaseOutcome, Told, Verdict, told


@dataclass(frozen=True, slots=True)
class Said:
    """A verdict on the way to becoming a `CheckOutcome`; ``share``: of the points, where not all or none."""

    verdict: Verdict
    texts: tuple[Both, ...]
    findings: tuple[Told, ...] = ()
    trials: tuple[Trial, ...] = ()
    share: float | None = None

    @property
    def worth(self) -> float:
        """The share of the check's points."""
        return float(self.verdict is Verdict.PASS) if self.share is None else self.share


def both(key: str, **numbers: Any) -> Both:
    return Both(say(key, "zh", **numbers), say(key, "en", **numbers))


def passed(key: str, trials: list[Trial] | None = None, **numbers: Any) -> Said:
    return Said(Verdict.PASS, (both(key, **numbers),), trials=tuple(trials or ()))


def faulted(fault: ChildFault, trials: list[Trial] | None = None) -> Said:
    verdict = Verdict.FAIL
    if fault.is_ours:
        verdict = Verdict.ERROR
    elif fault.no_answer:
        verdict = Verdict.NOT_ATTEMPTED
    text = Both(fault.message("zh"), fault.message("en"))
    return Said(verdict, (text,), trials=tuple(trials or ()))


def trouble(trial: Trial) -> Said | None:
    """What keeps a launch from having values worth looking at."""
    if trial.fault is not None:
        return faulted(trial.fault, [trial])
    if not trial.errors:
        return None
    result = trial.result
    assert result is not None
    case = _name(trial)
    text = both("faults", case=case, n=len(trial.errors))
    if trial.schedule != "realistic":
        order = str(result.trace.meta.get("schedule", trial.schedule))
        text = both("faults_other_order", case=case, order=order, n=len(trial.errors))
    return Said(Verdict.FAIL, (text,), tuple(map(told, result.findings)), (trial,))


def notes_of(trials: list[Trial]) -> tuple[Told, ...]:
    """Findings of the first launch that are worth reading and cost nothing."""
    result = trials[0].result if trials else None
    return () if result is None else tuple(map(told, result.findings))


def is_error(finding: Told) -> bool:
    return finding.severity == "error"


def case_outcome(trial: Trial) -> CaseOutcome:
    result = trial.result
    return CaseOutcome(
        case=trial.setting.case.name,
        seed=trial.setting.seed,
        hidden=trial.setting.case.hidden,
        schedule=trial.schedule,
        passed=trial.is_right and not trial.errors,
        error=trial.error,
        time_us=0.0 if result is None else round(result.time_us, 3),
        cycles=0.0 if result is None else result.cycles,
    )


def _name(trial: Trial) -> tuple[str, str]:
    """The case as people know it."""
    case = trial.setting.case
    if case.title is not None:
        return case.title.zh, case.title.en
    return case.name, case.name


def wrong(trial: Trial) -> Iterator[Both]:
    for name in trial.changed:
        yield both("changed_input", case=_name(trial), name=name)
    for name, comparison in trial.outputs.items():
        if not comparison.passed:
            yield _wrong_output(trial, name, comparison)


def _wrong_output(trial: Trial, name: str, found: Comparison) -> Both:
    assert found.first is not None
    element = {
        "case": _name(trial),
        "output": name,
        "index": ", ".join(map(str, found.first)),
        "expected": _number(found.expected),
        "got": _number(found.got),
        "wrong": max(found.wrong, 1),
        "total": found.total,
    }
    sentences = [both("wrong_element", **element)]
    if found.not_finite:
        sentences.append(both("not_finite", n=found.not_finite))
    elif found.t:
        sizes = {"mere": found.mere, "mare": found.mare, "t": found.t, "t10": 10 * found.t}
        sentences.append(both("error_size", **{k: f"{v:.2g}" for k, v in sizes.items()}))
    return Both("".join(s.zh for s in sentences), " ".join(s.en for s in sentences))


def hidden_wrong(trial: Trial) -> Both:
    """Which kind of case, and nothing of its data."""
    dtypes = sorted({found.dtype for found in trial.outputs.values() if not found.passed})
    return both("hidden_wrong", case=_name(trial), dtype=", ".join(dtypes) or "-")


def wrong_order(trial: Trial) -> Said | None:
    if trial.is_right:
        return None
    texts = [hidden_wrong(trial)] if trial.setting.case.hidden else list(wrong(trial))
    return Said(Verdict.FAIL, tuple(texts), trials=(trial,))


def _number(value: float | int | None) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
