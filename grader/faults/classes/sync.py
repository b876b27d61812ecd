"""D: synchronisation inside a core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

import libcst as cst

from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import Flags, Queue, at_most, flags, queues
from grader.faults.source import Call, Change, Source, code, instead

_REVERSE = frozenset(("V_MTE2", "MTE3_V", "MTE3_MTE2", "V_MTE3"))


def without_event(source: Source, events: Iterable[str]) -> Iterator[Site]:
    """Take away every set and wait of one flag."""
    wanted = set(events)
    for group in flags(source):
        statements = [call.statement for call in group.all]
        if group.event in wanted and group.sets and not source.empties(statements):
            first = group.waits[0] if group.waits else group.sets[0]
            yield Site(first.line, source.removal(statements))


def by_passed(source: Source, position: str) -> Iterator[Site]:
    """Take enque and deque away: the tensor goes on without them. Once for all queues of a function."""
    found: dict[object, list[Site]] = {}
    for queue in queues(source):
        if queue.position == position:
            for site in _without_handover(source, queue):
                found.setdefault(queue.declared.function, []).append(site)
    for sites in found.values():
        if position == "VECIN":
            changes = {node: change for site in sites for node, change in site.changes.items()}
            yield Site(sites[0].line, changes)
        else:
            yield from sites


def _without_handover(source: Source, queue: Queue) -> Iterator[Site]:
    enque, deque = queue.calls("enque"), queue.calls("deque")
    alloc = queue.calls("alloc_tensor")
    for given, taken in zip(enque, deque, strict=False):
        same = given.function is taken.function and bool(given.args) and bool(taken.target)
        names = code(given.args[0]) if same else "", taken.target
        if not same or not any(a.target == names[0] for a in alloc):
            continue
        changes = source.removal([given.statement, taken.statement])
        if names[0] != names[1]:
            changes |= _renamed(source, taken, *names)
        yield Site(given.line, changes)


def _renamed(source: Source, taken: Call, new: str, old: str) -> dict[cst.CSTNode, Change]:
    """Uses of what was dequeued become uses of what was allocated."""
    return {
        name: instead(new)
        for name in source.names
        if name.value == old and source.line(name) > taken.line
    }


def _load_not_awaited(source: Source, _: Random) -> Iterator[Site]:
    """D1: the vector unit does not wait for the load."""
    yield from without_event(source, ("MTE2_V",))
    yield from by_passed(source, "VECIN")


def _result_not_awaited(source: Source, _: Random) -> Iterator[Site]:
    """D2: the store does not wait for the vector unit."""
    yield from without_event(source, ("V_MTE3",))
    yield from by_passed(source, "VECOUT")


def _refilled_early(source: Source, _: Random) -> Iterator[Site]:
    """D3: a buffer is filled again while it is still used."""
    looped = {
        (group.event, group.id) for group in flags(source) if any(call.loops for call in group.all)
    }
    for group in flags(source):
        statements = [call.statement for call in group.all]
        reverse = group.event in ("V_MTE2", "MTE3_V") and (group.event, group.id) in looped
        if reverse and group.sets and group.waits and not source.empties(statements):
            yield Site(group.waits[0].line, source.removal(statements))


def _scalar_too_early(source: Source, _: Random) -> Iterator[Site]:
    """D4: the scalar unit reads before the vector unit has written."""
    yield from without_event(source, ("V_S",))


def _scalar_write_not_awaited(source: Source, _: Random) -> Iterator[Site]:
    """D5: a scalar write is not waited for."""
    yield from without_event(source, ("S_V", "S_MTE3"))


def _read_back_early(source: Source, _: Random) -> Iterator[Site]:
    """D6: what was stored to GM is read back without waiting."""
    yield from without_event(source, ("MTE3_MTE2",))


def _pairs(source: Source) -> Iterator[Flags]:
    """Flags that are set once and waited for once, side by side."""
    for group in flags(source):
        if len(group.sets) == len(group.waits) == 1:
            siblings = source.siblings(group.sets[0].statement)
            if group.waits[0].statement in siblings:
                yield group


def _barrier_for_flag(source: Source, _: Random) -> Iterator[Site]:
    """D7: a barrier of the vector pipe where two pipes have to be ordered."""
    for pair in _pairs(source):
        if pair.event in ("V_MTE3", "V_MTE2", "V_S"):
            wait = pair.waits[0]
            changes = source.removal([pair.sets[0].statement])
            changes[wait.node] = instead("asc.pipe_barrier(asc.PipeID.PIPE_V)")
            yield Site(wait.line, changes)


def _reversed(source: Source, _: Random) -> Iterator[Site]:
    """D8: the flag goes from the wrong pipe to the wrong pipe."""
    used = {(group.event, group.id) for group in flags(source)}
    for pair in _pairs(source):
        src, dst = pair.event.split("_")
        other = f"{dst}_{src}"
        if (other, pair.id) in used or other not in _REVERSE | {"MTE2_V"}:
            continue
        changes = {
            call.args[0]: instead(code(call.args[0]).replace(pair.event, other))
            for call in pair.all
        }
        yield Site(pair.sets[0].line, changes)


def _never_set(source: Source, _: Random) -> Iterator[Site]:
    """D9: a wait for a flag that nobody raises."""
    for group in flags(source):
        for call in group.sets:
            if group.waits and not source.empties([call.statement]):
                yield Site(call.line, source.removal([call.statement]))


def _never_taken(source: Source, _: Random) -> Iterator[Site]:
    """D10: a flag that is still up when the kernel ends."""
    last = max((call.line for call in source.calls("data_copy", "data_copy_pad")), default=0)
    for group in flags(source):
        for call in group.waits:
            behind = call.line > last and call.function is not None
            if behind and group.sets and not source.empties([call.statement]):
                yield Site(call.line, source.removal([call.statement]))


def _one_id(source: Source, _: Random) -> Iterator[Site]:
    """D11: two flags in flight under one id."""
    for group in flags(source):
        primed = any(call.line < min(w.line for w in group.waits) for call in group.sets)
        if group.waits and primed and not group.id.isdigit() and len(group.sets) > 1:
            changes = {call.args[1]: instead("0") for call in group.all}
            yield Site(group.sets[0].line, changes)


def _only_sometimes(source: Source, _: Random) -> Iterator[Site]:
    """D12: a flag is raised under a condition and waited for without."""
    events = [group.event for group in flags(source)]
    for pair in _pairs(source):
        call = pair.sets[0]
        condition = _condition(source, call)
        if condition and events.count(pair.event) == 1:
            yield Site(call.line, {call.statement: under(condition)})


def _condition(source: Source, call: Call) -> str:
    """A condition on the tile that a programmer might think of."""
    if not call.loops:
        return ""
    for found in at_most(source):
        if call.loops[0] in source.loops(found.node) and source.line(found.node) < call.line:
            test = cst.ensure_type(found.node.test, cst.Comparison)
            return code(test)
    loop = call.loops[0]
    if isinstance(loop, cst.For) and isinstance(loop.target, cst.Name):
        return f"{loop.target.value} > 0"
    return ""


def under(condition: str) -> Change:
    """The change that puts a statement under ``if condition:``."""

    def change(statement: cst.SimpleStatementLine) -> cst.If:
        block = cst.parse_statement(f"if {condition}:\n    pass\n")
        inner = statement.with_changes(leading_lines=[])
        made = cst.ensure_type(block, cst.If)
        return made.with_changes(
            leading_lines=statement.leading_lines, body=cst.IndentedBlock([inner])
        )

    return change


D1 = FaultClass("D1", "silent", _load_not_awaited, wave=1, difficulty=2)
D2 = FaultClass("D2", "silent", _result_not_awaited, wave=1, difficulty=2)
D3 = FaultClass("D3", "silent", _refilled_early, wave=1, difficulty=3)
D4 = FaultClass("D4", "silent", _scalar_too_early, wave=2, difficulty=2)
D5 = FaultClass("D5", "silent", _scalar_write_not_awaited, difficulty=2)
D6 = FaultClass("D6", "silent", _read_back_early, wave=2, difficulty=3)
D7 = FaultClass("D7", "silent", _barrier_for_flag, difficulty=2, also=("D4",))
D8 = FaultClass("D8", "silent", _reversed, difficulty=2, also=("D1", "D2"))
D9 = FaultClass("D9", "hang", _never_set, wave=1, difficulty=1)
D10 = FaultClass("D10", "silent", _never_taken, wave=2, difficulty=2)
D11 = FaultClass("D11", "silent", _one_id, wave=1, difficulty=2)
D12 = FaultClass("D12", "hang", _only_sometimes, wave=3, difficulty=3)

CLASSES = (D1, D2, D3, D4, D5, D6, D7, D8, D9, D10, D11, D12)
