"""Host programs as exercises: judged by what they return, by the findings of the host runtime, and by time.

``exam_bank/programs/<lab>/<name>.toml``. The program is a function of the student's notebook and runs there, against
a runtime of its own; so these tasks are for practice and are not part of an exam.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta

from ascend_lab import acl
from ascend_lab.checks import Findings
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.exercise.bank import Bank
from ascend_lab.exercise.task import Both

CHECKS = ("values", "findings", "time")
Amount = Annotated[float, Meta(ge=0)]


class ProgramCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One call: ``inputs`` are NumPy expressions, ``kernels`` files of the folder with a kernel of that name.

    ``at_most_us`` bounds the simulated time of the whole program.
    """

    inputs: dict[str, str]
    kernels: dict[str, str] = {}
    at_most_us: float | None = None


class ProgramPoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points of each check."""

    values: Amount = 0
    findings: Amount = 0
    time: Amount = 0

    @property
    def total(self) -> float:
        """What the task is worth."""
        return self.values + self.findings + self.time


class ProgramTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A program to write. ``golden`` is one line of NumPy over the inputs; hints stand in their order."""

    id: str
    function: str
    title: Both
    given: str
    reference: str
    golden: str
    points: ProgramPoints
    cases: tuple[ProgramCase, ...]
    hints: tuple[Both, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """One check: its name, whether it passed in every case, and why not (zh, en)."""

    name: str
    ok: bool
    why: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """A judged program; ``findings`` are those of the first case that has some."""

    checks: tuple[Passed, ...]
    points: float
    findings: Findings

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)


@dataclass(frozen=True, slots=True)
class _Ran:
    right: bool
    shown: tuple[str, str]
    findings: Findings
    now_us: float


class Programs:
    """The programs of one lab."""

    def __init__(self, bank: Bank, lab: str) -> None:
        self._folder = bank.folder / "programs" / lab
        self._tasks = {task.id: task for task in map(_read, sorted(self._folder.glob("*.toml")))}

    @property
    def tasks(self) -> tuple[ProgramTask, ...]:
        """All of them, the smallest first."""
        return tuple(sorted(self._tasks.values(), key=lambda task: task.points.total))

    def find(self, id: str) -> ProgramTask | None:
        """The task ``id``."""
        return self._tasks.get(id)

    def is_untouched(self, task: ProgramTask, text: str) -> bool:
        """Whether the function in ``text`` is still the one handed out."""
        given = (self._folder / task.given).read_text("utf-8")
        return _function(text, task.function) == _function(given, task.function)

    def judge(self, task: ProgramTask, function: Callable[..., Any]) -> ProgramResult:
        """Run every case."""
        runs = [self._run(task, case, function) for case in task.cases]
        wrong = next((run for run in runs if not run.right), None)
        found = next((run.findings for run in runs if run.findings), Findings())
        slow = next((pair for pair in zip(task.cases, runs, strict=True) if _is_slow(*pair)), None)
        checks = [
            Passed("values", wrong is None, wrong.shown if wrong else ("", "")),
            Passed("findings", not found),
        ]
        if task.points.time:
            in_time = slow is None and wrong is None
            checks.append(Passed("time", in_time, _slowness(*slow) if slow else ("", "")))
        points = sum(getattr(task.points, check.name) for check in checks if check.ok)
        if wrong is not None:
            points = 0.0  # a program that does nothing has no findings either
        return ProgramResult(tuple(checks), points, found)

    def _run(self, task: ProgramTask, case: ProgramCase, function: Callable[..., Any]) -> _Ran:
        names: dict[str, Any] = {"np": np}
        inputs = {name: eval(text, dict(names)) for name, text in case.inputs.items()}
        wanted = eval(task.golden, {**names, **inputs})  # the bank's own line
        kernels = {name: self._kernel(file, name) for name, file in case.kernels.items()}
        runtime = acl.Runtime(strict=True)
        got, stopped = None, ("", "")
        with acl.using(runtime):
            try:
                got = function(**inputs, **kernels)
            except (LabError, NotModelled) as error:
                stopped = error.message("zh"), error.message("en")
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
                stopped = f"程序抛出了异常 {said}", f"the program raised {said}"
        shown = stopped if stopped[0] else _difference(got, wanted)
        return _Ran(not shown[0], shown, runtime.findings, runtime.now_us)

    def _kernel(self, file: str, name: str) -> Any:
        import importlib.util

        spec = importlib.util.spec_from_file_location(f"bank_{name}", self._folder / file)
        if spec is None or spec.loader is None:
            raise FileNotFoundError(file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return getattr(module, name)


def _read(path: Path) -> ProgramTask:
    return msgspec.toml.decode(path.read_bytes(), type=ProgramTask)


def _function(text: str, name: str) -> str:
    """A function as a tree without places, "" when ``text`` has none of that name."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ""
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name]
    return ast.dump(found[-1]) if found else ""


def _difference(got: Any, wanted: Any) -> tuple[str, str]:
    """Where a result first differs, ("", "") when it does not."""
    if not isinstance(got, np.ndarray):
        kind = type(got).__name__
        return f"应返回 NumPy 数组，得到 {kind}", f"it has to return a NumPy array, not {kind}"
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        mine, its = f"{got.dtype}{_shape(got)}", f"{wanted.dtype}{_shape(wanted)}"
        return f"返回了 {mine}，应为 {its}", f"it returns {mine}, not {its}"
    places = np.flatnonzero(got.reshape(-1) != wanted.reshape(-1))
    if not places.size:
        return "", ""
    at = int(places[0])
    mine, its = _number(got.reshape(-1)[at]), _number(wanted.reshape(-1)[at])
    count = f"{places.size} / {wanted.size}"
    return (
        f"{count} 个元素不对；第一个在 [{at}]：得到 {mine}，应为 {its}",
        f"{count} elements are wrong; the first at [{at}]: {mine}, not {its}",
    )


def _shape(array: Any) -> str:
    return "[" + ", ".join(map(str, array.shape)) + "]"


def _number(value: Any) -> str:
    if np.issubdtype(value.dtype, np.integer):
        return f"{value} (0x{int(value) & 0xFFFFFFFF:08x})"
    return f"{value:g}"


def _is_slow(case: ProgramCase, run: _Ran) -> bool:
    return case.at_most_us is not None and run.now_us > case.at_most_us


def _slowness(case: ProgramCase, run: _Ran) -> tuple[str, str]:
    took, most = f"{run.now_us:.0f}", f"{case.at_most_us:.0f}"
    return f"模型上用了 {took} us，最多 {most} us", f"{took} us on the model, at most {most} us"


__all__: Sequence[str] = ["CHECKS", "Passed", "ProgramResult", "ProgramTask", "Programs"]
