"""Finds, reads and checks the tasks of the exam bank."""

from __future__ import annotations

import ast
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab import chips
from ascend_lab.chips.errors import near
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.exercise import golden, schema
from ascend_lab.exercise.errors import TaskError, unknown
from ascend_lab.exercise.expression import Expression, ExpressionError, names_in
from ascend_lab.exercise.task import Case, Parameter, Task

_ARRAYS = ("in", "out", "inout", "workspace")


@dataclass(frozen=True, slots=True)
class Bank:
    """A folder with ``tasks/<lab>/<name>.toml`` and the kernels they name."""

    folder: Path

    def ids(self, lab: str | None = None) -> tuple[str, ...]:
        """Ids of all tasks, or of one lab's, in alphabetical order."""
        tasks = self.folder / "tasks"
        found = (
            path.relative_to(tasks).with_suffix("").as_posix() for path in tasks.glob("*/*.toml")
        )
        return tuple(sorted(id for id in found if lab is None or id.partition("/")[0] == lab))

    def load(self, id: str) -> Task:
        """The task ``id`` ("03/seed-add"). Raises TaskError when it is unknown or its file is wrong."""
        path = self.folder / "tasks" / f"{id}.toml"
        if id not in self.ids():
            raise TaskError(
                id, "", "there is no such task.", "没有这个任务。", near(id, self.ids())
            )
        task = read(path.read_bytes(), f"{id}.toml")
        if task.id != id:
            raise TaskError(
                f"{id}.toml",
                "id",
                f"is {task.id!r}, must be {id!r}.",
                f"是 {task.id!r}，应为 {id!r}。",
            )
        timed = task.performance
        for key, name in (
            ("reference", task.reference),
            ("given", task.given),
            ("performance.baseline", (timed.baseline or None) if timed is not None else None),
        ):
            if name is not None and not (self.folder / name).is_file():
                raise TaskError(
                    f"{id}.toml", key, f"there is no file {name!r}.", f"没有文件 {name!r}。"
                )
        return task

    def source(self, name: str) -> str:
        """Text of a kernel file that a task names."""
        return (self.folder / name).read_text(encoding="utf-8")

    def handed_out(self, task: Task, form: str) -> str | None:
        """What a student starts from, in Python or ("cpp") in the file of the same name with ``.asc``."""
        if task.given is None:
            return None
        name = Path(task.given).with_suffix(".asc").as_posix() if form == "cpp" else task.given
        return self.source(name) if (self.folder / name).is_file() else None

    def tasks(self, lab: str | None = None) -> Iterator[Task]:
        """Every task, or those of one lab."""
        for id in self.ids(lab):
            yield self.load(id)


def bank(folder: str | os.PathLike[str] | None = None) -> Bank:
    """The bank in ``folder``, else in ``$ASCEND_LAB_BANK``, else the one beside the package.

    Raises TaskError when there is none.
    """
    default = Path(__file__).resolve().parents[2] / "exam_bank"
    chosen = Path(folder or os.environ.get("ASCEND_LAB_BANK") or default)
    if not (chosen / "tasks").is_dir():
        raise TaskError(
            chosen.name,
            "",
            "there is no exam bank here; say where with ASCEND_LAB_BANK.",
            "这里没有题库；请用环境变量 ASCEND_LAB_BANK 指定。",
        )
    return Bank(chosen)


def digest(task: Task) -> str:
    """Hash of everything that a task file says: equal for equal meaning."""
    return hashlib.sha256(msgspec.json.encode(task, order="sorted")).hexdigest()[:16]


def read(data: bytes, file: str) -> Task:
    """The task in the text of a TOML file. Raises TaskError that names ``file`` and the key."""
    task = schema.convert(schema.parse(data, file), Task, file)
    _check(task, file)
    return task


# --- what a schema cannot say --------------------------------------------------------------------


def _check(task: Task, file: str) -> None:
    if not re.fullmatch(r"\w+/[\w-]+", task.id):
        raise TaskError(file, "id", "must look like 03/seed-add.", "应形如 03/seed-add。")
    if not task.kernel.isidentifier():
        raise TaskError(file, "kernel", "is no Python name.", "不是 Python 标识符。")
    if task.chip not in chips.names():
        raise unknown(file, "chip", task.chip, chips.names())
    _unique(file, "parameters", (p.name for p in task.parameters))
    _unique(file, "cases", (c.name for c in task.cases))
    if not task.public_cases:
        raise TaskError(file, "cases", "one case must be public.", "至少要有一个公开用例。")
    if task.points.total <= 0:
        raise TaskError(file, "points", "the task is worth nothing.", "没有任何分值。")
    if task.points.hidden and not task.hidden_cases:
        raise TaskError(file, "points.hidden", "there is no hidden case.", "没有隐藏用例。")
    if task.points.schedules and not task.schedules:
        raise TaskError(file, "points.schedules", "there is no schedule.", "没有调度方式。")
    _check_performance(task, file)
    for index, parameter in enumerate(task.parameters):
        _check_parameter(file, f"parameters[{index}]", parameter)
    for index, case in enumerate(task.cases):
        _check_case(task, file, f"cases[{index}]", case)
    _check_golden(task, file)


def _check_performance(task: Task, file: str) -> None:
    wanted = task.performance
    if (wanted is None) != (not task.points.performance):
        raise TaskError(
            file,
            "points.performance",
            "goes with [performance]: give both or none.",
            "要与 [performance] 一起给出，或都不给。",
        )
    if wanted is None:
        return
    if bool(wanted.baseline) == (wanted.baseline_us is not None):
        raise TaskError(
            file,
            "performance.baseline",
            "give either the baseline kernel or its time, baseline_us.",
            "基线核函数和它的用时 baseline_us 二选一。",
        )
    known = [case.name for case in task.public_cases]
    if wanted.case not in known:
        raise unknown(file, "performance.case", wanted.case, known)
    if wanted.full_at < wanted.pass_at:
        raise TaskError(
            file,
            "performance.full_at",
            f"is {wanted.full_at:g}, must be at least pass_at ({wanted.pass_at:g}).",
            f"是 {wanted.full_at:g}，不能小于 pass_at（{wanted.pass_at:g}）。",
        )


def _unique(file: str, key: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TaskError(file, key, f"{name!r} occurs twice.", f"{name!r} 重复出现。")
        seen.add(name)


def _check_parameter(file: str, key: str, parameter: Parameter) -> None:
    if not parameter.name.isidentifier():
        raise TaskError(file, f"{key}.name", "is no Python name.", "不是 Python 标识符。")
    if parameter.role in _ARRAYS:
        if not parameter.shape:
            raise TaskError(file, f"{key}.shape", "is missing.", "缺少。")
        if parameter.dtype not in DTYPES:
            raise unknown(file, f"{key}.dtype", parameter.dtype, DTYPES)
    elif parameter.role == "tiling":
        if not parameter.fields:
            raise TaskError(file, f"{key}.fields", "is missing.", "缺少。")
    elif parameter.value is None:
        raise TaskError(file, f"{key}.value", "is missing.", "缺少。")
    if parameter.range[0] > parameter.range[1]:
        raise TaskError(file, f"{key}.range", "is empty.", "是空的。")


def _check_case(task: Task, file: str, key: str, case: Case) -> None:
    arrays = [p.name for p in task.parameters if p.role in _ARRAYS]
    inputs = [p.name for p in task.parameters if p.role in ("in", "inout")]
    for field, names, known in (
        ("dtypes", case.dtypes, arrays),
        ("ranges", case.ranges, inputs),
        ("edges", case.edges, inputs),
    ):
        for name in names:
            if name not in known:
                raise unknown(file, f"{key}.{field}", name, known)
    for name, dtype in case.dtypes.items():
        if dtype not in DTYPES:
            raise unknown(file, f"{key}.dtypes.{name}", dtype, DTYPES)
    _expression(file, f"{key}.blocks or blocks", _first(case.blocks, task.blocks), case.sizes)
    known_names = [*case.sizes, "blocks"]
    for index, parameter in enumerate(task.parameters):
        place = f"parameters[{index}]"
        for length in parameter.shape:
            _expression(file, f"{place}.shape (in {key})", length, known_names)
        if parameter.value is not None:
            _expression(file, f"{place}.value (in {key})", parameter.value, known_names)
        for name, text in parameter.fields.items():
            _expression(file, f"{place}.fields.{name} (in {key})", text, known_names)


def _first(own: Expression | None, general: Expression) -> Expression:
    return general if own is None else own


def _expression(file: str, key: str, text: Expression, known: Iterable[str]) -> None:
    if not isinstance(text, str):
        return
    try:
        needed = names_in(text)
    except ExpressionError as error:
        raise TaskError(file, key, f"{error}.", f"{error}。") from None
    for name in needed:
        if name not in known:
            raise unknown(file, key, name, known)


def _check_golden(task: Task, file: str) -> None:
    outputs = [p.name for p in task.outputs]
    if not outputs:
        raise TaskError(file, "parameters", "no parameter is an output.", "没有输出参数。")
    if isinstance(task.golden, str) and len(outputs) > 1:
        raise TaskError(file, "golden", "give one line per output.", "每个输出各写一行。")
    for name in outputs:
        if name not in task.formulas:
            raise TaskError(file, f"golden.{name}", "is missing.", "缺少。")
    for name, line in task.formulas.items():
        if name not in outputs:
            raise unknown(file, "golden", name, outputs)
        _check_line(task, file, f"golden.{name}", line)


def _check_line(task: Task, file: str, key: str, line: str) -> None:
    known = golden.names(task)
    try:
        tree = ast.parse(line.strip(), mode="eval")
    except SyntaxError as error:
        raise TaskError(file, key, f"no expression: {error}", f"不是表达式：{error}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            raise unknown(file, key, node.id, known)
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            raise TaskError(file, key, f"{node.attr} is not allowed.", f"不允许 {node.attr}。")
