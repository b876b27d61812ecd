"""C: initialisation, and what stays in a core."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import is_number
from grader.faults.source import Call, Source, code, instead, root


def _not_cleared(source: Source, _: Random) -> Iterator[Site]:
    """C1: a tensor is not filled before it is used."""
    for call in source.calls("duplicate"):
        yield from _without(source, call)


def _without(source: Source, *calls: Call) -> Iterator[Site]:
    """Take statements away, unless that leaves an empty block."""
    statements = [call.statement for call in calls]
    if calls and not source.empties(statements):
        yield Site(calls[0].line, source.removal(statements))


def _unbound(source: Source, _: Random) -> Iterator[Site]:
    """C2: a GlobalTensor without an address."""
    for call in source.calls("set_global_buffer"):
        typed = f"{call.owner}.dtype" in source.text  # without an address it has no type either
        if not (typed or _is_passed_on(source, call.owner)):
            yield from _without(source, call)


def _is_passed_on(source: Source, tensor: str) -> bool:
    """Whether a helper gets the tensor: it may ask for its type."""
    calls = source.find(m.Call(func=m.Name()))
    return any(root(arg.value) == tensor for call in calls for arg in call.args)


def _no_memory(source: Source, _: Random) -> Iterator[Site]:
    """C3: a queue or buffer without memory."""
    for call in source.calls("init_buffer"):
        yield from _without(source, call)


def _output_not_zeroed(source: Source, _: Random) -> Iterator[Site]:
    """C4: nobody clears the output that all cores add to."""
    if not source.calls("set_atomic_add"):
        return
    targets = _added_to(source)
    for block in source.find(m.If(orelse=None)):
        stores = [c for c in source.stores() if c.statement in source.siblings_in(block)]
        zeroes = any(c.statement in source.siblings_in(block) for c in source.calls("duplicate"))
        if zeroes and any(root(c.args[0]) in targets for c in stores):
            yield Site(source.line(block), source.removal([block]))


def _added_to(source: Source) -> set[str]:
    """GM tensors that are stored to between set_atomic_add and set_atomic_none."""
    starts = [call.line for call in source.calls("set_atomic_add")]
    return {root(c.args[0]) for c in source.stores() if any(start < c.line for start in starts)}


def _pad_value(source: Source, _: Random) -> Iterator[Site]:
    """C6: the padding is 0 where the reduction needs another value."""
    for made in source.calls("DataCopyPadExtParams"):
        if len(made.args) == 5 and code(made.args[1]) == "True" and not _is_zero(made.args[4]):
            yield Site(made.line, {made.args[4]: instead("0.0")})


def _is_zero(node: cst.BaseExpression) -> bool:
    return is_number(node, 0) or code(node) == "0.0"


def _whole_slot(source: Source, _: Random) -> Iterator[Site]:
    """C6: the reduction takes the slot instead of the row."""
    for call in source.calls("reduce_sum", "reduce_max", "reduce_min"):
        count = call.count
        for name, value in source.assignments:
            text = code(value)
            rounds = f"({code(count)} + 7) // 8 * 8" if count is not None else ""
            if rounds and text == rounds and count is not None:
                yield Site(call.line, {count: instead(name)})


def _padding(source: Source, random: Random) -> Iterator[Site]:
    yield from _pad_value(source, random)
    yield from _whole_slot(source, random)


def _counter_mode_left_on(source: Source, _: Random) -> Iterator[Site]:
    """C7: nothing goes back to normal mode."""
    for call in source.calls("set_mask_norm"):
        yield from _without(source, call)


def _atomic_left_on(source: Source, _: Random) -> Iterator[Site]:
    """C8: nothing ends the atomic mode."""
    for call in source.calls("set_atomic_none"):
        yield from _without(source, call)


C1 = FaultClass("C1", "silent", _not_cleared, wave=1, difficulty=2)
C2 = FaultClass("C2", "abort", _unbound, difficulty=1)
C3 = FaultClass("C3", "abort", _no_memory, difficulty=1)
C4 = FaultClass("C4", "silent", _output_not_zeroed, wave=2, difficulty=2)
C6 = FaultClass("C6", "silent", _padding, wave=1, difficulty=3)
C7 = FaultClass("C7", "silent", _counter_mode_left_on, wave=2, difficulty=3)
C8 = FaultClass("C8", "silent", _atomic_left_on, difficulty=2)

CLASSES = (C1, C2, C3, C4, C6, C7, C8)
