"""How fast an answer is: HAP of its time against a baseline kernel and the least time the chip could need.

The least time counts what the task asks for, not what the answer does: every input read once and every output
written once, at the chip's rates, and the launch. So more traffic never makes the limit easier.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.golden import Setting
from ascend_lab.exercise.sentences import Said, both
from ascend_lab.exercise.task import Performance, Task
from ascend_lab.exercise.trial import Trial
from ascend_lab.exercise.verdict import Verdict, told
from ascend_lab.profile import hap
from ascend_lab.profile.roofline import memory_us


def least_us(task: Task, setting: Setting, spec: ChipSpec) -> float:
    """The time below which no kernel for this case can be on ``spec``, in us."""
    read = wrote = 0
    for parameter, value in zip(task.parameters, setting.arguments, strict=True):
        if isinstance(value, np.ndarray):
            read += value.nbytes if parameter.role in ("in", "inout") else 0
            wrote += value.nbytes if parameter.role in ("out", "inout") else 0
    launch = spec.cost.launch
    start = launch.head_us + launch.per_block_us * setting.blocks + launch.prologue_us
    return start + memory_us(read, wrote, spec)


def scored(
    task: Task, wanted: Performance, spec: ChipSpec, trials: Sequence[Trial], base_us: float
) -> Said:
    """The verdict on the timed case of ``trials``; ``base_us`` is the baseline's time on the same case.

    The share of the points is HAP over ``full_at``, at most 1; the check is passed from ``pass_at`` on.
    """
    mine = next(trial for trial in trials if trial.setting.case.name == wanted.case)
    assert mine.result is not None
    least = least_us(task, mine.setting, spec)
    score = hap(base_us, mine.result.time_us, least)
    share = min(score / wanted.full_at, 1.0)
    text = both(
        "hap" if spec.calibrated else "hap_uncalibrated",
        score=f"{score:.2f}",
        us=f"{mine.result.time_us:.2f}",
        base=f"{base_us:.2f}",
        least=f"{least:.2f}",
        pass_at=f"{wanted.pass_at:g}",
        full_at=f"{wanted.full_at:g}",
    )
    slow = tuple(told(f) for f in mine.result.findings if f.severity == "performance")
    verdict = Verdict.PASS if score >= wanted.pass_at else Verdict.FAIL
    return Said(verdict, (text,), slow, (mine,), share=share)
