"""A: alignment of addresses, lengths and strides."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import is_number, parameters, product, single_blocks, sized
from grader.faults.source import Call, Source, code, expression, factor, instead, shifted

#: Elements that are no whole 32 B of any type of two bytes or more.
_ODD = (1, 2, 3, 5, 6, 7)


def _copy_operand(source: Source, random: Random) -> Iterator[Site]:
    """A1: the UB end of a copy starts a few elements further on."""
    for call in source.calls("data_copy", "data_copy_pad"):
        for operand in call.args[:2]:
            if source.is_local(operand):
                yield from _moved(source, call, operand, random)


def _vector_operand(source: Source, random: Random) -> Iterator[Site]:
    """A5: an operand of a vector instruction starts a few elements further on."""
    for call in source.vectors():
        form = call.operands
        if form is None or call.name == "duplicate" or call.name.startswith("reduce"):
            continue
        for position in form.tensors[1:]:
            yield from _moved(source, call, call.args[position], random)


def _moved(
    source: Source, call: Call, operand: cst.BaseExpression, random: Random
) -> Iterator[Site]:
    by = random.choice(_ODD)
    new = shifted(operand, by) if source.is_local(operand) else None
    if new is not None:
        yield Site(call.line, {operand: instead(new)})


def _plain_copy(source: Source, _: Random) -> Iterator[Site]:
    """A2: data_copy in place of data_copy_pad."""
    for found in single_blocks(source, source.calls("data_copy_pad")):
        dst, src = (code(arg) for arg in found.call.args[:2])
        copy = expression(f"asc.data_copy({dst}, {src}, {code(found.elements)})")
        yield Site(found.call.line, {found.call.node: instead(copy)})


def _rounded_up(source: Source, _: Random) -> Iterator[Site]:
    """A3: the store is rounded up to whole blocks of 32 B."""
    for found in single_blocks(source, source.stores()):
        dst, src = (code(arg) for arg in found.call.args[:2])
        size = factor(found.size)
        count = f"({factor(found.elements)} * {size} + 31) // 32 * 32 // {size}"
        copy = expression(f"asc.data_copy({dst}, {src}, {count})")
        yield Site(found.call.line, {found.call.node: instead(copy)})


def _packed(source: Source, _: Random) -> Iterator[Site]:
    """A4: what lies in slots is stored in one run."""
    for call in source.stores():
        made = parameters(source, call, 2, "DataCopyExtParams", "DataCopyParams")
        if made is None or len(made.args) < 2 or is_number(made.args[0].value, 1):
            continue
        rows, length = (made.args[n].value for n in range(2))
        if sized(source, length) is not None and not _has_gaps(made):
            name = code(made.func)
            run = expression(f"{name}(1, {factor(rows)} * {code(length)}, 0, 0, 0)")
            yield Site(call.line, {call.args[2]: instead(run)})


def _has_gaps(made: cst.Call) -> bool:
    return any(not is_number(arg.value, 0) for arg in made.args[2:4])


def _split(source: Source, _: Random) -> Iterator[Site]:
    """A4: one block of rows times columns becomes one block for each row."""
    for found in single_blocks(source, source.loads()):
        shape = product(found.elements)
        made = parameters(source, found.call, 2, "DataCopyExtParams", "DataCopyParams")
        if shape is None or made is None:
            continue
        row = f"{factor(shape.right)} * {factor(found.size)}"
        changes = {made.args[0].value: instead(code(shape.left)), made.args[1].value: instead(row)}
        yield Site(source.line(made), changes)


def _rows(source: Source, random: Random) -> Iterator[Site]:
    yield from _packed(source, random)
    yield from _split(source, random)


def _pitch_as_gap(source: Source, _: Random) -> Iterator[Site]:
    """A6: the distance between two rows where the gap between them is meant."""
    for call in source.calls("data_copy_pad"):
        made = parameters(source, call, 2, "DataCopyExtParams", "DataCopyParams")
        for arg in made.args[2:4] if made is not None else ():
            gap = sized(source, arg.value)
            if gap is not None and m.matches(gap[0], m.BinaryOperation(operator=m.Subtract())):
                pitch = cst.ensure_type(gap[0], cst.BinaryOperation).left
                new = f"{factor(pitch)} * {factor(gap[1])}"
                yield Site(source.line(arg), {arg.value: instead(new)})


def _padding_in_bytes(source: Source, _: Random) -> Iterator[Site]:
    """A8: the padding is given in bytes."""
    for made in source.calls("DataCopyPadExtParams", "DataCopyPadParams"):
        size = next((c for c in source.calls("sizeof") if c.function is made.function), None)
        for amount in made.args[2:4]:
            if size is not None and not is_number(amount, 0):
                name = size.target or code(size.node)
                new = f"{factor(amount)} * {name}"
                yield Site(made.line, {amount: instead(new)})


A1 = FaultClass("A1", "abort", _copy_operand, wave=1, difficulty=1)
A2 = FaultClass("A2", "silent", _plain_copy, wave=1, difficulty=1)
A3 = FaultClass("A3", "silent", _rounded_up, wave=1, difficulty=2, also=("B4",))
A4 = FaultClass("A4", "silent", _rows, wave=1, difficulty=3)
A5 = FaultClass("A5", "abort", _vector_operand, difficulty=1)
A6 = FaultClass("A6", "silent", _pitch_as_gap, wave=2, difficulty=2)
A8 = FaultClass("A8", "silent", _padding_in_bytes, difficulty=2)

CLASSES = (A1, A2, A3, A4, A5, A6, A8)
