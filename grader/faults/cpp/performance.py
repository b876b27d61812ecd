"""K: the kernel is right, but slow."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grader.faults.cpp.patterns import is_number, members, queues
from grader.faults.cpp.source import CppSource, Edits
from grader.faults.fault import Site

_SIGNS = {"Add": "+", "Sub": "-", "Mul": "*", "Adds": "+", "Muls": "*"}


def _one_buffer(source: CppSource, _: Random) -> Iterator[Site]:
    """K1: every queue has one buffer."""
    changes: Edits = {}
    line = 0
    for queue in queues(source):
        many = queue.initialised.args[1]
        value = source.value(many)
        if is_number(source, value, 2):
            place = value if source.code(many) in source.constants else many
            changes |= source.put(place, "1")
            line = line or source.line(place)
    if changes:
        yield Site(line, changes)


def _scalar_loop(source: CppSource, _: Random) -> Iterator[Site]:
    """K3: a loop over elements in place of a vector instruction.

    Only where nothing else would be wrong with it: no flags by hand, no padding that means something.
    """
    pads = [
        members(source, d.value) for d in source.declarations("DataCopyPadExtParams") if d.value
    ]
    if source.calls("SetFlag") or any(p and source.code(p[0]) == "true" for p in pads):
        return
    for call in source.vectors():
        count, sign = call.count, _SIGNS.get(call.name)
        if count is None or sign is None:
            continue
        k = next(n for n in ("k", "i", "j", "at", "element") if not source.names(n))
        left = f"{source.code(call.args[1])}.GetValue({k})"
        right = source.code(call.args[2])
        if source.is_local(call.args[2]):
            right = f"{right}.GetValue({k})"
        pad = source.indent(call.statement)
        loop = (
            f"for (uint32_t {k} = 0; {k} < {source.code(count)}; ++{k}) {{\n"
            f"{pad}    {source.code(call.args[0])}.SetValue({k}, {left} {sign} {right});\n{pad}}}"
        )
        yield Site(call.line, source.put(call.statement, loop))


SITES = {"K1": _one_buffer, "K3": _scalar_loop}
