"""What pyasc takes a value for while it compiles: a Python value it knows, or one that exists on the chip.

A kind is a word. "runtime" is a scalar of the chip, "runtime float" one that is known to be a float; "int", "float", "bool", "str", "NoneType", "list", "tuple"
and "const" (any of them) are Python values known when the kernel is compiled; "tensor" is a GlobalTensor or LocalTensor,
"bound queue" a TQueBind, "struct" a parameter that is one; "object" may be anything else.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ascend_lab.asc.codegen.survey import Survey
from ascend_lab.checks.texts import Say

RUNTIME, OBJECT, CONST, TENSOR = "runtime", "object", "const", "tensor"
RUNTIME_FLOAT = "runtime float"
RUNTIMES = frozenset({RUNTIME, RUNTIME_FLOAT})
NUMBERS = frozenset({"int", "float", "bool"})
#: Python values; what is not among them and not a runtime scalar is unknown.
PYTHON = NUMBERS | {"str", "NoneType", "list", "tuple", CONST}

#: Kinds with which nothing is computed here.
OPAQUE = frozenset({OBJECT, TENSOR, "struct", "bound queue"})

WORDS: Mapping[str, Say] = {
    RUNTIME: Say("a run-time value", "运行时的值"),
    RUNTIME_FLOAT: Say("a run-time value", "运行时的值"),
    CONST: Say("a compile-time value", "编译期的值"),
    "int": Say("a Python int", " Python int"),
    "float": Say("a Python float", " Python float"),
    "bool": Say("a Python bool", " Python bool"),
    TENSOR: Say("a tensor", " tensor"),
    "str": Say("a str", "字符串"),
    "NoneType": Say("None", " None"),
    "list": Say("a list", "列表"),
    "tuple": Say("a tuple", "元组"),
}

_FLOATS = frozenset({"float", "float16", "float32", "float64", "half", "double", "float_"})
_SCALAR_ANNOTATIONS = frozenset(
    {"int", "bool"} | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
#: Functions of asc that give a scalar of the chip.
_RUNTIME_CALLS = frozenset(
    {
        *("get_block_idx", "get_block_num", "get_sub_block_idx", "get_sub_block_num"),
        *("number", "get_value", "get_system_cycle", "scalar_cast"),
        *("scalar_get_count_of_value", "scalar_count_leading_zero", "get_gather_mask_remain_count"),
    }
)
#: Functions and methods that give a tensor.
_TENSOR_CALLS = frozenset({"GlobalTensor", "LocalTensor", "alloc_tensor", "deque"})
_SIZES = frozenset({"sizeof", "bit_length", "index", "count"})


def of_constant(value: object) -> str:
    """The kind of a literal."""
    name = type(value).__name__
    return name if name in PYTHON else CONST


def of_constant_expression(node: ast.expr | None, survey: Survey, depth: int = 8) -> str:
    """The kind of what stands right of ``NAME =`` at top level; "object" unless it is plain."""
    match node:
        case ast.Constant(value=value):
            return of_constant(value)
        case ast.List() | ast.Tuple():
            return "list" if isinstance(node, ast.List) else "tuple"
        case ast.UnaryOp(operand=operand):
            return of_constant_expression(operand, survey, depth)
        case ast.BinOp(left=left, op=op, right=right):
            sides = (of_constant_expression(side, survey, depth) for side in (left, right))
            return of_operation(op, *sides)
        case ast.Call(func=ast.Name(id="int" | "float" as name)):
            return name
        case ast.Name(id=name) if depth:
            return of_constant_expression(survey.constants.get(name), survey, depth - 1)
    return OBJECT


def of_annotation(annotation: ast.expr | None, survey: Survey) -> str:
    """What a parameter is, by its annotation: "struct" for a Struct of the file."""
    if annotation is None:
        return OBJECT
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
    if name == "ConstExpr":
        inner = annotation.slice if isinstance(annotation, ast.Subscript) else None
        inside = getattr(inner, "id", "")
        return inside if inside in PYTHON else CONST
    if name in _FLOATS:
        return RUNTIME_FLOAT
    if name in _SCALAR_ANNOTATIONS:
        return RUNTIME
    return "struct" if name in survey.classes else OBJECT


def joined(left: str, right: str) -> str:
    """The kind of an operation on two kinds."""
    if {left, right} & OPAQUE:
        return OBJECT
    for kind in (left, right):
        if kind in RUNTIMES:
            return kind
    if {left, right} <= NUMBERS:
        return "float" if "float" in (left, right) else "int"
    return left if left == right else CONST


def of_operation(op: ast.operator, left: str, right: str) -> str:
    """The kind of ``left op right``."""
    kind = joined(left, right)
    return "float" if isinstance(op, ast.Div) and kind == "int" else kind


def of_call(node: ast.Call, arguments: list[str]) -> str:
    """The kind of what a call gives; "object" unless it is plain."""
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    if name == "number" and len(node.args) == 2:
        return RUNTIME_FLOAT if getattr(node.args[1], "attr", "") in _FLOATS else RUNTIME
    if name in _RUNTIME_CALLS:
        return RUNTIME
    if name in _TENSOR_CALLS:
        return TENSOR
    if name == "TQueBind":
        return "bound queue"
    if name == "ceildiv":
        known = [kind for kind in arguments if kind != OBJECT]
        return RUNTIME if RUNTIMES & set(known) or isinstance(function, ast.Attribute) else "int"
    if name in _SIZES or name == "len":
        return "int"
    if isinstance(function, ast.Name) and name in ("int", "float", "str", "list", "tuple"):
        return name
    return OBJECT


def merged(first: str, second: str) -> str:
    """What a name is after two ways through a block."""
    return first if first == second else OBJECT


def literal(node: ast.expr | None) -> Any:
    """The value of a literal, ``...`` for anything else."""
    if isinstance(node, ast.Constant):
        return node.value
    return ...
