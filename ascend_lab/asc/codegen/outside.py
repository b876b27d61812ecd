"""Names that a kernel function takes from outside itself: the module, the function around it, Python, asc."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Collection

from ascend_lab.asc.codegen.additions import ADDITIONS, ADV_ADDITIONS
from ascend_lab.asc.codegen.grammar import Report
from ascend_lab.asc.codegen.survey import Kernel, Survey
from ascend_lab.checks.texts import Say

#: Python's functions that pyasc's code generator looks up (pyasc: python/asc/codegen/name_scope.py).
KNOWN_BUILTINS = frozenset(
    "dict float int isinstance issubclass len list range repr str tuple type".split()
)
#: Modules whose functions run on the host; from any other module a kernel function may come.
_HOST_MODULES = frozenset(
    "copy functools itertools math numpy operator os random sys time torch".split()
)
_INSTEAD = {
    "print": Say('write asc.printf("%d\\n", value)', '用 asc.printf("%d\\n", value)'),
    "abs": Say(
        "write x if x > 0 else -x for a scalar, asc.abs for a tensor",
        "标量写成 x if x > 0 else -x，tensor 用 asc.abs",
    ),
    "min": Say(
        "write a if a < b else b for scalars, asc.min for tensors",
        "标量写成 a if a < b else b，tensor 用 asc.min",
    ),
    "max": Say(
        "write a if a > b else b for scalars, asc.max for tensors",
        "标量写成 a if a > b else b，tensor 用 asc.max",
    ),
    "sum": Say("add in a loop, or use asc.reduce_sum", "在循环里相加，或用 asc.reduce_sum"),
}
_ON_THE_HOST = Say("compute it on the host and pass the result", "在 host 侧计算，把结果传入")


def check_name(node: ast.Name, kernel: Kernel, survey: Survey, report: Report) -> None:
    """A name that is not local to the kernel."""
    name = node.id
    module = survey.imported.get(name, "")
    if name in survey.from_asc or name in survey.kernels:
        return
    if name in survey.bound:
        if name in survey.functions or (module in _HOST_MODULES and _is_function(module, name)):
            report("host-call", node, name=name)
    elif name in kernel.around:
        report("closure", node, name=name)
    elif hasattr(builtins, name) and name not in KNOWN_BUILTINS:
        report("builtin", node, name=name, how=_INSTEAD.get(name, _ON_THE_HOST))


def check_attribute(
    node: ast.Attribute, local: Collection[str], survey: Survey, report: Report
) -> None:
    """``asc.bfloat16``: a name that only the lab's door has."""
    path = _path(node)
    if not path or path[0] in local or path[0] not in survey.doors:
        return
    inner = [part for part in path[1:] if part != "language"]
    known = ADV_ADDITIONS if inner[:1] == ["adv"] else ADDITIONS
    name = inner[-1] if inner else ""
    if name in known and len(inner) <= 2:
        report("ours", node, name=".".join(inner), how=known[name])


def check_call(node: ast.Call, local: Collection[str], survey: Survey, report: Report) -> None:
    """``math.ceil(x)``: a function of a module of the host."""
    path = _path(node.func)
    if len(path) < 2 or path[0] in local:
        return
    module = survey.modules.get(path[0], "")
    if module.partition(".")[0] in _HOST_MODULES and _is_function(module, *path[1:]):
        report("host-call", node, name=".".join(path))


def _path(node: ast.expr) -> list[str]:
    """``a.b.c`` as its parts; empty for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def _is_function(module: str, *path: str) -> bool:
    """Whether a name of a host module is a function: types and numbers may stand in a kernel."""
    if module.partition(".")[0] == "torch":
        return path[-1:] != ("dtype",)
    found: object = importlib.import_module(module)
    for part in path:
        found = getattr(found, part, None)
    return callable(found) and not isinstance(found, type)
