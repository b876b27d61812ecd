"""Faults that no check can see and the outputs, or the clock, betray: H1, H3, H4, C4; K1, K3.

A check watches bytes and their order; these kernels move the right bytes and compute the wrong numbers.
What kind of wrong says which fault it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
import numpy as np

from ascend_lab.checks import Finding, catalogue
from ascend_lab.device import Result
from ascend_lab.engine.instruction import Pipe
from ascend_lab.exercise.accuracy import Comparison, grows_with_size
from ascend_lab.exercise.golden import is_integer
from ascend_lab.exercise.task import Case, Task
from ascend_lab.exercise.trial import Trial
from ascend_lab.profile.figures import covered

_MANY = 64  # elements by GetValue or SetValue
_HALF = 0.5
_LOADS = 12
_LITTLE = 0.1
_BESIDE = (Pipe.MTE2, Pipe.V)
#: Runs one case again.
Again = Callable[[Case], list[Trial]]


def known_classes() -> frozenset[str]:
    """Ids that a finding can have."""
    return frozenset(catalogue())


def by_output(
    task: Task, trials: Sequence[Trial], again: Again, file: str = "", line: int = 0
) -> Iterator[Finding]:
    """The class that explains why outputs are wrong, if the numbers show one.

    ``trials`` are launches without findings; ``again`` runs a case once more; ``file`` and ``line`` are
    where the kernel is. At most one finding: the first that fits.
    """
    wrong = [trial for trial in trials if not trial.is_right and trial.fault is None]
    if not wrong:
        return
    tests: dict[str, Callable[[], bool]] = {
        "C4": lambda: _adds_to_what_was_there(wrong[0], again),
        "H1": lambda: all(map(_overflows_in_half, wrong)),
        "H4": lambda: all(map(_off_by_one, wrong)),
        "H3": lambda: task.accuracy.accumulates and _grows(trials),
    }
    for class_id, fits in tests.items():
        if class_id in known_classes() and fits():
            yield Finding(class_id, "error", file=file, line=line)
            return


def by_time(trial: Trial) -> Iterator[Finding]:
    """The class that explains why a right kernel is slow, if the figures of its run show one.

    K3: elements go through the scalar unit one by one, and it works more than half of the time. K1: a
    dozen loads or more, and the vector unit works beside hardly any of them.
    """
    result = trial.result
    if result is None or not len(result.trace):
        return
    scalar = trial.ops["GetValue"] + trial.ops["SetValue"]
    cores = result.metrics.cores
    busy = [core.busy_cycles.get(Pipe.S, 0.0) / core.total_cycles for core in cores]
    if "K3" in known_classes() and scalar >= _MANY and max(busy) > _HALF:
        yield Finding("K3", "performance", numbers={"count": scalar, "ratio": f"{max(busy):.0%}"})
    elif "K1" in known_classes():
        yield from _in_turns(result)


def _in_turns(result: Result) -> Iterator[Finding]:
    trace = result.trace
    core = trace.core == trace.core.min()
    loads, vectors = (core & (trace.pipe == pipe) & (trace.end > trace.start) for pipe in _BESIDE)
    if loads.sum() < _LOADS or not vectors.any():
        return
    both = np.concatenate((trace.start[loads], trace.start[vectors]))
    ends = np.concatenate((trace.end[loads], trace.end[vectors]))
    single = [covered(trace.start[on], trace.end[on]) for on in (loads, vectors)]
    shared = sum(single) - covered(both, ends)
    if shared < _LITTLE * min(single):
        yield Finding("K1", "performance", numbers={"ratio": f"{shared / min(single):.0%}"})


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
        if apart.max() != 1 or apart.min() != 0:
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
