"""Shapes of code that several fault classes look for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst
import libcst.matchers as m

from grader.faults.source import Call, Source, code

_FLOOR_DIVIDE = m.BinaryOperation(operator=m.FloorDivide())


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """``left * right``."""

    node: cst.BinaryOperation
    left: cst.BaseExpression
    right: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False)
class Padded:
    """A ``data_copy_pad`` of one block: ``elements * size`` bytes."""

    call: Call
    elements: cst.BaseExpression
    size: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False)
class AtMost:
    """``whole if rest > whole else rest``: the tile, or what is left of it."""

    node: cst.IfExp
    whole: cst.BaseExpression
    rest: cst.BaseExpression


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """All calls of ``set_flag`` and ``wait_flag`` of one event and id in one function."""

    event: str
    id: str
    sets: tuple[Call, ...]
    waits: tuple[Call, ...]

    @property
    def all(self) -> tuple[Call, ...]:
        """Sets and waits."""
        return (*self.sets, *self.waits)


def is_number(node: cst.BaseExpression, value: int) -> bool:
    """Whether it is this whole number."""
    return isinstance(node, cst.Integer) and node.evaluated_value == value


def product(node: cst.BaseExpression) -> Product | None:
    """The factors of ``a * b``."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        return Product(node, node.left, node.right)
    return None


def sized(source: Source, node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...] | None:
    """(elements, size of one) of a number of bytes."""
    found = product(node)
    if found is not None and source.is_size(found.right):
        return found.left, found.right
    if found is not None and source.is_size(found.left):
        return found.right, found.left
    return None


def parameters(source: Source, call: Call, position: int, *names: str) -> cst.Call | None:
    """The constructor that argument ``position`` was made with, in place or by name."""
    if len(call.args) <= position:
        return None
    made = source.value(call.args[position])
    if isinstance(made, cst.Call) and code(made.func).rpartition(".")[2] in names:
        return made
    return None


def single_blocks(source: Source, calls: list[Call]) -> Iterator[Padded]:
    """Padded copies of one contiguous block of so many elements."""
    for call in calls:
        made = parameters(source, call, 2, "DataCopyExtParams", "DataCopyParams")
        if call.name != "data_copy_pad" or made is None or len(made.args) < 2:
            continue
        bytes_ = sized(source, made.args[1].value)
        if bytes_ is not None and is_number(made.args[0].value, 1):
            yield Padded(call, *bytes_)


def at_most(source: Source) -> Iterator[AtMost]:
    """Every ``whole if rest > whole else rest``."""
    for node in source.find(m.IfExp(test=m.Comparison())):
        test = cst.ensure_type(node.test, cst.Comparison)
        target = test.comparisons[0]
        rest, whole = code(test.left), code(target.comparator)
        if isinstance(target.operator, cst.LessThan | cst.LessThanEqual):
            rest, whole = whole, rest
        if {code(node.body), code(node.orelse)} != {rest, whole} or rest == whole:
            continue
        branches = (node.body, node.orelse)
        if code(node.body) == rest:
            branches = (node.orelse, node.body)
        yield AtMost(node, *branches)


def ceilings(source: Source) -> Iterator[tuple[cst.BinaryOperation, cst.BaseExpression]]:
    """Every ``(n + d - 1) // d``, with its ``n``."""
    for node in source.find(_FLOOR_DIVIDE):
        above = m.BinaryOperation(
            left=m.BinaryOperation(operator=m.Add()), operator=m.Subtract(), right=m.Integer("1")
        )
        if not m.matches(node.left, above):
            continue
        total = node.left.left
        if code(total.right) == code(node.right):
            yield node, total.left


def flags(source: Source) -> list[Flags]:
    """The flags of a file by event and id, in order."""
    groups: dict[tuple[object, str, str], list[Call]] = {}
    for call in source.calls("set_flag", "wait_flag"):
        if len(call.args) == 2:
            event = code(call.args[0]).rpartition(".")[2]
            key = (call.function, event, code(call.args[1]))
            groups.setdefault(key, []).append(call)
    return [
        Flags(
            event,
            id,
            tuple(c for c in calls if c.name == "set_flag"),
            tuple(c for c in calls if c.name == "wait_flag"),
        )
        for (_, event, id), calls in groups.items()
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Queue:
    """A queue of a function: where it is declared, initialised and used."""

    name: str
    position: str
    declared: Call
    initialised: Call
    uses: tuple[Call, ...]

    def calls(self, name: str) -> list[Call]:
        """Its calls of one method."""
        return [call for call in self.uses if call.name == name]


def queues(source: Source) -> list[Queue]:
    """The queues that are declared and used under one name."""
    found = []
    inits = source.calls("init_buffer")
    for declared in source.calls("TQue"):
        name = declared.target
        init = next((c for c in inits if len(c.args) == 3 and code(c.args[0]) == name), None)
        if not name or init is None or not declared.args:
            continue
        methods = source.calls("alloc_tensor", "enque", "deque", "free_tensor")
        uses = tuple(call for call in methods if call.owner == name)
        position = code(declared.args[0]).rpartition(".")[2]
        found.append(Queue(name, position, declared, init, uses))
    return found
