"""Takes away what a rewriting left without use, so that the file looks as if it had been written so."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.faults.source import Source

#: Calls that only make a value.
_VALUES = ("sizeof", "float", "int", "get_block_idx", "get_block_num", "get")


def swept(text: str, before: str) -> str:
    """``text`` without assignments that nothing uses any more, though something did in ``before``."""
    used = _uses(ast.parse(before))
    while idle := _idle(ast.parse(text), used):
        source = Source(text)
        gone = [
            statement
            for _, value in source.assignments
            if source.line(value) in idle and (statement := source.statement(value)) is not None
        ]
        if not gone or source.empties(gone):
            return text
        text = source.rewritten(source.removal(gone))
    return text


def _scopes(tree: ast.Module) -> Iterator[tuple[str, ast.AST, Iterator[ast.Assign]]]:
    """Name, whole and own assignments of the file ("") and of each of its functions."""
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    yield "", tree, (node for node in tree.body if isinstance(node, ast.Assign))
    for function in functions:
        inner = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
        yield function.name, function, inner


def _uses(tree: ast.Module) -> set[tuple[str, str]]:
    """(function, name that is read in it); ("", name) for one that is read anywhere."""
    return {
        (scope, node.id)
        for scope, whole, _ in _scopes(tree)
        for node in ast.walk(whole)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _idle(tree: ast.Module, used: set[tuple[str, str]]) -> set[int]:
    """Lines of the values that nobody reads."""
    uses = _uses(tree)
    return {
        node.value.lineno
        for scope, _, assignments in _scopes(tree)
        for node in assignments
        if isinstance(node.targets[0], ast.Name)
        and (scope, node.targets[0].id) in used - uses
        and _is_value(node.value)
    }


def _is_value(node: ast.expr) -> bool:
    """Whether leaving it out changes nothing else."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            name = ast.unparse(call.func).rpartition(".")[2]
            if name not in _VALUES and not name.endswith("Params"):
                return False
    return True
