"""F: the life of queues and buffers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from grader.faults.cpp.patterns import Queue, queues
from grader.faults.cpp.source import CppSource, Edits
from grader.faults.cpp.sync import by_passed
from grader.faults.cpp.syntax import field
from grader.faults.fault import Site

_VECIN, _VECOUT = "VECIN", "VECOUT"


def _never_freed(source: CppSource, _: Random) -> Iterator[Site]:
    """F1: a buffer never comes back."""
    for call in source.calls("FreeTensor"):
        if _repeats(source, call) and not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _repeats(source: CppSource, call: object) -> bool:
    """Whether it is in a loop, or in a function that is not the kernel itself."""
    function = getattr(call, "function", None)
    return bool(getattr(call, "loops", ())) or function not in source.kernels()


def _freed_twice(source: CppSource, _: Random) -> Iterator[Site]:
    """F2: a buffer comes back twice."""
    for call in source.calls("FreeTensor"):
        again = source.after(call.statement, source.code(call.statement))
        yield Site(call.line, again)


def _not_enqueued(source: CppSource, _: Random) -> Iterator[Site]:
    """F3: DeQue finds nothing in the queue."""
    for call in source.calls("EnQue"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _shared(source: CppSource, _: Random) -> Iterator[Site]:
    """F4: two inputs share a queue of one buffer."""
    inputs = [queue for queue in queues(source) if queue.position == _VECIN]
    for kept, gone in pairwise(inputs):
        first = gone.calls("AllocTensor")
        if kept.declared.function != gone.declared.function or not first:
            continue
        if not gone.declared.is_alone:
            continue
        changes: Edits = {}
        for name in source.names(gone.name):
            changes |= source.put(name, kept.name)
        changes |= source.removal([gone.declared.node, gone.initialised.statement])
        changes |= source.put(kept.initialised.args[1], "1")
        yield Site(first[0].line, changes)


def _freed_early(source: CppSource, _: Random) -> Iterator[Site]:
    """F5: a buffer comes back before its last use."""
    for call in source.calls("FreeTensor"):
        name = source.root(call.args[0]) if call.args else ""
        siblings = source.siblings(call.statement)
        users = [
            user.statement
            for user in sorted((*source.vectors(), *source.own_calls()), key=lambda c: c.line)
            if user.statement in siblings
            and user.line < call.line
            and any(source.root(arg) == name for arg in user.args)
        ]
        if users and name:
            changes = source.removal([call.statement])
            changes |= source.before(users[-1], source.code(call.statement))
            yield Site(call.line, changes)


def _not_through_the_queue(source: CppSource, _: Random) -> Iterator[Site]:
    """F6: the result does not go through its queue."""
    yield from by_passed(source, _VECOUT)


def _freed_to_another(source: CppSource, _: Random) -> Iterator[Site]:
    """F7: a buffer is given back to another queue."""
    inputs = [queue for queue in queues(source) if queue.position == _VECIN]
    for own, other in pairwise(inputs):
        for call in own.calls("FreeTensor"):
            if other.declared.function in (None, call.function):
                owner = field(field(call.node, "function"), "argument")
                yield Site(call.line, source.put(owner, other.name))


def _plain_buffer(source: CppSource, _: Random) -> Iterator[Site]:
    """F8: a TBuf where a queue is needed."""
    for queue in queues(source):
        single = len(queue.calls("AllocTensor")) == len(queue.calls("DeQue")) == 1
        if queue.position == _VECIN and single and queue.declared.is_alone:
            found = _as_buffer(source, queue)
            if found is not None:
                yield found


def _as_buffer(source: CppSource, queue: Queue) -> Site | None:
    alloc, deque = queue.calls("AllocTensor")[0], queue.calls("DeQue")[0]
    if alloc.function == deque.function:
        if alloc.target != deque.target:
            return None
        gone = [*queue.calls("EnQue"), deque, *queue.calls("FreeTensor")]
    else:
        gone = [*queue.calls("EnQue"), *queue.calls("FreeTensor")]
    statements = [call.statement for call in gone]
    if source.empties(statements):
        return None
    changes = source.removal(statements)
    kind = field(queue.declared.node, "type")
    prefix = "AscendC::" if source.code(kind).startswith("AscendC::") else ""
    position = source.code(queue.declared.types[0])
    changes |= source.put(kind, f"{prefix}TBuf<{position}>")
    init = queue.initialised
    length = source.code(init.args[2])
    function = source.code(field(init.node, "function"))
    changes |= source.put(init.node, f"{function}({queue.name}, {length})")
    for call in (alloc, deque):
        if call.statement not in statements:
            method = field(field(call.node, "function"), "field")
            name = method.child_by_field_name("name") or method
            changes |= source.put(name, "Get")
    return Site(queue.declared.node.start_point[0] + 1, changes)


def _too_many(source: CppSource, _: Random) -> Iterator[Site]:
    """F9: more buffers than the position has."""
    for queue in queues(source):
        yield Site(queue.initialised.line, source.put(queue.initialised.args[1], "9"))


def _second_pipe(source: CppSource, _: Random) -> Iterator[Site]:
    """F10: two TPipes in one kernel."""
    for queue in queues(source):
        init = queue.initialised
        if queue.position != _VECOUT or queue.declared.function != init.function:
            continue  # of a member, the second pipe would be gone before the queue is used
        function = field(init.node, "function")
        if function.type == "field_expression":
            prefix = "AscendC::" if "AscendC::TPipe" in source.text else ""
            changes = source.put(field(function, "argument"), "outPipe")
            changes |= source.before(init.statement, f"{prefix}TPipe outPipe;")
            yield Site(init.line, changes)


SITES = {
    "F1": _never_freed,
    "F2": _freed_twice,
    "F3": _not_enqueued,
    "F4": _shared,
    "F5": _freed_early,
    "F6": _not_through_the_queue,
    "F7": _freed_to_another,
    "F8": _plain_buffer,
    "F9": _too_many,
    "F10": _second_pipe,
}
