"""H: types and precision."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.source import Call, Change, Source, code, instead, root


def narrowed(source: Source) -> Iterator[tuple[Site, bool]]:
    """Everything in float is kept in the type of the input instead; and whether a sum is among it.

    The first cast goes, and what it made is what it was made of. The last cast goes, and the instruction
    before it writes what the cast wrote; or, behind a loop that adds up, the cast becomes a plain copy.
    """
    for widen in source.calls("cast"):
        if len(widen.args) != 4 or not _is_float(source, widen.args[0]):
            continue
        narrow = _last_cast(source, widen)
        if narrow is not None and narrow.function is not widen.function:
            continue  # the two are in helpers: their tensors go by other names
        last = _writer_before(source, narrow) if narrow is not None else None
        if narrow is None or last is None:
            continue
        changes = _in_narrow_type(source, widen, narrow, last)
        yield Site(widen.line, changes), _accumulates(source, widen)


def _is_float(source: Source, tensor: cst.BaseExpression) -> bool:
    return code(_type(source, tensor)) == "asc.float32"


def _type(source: Source, tensor: cst.BaseExpression) -> cst.CSTNode:
    """The first argument of what made a tensor: its type; the tensor itself when nothing is known."""
    for call in source.calls("get", "LocalTensor"):
        if call.target == root(tensor) and call.args:
            return call.args[0]
    return tensor


def _last_cast(source: Source, widen: Call) -> Call | None:
    """The next cast of a float tensor back to what is stored."""
    casts = [c for c in source.calls("cast") if c.line > widen.line and len(c.args) == 4]
    back = (c for c in casts if _is_float(source, c.args[1]) and not _is_float(source, c.args[0]))
    return next(back, None)


def _writer_before(source: Source, narrow: Call) -> Call | None:
    """The instruction whose result is cast."""
    made = root(narrow.args[1])
    writers = [
        call
        for call in source.vectors()
        if call.line < narrow.line and root(call.args[0]) == made and call.name != "duplicate"
    ]
    return writers[-1] if writers else None


def _accumulates(source: Source, widen: Call) -> bool:
    """Whether what is widened is added up."""
    wide = root(widen.args[0])
    adds = source.calls("add")
    return any(
        root(a.args[0]) == root(a.args[1]) and root(a.args[2]) == wide
        for a in adds
        if len(a.args) > 2
    )


def _in_narrow_type(
    source: Source, widen: Call, narrow: Call, last: Call
) -> dict[cst.CSTNode, Change]:
    wide, given = root(widen.args[0]), code(widen.args[1])
    own_type = _element_type(source, widen.args[1])
    gone = [widen.statement, narrow.statement, *_declarations(source, wide)]
    ends_in_it = _ends_in(source, narrow, last)
    if not ends_in_it:
        gone.remove(narrow.statement)
    changes = source.removal(gone)
    for name in source.names:
        statement = source.statement(name)
        if name.value == wide and statement not in gone:
            changes[name] = instead(given)
    if ends_in_it:
        for inside in m.findall(last.args[0], m.Name()):
            changes.pop(inside, None)
        changes[last.args[0]] = instead(code(narrow.args[0]))
    else:
        dst, src, _, count = (code(arg) for arg in narrow.args)
        changes[narrow.node] = instead(f"asc.adds({dst}, {src}, 0.0, {count})")
    for node in source.find(m.Attribute(value=m.Name("asc"), attr=m.Name("float32"))):
        if source.statement(node) not in gone:
            changes[node] = instead(own_type)
    return changes


def _ends_in(source: Source, narrow: Call, last: Call) -> bool:
    """Whether ``last`` may write what the cast writes: it stands before it and adds nothing up."""
    adds_up = len(last.args) > 1 and root(last.args[0]) == root(last.args[1]) and last.name == "add"
    return last.statement in source.siblings(narrow.statement) and not adds_up


def _element_type(source: Source, tensor: cst.BaseExpression) -> str:
    """``x.dtype`` of a tensor that came from a queue."""
    for call in source.calls("alloc_tensor", "deque", "get", "LocalTensor"):
        if call.target == root(tensor) and call.args:
            return code(call.args[0])
    return "asc.float16"


def _declarations(source: Source, tensor: str) -> list[cst.SimpleStatementLine]:
    """The statements that make a tensor and the buffer it lies in."""
    made = [call for call in source.calls("get", "LocalTensor") if call.target == tensor]
    owners = {call.owner for call in made} - {"asc"}
    inits = [c for c in source.calls("init_buffer") if c.args and code(c.args[0]) in owners]
    buffers = [c for c in source.calls("TBuf") if c.target in owners]
    return [call.statement for call in (*buffers, *inits, *made)]


def _all_in_half(source: Source, _: Random) -> Iterator[Site]:
    """H1: the steps in between are computed in half, among them an exp."""
    for site, accumulates in narrowed(source):
        if not accumulates and source.calls("exp"):
            yield site


def _sum_in_half(source: Source, _: Random) -> Iterator[Site]:
    """H3: the sum is kept in half."""
    for site, accumulates in narrowed(source):
        if accumulates:
            yield site


def _other_rounding(source: Source, random: Random) -> Iterator[Site]:
    """H4: another way of rounding."""
    for call in source.calls("cast"):
        if len(call.args) == 4 and code(call.args[2]).endswith("CAST_RINT"):
            other = random.choice(("CAST_TRUNC", "CAST_FLOOR", "CAST_ROUND"))
            new = code(call.args[2]).replace("CAST_RINT", other)
            yield Site(call.line, {call.args[2]: instead(new)})


def _in_place(source: Source, _: Random) -> Iterator[Site]:
    """H6: a Cast to a wider type, to where its source lies."""
    tensors = {call.target: call for call in source.calls("LocalTensor") if len(call.args) == 4}
    for call in source.calls("cast"):
        if len(call.args) != 4 or not code(call.args[2]).endswith("CAST_NONE"):
            continue
        to, of = tensors.get(root(call.args[0])), tensors.get(root(call.args[1]))
        if to is not None and of is not None:
            yield Site(to.line, {to.args[2]: instead(code(of.args[2]))})


H1 = FaultClass("H1", "silent", _all_in_half, wave=2, difficulty=2)
H3 = FaultClass("H3", "silent", _sum_in_half, wave=1, difficulty=2)
H4 = FaultClass("H4", "silent", _other_rounding, wave=3, difficulty=2)
H6 = FaultClass("H6", "silent", _in_place, wave=3, difficulty=2)

CLASSES = (H1, H3, H4, H6)
