"""I: parameters of the instructions."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import factor, is_number, number, parameters, shifted
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import binary
from grader.faults.fault import Site
from grader.faults.operands import LANEWISE

#: One or two whole blocks of 32 B, whatever the type.
_BLOCK = 16
_LANEWISE = frozenset("".join(p.capitalize() for p in name.split("_")) for name in LANEWISE)


def _short_stride(source: CppSource, _: Random) -> Iterator[Site]:
    """I1: repeats half a repeat apart."""
    seen = set()
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked or is_number(source, call.args[form.form + 1], 1):
            continue
        made = parameters(source, call, form.form + 2)
        if made is None or made[0] in seen:
            continue
        seen.add(made[0])
        for each in made[len(made) // 2 + 1 :]:
            if is_number(source, each, 8):
                yield Site(source.line(each), source.put(each, "4"))


def _wide_mask(source: CppSource, _: Random) -> Iterator[Site]:
    """I2: a mask of more lanes than a repeat has."""
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked:
            continue
        mask = call.args[form.form]
        if is_number(source, source.value(mask), 64):
            new = "128" if is_number(source, mask, 64) else f"2 * {factor(source, mask)}"
            yield Site(call.line, source.put(mask, new))


def _short_compare(source: CppSource, _: Random) -> Iterator[Site]:
    """I4: Compare of a count that is no whole 256 B."""
    for call in source.calls("Compare", "CompareScalar"):
        count = call.count
        whole = binary(source.value(count), "*") if count is not None else None
        division = binary(whole[0], "/") if whole is not None else None
        if count is None or whole is None or division is None:
            continue
        above = binary(division[0], "+")
        if above is not None and is_number(source, whole[1], 64):
            yield Site(call.line, source.put(count, source.code(above[0])))


def _partial_overlap(source: CppSource, _: Random) -> Iterator[Site]:
    """I5: in place, but a block further on."""
    for call in source.vectors():
        count = call.count
        if call.name not in _LANEWISE or count is None or _is_few(source, count):
            continue
        dst, src = call.args[0], call.args[1]
        new = shifted(source, dst, _BLOCK)
        if source.code(dst) == source.code(src) and new is not None:
            shorter = f"{factor(source, count)} - {_BLOCK}"
            yield Site(call.line, source.put(dst, new) | source.put(count, shorter))


def _is_few(source: CppSource, count: Node) -> bool:
    """Whether it is a number of elements that leaves nothing when a block is taken off."""
    value = number(source, count)
    return value is not None and value <= 2 * _BLOCK


SITES = {"I1": _short_stride, "I2": _wide_mask, "I4": _short_compare, "I5": _partial_overlap}
