"""Faults that no check can see and the outputs betray: H1, H3, H4, C4, E3 of an array that is updated, and what the
device makes of outputs that it compares.

A check watches bytes and their order; these kernels move the right bytes and compute the wrong numbers.
What kind of wrong says which fault it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from ascend_lab.checks import Finding, catalogue
from ascend_lab.exercise.accuracy import Comparison, grows_with_size
from ascend_lab.exercise.golden import is_integer
from ascend_lab.exercise.task import Case, Task
from ascend_lab.exercise.trial import Trial

#: So few whole numbers may all be off by one.
_FEW = 8
#: Says where outputs are wrong, and not why.
_ELSE = "X4"
#: Runs one case again.
Again = Callable[[Case], list[Trial]]
#: Runs one launch again and lets the device say why its outputs are wrong.
Explain = Callable[[Trial], Trial]


def known_classes() -> frozenset[str]:
    """Ids that a finding can have, from a check or from here."""
    return frozenset(catalogue())


def by_output(
    task: Task,
    trials: Sequence[Trial],
    again: Again,
    file: str = "",
    line: int = 0,
    explain: Explain | None = None,
) -> Iterator[Finding]:
    """The class that explains why outputs are wrong, if the numbers show one.

    ``trials`` are launches without findings; ``again`` runs a case once more; ``file`` and ``line`` are
    where the kernel is. ``explain`` names the line too; without it nothing of the data is told. At most one finding:
    the first that fits.
    """
    wrong = [trial for trial in trials if not trial.is_right and trial.fault is None]
    if not wrong:
        return
    kept = frozenset(p.name for p in task.parameters if p.role == "inout")
    unwritten = [_not_written(trial, kept) for trial in wrong]
    if all(unwritten):
        yield Finding("E3", "error", file=file, line=line, numbers=unwritten[0])
        return
    if _adds_to_what_was_there(wrong[0], again):
        yield Finding("C4", "error", file=file, line=line)
        return
    told = _explained(wrong[0], explain)
    if told is not None and told.id != _ELSE:
        yield told
        return
    tests: dict[str, Callable[[], bool]] = {
        "H1": lambda: all(map(_overflows_in_half, wrong)),
        "H4": lambda: all(map(_off_by_one, wrong)),
        "H3": lambda: task.accuracy.accumulates and _grows(trials),
    }
    for class_id, fits in tests.items():
        if fits():
            yield Finding(class_id, "error", file=file, line=line)
            return
    if told is not None:
        yield told


def _explained(trial: Trial, explain: Explain | None) -> Finding | None:
    """What the device says of the launch when it compares the outputs."""
    if explain is None:
        return None
    result = explain(trial).result
    errors = result.findings.errors if result is not None else ()
    return errors[0] if errors else None


def _not_written(trial: Trial, kept: frozenset[str]) -> dict[str, Any]:
    """E3: an array was updated, and whatever is wrong in it is as it was before; the numbers of the message."""
    before = dict(zip(trial.setting.names, trial.setting.arguments, strict=True))
    numbers: dict[str, Any] = {}
    for name, found in trial.outputs.items():
        if found.passed:
            continue
        got, was = trial.after[name].ravel(), np.asarray(before[name]).ravel()
        wrong = np.flatnonzero(_differ(got, trial.setting.expected[name].ravel()))
        if name not in kept or not wrong.size or _differ(got, was)[wrong].any():
            return {}
        first, last = int(wrong[0]), int(wrong[-1])
        written = got.size - wrong.size
        numbers = numbers or {
            "array": name,
            "first": first,
            "last": last,
            "missing": int(wrong.size),
            "size": int(got.size),
            "sum": f"{got.size} = {written} + {wrong.size}",
        }
    return numbers


def _differ(first: Any, second: Any) -> Any:
    """Where two arrays differ; NaN is as good as NaN."""
    return (first != second) & ~(np.isnan(first) & np.isnan(second))


def _adds_to_what_was_there(trial: Trial, again: Again) -> bool:
    """C4: atomic stores, and the result is right when the output holds zeros before."""
    case = trial.setting.case
    if case.out_init == "zero" or not trial.ops["SetAtomic"]:
        return False
    return all(t.is_right for t in again(msgspec.structs.replace(case, out_init="zero")))


def _overflows_in_half(trial: Trial) -> bool:
    """H1: half is among the types, and what is wrong is infinite or NaN where the result is not."""
    arrays = [a for a in trial.setting.arguments if isinstance(a, np.ndarray)]
    if not any(array.dtype == np.float16 for array in arrays):
        return False
    bad = [found for found in trial.outputs.values() if not found.passed]
    return bool(bad) and all(found.not_finite == found.wrong > 0 for found in bad)


def _off_by_one(trial: Trial) -> bool:
    """H4: whole numbers, some of them one too high or too low and none more."""
    for name, found in trial.outputs.items():
        if found.passed:
            continue
        got, expected = trial.after[name], trial.setting.expected[name]
        if not is_integer(got.dtype):
            return False
        apart = np.abs(got.astype(np.int64) - expected.astype(np.int64))
        if apart.max() != 1 or (apart.min() != 0 and apart.size > _FEW):
            return False
    return True


def _grows(trials: Sequence[Trial]) -> bool:
    """H3: the error grows with the number of terms."""
    by_name: dict[str, list[tuple[int, Comparison]]] = {}
    for trial in trials:
        for name, found in trial.outputs.items():
            by_name.setdefault(name, []).append((_elements(trial), found))
    return any(grows_with_size(found) for found in by_name.values())


def _elements(trial: Trial) -> int:
    """Elements of all inputs."""
    pairs = zip(trial.setting.names, trial.setting.arguments, strict=True)
    return sum(int(getattr(value, "size", 0)) for name, value in pairs if name not in trial.outputs)
