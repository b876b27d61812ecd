"""G: tiling arithmetic and parameters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.source import Source, code, instead

_ADDRESS = m.Annotation(m.Attribute(attr=m.Name("GlobalAddress")))
_INT = m.Annotation(m.Name("int"))


def _order_of_addresses(source: Source, _: Random) -> Iterator[Site]:
    """G1: workspace and tiling change places."""
    for function in source.find(m.FunctionDef()):
        params = list(function.params.params)
        by_name = {param.name.value: param for param in params}
        workspace, tiling = by_name.get("workspace"), by_name.get("tiling")
        if workspace is not None and tiling is not None:
            yield _swapped(source, workspace, tiling)


def _order_of_numbers(source: Source, _: Random) -> Iterator[Site]:
    """G9: two numbers of the tiling change places."""
    for function in source.find(m.FunctionDef()):
        params = function.params.params
        if not any(m.matches(p, m.Param(annotation=_ADDRESS)) for p in params):
            continue  # called by the kernel, not by the host
        numbers = [p for p in params if m.matches(p, m.Param(annotation=_INT))]
        for first, second in pairwise(numbers):
            yield _swapped(source, first, second)


def _swapped(source: Source, first: cst.Param, second: cst.Param) -> Site:
    changes = {first.name: instead(second.name), second.name: instead(first.name)}
    return Site(source.line(first), changes)


def _too_many_repeats(source: Source, _: Random) -> Iterator[Site]:
    """G7: 256 repeats do not fit into eight bits."""
    masks = set()
    for call in source.vectors():
        form = call.operands
        if form is not None and call.is_masked:
            masks.add(code(call.args[form.form]))
    for name, value in source.constants.items():
        if not isinstance(value, cst.Integer) or not 100 < value.evaluated_value < 256:
            continue
        for other in source.constants.values():
            factors = {code(n) for n in m.findall(other, m.Name())}
            if name in factors and factors & masks:
                yield Site(source.line(value), {value: instead("256")})


G1 = FaultClass("G1", "silent", _order_of_addresses, wave=1, difficulty=2)
G7 = FaultClass("G7", "silent", _too_many_repeats, wave=2, difficulty=2)
G9 = FaultClass("G9", "silent", _order_of_numbers, wave=2, difficulty=2)

CLASSES = (G1, G7, G9)
