"""Takes away what a rewriting left without use, so that the file looks as if it had been written so."""

from __future__ import annotations

import ast
from collections import Counter

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


def _uses(tree: ast.AST) -> Counter[str]:
    return Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    )


def _idle(tree: ast.AST, used: Counter[str]) -> set[int]:
    """Lines of the values that nobody reads."""
    uses = _uses(tree)
    return {
        node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and not uses[node.targets[0].id]
        and used[node.targets[0].id]
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
