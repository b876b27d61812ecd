"""B: bounds and capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import at_most, bytes_of, factor, is_number, number, shifted
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import bare, binary, field
from grader.faults.fault import Site

#: More than the UB of every chip, so that it is too much on each of them.
_TOO_MUCH = 256 * 1024
_SIZES = {"half": 2, "bfloat16_t": 2, "int16_t": 2, "uint16_t": 2, "int8_t": 1, "uint8_t": 1}
_MOVES = ("DataCopy", "DataCopyPad", "DataCopyExtParams", "DataCopyParams")
_REDUCE = ("ReduceSum", "ReduceMax", "ReduceMin")


def _large_tiles(source: CppSource, _: Random) -> Iterator[Site]:
    """B1: the tile is made so long that the buffers do not fit."""
    values = _numbers(source)
    for name, value in values.items():
        if not any(_rests_on(source, length, name) for length in _lengths(source)):
            continue
        for power in range(1, 12):
            if _planned(source, {**values, name: value << power}) > _TOO_MUCH:
                node = source.constants[name]
                yield Site(source.line(node), source.put(node, str(value << power)))
                break


def _numbers(source: CppSource) -> dict[str, int]:
    """Constants of the file that are whole numbers."""
    found = {name: number(source, node) for name, node in source.constants.items()}
    return {name: value for name, value in found.items() if value is not None}


def _lengths(source: CppSource) -> list[Node]:
    """What says how long a buffer of a pipe is."""
    return [call.args[-1] for call in source.calls("InitBuffer") if len(call.args) > 1]


def _rests_on(source: CppSource, node: Node, name: str) -> bool:
    for each in (*source.within(node, "identifier"), *source.within(node, "type_identifier")):
        used = source.code(each)
        behind = source.constants.get(used)
        if used == name or (behind is not None and _rests_on(source, behind, name)):
            return True
    return False


def _planned(source: CppSource, values: Mapping[str, int]) -> int:
    """Bytes of all buffers; what is not known counts nothing."""
    total = 0
    for call in source.calls("InitBuffer"):
        many = _number(source, call.args[1], values) if len(call.args) == 3 else 1
        total += (many or 0) * (_number(source, call.args[-1], values) or 0)
    return total


def _number(source: CppSource, node: Node, values: Mapping[str, int]) -> int | None:
    """Its value, with the constants of ``values``; None when it depends on anything else."""
    node = bare(node)
    if node.type == "sizeof_expression":
        return _SIZES.get(source.code(node).removeprefix("sizeof").strip("() "), 4)
    text = source.code(node)
    if text in values:
        return values[text]
    for signs in ("*", "+", "/", "-"):
        pair = binary(node, signs)
        if pair is not None:
            left, right = (_number(source, each, values) for each in pair)
            return None if left is None or right is None else _combined(signs, left, right)
    made = source.value(node)
    return number(source, node) if made == node else _number(source, made, values)


def _combined(sign: str, left: int, right: int) -> int:
    if sign == "*":
        return left * right
    if sign == "/":
        return left // right if right else 0
    return left + right if sign == "+" else left - right


def _elements_for_bytes(source: CppSource, _: Random) -> Iterator[Site]:
    """B2: the length of a buffer in elements."""
    for call in source.calls("InitBuffer"):
        length = call.args[-1]
        bytes_ = bytes_of(source, length) if len(call.args) > 1 else None
        if bytes_ is not None:
            yield Site(call.line, source.put(length, source.code(bytes_[0])))


def _no_tail(source: CppSource, _: Random) -> Iterator[Site]:
    """B3: the last tile is as long as the others."""
    for found in at_most(source):
        if source.loops(found.node) and _is_moved(source, found.node):
            yield Site(source.line(found.node), source.put(found.node, source.code(found.whole)))
    for node in source.all("conditional_expression"):
        last = binary(field(node, "condition"), "==")
        step = binary(last[1], "-") if last is not None else None
        if step is None or not is_number(source, step[1], 1) or not source.loops(node):
            continue
        if last is not None and not source.is_block_index(last[0]):
            usual = source.code(field(node, "alternative"))
            yield Site(source.line(node), source.put(node, usual))


def _is_moved(source: CppSource, length: Node) -> bool:
    """Whether what is clamped is the length of a copy that follows, whatever the shape."""
    statement = source.statement(length)
    names = [name for name, value, _ in source.assigned if bare(value) == length]
    if statement is None or not names:
        return True
    uses = [n for n in source.names(names[0], source.function(length)) if n != length]
    return any(
        use.start_byte > length.end_byte and _goes_into_a_copy(source, use, statement.parent)
        for use in uses
    )


def _goes_into_a_copy(source: CppSource, use: Node, block: Node | None) -> bool:
    """Whether nothing between ``block`` and the use is a branch, and the use is part of a copy."""
    helps = False
    for around in source.above(use):
        if around == block:
            return helps
        if around.type == "if_statement":
            return False
        if around.type == "call_expression":
            name = source.code(field(around, "function")).rpartition("::")[2]
            helps = helps or name.partition("<")[0] in _MOVES or _is_own(source, name)
        if around.type in ("declaration", "init_declarator"):
            helps = helps or any(move in source.code(around) for move in _MOVES[2:])
    return False


def _is_own(source: CppSource, name: str) -> bool:
    """Whether a function of the file that moves data has this name."""
    movers = {call.function for call in source.calls(*_MOVES)}
    for node in source.all("function_declarator"):
        if source.code(field(node, "declarator")).rpartition("::")[2] == name:
            return source.function(node) in movers
    return False


def _further_on(source: CppSource, random: Random) -> Iterator[Site]:
    """B4: the store goes a few blocks too far."""
    for call in source.stores():
        new = shifted(source, call.args[0], random.choice((16, 32, 64, 128)))
        if new is not None:
            yield Site(call.line, source.put(call.args[0], new))


def _small_temporary(source: CppSource, _: Random) -> Iterator[Site]:
    """B6: the temporary buffer of a reduction has the size of one block."""
    reductions = [call for call in source.calls(*_REDUCE) if len(call.args) > 3]
    for name in sorted({source.root(call.args[2]) for call in reductions}):
        owners = [call.owner for call in source.calls("Get") if call.target == name]
        for call in source.calls("InitBuffer"):
            if len(call.args) == 2 and source.code(call.args[0]) in owners:
                yield Site(call.line, source.put(call.args[1], "32"))
        for call in source.calls("Alloc"):
            if call.target == name and call.args:
                yield Site(call.line, source.put(call.args[-1], "8"))


def _one_repeat_more(source: CppSource, _: Random) -> Iterator[Site]:
    """B8: one repeat more than there is data."""
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked:
            continue
        mask = call.args[form.form]
        if is_number(source, mask, 0) or "PLACEHOLDER" in source.code(mask):
            continue
        repeats = call.args[form.form + 1]
        plus = "2" if is_number(source, repeats, 1) else f"{factor(source, repeats)} + 1"
        yield Site(call.line, source.put(repeats, plus))


SITES = {
    "B1": _large_tiles,
    "B2": _elements_for_bytes,
    "B3": _no_tail,
    "B4": _further_on,
    "B6": _small_temporary,
    "B8": _one_repeat_more,
}
