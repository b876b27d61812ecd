"""The exam bank as a student may have it: public cases and sources handed out, nothing else.

The formula of a task stays, because it is its statement and judges the public cases. Hidden cases keep their
title and points, so that a student knows that there are some.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ascend_lab.course.hunts import sealed_fault
from ascend_lab.exercise import Bank, Both, Case, Task
from grader.release import toml

_SPEED = Both("速度（与基准核函数相比）", "speed, against a baseline kernel")


def public_task(task: Task, *, hints: bool = True, baseline_us: float | None = None) -> Task:
    """The task without what only the grader may know.

    A baseline kernel is a solution: its time, ``baseline_us``, is handed out instead. Without that speed is judged only
    when the work is graded; like hidden cases it is named.
    """
    first = task.public_cases[0]
    titles = [case.title for case in task.hidden_cases]
    points, timed = task.points, task.performance
    if timed is not None and baseline_us is not None:
        timed = msgspec.structs.replace(timed, baseline="", baseline_us=baseline_us)
    elif timed is not None:
        titles, timed = [*titles, _SPEED], None
        hidden_points = points.hidden + points.performance
        points = msgspec.structs.replace(points, performance=0.0, hidden=hidden_points)
    hidden = [
        msgspec.structs.replace(
            first, name=f"hidden-{n}", title=title, hidden=True, schedules=False
        )
        for n, title in enumerate(titles, 1)
    ]
    cases: tuple[Case, ...] = (*task.public_cases, *hidden)
    start = task.given or ""
    kept = task.hints if hints else ()
    return msgspec.structs.replace(
        task, cases=cases, reference=start, hints=kept, points=points, performance=timed
    )


def write_bank(
    bank: Bank, folder: Path, tasks: Iterable[Task], sources: dict[str, str] | None = None
) -> None:
    """A bank in ``folder`` with ``tasks`` and the sources handed out with them.

    ``sources`` replaces the text of a source, by its path in the bank. A task without such a source is left out.
    """
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    for task in tasks:
        if task.given is None:
            continue
        text = toml.dumps(_plain(task))
        _write(folder / "tasks" / f"{task.id}.toml", text)
        given = (sources or {}).get(task.given)
        _write(folder / task.given, bank.source(task.given) if given is None else given)


def write_hunts(bank: Bank, folder: Path, lab: str) -> None:
    """The hunts of a lab with their answers sealed, and their kernels."""
    path = bank.folder / "hunts" / f"{lab}.toml"
    if not path.is_file():
        return
    tables = tomllib.loads(path.read_text(encoding="utf-8"))["hunts"]
    for table in tables:
        faults = table.pop("faults")
        table["sealed"] = [sealed_fault(table["id"], fault) for fault in faults]
        _write(folder / table["kernel"], bank.source(table["kernel"]))
        beside = Path(table["kernel"]).with_suffix(".toml")  # what the arena runs it on
        if (bank.folder / beside).is_file():
            _write(folder / beside, bank.source(beside.as_posix()))
    _write(folder / "hunts" / path.name, toml.dumps({"hunts": tables}))


def write_programs(bank: Bank, folder: Path, lab: str) -> None:
    """The host programs of a lab: their tasks, the starts, and the kernels that the starts launch."""
    source = bank.folder / "programs" / lab
    for path in sorted(source.glob("*.toml")):
        task = tomllib.loads(path.read_text(encoding="utf-8"))
        task["reference"] = task["given"]
        _write(folder / "programs" / lab / path.name, toml.dumps(task))
        kernels = [name for case in task["cases"] for name in case.get("kernels", {}).values()]
        for name in (task["given"], *kernels):
            shutil.copyfile(source / name, folder / "programs" / lab / name)


def _plain(task: Task) -> dict[str, Any]:
    """The task as data, without what is as it would be anyway."""
    found: dict[str, Any] = msgspec.to_builtins(task)
    usual = {field.name: field.default for field in msgspec.structs.fields(task)}
    own = {name: value for name, value in found.items() if value != _builtin(usual[name])}
    pruned: dict[str, Any] = _pruned(own)
    return pruned


def _pruned(value: Any) -> Any:
    """Without tables that are empty: what is not said is empty anyway."""
    if isinstance(value, dict):
        return {name: _pruned(inner) for name, inner in value.items() if inner not in ({}, None)}
    return [_pruned(inner) for inner in value] if isinstance(value, list) else value


def _builtin(default: Any) -> Any:
    return msgspec.to_builtins(default) if isinstance(default, msgspec.Struct) else default


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
