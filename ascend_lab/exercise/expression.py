"""Small arithmetic of the launch rule: ``n // blocks``, ``ceildiv(n, tile)``, ``8 if n > 64 else 1``.

Task files compute shapes, block counts and scalar arguments with it. Only numbers, names that the task
gives, arithmetic, comparison, ``a if c else b`` and the functions below exist.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

Number = int | float
Expression = str | int | float


def ceildiv(a: int, b: int) -> int:
    """``a / b`` rounded up."""
    return -(-a // b)


def align(a: int, to: int) -> int:
    """``a`` rounded up to a multiple of ``to``."""
    return ceildiv(a, to) * to


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "align": align,
    "ceildiv": ceildiv,
    "max": max,
    "min": min,
}
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


class ExpressionError(ValueError):
    """An expression says something this language has not, or cannot be computed."""


def names_in(text: str) -> tuple[str, ...]:
    """The names an expression needs, in alphabetical order. Raises ExpressionError."""
    nodes = ast.walk(_parse(text))
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    return tuple(sorted(found - set(FUNCTIONS)))


def evaluate(text: str | Number, names: Mapping[str, Number]) -> Number:
    """The value of ``text`` where the names stand for ``names``; numbers are themselves.

    Raises ExpressionError for what is not in the language, an unknown name, or a division by zero.
    """
    if not isinstance(text, str):
        return text
    try:
        value = _value(_parse(text), names)
    except (ArithmeticError, TypeError) as error:
        raise ExpressionError(f"{text!r}: {error}") from None
    if not isinstance(value, int | float):
        raise ExpressionError(f"{text!r} is no number")
    return value


def _parse(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise ExpressionError(f"{text!r} is no expression: {error}") from None


def _value(node: ast.expr, names: Mapping[str, Number]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name):
            if name not in names:
                raise ExpressionError(f"unknown name {name!r}")
            return names[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, names), _value(right, names))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
            return _UNARY[type(op)](_value(operand, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            return _COMPARE[type(op)](_value(left, names), _value(right, names))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, names) else orelse, names)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(argument, names) for argument in args))
    raise ExpressionError(f"{ast.unparse(node)!r} is not part of the launch rule's language")
