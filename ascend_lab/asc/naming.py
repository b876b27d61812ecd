"""What a student called a queue or a buffer: the name that stands left of the constructor."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from itertools import islice
from types import FrameType

Position = tuple[int, int]


class Names:
    """Names of constructor calls, by their place in the source; read once per file."""

    def __init__(self) -> None:
        self._files: dict[str, dict[Position, str]] = {}

    def of(self, frame: FrameType) -> str:
        """The variable that gets the result of the call running in ``frame``, or ""."""
        position = _position(frame)
        if position is None:
            return ""
        file = frame.f_code.co_filename
        names = self._files.get(file)
        if names is None:
            names = self._files[file] = _assigned_calls("".join(linecache.getlines(file)))
        return names.get(position, "")


def _position(frame: FrameType) -> Position | None:
    """Line and column where the call that ``frame`` executes begins."""
    found = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), None)
    if found is None or found[0] is None or found[2] is None:
        return None
    return found[0], found[2]


def _assigned_calls(source: str) -> dict[Position, str]:
    """Every ``name = call(...)`` of a source text, keyed by where the call begins."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return {}
    return {
        (value.lineno, value.col_offset): name
        for node in ast.walk(tree)
        for name, value in _bindings(node)
        if isinstance(value, ast.Call)
    }


def _bindings(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _pairs(target, node.value)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield from _pairs(node.target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Attribute):
        yield target.attr, value
    elif isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        for left, right in zip(target.elts, value.elts, strict=False):
            yield from _pairs(left, right)
