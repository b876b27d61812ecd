"""B: bounds and capacity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import at_most, is_number, sized
from grader.faults.source import Source, code, factor, instead, root, shifted

#: More than the UB of every chip, so that it is too much on each of them.
_TOO_MUCH = 256 * 1024
_SMALLEST_SIZE = 2


def _large_tiles(source: Source, _: Random) -> Iterator[Site]:
    """B1: the tile is made so long that the buffers do not fit."""
    values = _numbers(source)
    lengths = [call.args[-1] for call in source.calls("init_buffer") if len(call.args) > 1]
    for name in values:
        uses = [n for length in lengths for n in m.findall(length, m.Name(name))]
        behind = [
            other for other, value in source.constants.items() if m.findall(value, m.Name(name))
        ]
        if not uses and not any(m.findall(x, m.Name(b)) for x in lengths for b in behind):
            continue
        factor_ = _enough(source, values, name)
        value = source.constants[name]
        if factor_ and isinstance(value, cst.Integer):
            yield Site(source.line(value), {value: instead(str(values[name] * factor_))})


def _numbers(source: Source) -> dict[str, int]:
    """Module constants that are whole numbers."""
    return {
        name: value.evaluated_value
        for name, value in source.constants.items()
        if isinstance(value, cst.Integer)
    }


def _enough(source: Source, values: Mapping[str, int], name: str) -> int:
    """The smallest power of two that makes the buffers overflow the UB of every chip; 0: none."""
    for power in range(1, 12):
        total = _planned(source, {**values, name: values[name] << power})
        if total > _TOO_MUCH:
            return 1 << power
    return 0


def _planned(source: Source, values: Mapping[str, int]) -> int:
    """Bytes of all buffers, with elements of two bytes; what is not known counts nothing."""
    total = 0
    for call in source.calls("init_buffer"):
        number = _number(source, call.args[1], values) if len(call.args) == 3 else 1
        total += (number or 0) * (_number(source, call.args[-1], values) or 0)
    return total


def _number(source: Source, node: cst.BaseExpression, values: Mapping[str, int]) -> int | None:
    """Its value, with the constants of ``values``; None when it depends on anything else."""
    if source.is_size(node):
        return _SMALLEST_SIZE
    if isinstance(node, cst.Integer):
        return node.evaluated_value
    if isinstance(node, cst.Name):
        if node.value in values:
            return values[node.value]
        made = source.value(node)
        return None if made is node else _number(source, made, values)
    if isinstance(node, cst.BinaryOperation):
        pair = _number(source, node.left, values), _number(source, node.right, values)
        return _combined(node.operator, *pair)
    return None


def _combined(operator: cst.BaseBinaryOp, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    match operator:
        case cst.Multiply():
            return left * right
        case cst.Add():
            return left + right
        case cst.FloorDivide() if right:
            return left // right
    return None


def _elements_for_bytes(source: Source, _: Random) -> Iterator[Site]:
    """B2: the length of a buffer in elements."""
    for call in source.calls("init_buffer"):
        length = call.args[-1]
        bytes_ = sized(source, length) if len(call.args) > 1 else None
        if bytes_ is not None:
            yield Site(call.line, {length: instead(bytes_[0])})


def _no_tail(source: Source, _: Random) -> Iterator[Site]:
    """B3: the last tile is as long as the others."""
    for found in at_most(source):
        if source.loops(found.node) and _is_moved(source, found.node):
            yield Site(source.line(found.node), {found.node: instead(found.whole)})


def _is_moved(source: Source, length: cst.IfExp) -> bool:
    """Whether what is clamped is the length of a copy that follows, whatever the shape."""
    statement = source.statement(length)
    names = [name for name, value in source.assignments if value is length]
    if statement is None or not names:
        return True
    block = source.parent(statement)
    tensors = {call.owner for call in source.calls("set_global_buffer")}
    for call in source.find(m.Call()):
        used = any(m.findall(arg, m.Name(names[0])) for arg in call.args)
        moves = code(call.func).rpartition(".")[2] in _MOVES
        helps = isinstance(call.func, cst.Name) and any(root(a.value) in tensors for a in call.args)
        if used and (moves or helps) and _always_runs(source, call, block):
            return True
    return False


_MOVES = ("data_copy", "data_copy_pad", "DataCopyExtParams", "DataCopyParams")


def _always_runs(source: Source, node: cst.CSTNode, block: cst.CSTNode | None) -> bool:
    """Whether nothing between ``block`` and ``node`` is a branch."""
    for around in source.above(node):
        if around is block:
            return True
        if isinstance(around, cst.If):
            return False
    return False


def _further_on(source: Source, random: Random) -> Iterator[Site]:
    """B4: the store goes a few blocks too far."""
    for call in source.stores():
        new = shifted(call.args[0], random.choice((16, 32, 64, 128)))
        if new is not None:
            yield Site(call.line, {call.args[0]: instead(new)})


def _small_temporary(source: Source, _: Random) -> Iterator[Site]:
    """B6: the temporary buffer of a reduction has the size of one block."""
    for name in sorted({root(c.args[2]) for c in source.calls(*_REDUCE) if len(c.args) > 2}):
        owners = [call.owner for call in source.calls("get") if call.target == name]
        for call in source.calls("init_buffer"):
            if len(call.args) == 2 and code(call.args[0]) in owners:
                yield Site(call.line, {call.args[1]: instead("32")})


_REDUCE = ("reduce_sum", "reduce_max", "reduce_min")


def _one_repeat_more(source: Source, _: Random) -> Iterator[Site]:
    """B8: one repeat more than there is data."""
    for call in source.vectors():
        form = call.operands
        if form is None or not call.is_masked:
            continue
        if is_number(call.args[form.form], 0) or "PLACEHOLDER" in code(call.args[form.form]):
            continue
        repeats = call.args[form.form + 1]
        plus = "2" if is_number(repeats, 1) else f"{factor(repeats)} + 1"
        yield Site(call.line, {repeats: instead(plus)})


B1 = FaultClass("B1", "abort", _large_tiles, wave=1, difficulty=1)
B2 = FaultClass("B2", "abort", _elements_for_bytes, wave=2, difficulty=1, also=("B5", "B6", "B8"))
B3 = FaultClass("B3", "abort", _no_tail, wave=1, difficulty=1, also=("B4",))
B4 = FaultClass("B4", "abort", _further_on, difficulty=1)
B6 = FaultClass("B6", "abort", _small_temporary, wave=2, difficulty=3)
B8 = FaultClass("B8", "abort", _one_repeat_more, wave=2, difficulty=2)

CLASSES = (B1, B2, B3, B4, B6, B8)
