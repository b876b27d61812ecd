"""H: types and precision."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import members
from grader.faults.cpp.source import CppSource, Edits
from grader.faults.cpp.syntax import Call, Declared
from grader.faults.fault import Site

_SCALARS = {"Adds": 2, "Muls": 2, "Maxs": 2, "Mins": 2, "Duplicate": 1}


def narrowed(source: CppSource) -> Iterator[tuple[Site, bool]]:
    """Everything in float is kept in the type of the input instead; and whether a sum is among it.

    The first Cast goes, and what it made is what it was made of. The last Cast goes, and the instruction
    before it writes what the Cast wrote; or, behind a loop that adds up, the Cast becomes a plain copy.
    """
    for widen in source.calls("Cast"):
        if len(widen.args) != 4 or source.element_type(widen.args[0]) != "float":
            continue
        narrow = _last_cast(source, widen)
        if narrow is None or narrow.function != widen.function:
            continue
        last = _writer_before(source, narrow)
        if last is not None:
            changes = _in_narrow_type(source, widen, narrow, last)
            yield Site(widen.line, changes), _accumulates(source, widen)


def _last_cast(source: CppSource, widen: Call) -> Call | None:
    """The next Cast of a float tensor back to what is stored."""
    for call in source.calls("Cast"):
        if call.line > widen.line and len(call.args) == 4:
            kinds = [source.element_type(arg) for arg in call.args[:2]]
            if kinds[1] == "float" and kinds[0] != "float":
                return call
    return None


def _writer_before(source: CppSource, narrow: Call) -> Call | None:
    """The instruction whose result is cast."""
    made = source.root(narrow.args[1])
    writers = [
        call
        for call in source.vectors()
        if call.line < narrow.line
        and source.root(call.args[0]) == made
        and call.name != "Duplicate"
    ]
    return writers[-1] if writers else None


def _accumulates(source: CppSource, widen: Call) -> bool:
    """Whether what is widened is added up."""
    wide = source.root(widen.args[0])
    for call in source.calls("Add"):
        if len(call.args) > 2:
            dst, one, other = (source.root(arg) for arg in call.args[:3])
            if dst == one and other == wide:
                return True
    return False


def _in_narrow_type(source: CppSource, widen: Call, narrow: Call, last: Call) -> Edits:
    wide, given = source.root(widen.args[0]), source.code(widen.args[1])
    own = source.element_type(widen.args[1])
    changes: Edits = {}
    for node in source.names(wide, widen.function):
        changes |= source.put(node, given)
    changes |= _types(source, widen.function, own)
    changes |= _literals(source, widen.function, own)
    gone = [widen.statement, *_declarations(source, wide)]
    if _ends_in(source, narrow, last):
        gone.append(narrow.statement)
        changes |= source.put(last.args[0], source.code(narrow.args[0]))
    else:
        name = source.code(narrow.node).partition("(")[0].replace("Cast", "Adds", 1)
        dst, src, _, count = (source.code(arg) for arg in narrow.args)
        changes |= source.put(narrow.node, f"{name}({dst}, {src}, {own}(0.0f), {count})")
    return changes | source.removal(gone)


def _types(source: CppSource, function: Node | None, own: str) -> Edits:
    """``half`` for ``float`` in tensors and their sizes."""
    changes: Edits = {}
    inside = source.all("primitive_type")
    found = [n for n in inside if source.function(n) == function and source.code(n) == "float"]
    for node in found:
        if any(
            n.type in ("template_argument_list", "sizeof_expression") for n in source.above(node)
        ):
            changes |= source.put(node, own)
    for node in source.all("sizeof_expression"):
        if source.function(node) == function and "float" in source.code(node):
            changes |= source.put(node, f"sizeof({own})")
    return changes


def _literals(source: CppSource, function: Node | None, own: str) -> Edits:
    """``half(1.0f)`` for ``1.0f`` where an instruction takes a scalar of the type of its tensors."""
    changes: Edits = {}
    for call in source.calls_in(function, *_SCALARS):
        at = _SCALARS[call.name]
        if at < len(call.args) and call.args[at].type == "number_literal":
            changes |= source.put(call.args[at], f"{own}({source.code(call.args[at])})")
    return changes


def _ends_in(source: CppSource, narrow: Call, last: Call) -> bool:
    """Whether ``last`` may write what the Cast writes: it stands before it and adds nothing up."""
    adds_up = len(last.args) > 1 and source.root(last.args[0]) == source.root(last.args[1])
    siblings = source.siblings(narrow.statement)
    return last.statement in siblings and not (adds_up and last.name == "Add")


def _declarations(source: CppSource, tensor: str) -> list[Node]:
    """The statements that make a tensor and the buffer it lies in."""
    made: list[Declared] = [d for d in source.declarations("LocalTensor") if d.name == tensor]
    owners = {call.owner for call in source.calls("Get") if call.target == tensor} - {""}
    inits = [c for c in source.calls("InitBuffer") if source.code(c.args[0]) in owners]
    buffers = [d for d in source.declarations("TBuf") if d.name in owners and d.is_alone]
    return [*(d.node for d in (*buffers, *made) if d.is_alone), *(c.statement for c in inits)]


def _all_in_half(source: CppSource, _: Random) -> Iterator[Site]:
    """H1: the steps in between are computed in half, among them an Exp."""
    for site, accumulates in narrowed(source):
        if not accumulates and source.calls("Exp"):
            yield site


def _sum_in_half(source: CppSource, _: Random) -> Iterator[Site]:
    """H3: the sum is kept in half."""
    for site, accumulates in narrowed(source):
        if accumulates:
            yield site


def _other_rounding(source: CppSource, random: Random) -> Iterator[Site]:
    """H4: another way of rounding."""
    for call in source.calls("Cast"):
        if len(call.args) == 4 and source.code(call.args[2]).endswith("CAST_RINT"):
            other = random.choice(("CAST_TRUNC", "CAST_FLOOR", "CAST_ROUND"))
            new = source.code(call.args[2]).replace("CAST_RINT", other)
            yield Site(call.line, source.put(call.args[2], new))


def _in_place(source: CppSource, _: Random) -> Iterator[Site]:
    """H6: a Cast to a wider type, to where its source lies."""
    for call in source.calls("Cast"):
        if len(call.args) != 4 or not source.code(call.args[2]).endswith("CAST_NONE"):
            continue
        to, of = (_address(source, arg) for arg in call.args[:2])
        if to is not None and of is not None:
            yield Site(source.line(to), source.put(to, source.code(of)))


def _address(source: CppSource, tensor: Node) -> Node | None:
    """Where a tensor lies that was made with a position, an address and a length."""
    name = source.root(tensor)
    for each in source.declarations("LocalTensor"):
        made = members(source, each.value) if each.name == name and each.value is not None else None
        if made is not None and len(made) == 3:
            return made[1]
    return None


SITES = {"H1": _all_in_half, "H3": _sum_in_half, "H4": _other_rounding, "H6": _in_place}
