"""I: parameters of the instructions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.operands import LANEWISE
from grader.faults.patterns import is_number, parameters
from grader.faults.source import Source, code, factor, instead, shifted

#: One or two whole blocks of 32 B, whatever the type.
_BLOCK = 16
_ROUNDED = m.BinaryOperation(
    left=m.BinaryOperation(operator=m.FloorDivide(), right=m.Integer("64")),
    operator=m.Multiply(),
    right=m.Integer("64"),
)


def _short_stride(source: Source, _: Random) -> Iterator[Site]:
    """I1: repeats of a source half a repeat apart. Of a source that is also the destination it would be I5."""
    in_place: dict[cst.Call, set[int]] = {}
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked or is_number(call.args[form.form + 1], 1):
            continue
        made = parameters(source, call, form.form + 2, "UnaryRepeatParams", "BinaryRepeatParams")
        if made is not None:
            dst, *sources = (code(arg) for arg in call.args[: form.form])
            same = {number for number, name in enumerate(sources) if name == dst}
            in_place.setdefault(made, set()).update(same)
    for made, same in in_place.items():
        for number, arg in enumerate(made.args[len(made.args) // 2 + 1 :]):
            if number not in same and is_number(arg.value, 8):
                yield Site(source.line(arg), {arg.value: instead("4")})


def _wide_mask(source: Source, _: Random) -> Iterator[Site]:
    """I2: a mask of more lanes than a repeat has."""
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked:
            continue
        mask = call.args[form.form]
        if is_number(source.value(mask), 64):
            new = "128" if is_number(mask, 64) else f"2 * {factor(mask)}"
            yield Site(call.line, {mask: instead(new)})


def _short_compare(source: Source, _: Random) -> Iterator[Site]:
    """I4: Compare of a count that is no whole 256 B."""
    for call in source.calls("compare", "compare_scalar"):
        count = call.count
        made = source.value(count) if count is not None else None
        if count is None or made is None or not m.matches(made, _ROUNDED):
            continue
        inner = m.findall(made, m.BinaryOperation(operator=m.Add()))
        if inner:
            exact = cst.ensure_type(inner[-1], cst.BinaryOperation).left
            yield Site(call.line, {count: instead(code(exact))})


def _is_few(count: cst.BaseExpression) -> bool:
    """Whether it is a number of elements that leaves nothing when a block is taken off."""
    return isinstance(count, cst.Integer) and count.evaluated_value <= 2 * _BLOCK


def _partial_overlap(source: Source, _: Random) -> Iterator[Site]:
    """I5: in place, but a block further on."""
    for call in source.vectors():
        count = call.count
        if call.name not in LANEWISE or count is None or _is_few(count):
            continue
        dst, src = call.args[0], call.args[1]
        new = shifted(dst, _BLOCK)
        if code(dst) == code(src) and new is not None:
            shorter = f"{factor(count)} - {_BLOCK}"
            yield Site(call.line, {dst: instead(new), count: instead(shorter)})


I1 = FaultClass("I1", "silent", _short_stride, wave=2, difficulty=3)
I2 = FaultClass("I2", "abort", _wide_mask, difficulty=1)
I4 = FaultClass("I4", "silent", _short_compare, difficulty=2)
I5 = FaultClass("I5", "silent", _partial_overlap, wave=3, difficulty=2)

CLASSES = (I1, I2, I4, I5)
