"""What an Ascend C source consists of: calls, declarations, and expressions without what surrounds them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tree_sitter import Node

from grader.faults.operands import OPERANDS, Operands

_QUALIFIER = re.compile(
    r"\b__(?:global|aicore|vector|cube|host_aicore|inline|gm|ubuf|cbuf|ca|cb|cc|fbuf|biasbuf|ssbuf"
    r"|BLOCK_LOCAL|kfc_workspace|sync_noalias|sync_alias|attribute)__\b"
    r"|\b__(?:mix|schedmode|in_pipe|out_pipe|inout_pipe)__\s*\([^()]*\)"
    r"|<<<[^;{}]*?>>>"
)
#: An Ascend C source has one of these words in front of a function; a Python kernel has not.
_CPP = re.compile(r"\b__(?:aicore|global)__\b")


def is_cpp(text: str) -> bool:
    """Whether a kernel is written in Ascend C."""
    return _CPP.search(text) is not None


def blanked(text: str) -> str:
    """The text with blanks for what is no C++; as many bytes, in the same lines."""
    return _QUALIFIER.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call: ``owner.name<types>(args)`` in ``statement``, perhaps ``target = ...``."""

    node: Node
    name: str
    owner: str
    types: tuple[Node, ...]
    args: tuple[Node, ...]
    statement: Node
    target: str
    function: Node | None
    loops: tuple[Node, ...]
    line: int

    @property
    def operands(self) -> Operands | None:
        """Where its tensors and its form stand, when it is a vector instruction."""
        return _OPERANDS.get(self.name) if not self.owner else None

    @property
    def count(self) -> Node | None:
        """The count of a vector instruction in count form."""
        form = self.operands
        if form is None or len(self.args) != form.form + 1:
            return None
        return self.args[form.form]

    @property
    def is_masked(self) -> bool:
        """Whether it is a vector instruction with mask, repeats and strides."""
        form = self.operands
        return form is not None and len(self.args) >= form.form + 3


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One name of a declaration: ``kind<types> name``; ``value`` is what it is made with."""

    name: str
    kind: str
    types: tuple[Node, ...]
    node: Node
    declarator: Node
    value: Node | None
    function: Node | None

    @property
    def is_alone(self) -> bool:
        """Whether the declaration makes no other name."""
        return len(self.node.children_by_field_name("declarator")) == 1


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


_OPERANDS: Mapping[str, Operands] = {_camel(name): form for name, form in OPERANDS.items()}


def field(node: Node, name: str) -> Node:
    """A child that the grammar promises."""
    found = node.child_by_field_name(name)
    if found is None:
        raise LookupError(f"{node.type} has no {name}")
    return found


def plain(name: str) -> str:
    """A name without ``this->``."""
    return name.removeprefix("this->")


def bare(node: Node) -> Node:
    """An expression without parentheses and casts around it."""
    while True:
        inner = _inner(node)
        if inner is None:
            return node
        node = inner


def _inner(node: Node) -> Node | None:
    if node.type == "parenthesized_expression":
        return node.named_children[0] if node.named_child_count == 1 else None
    if node.type == "cast_expression":
        return node.child_by_field_name("value")
    if node.type == "call_expression":
        function = field(node, "function")
        named = function.child_by_field_name("name")
        is_cast = function.type == "template_function" and named is not None
        is_cast = is_cast and named is not None and named.text == b"static_cast"
        arguments = field(node, "arguments").named_children
        if (is_cast or function.type == "primitive_type") and len(arguments) == 1:
            return arguments[0]
    return None


def binary(node: Node, *operators: str) -> tuple[Node, Node] | None:
    """(left, right) of an operation with one of these signs, in parentheses or not."""
    node = bare(node)
    if node.type != "binary_expression":
        return None
    sign = field(node, "operator").text
    if sign is None or sign.decode() not in operators:
        return None
    return field(node, "left"), field(node, "right")
