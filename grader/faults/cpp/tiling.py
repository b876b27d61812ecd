"""G: tiling arithmetic and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import number
from grader.faults.cpp.source import CppSource
from grader.faults.fault import Site

_INTEGERS = ("int32_t", "uint32_t", "int", "int64_t", "uint64_t", "size_t")


def _order_of_addresses(source: CppSource, _: Random) -> Iterator[Site]:
    """G1: workspace and tiling change places."""
    for function in source.kernels():
        by_name = {source.parameter_name(p): p for p in source.parameters_of(function)}
        workspace, tiling = by_name.get("workspace"), by_name.get("tiling")
        if workspace is not None and tiling is not None:
            yield _swapped(source, workspace, tiling)


def _order_of_numbers(source: CppSource, _: Random) -> Iterator[Site]:
    """G9: two numbers of the tiling change places."""
    for function in source.kernels():
        numbers = [p for p in source.parameters_of(function) if _is_number(source, p)]
        for first, second in pairwise(numbers):
            yield _swapped(source, first, second)


def _is_number(source: CppSource, parameter: Node) -> bool:
    kind = parameter.child_by_field_name("type")
    return kind is not None and source.code(kind) in _INTEGERS


def _swapped(source: CppSource, first: Node, second: Node) -> Site:
    one, other = (source.within(p, "identifier")[-1] for p in (first, second))
    changes = source.put(one, source.code(other)) | source.put(other, source.code(one))
    return Site(source.line(one), changes)


def _too_many_repeats(source: CppSource, _: Random) -> Iterator[Site]:
    """G7: 256 repeats do not fit into eight bits."""
    masks = set()
    for call in source.vectors():
        form = call.operands
        if form is not None and call.is_masked:
            masks.add(source.code(call.args[form.form]))
    for name, node in source.constants.items():
        value = number(source, node)
        if value is None or not 100 < value < 256:
            continue
        for other in source.constants.values():
            factors = {source.code(n) for n in source.within(other, "identifier")}
            if name in factors and factors & masks:
                yield Site(source.line(node), source.put(node, "256"))


SITES = {"G1": _order_of_addresses, "G7": _too_many_repeats, "G9": _order_of_numbers}
