"""What a function of the door does, read from its source: instructions, pipes, forms, refusals."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import FunctionType


@dataclass(frozen=True, slots=True)
class Reach:
    """What a function and those it calls in the door do."""

    ops: tuple[str, ...]
    pipes: tuple[str, ...]
    forms: tuple[str, ...]
    refuses: bool  # raises NotModelled somewhere


@cache
def reach(function: FunctionType) -> Reach:
    """Follow calls inside ``ascend_lab.asc``, breadth first."""
    ops: dict[str, None] = {}
    pipes: dict[str, None] = {}
    forms: dict[str, None] = {}
    refuses = False
    waiting, seen = [function], {function}
    while waiting:
        current = waiting.pop(0)
        for node in ast.walk(_tree(current)):
            if isinstance(node, ast.Call):
                ops.update(dict.fromkeys(_op(node)))
                pipes.update(dict.fromkeys(_pipe(node, current)))
                forms.update(dict.fromkeys(_forms(node, current)))
                if getattr(node.func, "id", "") == "NotModelled":
                    refuses = refuses or current.__module__ == function.__module__
                called = current.__globals__.get(getattr(node.func, "id", ""))
                if isinstance(called, type):
                    called = vars(called).get("__init__")
                if _is_door(called):
                    forms.update(dict.fromkeys(_passed(node, current)))
                if _is_door(called) and called not in seen:
                    seen.add(called)
                    waiting.append(called)
    return Reach(tuple(ops), tuple(pipes), tuple(forms), refuses)


def _tree(function: FunctionType) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def _is_door(value: object) -> bool:
    return isinstance(value, FunctionType) and value.__module__.startswith(
        "ascend_lab.asc.language"
    )


def _op(node: ast.Call) -> Iterator[str]:
    """The instruction a call names: its first argument, written like one of Ascend C."""
    if node.args and isinstance(node.args[0], ast.Constant):
        text = node.args[0].value
        if isinstance(text, str) and re.fullmatch(r"[A-Z]\w+", text):
            yield text


def _pipe(node: ast.Call, function: FunctionType) -> Iterator[str]:
    if getattr(node.func, "id", "") != "emit" or len(node.args) < 2:
        return
    pipe = node.args[1]
    if isinstance(pipe, ast.Attribute) and getattr(pipe.value, "id", "") == "Pipe":
        yield pipe.attr
    elif isinstance(pipe, ast.Name) and pipe.id == "_V":
        yield "V"


def _forms(node: ast.Call, function: FunctionType) -> Iterator[str]:
    """Forms that the error of a wrong call lists."""
    if getattr(node.func, "id", "") == "form":
        strides = getattr(node.args[-1], "id", "") if node.args else ""
        yield "count"
        yield f"mask, repeat_times, {strides if strides[:1].isupper() else 'repeat_params'}"
    if getattr(node.func, "id", "") == "bind" and not function.__module__.endswith(".vector"):
        names = list(_names(node.args[0], function))
        if names[:-1] or names[:1] == ["count"]:
            yield ", ".join(names)
    if getattr(node.func, "id", "") != "no_overload" or len(node.args) < 3:
        return
    listed = node.args[2]
    if isinstance(listed, ast.Name):
        listed = _local_tuple(listed.id, function) or listed
    if isinstance(listed, ast.Name):
        found = function.__globals__.get(listed.id, ())
        yield from (text for text in (found if isinstance(found, tuple) else (found,)) if text)
    elif isinstance(listed, ast.Tuple):
        yield from (item.value for item in listed.elts if isinstance(item, ast.Constant))


def _local_tuple(name: str, function: FunctionType) -> ast.Tuple | None:
    """The tuple that the function gives a name."""
    for node in ast.walk(_tree(function)):
        if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)):
            continue
        if [getattr(target, "id", "") for target in node.targets] == [name]:
            return node.value
    return None


def _passed(node: ast.Call, function: FunctionType) -> Iterator[str]:
    """Forms, or the names of one, that a call hands on as a constant of the module."""
    if getattr(node.func, "id", "") in ("bind", "no_overload"):
        return
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        found = function.__globals__.get(getattr(argument, "id", ""))
        if not isinstance(found, tuple) or not all(isinstance(text, str) for text in found):
            continue
        if all(text.isidentifier() for text in found):
            yield ", ".join(found)
        else:
            yield from found


def _names(node: ast.expr, function: FunctionType) -> Iterator[str]:
    """Names in a tuple of strings, also of one that the module has."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.Tuple(elts=items):
            for item in items:
                yield from _names(item, function)
        case ast.Starred(value=ast.Name(id=name)) | ast.Name(id=name):
            found = function.__globals__.get(name, ())
            yield from (text for text in found if isinstance(text, str))


def short(form: str) -> str:
    """Parameter names of a form, without their types."""
    text = re.sub(r":\s*[\w\[\], |]*?(?=(,\s*\w+\s*[:,=]|\s*=|,\s*\.\.\.|$))", "", form)
    return text.removeprefix("..., ")
