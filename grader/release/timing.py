"""How long the baseline of a speed task takes: a bundle holds the time, because the kernel is half a solution."""

from __future__ import annotations

from ascend_lab import chips
from ascend_lab.exercise import Bank, ChildFault, Task
from ascend_lab.exercise.trial import Bench
from grader.faults import Verifier
from grader.release.problem import Problem


def baseline_us(task: Task, bank: Bank) -> float | None:
    """Time of the baseline kernel on the timed case, as a judge takes it; None for a task without one.

    Raises Problem when the baseline does not run.
    """
    wanted = task.performance
    if wanted is None:
        return None
    case = next(case for case in task.public_cases if case.name == wanted.case)
    with Verifier("baseline") as verifier:
        try:
            kernel = verifier.kernel(task, bank.source(wanted.baseline), "baseline.py")
        except ChildFault as fault:
            raise Problem("no_baseline", task=task.id, reason=fault) from None
        trial = Bench(task, chips.load(task.chip), kernel, verifier.secret).run(case)[0]
        kernel.close()
    if trial.result is None or trial.errors:
        raise Problem("no_baseline", task=task.id, reason=trial.fault or trial.errors[0].id)
    return trial.result.time_us
