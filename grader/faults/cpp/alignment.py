"""A: alignment of addresses, lengths and strides."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import (
    bytes_of,
    factor,
    is_number,
    members,
    parameters,
    shifted,
    single_blocks,
    sized,
)
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import Call, bare, binary
from grader.faults.fault import Site

#: Elements that are no whole 32 B of any type of two bytes or more.
_ODD = (1, 2, 3, 5, 6, 7)


def _copy_operand(source: CppSource, random: Random) -> Iterator[Site]:
    """A1: the UB end of a copy starts a few elements further on."""
    for call in source.calls("DataCopy", "DataCopyPad"):
        for operand in call.args[:2]:
            if source.is_local(operand):
                yield from _moved(source, call, operand, random)


def _vector_operand(source: CppSource, random: Random) -> Iterator[Site]:
    """A5: an operand of a vector instruction starts a few elements further on."""
    for call in source.vectors():
        form = call.operands
        if form is None or call.name == "Duplicate" or call.name.startswith("Reduce"):
            continue
        for position in form.tensors[1:]:
            if position < len(call.args):
                yield from _moved(source, call, call.args[position], random)


def _moved(source: CppSource, call: Call, operand: Node, random: Random) -> Iterator[Site]:
    by = random.choice(_ODD)
    new = shifted(source, operand, by) if source.is_local(operand) else None
    if new is not None:
        yield Site(call.line, source.put(operand, new))


def _plain_copy(source: CppSource, _: Random) -> Iterator[Site]:
    """A2: DataCopy in place of DataCopyPad."""
    for found in single_blocks(source, source.calls("DataCopyPad")):
        count = source.code(bare(found.elements))
        yield Site(found.call.line, _as_plain(source, found.call, count))


def _rounded_up(source: CppSource, _: Random) -> Iterator[Site]:
    """A3: the store is rounded up to whole blocks of 32 B."""
    for found in single_blocks(source, source.stores()):
        size = factor(source, found.size)
        count = f"({factor(source, found.elements)} * {size} + 31) / 32 * 32 / {size}"
        yield Site(found.call.line, _as_plain(source, found.call, count))


def _as_plain(source: CppSource, call: Call, count: str) -> dict[tuple[int, int], str]:
    name = source.code(call.node).partition("(")[0].replace("DataCopyPad", "DataCopy", 1)
    dst, src = (source.code(arg) for arg in call.args[:2])
    return source.put(call.node, f"{name}({dst}, {src}, {count})")


def _packed(source: CppSource, _: Random) -> Iterator[Site]:
    """A4: what lies in slots is stored in one run."""
    for call in source.stores():
        made = parameters(source, call, 2)
        if made is None or len(made) < 4 or is_number(source, made[0], 1):
            continue
        if bytes_of(source, made[1]) is None or _has_gaps(source, made):
            continue
        rows, length = factor(source, made[0]), factor(source, made[1])
        run = f"DataCopyExtParams(1, {rows} * {length}, 0, 0, 0)"
        prefix = "AscendC::" if source.code(call.node).startswith("AscendC::") else ""
        yield Site(call.line, source.put(call.args[2], prefix + run))


def _has_gaps(source: CppSource, made: tuple[Node, ...]) -> bool:
    return any(not is_number(source, each, 0) for each in made[2:4])


def _split(source: CppSource, _: Random) -> Iterator[Site]:
    """A4: one block of rows times columns becomes one block for each row."""
    for found in single_blocks(source, source.loads()):
        shape = binary(found.elements, "*")
        made = parameters(source, found.call, 2)
        if shape is None or made is None:
            continue
        row = f"{factor(source, shape[1])} * {factor(source, found.size)}"
        changes = source.put(made[0], source.code(shape[0]))
        changes |= source.put(bare(made[1]), row)
        yield Site(source.line(made[0]), changes)


def _rows(source: CppSource, random: Random) -> Iterator[Site]:
    yield from _packed(source, random)
    yield from _split(source, random)


def _pitch_as_gap(source: CppSource, _: Random) -> Iterator[Site]:
    """A6: the distance between two rows where the gap between them is meant."""
    for call in source.calls("DataCopyPad"):
        made = parameters(source, call, 2)
        for each in made[2:4] if made is not None else ():
            gap = sized(source, each)
            between = binary(gap[0], "-") if gap is not None else None
            if gap is not None and between is not None:
                new = f"{factor(source, between[0])} * {factor(source, gap[1])}"
                yield Site(source.line(each), source.put(bare(each), new))


def _padding_in_bytes(source: CppSource, _: Random) -> Iterator[Site]:
    """A8: the padding is given in bytes."""
    for each in source.declarations("DataCopyPadExtParams"):
        made = members(source, each.value) if each.value is not None else None
        for amount in (made or ())[1:3]:
            if each.types and not is_number(source, amount, 0):
                size = f"sizeof({source.code(each.types[0])})"
                inner = bare(amount)
                new = f"{factor(source, inner)} * {size}"
                yield Site(source.line(amount), source.put(inner, new))


SITES = {
    "A1": _copy_operand,
    "A2": _plain_copy,
    "A3": _rounded_up,
    "A4": _rows,
    "A5": _vector_operand,
    "A6": _pitch_as_gap,
    "A8": _padding_in_bytes,
}
