"""Shapes of Ascend C code that several fault classes look for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import Call, Declared, bare, binary, field

_TIGHT = (
    "identifier",
    "number_literal",
    "field_expression",
    "call_expression",
    "subscript_expression",
    "parenthesized_expression",
    "sizeof_expression",
)


@dataclass(frozen=True, slots=True, eq=False)
class Padded:
    """A DataCopyPad of one block: ``elements * size`` bytes."""

    call: Call
    elements: Node
    size: Node


@dataclass(frozen=True, slots=True, eq=False)
class AtMost:
    """``rest > whole ? whole : rest``: the tile, or what is left of it."""

    node: Node
    test: Node
    whole: Node
    rest: Node


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """All calls of SetFlag and WaitFlag of one event and id in one function."""

    event: str
    id: str
    sets: tuple[Call, ...]
    waits: tuple[Call, ...]

    @property
    def all(self) -> tuple[Call, ...]:
        """Sets and waits."""
        return (*self.sets, *self.waits)


@dataclass(frozen=True, slots=True, eq=False)
class Queue:
    """A queue: where it is declared, initialised and used."""

    name: str
    position: str
    declared: Declared
    initialised: Call
    uses: tuple[Call, ...]

    def calls(self, name: str) -> list[Call]:
        """Its calls of one method."""
        return [call for call in self.uses if call.name == name]


def number(source: CppSource, node: Node) -> int | None:
    """The value of a whole number as it is written."""
    node = bare(node)
    if node.type != "number_literal":
        return None
    try:
        return int(source.code(node).rstrip("uUlL"), 0)
    except ValueError:
        return None


def is_number(source: CppSource, node: Node, value: int) -> bool:
    """Whether it is this whole number."""
    return number(source, node) == value


def factor(source: CppSource, node: Node) -> str:
    """Its text, in parentheses where a product needs them."""
    inner = bare(node)
    return source.code(inner) if inner.type in _TIGHT else f"({source.code(inner)})"


def shifted(source: CppSource, tensor: Node, by: int | str) -> str | None:
    """``t[by]`` of ``t``, ``t[i + by]`` of ``t[i]``; None for anything else."""
    if tensor.type == "identifier":
        return f"{source.code(tensor)}[{by}]"
    if tensor.type != "subscript_expression":
        return None
    return f"{source.code(field(tensor, 'argument'))}[{source.code(index(tensor))} + {by}]"


def index(tensor: Node) -> Node:
    """``i`` of ``t[i]``."""
    return field(tensor, "indices").named_children[0]


def sized(source: CppSource, node: Node) -> tuple[Node, Node] | None:
    """(elements, size of one) of a number of bytes."""
    pair = binary(node, "*")
    if pair is not None and source.is_size(pair[1]):
        return pair
    if pair is not None and source.is_size(pair[0]):
        return pair[1], pair[0]
    return None


def bytes_of(source: CppSource, node: Node) -> tuple[Node, Node] | None:
    """The same, also through a name for the number of bytes."""
    return sized(source, node) or sized(source, source.value(node))


def parameters(source: CppSource, call: Call, position: int) -> tuple[Node, ...] | None:
    """What the structure in argument ``position`` was made with, in place or by name."""
    if len(call.args) <= position:
        return None
    return members(source, call.args[position])


def members(source: CppSource, node: Node) -> tuple[Node, ...] | None:
    """The values of a structure."""
    made = bare(node)
    if made.type in ("identifier", "field_expression"):
        made = source.value(made)
    if made.type == "compound_literal_expression":
        made = field(made, "value")
    elif made.type == "call_expression":
        made = field(made, "arguments")
    if made.type not in ("initializer_list", "argument_list"):
        return None
    return tuple(n for n in made.named_children if n.type != "comment")


def single_blocks(source: CppSource, calls: list[Call]) -> Iterator[Padded]:
    """Padded copies of one contiguous block of so many elements."""
    for call in calls:
        made = parameters(source, call, 2)
        if call.name != "DataCopyPad" or made is None or len(made) < 2:
            continue
        found = bytes_of(source, made[1])
        if found is not None and is_number(source, made[0], 1):
            yield Padded(call, *found)


def at_most(source: CppSource) -> Iterator[AtMost]:
    """Every ``rest > whole ? whole : rest``."""
    for node in source.all("conditional_expression"):
        test = field(node, "condition")
        greater, less = binary(test, ">", ">="), binary(test, "<", "<=")
        if greater is None and less is None:
            continue
        rest, whole = greater or (less[1], less[0])  # type: ignore[index]
        yes, no = field(node, "consequence"), field(node, "alternative")
        if {source.code(yes), source.code(no)} != {source.code(rest), source.code(whole)}:
            continue
        if source.code(yes) == source.code(whole):
            yield AtMost(node, test, yes, no)
        elif less is not None and source.code(yes) == source.code(less[0]):
            yield AtMost(node, test, no, yes)


def ceilings(source: CppSource) -> Iterator[tuple[Node, Node, Node]]:
    """Every ``(n + d - 1) / d``: the division, what is divided, and ``n``."""
    for node in source.all("binary_expression"):
        division = binary(node, "/")
        above = binary(division[0], "-") if division is not None else None
        total = binary(above[0], "+") if above is not None else None
        if division is None or above is None or total is None:
            continue
        if is_number(source, above[1], 1) and _same(source, total[1], division[1]):
            yield node, division[0], total[0]


def _same(source: CppSource, one: Node, other: Node) -> bool:
    return source.code(bare(one)) == source.code(bare(other))


def flags(source: CppSource) -> list[Flags]:
    """The flags of a file by event and id, in order."""
    groups: dict[tuple[object, str, str], list[Call]] = {}
    for call in source.calls("SetFlag", "WaitFlag"):
        if len(call.args) == 1 and len(call.types) == 1:
            event = source.code(call.types[0]).rpartition("::")[2]
            key = (call.function, event, source.code(call.args[0]))
            groups.setdefault(key, []).append(call)
    return [
        Flags(
            event,
            id,
            tuple(c for c in calls if c.name == "SetFlag"),
            tuple(c for c in calls if c.name == "WaitFlag"),
        )
        for (_, event, id), calls in groups.items()
    ]


def queues(source: CppSource) -> list[Queue]:
    """The queues that are declared, initialised and used under one name."""
    found = []
    inits = [call for call in source.calls("InitBuffer") if len(call.args) == 3]
    for declared in source.declarations("TQue"):
        own = (c for c in inits if source.root(c.args[0]) == declared.name)
        init = next((c for c in own if declared.function in (None, c.function)), None)
        if init is None or not declared.types:
            continue
        methods = source.calls("AllocTensor", "EnQue", "DeQue", "FreeTensor")
        uses = tuple(call for call in methods if call.owner == declared.name)
        position = source.code(declared.types[0]).rpartition("::")[2]
        found.append(Queue(declared.name, position, declared, init, uses))
    return found
