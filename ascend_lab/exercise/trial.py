"""Launches of one answer: the device here, the door in a child."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ascend_lab.chips import ChipSpec
from ascend_lab.device import Device, Kernel, Result
from ascend_lab.engine.errors import InternalError, LabError, NotModelled
from ascend_lab.exercise.accuracy import Comparison, compare
from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.golden import Setting, settings
from ascend_lab.exercise.prepared import HasHost, Prepared
from ascend_lab.exercise.remote import Record
from ascend_lab.exercise.task import Case, Task

#: What a watcher is called with: name of the case, schedule, result.
Watch = Callable[[str, str, Result], None]


class TrialKernel(Kernel, Protocol):
    """A kernel of an answer, whatever language it is in; ``record`` says what its launches issued."""

    record: Record


@dataclass(frozen=True, slots=True)
class Trial:
    """One launch. Either ``fault`` says why there is no result, or everything else is there.

    ``after`` holds the outputs as the kernel left them.
    """

    setting: Setting
    schedule: str
    result: Result | None = None
    outputs: dict[str, Comparison] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict, repr=False)
    changed: tuple[str, ...] = ()
    ops: Counter[str] = field(default_factory=Counter)
    fault: ChildFault | None = None

    @property
    def errors(self) -> tuple[Any, ...]:
        """Findings that make the kernel wrong on the chip."""
        return () if self.result is None else self.result.findings.errors

    @property
    def is_right(self) -> bool:
        """Whether all outputs are right and no input was changed."""
        right = all(comparison.passed for comparison in self.outputs.values())
        return self.result is not None and right and not self.changed

    @property
    def error(self) -> float:
        """The largest relative error of the outputs, -1 when there are none."""
        return max((min(c.mare, 1e300) for c in self.outputs.values()), default=-1.0)


@dataclass(slots=True)
class Bench:
    """Runs the cases of one task with one kernel. ``performance``: say also what is right but slow."""

    task: Task
    spec: ChipSpec
    kernel: TrialKernel
    secret: str
    watch: Watch | None = None
    performance: bool = False

    def run(self, case: Case, schedule: str = "realistic", seed: int = 0) -> list[Trial]:
        """All launches of one case; stops after a launch that gives no result."""
        trials = []
        for setting in settings(self.task, case, self.secret):
            trials.append(self._launch(setting, schedule, seed))
            if trials[-1].fault is not None:
                break
        return trials

    def explain(self, trial: Trial) -> Trial:
        """The launch once more, with the outputs compared by the device: it says why they are wrong, if it can."""
        return self._launch(trial.setting, "realistic", 0, compared=True)

    def _launch(
        self, setting: Setting, schedule: str, seed: int, *, compared: bool = False
    ) -> Trial:
        task = self.task
        device = Device(
            self.spec,
            schedule=schedule,
            seed=seed,
            auto_sync=task.auto_sync,
            limit=task.limits.instructions,
            performance=self.performance,
        )
        arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in setting.arguments]
        try:
            call = self._prepared(setting, arguments)
            fresh = call.fresh if setting.case.out_init != "zero" else ()
            with np.errstate(all="ignore"):  # overflow and NaN are the kernel's business
                result = device.launch(
                    call.kernel,
                    call.blocks,
                    *call.arguments,
                    outputs=call.outputs,
                    undefined=fresh,
                    expected=self._right(setting) if compared else None,
                )
        except ChildFault as fault:
            return Trial(setting, schedule, fault=fault)
        except Exception as error:
            return Trial(setting, schedule, fault=_fault_of(error))
        if self.watch is not None:
            self.watch(setting.case.name, schedule, result)
        return self._judged(setting, schedule, result, arguments)

    def _prepared(self, setting: Setting, arguments: list[Any]) -> Prepared:
        """How the kernel is launched: as its own host code says, where it has some."""
        if isinstance(self.kernel, HasHost):
            return self.kernel.prepare(arguments)
        outputs = self._names("out")  # of an inout, what is not written keeps its value
        fresh = self._names("out", "workspace")
        return Prepared(self.kernel, setting.blocks, arguments, outputs, fresh)

    def _right(self, setting: Setting) -> dict[str, Any]:
        """What the outputs must hold, under the kernel's own names; nothing where its host code launches it."""
        if isinstance(self.kernel, HasHost):
            return {}
        pairs = zip(self.kernel.parameters, self.task.parameters, strict=True)
        return {own: setting.expected[p.name] for own, p in pairs if p.name in setting.expected}

    def _names(self, *roles: str) -> tuple[str, ...]:
        """The kernel's own names of the parameters that have one of ``roles``."""
        pairs = zip(self.kernel.parameters, self.task.parameters, strict=True)
        return tuple(own for own, parameter in pairs if parameter.role in roles)

    def _judged(
        self, setting: Setting, schedule: str, result: Result, arguments: list[Any]
    ) -> Trial:
        outputs, written, changed = {}, {}, []
        for index, parameter in enumerate(self.task.parameters):
            after, before = arguments[index], setting.arguments[index]
            if parameter.role in ("out", "inout"):
                expected = setting.expected[parameter.name]
                outputs[parameter.name] = compare(after, expected, self.task.accuracy.t)
                written[parameter.name] = after
            elif parameter.role == "in" and after.tobytes() != _bytes(before):
                changed.append(parameter.name)
        ops = self.kernel.record.launches[-1]
        return Trial(setting, schedule, result, outputs, written, tuple(changed), ops)


def _bytes(array: Any) -> bytes:
    data: bytes = array.tobytes()
    return data


def _fault_of(error: Exception) -> ChildFault:
    """What a launch that raised says: the kernel's fault, nobody's, or ours."""
    if isinstance(error, NotModelled):
        return ChildFault("not_modelled", message=(error.message("zh"), error.message("en")))
    if isinstance(error, LabError):
        message = (error.message("zh"), error.message("en"))
        return ChildFault("launch", kernel="", detail="LabError", message=message)
    if isinstance(error, InternalError):
        return ChildFault("internal", message=(error.message("zh"), error.message("en")))
    return ChildFault("internal", message=f"{type(error).__name__}: {error}")
