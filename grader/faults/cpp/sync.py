"""D: synchronisation inside a core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import Flags, Queue, at_most, flags, queues
from grader.faults.cpp.source import CppSource, Edits
from grader.faults.cpp.syntax import Call, field
from grader.faults.fault import Site

_REVERSE = frozenset(("V_MTE2", "MTE3_V", "MTE3_MTE2", "V_MTE3"))


def without_event(source: CppSource, events: Iterable[str]) -> Iterator[Site]:
    """Take away every set and wait of one flag."""
    wanted = set(events)
    for group in flags(source):
        statements = [call.statement for call in group.all]
        if group.event in wanted and group.sets and not source.empties(statements):
            first = group.waits[0] if group.waits else group.sets[0]
            yield Site(first.line, source.removal(statements))


def by_passed(source: CppSource, position: str) -> Iterator[Site]:
    """Take EnQue and DeQue away: the tensor goes on without them. Once for all input queues of a function.

    Where a function fills the tensor and another uses it, there is no natural place: it went by the queue alone.
    """
    found: dict[object, list[Site]] = {}
    for queue in queues(source):
        if queue.position == position:
            for site, function in _without_handover(source, queue):
                found.setdefault(function, []).append(site)
    for sites in found.values():
        if position == "VECIN":
            changes = {span: text for site in sites for span, text in site.changes.items()}
            yield Site(sites[0].line, changes)
        else:
            yield from sites


def _without_handover(source: CppSource, queue: Queue) -> Iterator[tuple[Site, Node | None]]:
    taken_by = iter(queue.calls("DeQue"))
    alloc = queue.calls("AllocTensor")
    for given, taken in zip(queue.calls("EnQue"), taken_by, strict=False):
        same = given.function == taken.function and bool(given.args) and bool(taken.target)
        names = source.code(given.args[0]) if same else "", taken.target
        if not same or not any(a.target == names[0] for a in alloc):
            continue
        changes = source.removal([given.statement, taken.statement])
        if names[0] != names[1]:
            changes |= _renamed(source, taken, *names)
        yield Site(given.line, changes), given.function


def _renamed(source: CppSource, taken: Call, new: str, old: str) -> Edits:
    """Uses of what was dequeued become uses of what was allocated."""
    changes: Edits = {}
    for node in source.names(old, taken.function):
        if node.start_byte > taken.node.end_byte:
            changes |= source.put(node, new)
    return changes


def _load_not_awaited(source: CppSource, _: Random) -> Iterator[Site]:
    """D1: the vector unit does not wait for the load."""
    yield from without_event(source, ("MTE2_V",))
    yield from by_passed(source, "VECIN")


def _result_not_awaited(source: CppSource, _: Random) -> Iterator[Site]:
    """D2: the store does not wait for the vector unit."""
    yield from without_event(source, ("V_MTE3",))
    yield from by_passed(source, "VECOUT")


def _refilled_early(source: CppSource, _: Random) -> Iterator[Site]:
    """D3: a buffer is filled again while it is still used."""
    for group in flags(source):
        statements = [call.statement for call in group.all]
        looped = any(call.loops for call in group.all)
        reverse = group.event in ("V_MTE2", "MTE3_V") and looped
        if not reverse or not group.sets or not group.waits:
            continue
        if not source.empties(statements):
            yield Site(group.waits[0].line, source.removal(statements))


def _scalar_too_early(source: CppSource, _: Random) -> Iterator[Site]:
    """D4: the scalar unit reads before the vector unit has written."""
    yield from without_event(source, ("V_S",))


def _scalar_write_not_awaited(source: CppSource, _: Random) -> Iterator[Site]:
    """D5: a scalar write is not waited for."""
    yield from without_event(source, ("S_V", "S_MTE3"))


def _read_back_early(source: CppSource, _: Random) -> Iterator[Site]:
    """D6: what was stored to GM is read back without waiting."""
    yield from without_event(source, ("MTE3_MTE2",))


def _pairs(source: CppSource) -> Iterator[Flags]:
    """Flags that are set once and waited for once, side by side."""
    for group in flags(source):
        if len(group.sets) == len(group.waits) == 1:
            siblings = source.siblings(group.sets[0].statement)
            if group.waits[0].statement in siblings:
                yield group


def _barrier_for_flag(source: CppSource, _: Random) -> Iterator[Site]:
    """D7: a barrier of the vector pipe where two pipes have to be ordered."""
    for pair in _pairs(source):
        if pair.event in ("V_MTE3", "V_MTE2", "V_S"):
            wait = pair.waits[0]
            changes = source.removal([pair.sets[0].statement])
            prefix = "AscendC::" if source.code(wait.node).startswith("AscendC::") else ""
            changes |= source.put(wait.node, f"{prefix}PipeBarrier<PIPE_V>()")
            yield Site(wait.line, changes)


def _reversed(source: CppSource, _: Random) -> Iterator[Site]:
    """D8: the flag goes from the wrong pipe to the wrong pipe."""
    used = {(group.event, group.id) for group in flags(source)}
    for pair in _pairs(source):
        src, dst = pair.event.split("_")
        other = f"{dst}_{src}"
        if (other, pair.id) in used or other not in _REVERSE | {"MTE2_V"}:
            continue
        changes: Edits = {}
        for call in pair.all:
            text = source.code(call.types[0]).replace(pair.event, other)
            changes |= source.put(call.types[0], text)
        yield Site(pair.sets[0].line, changes)


def _never_set(source: CppSource, _: Random) -> Iterator[Site]:
    """D9: a wait for a flag that nobody raises."""
    for group in flags(source):
        for call in group.sets:
            if group.waits and not source.empties([call.statement]):
                yield Site(call.line, source.removal([call.statement]))


def _never_taken(source: CppSource, _: Random) -> Iterator[Site]:
    """D10: a flag that is still up when the kernel ends."""
    last = max((call.line for call in source.calls("DataCopy", "DataCopyPad")), default=0)
    for group in flags(source):
        for call in group.waits:
            behind = call.line > last and call.function is not None
            if behind and group.sets and not source.empties([call.statement]):
                yield Site(call.line, source.removal([call.statement]))


def _one_id(source: CppSource, _: Random) -> Iterator[Site]:
    """D11: two flags in flight under one id."""
    for group in flags(source):
        primed = group.waits and any(
            call.line < min(w.line for w in group.waits) for call in group.sets
        )
        if primed and not group.id.isdigit() and len(group.sets) > 1:
            changes: Edits = {}
            for call in group.all:
                changes |= source.put(call.args[0], "0")
            yield Site(group.sets[0].line, changes)


def _only_sometimes(source: CppSource, _: Random) -> Iterator[Site]:
    """D12: a flag is raised under a condition and waited for without."""
    events = [group.event for group in flags(source)]
    for pair in _pairs(source):
        call = pair.sets[0]
        condition = _condition(source, call)
        if condition and events.count(pair.event) == 1:
            yield Site(call.line, source.under(call.statement, condition))


def _condition(source: CppSource, call: Call) -> str:
    """A condition on the tile that a programmer might think of."""
    if not call.loops:
        return ""
    for found in at_most(source):
        if call.loops[0] in source.loops(found.node) and source.line(found.node) < call.line:
            return source.code(found.test)
    start = call.loops[0].child_by_field_name("initializer")
    if start is not None and start.type == "declaration":
        declarator = field(start, "declarator")
        if declarator.type == "init_declarator":
            return f"{source.code(field(declarator, 'declarator'))} > 0"
    return ""


SITES = {
    "D1": _load_not_awaited,
    "D2": _result_not_awaited,
    "D3": _refilled_early,
    "D4": _scalar_too_early,
    "D5": _scalar_write_not_awaited,
    "D6": _read_back_early,
    "D7": _barrier_for_flag,
    "D8": _reversed,
    "D9": _never_set,
    "D10": _never_taken,
    "D11": _one_id,
    "D12": _only_sometimes,
}
