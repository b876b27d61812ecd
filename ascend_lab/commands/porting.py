"""Turns source written for the lab's door into source for pyasc itself: the imports change, nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ascend_lab.asc.codegen.additions import ADDITIONS, ADV_ADDITIONS
from ascend_lab.commands.source import Refused

_PACKAGE = "ascend_lab"
_DOOR = "ascend_lab.asc"
#: What pyasc's asc.runtime.config has; ours has more.
_CONFIG = frozenset({"Backend", "Platform", "KernelType", "set_platform"})
_OURS_ALONE = frozenset({"Ascend310P3"})


def ported(text: str, name: str, statements: Sequence[ast.stmt]) -> str:
    """The lines of ``statements`` of ``text``, their imports as pyasc has them.

    Whole lines are kept byte for byte. Raises Refused for what only the lab has.
    """
    lines = text.split("\n")
    parts: list[str] = []
    done = 0
    for node in statements:
        first, last = _first_line(node), node.end_lineno or node.lineno
        _refuse_ours(node, name)
        new = _import(node, name)
        if new is not None:
            parts.append(new)
        elif first > done:
            parts.append("\n".join(lines[first - 1 : last]))
        done = max(done, last)
    return "\n".join(parts)


def ported_file(text: str, name: str) -> str:
    """A whole script with its imports changed. Raises Refused for what only the lab has."""
    tree = ast.parse(text)
    lines = text.split("\n")
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            new = _import(node, name)
            if new is not None:
                indent = " " * node.col_offset
                last = node.end_lineno or node.lineno
                lines[node.lineno - 1 : last] = [
                    *(indent + line for line in new.split("\n")),
                    *[_GONE] * (last - node.lineno - new.count("\n")),
                ]
    _refuse_ours(tree, name)
    return "\n".join(line for line in lines if line != _GONE)


#: Stands for a line of an import that became shorter, so that line numbers hold while imports are replaced.
_GONE = "\0"


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _import(node: ast.stmt, file: str) -> str | None:
    """The import that stands for ``node``; None when it may stay as it is."""
    if isinstance(node, ast.Import):
        if not any(_is_ours(alias.name) for alias in node.names):
            return None
        return "; ".join(_one(alias, node, file) for alias in node.names)
    if isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
        return _from(node, node.module, file)
    return None


def _is_ours(module: str) -> bool:
    return module == _PACKAGE or module.startswith(f"{_PACKAGE}.")


def _one(alias: ast.alias, node: ast.stmt, file: str) -> str:
    if not _is_ours(alias.name):
        return f"import {_named(alias.name, alias.asname)}"
    if alias.asname is None or not _is_door(alias.name):
        raise _only_here(file, node.lineno, f"import {alias.name}")
    return f"import {_named(_there(alias.name), alias.asname)}"


def _from(node: ast.ImportFrom, module: str, file: str) -> str:
    if module == _PACKAGE:
        if any(alias.name != "asc" for alias in node.names):
            names = ", ".join(alias.name for alias in node.names if alias.name != "asc")
            raise _only_here(file, node.lineno, f"from {_PACKAGE} import {names}")
        return "; ".join(f"import {_named('asc', alias.asname)}" for alias in node.names)
    if not _is_door(module):
        raise _only_here(file, node.lineno, f"from {module} import ...")
    for alias in node.names:
        if alias.name in ADDITIONS or (module.endswith("adv") and alias.name in ADV_ADDITIONS):
            raise _addition(file, node.lineno, alias.name)
    names = ", ".join(_named(alias.name, alias.asname) for alias in node.names)
    return f"from {_there(module)} import {names}"


def _is_door(module: str) -> bool:
    return module == _DOOR or module.startswith(f"{_DOOR}.")


def _there(module: str) -> str:
    return module.removeprefix(f"{_PACKAGE}.")


def _named(name: str, asname: str | None) -> str:
    return f"{name} as {asname}" if asname and asname != name else name


def _refuse_ours(node: ast.AST, file: str) -> None:
    """Raise Refused for a name of the door that pyasc has not."""
    for attribute in _attributes(node):
        base = attribute.value
        names = ADV_ADDITIONS if _ends_with(base, "adv") else ADDITIONS
        if _ends_with(base, "asc", "adv", "language") and attribute.attr in names:
            raise _addition(file, attribute.lineno, attribute.attr)
        if _ends_with(base, "config") and attribute.attr not in _CONFIG:
            raise _addition(file, attribute.lineno, f"runtime.config.{attribute.attr}")
        if _ends_with(base, "Platform") and attribute.attr in _OURS_ALONE:
            raise _addition(file, attribute.lineno, f"runtime.config.Platform.{attribute.attr}")


def _attributes(node: ast.AST) -> Iterator[ast.Attribute]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute))


def _ends_with(node: ast.expr, *names: str) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name in names


def _only_here(file: str, line: int, what: str) -> Refused:
    return Refused(
        f"{file}:{line}：{what} 只存在于本实验室，卡上没有。下一步：从要导出的脚本中删去它，"
        "用 kernel[核数](参数) 启动；或用 --task 导出任务的答案。",
        f"{file}:{line}: {what} exists in the lab only, not on a card. Next: take it out of the script and "
        "launch with kernel[blocks](arguments), or export an answer with --task.",
    )


def _addition(file: str, line: int, name: str) -> Refused:
    return Refused(
        f"{file}:{line}：asc.{name} 是本实验室的补充，pyasc 没有。下一步：改用 pyasc 的名字；"
        "ascend-lab lint 会说明怎么改。",
        f"{file}:{line}: asc.{name} is an addition of the lab, pyasc has no such name. Next: use a name of "
        "pyasc; ascend-lab lint says which.",
    )
