"""The lint: what pyasc's code generator would refuse in kernels that run well on the model.

>>> from ascend_lab.asc.codegen import lint
>>> for note in lint([("add.py", text)]): print(note.message("en"))

The source is only parsed. Host code is never looked at.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ascend_lab.asc.codegen.flow import Flow
from ascend_lab.asc.codegen.grammar import Grammar
from ascend_lab.asc.codegen.notes import Note
from ascend_lab.asc.codegen.survey import Kernel, Survey, names_loaded, survey
from ascend_lab.checks.texts import Say

_REMOVE = Say(
    "remove `from __future__ import annotations` from the file",
    "从文件中删去 from __future__ import annotations",
)
_UNQUOTE = Say("write the annotation without quotes", "标注不要加引号")


#: Rules about calls of asc: pyasc has no such name, or no such form.
API_RULES = frozenset({"ours", "bound-queue", "negated-float"})


def lint(
    cells: Sequence[tuple[str, str]],
    kernels: Collection[str] | None = None,
    apis: bool = False,
) -> tuple[Note, ...]:
    """Notes on the kernel functions of ``(name, text)`` cells, in the order of the source.

    With ``kernels`` only those functions and what they call; of several definitions the last counts then.
    With ``apis`` also what pyasc's APIs refuse although Ascend C and the model have it (`API_RULES`).
    """
    found = survey(cells)
    notes = [note for kernel, main in _chosen(found, kernels) for note in _of(kernel, main, found)]
    if kernels is None:
        notes += [_broken(name, error) for name, error in found.broken]
    notes = [note for note in notes if apis or note.rule not in API_RULES]
    order = {name: index for index, (name, _) in enumerate(cells)}
    return tuple(sorted(set(notes), key=lambda n: (order[n.file], n.line, n.column, n.rule)))


def kernel_names(cells: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Names of the functions marked ``@asc.jit``, in the order of the source."""
    return tuple(survey(cells).kernels)


def _chosen(found: Survey, kernels: Collection[str] | None) -> Iterator[tuple[Kernel, bool]]:
    """The functions to look at, each with whether it is launched."""
    called = _called(found)
    if kernels is None:
        for name, versions in found.kernels.items():
            main = name in found.host_uses or name not in called
            yield from ((kernel, main) for kernel in versions)
        return
    waiting, seen = [name for name in kernels if name in found.kernels], set(kernels)
    while waiting:
        name = waiting.pop(0)
        kernel = found.kernels[name][-1]
        yield kernel, name in kernels
        inner = {n for n in names_loaded(kernel.node) if n in found.kernels} - seen
        seen |= inner
        waiting += sorted(inner)


def _called(found: Survey) -> set[str]:
    """Kernel functions that another kernel function names."""
    return {
        name
        for own, versions in found.kernels.items()
        for kernel in versions
        for statement in kernel.node.body
        for name in names_loaded(statement)
        if name in found.kernels and name != own
    }


def _of(kernel: Kernel, main: bool, found: Survey) -> list[Note]:
    report = _Report(kernel.file, kernel.node.name, [])
    try:
        _head(kernel, main, found, report)
        Grammar(report).check(kernel.node)
        Flow(kernel, found, main, report).check()
    except RecursionError:
        report("syntax", kernel.node, message="nested too deeply")
    return report.notes


@dataclass(frozen=True, slots=True)
class _Report:
    """Collects notes of one function."""

    file: str
    function: str
    notes: list[Note]

    def __call__(self, rule: str, node: ast.AST, **numbers: object) -> None:
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        self.notes.append(Note(rule, self.file, line, self.function, column, numbers))


def _head(kernel: Kernel, main: bool, found: Survey, report: _Report) -> None:
    """What pyasc asks of the function as a whole."""
    node = kernel.node
    if kernel.in_class:
        report("method", node, name=node.name)
    annotations = [a.annotation for a in ast.walk(node.args) if isinstance(a, ast.arg)]
    if kernel.future and any(annotations):
        report("future-annotations", node, name=node.name, how=_REMOVE)
    elif any(isinstance(a, ast.Constant) and isinstance(a.value, str) for a in annotations):
        report("future-annotations", node, name=node.name, how=_UNQUOTE)
    if main:
        for name in _left_out(node, found):
            report("default", node, name=name)


def _left_out(node: ast.FunctionDef | ast.AsyncFunctionDef, found: Survey) -> list[str]:
    """Parameters with a default that some launch in the source does not pass."""
    parameters = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    defaults = set(parameters[len(parameters) - len(node.args.defaults) :])
    missing: set[str] = set()
    for launch in found.launches:
        target = launch.func.value if isinstance(launch.func, ast.Subscript) else None
        if not (isinstance(target, ast.Name) and target.id == node.name):
            continue
        named = {keyword.arg for keyword in launch.keywords}
        if None in named or any(isinstance(a, ast.Starred) for a in launch.args):
            continue
        missing |= defaults - set(parameters[: len(launch.args)]) - {n for n in named if n}
    return [name for name in parameters if name in missing]


def _broken(name: str, error: SyntaxError) -> Note:
    return Note("syntax", name, error.lineno or 1, numbers={"message": error.msg})
