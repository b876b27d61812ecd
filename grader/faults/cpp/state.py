"""C: initialisation, and what stays in a core."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import ceilings, is_number, members
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import Call, bare, binary
from grader.faults.fault import Site

_REDUCE = ("ReduceSum", "ReduceMax", "ReduceMin")


def _without(source: CppSource, *calls: Call) -> Iterator[Site]:
    """Take statements away, unless that leaves an empty block."""
    statements = [call.statement for call in calls]
    if calls and not source.empties(statements):
        yield Site(calls[0].line, source.removal(statements))


def _not_cleared(source: CppSource, _: Random) -> Iterator[Site]:
    """C1: a tensor is not filled before it is used."""
    for call in source.calls("Duplicate"):
        yield from _without(source, call)


def _unbound(source: CppSource, _: Random) -> Iterator[Site]:
    """C2: a GlobalTensor without an address."""
    for call in source.calls("SetGlobalBuffer"):
        yield from _without(source, call)


def _no_memory(source: CppSource, _: Random) -> Iterator[Site]:
    """C3: a queue or buffer without memory."""
    for call in source.calls("InitBuffer"):
        yield from _without(source, call)


def _output_not_zeroed(source: CppSource, _: Random) -> Iterator[Site]:
    """C4: nobody clears the output that all cores add to."""
    starts = [call.line for call in source.calls("SetAtomicAdd")]
    targets = {source.root(c.args[0]) for c in source.stores() if any(s < c.line for s in starts)}
    for block in source.all("if_statement"):
        if block.child_by_field_name("alternative") is not None:
            continue
        inside = [c for c in source.stores() if _is_in(c.node, block)]
        zeroes = any(_is_in(c.node, block) for c in source.calls("Duplicate"))
        if zeroes and any(source.root(c.args[0]) in targets for c in inside):
            yield Site(source.line(block), source.removal([block]))


def _is_in(node: Node, block: Node) -> bool:
    return block.start_byte <= node.start_byte and node.end_byte <= block.end_byte


def _pad_value(source: CppSource, _: Random) -> Iterator[Site]:
    """C6: the padding is 0 where the reduction needs another value."""
    for each in source.declarations("DataCopyPadExtParams"):
        made = members(source, each.value) if each.value is not None else None
        if made is None or len(made) != 4 or source.code(made[0]) != "true":
            continue
        if not _is_zero(source, made[3]):
            yield Site(source.line(made[3]), source.put(made[3], "0"))


def _is_zero(source: CppSource, node: Node) -> bool:
    return is_number(source, node, 0) or source.code(bare(node)).rstrip("f") in ("0.0", "0.")


def _whole_slot(source: CppSource, _: Random) -> Iterator[Site]:
    """C6: the reduction takes the slot instead of the row."""
    for call in source.calls(*_REDUCE):
        count = call.count
        if count is None:
            continue
        for name, value, _function in source.assigned:
            for node, _above, total in ceilings(source):
                whole = binary(value, "*")
                if whole is not None and bare(whole[0]) == node and _same(source, total, count):
                    yield Site(call.line, source.put(count, name))


def _same(source: CppSource, one: Node, other: Node) -> bool:
    return source.code(bare(one)) == source.code(bare(other))


def _padding(source: CppSource, random: Random) -> Iterator[Site]:
    yield from _pad_value(source, random)
    yield from _whole_slot(source, random)


def _counter_mode_left_on(source: CppSource, _: Random) -> Iterator[Site]:
    """C7: nothing goes back to normal mode."""
    for call in source.calls("SetMaskNorm"):
        yield from _without(source, call)


def _atomic_left_on(source: CppSource, _: Random) -> Iterator[Site]:
    """C8: nothing ends the atomic mode."""
    for call in source.calls("SetAtomicNone"):
        yield from _without(source, call)


SITES = {
    "C1": _not_cleared,
    "C2": _unbound,
    "C3": _no_memory,
    "C4": _output_not_zeroed,
    "C6": _padding,
    "C7": _counter_mode_left_on,
    "C8": _atomic_left_on,
}
