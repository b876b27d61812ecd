"""F: the life of queues and buffers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.classes.sync import by_passed
from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import Queue, queues
from grader.faults.source import Change, Source, code, expression, instead

_VECIN, _VECOUT = "VECIN", "VECOUT"


def _never_freed(source: Source, _: Random) -> Iterator[Site]:
    """F1: a buffer never comes back."""
    for call in source.calls("free_tensor"):
        if call.loops and not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _freed_twice(source: Source, _: Random) -> Iterator[Site]:
    """F2: a buffer comes back twice."""
    for call in source.calls("free_tensor"):
        yield Site(call.line, {call.statement: _twice})


def _twice(statement: cst.SimpleStatementLine) -> cst.FlattenSentinel[cst.BaseStatement]:
    return cst.FlattenSentinel([statement, statement.with_changes(leading_lines=[])])


def _not_enqueued(source: Source, _: Random) -> Iterator[Site]:
    """F3: deque finds nothing in the queue."""
    for call in source.calls("enque"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _shared(source: Source, _: Random) -> Iterator[Site]:
    """F4: two inputs share a queue of one buffer."""
    inputs = [queue for queue in queues(source) if queue.position == _VECIN]
    for kept, gone in pairwise(inputs):
        if kept.declared.function is not gone.declared.function:
            continue
        if _parameters(source, kept.name) or _parameters(source, gone.name):
            continue
        changes = source.removal([gone.declared.statement, gone.initialised.statement])
        changes |= {
            name: instead(kept.name)
            for name in source.names
            if name.value == gone.name and source.statement(name) is not gone.initialised.statement
        }
        changes[kept.initialised.args[1]] = instead("1")
        yield Site(gone.calls("alloc_tensor")[0].line, changes)


def _parameters(source: Source, name: str) -> bool:
    """Whether a function takes the queue as a parameter of this name."""
    return bool(source.find(m.Param(name=m.Name(name))))


def _freed_early(source: Source, _: Random) -> Iterator[Site]:
    """F5: a buffer comes back before its last use."""
    for call in source.calls("free_tensor"):
        name = code(call.args[0]) if call.args else ""
        siblings = source.siblings(call.statement)
        users = [
            vector.statement
            for vector in source.vectors()
            if vector.statement in siblings
            and vector.line < call.line
            and any(m.findall(arg, m.Name(name)) for arg in vector.args)
        ]
        if users:
            changes = source.removal([call.statement])
            changes[users[-1]] = _before(call.statement)
            yield Site(call.line, changes)


def _before(moved: cst.SimpleStatementLine) -> Change:
    """The change that puts ``moved`` in front of a statement."""

    def change(statement: cst.SimpleStatementLine) -> cst.FlattenSentinel[cst.BaseStatement]:
        first = moved.with_changes(leading_lines=statement.leading_lines)
        return cst.FlattenSentinel([first, statement.with_changes(leading_lines=[])])

    return change


def _not_through_the_queue(source: Source, _: Random) -> Iterator[Site]:
    """F6: the result does not go through its queue."""
    yield from by_passed(source, _VECOUT)


def _freed_to_another(source: Source, _: Random) -> Iterator[Site]:
    """F7: a buffer is given back to another queue."""
    inputs = [queue for queue in queues(source) if queue.position == _VECIN]
    for own, other in pairwise(inputs):
        for call in own.calls("free_tensor"):
            if call.function is other.declared.function:
                owner = cst.ensure_type(call.node.func, cst.Attribute).value
                yield Site(call.line, {owner: instead(other.name)})


def _plain_buffer(source: Source, _: Random) -> Iterator[Site]:
    """F8: a TBuf where a queue is needed."""
    for queue in queues(source):
        single = len(queue.calls("alloc_tensor")) == len(queue.calls("deque")) == 1
        if queue.position != _VECIN or not single:
            continue
        found = _as_buffer(source, queue)
        if found is not None:
            yield found


def _as_buffer(source: Source, queue: Queue) -> Site | None:
    alloc, deque = queue.calls("alloc_tensor")[0], queue.calls("deque")[0]
    if alloc.function is not queue.declared.function or alloc.target != deque.target:
        return None
    gone = [*queue.calls("enque"), deque, *queue.calls("free_tensor")]
    statements = [call.statement for call in gone]
    if source.empties(statements):
        return None
    changes = source.removal(statements)
    position = code(queue.declared.args[0])
    changes[queue.declared.node] = instead(f"asc.TBuf({position})")
    init = queue.initialised
    changes[init.node] = instead(f"{init.owner}.init_buffer({queue.name}, {code(init.args[2])})")
    changes[alloc.node] = instead(expression(code(alloc.node).replace("alloc_tensor", "get", 1)))
    return Site(queue.declared.line, changes)


def _too_many(source: Source, _: Random) -> Iterator[Site]:
    """F9: more buffers than the position has."""
    for queue in queues(source):
        yield Site(queue.initialised.line, {queue.initialised.args[1]: instead("9")})


def _second_pipe(source: Source, _: Random) -> Iterator[Site]:
    """F10: two TPipes in one kernel."""
    for queue in queues(source):
        if queue.position == _VECOUT:
            init = queue.initialised
            owner = cst.ensure_type(init.node.func, cst.Attribute).value
            pipe = cst.ensure_type(
                cst.parse_statement("out_pipe = asc.TPipe()\n"), cst.SimpleStatementLine
            )
            changes: dict[cst.CSTNode, Change] = {
                owner: instead("out_pipe"),
                init.statement: _before(pipe),
            }
            yield Site(init.line, changes)


F1 = FaultClass("F1", "hang", _never_freed, wave=1, difficulty=1)
F2 = FaultClass("F2", "abort", _freed_twice, wave=2, difficulty=1)
F3 = FaultClass("F3", "hang", _not_enqueued, difficulty=1)
F4 = FaultClass("F4", "hang", _shared, wave=1, difficulty=1)
F5 = FaultClass("F5", "silent", _freed_early, wave=2, difficulty=2)
F6 = FaultClass("F6", "silent", _not_through_the_queue, difficulty=2, also=("D2",), sentence=True)
F7 = FaultClass("F7", "hang", _freed_to_another, difficulty=2)
F8 = FaultClass("F8", "silent", _plain_buffer, difficulty=2, also=("D1", "D2", "D3"), sentence=True)
F9 = FaultClass("F9", "abort", _too_many, difficulty=1)
F10 = FaultClass("F10", "silent", _second_pipe, difficulty=2)

CLASSES = (F1, F2, F3, F4, F5, F6, F7, F8, F9, F10)
