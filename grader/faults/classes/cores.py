"""E: several cores."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.classes.sync import under
from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import AtMost, at_most, ceilings
from grader.faults.source import Source, code, instead

_SUM = m.BinaryOperation(operator=m.Add())


def _no_offset(source: Source, _: Random) -> Iterator[Site]:
    """E1: an output starts at the same place for every core."""
    outputs = source.outputs()
    for call in source.calls("set_global_buffer"):
        address = call.args[0] if call.args else None
        if call.owner in outputs and address is not None and m.matches(address, _SUM):
            total = cst.ensure_type(address, cst.BinaryOperation)
            if source.depends_on_block(total.right):
                yield Site(call.line, {address: instead(total.left)})


def _wrong_stride(source: Source, _: Random) -> Iterator[Site]:
    """E2: the cores are a tile apart instead of a block."""
    tiles = [name for name in source.constants if "TILE" in name and "BYTES" not in name]
    for node in source.find(m.BinaryOperation(operator=m.Multiply())):
        for index, length in ((node.left, node.right), (node.right, node.left)):
            if not tiles or not isinstance(length, cst.Name) or length.value in source.constants:
                continue
            if source.is_block_index(index) and _places_output(source, node):
                yield Site(source.line(node), {length: instead(tiles[0])})


def _places_output(source: Source, node: cst.BinaryOperation) -> bool:
    """Whether an output starts where ``node`` says, by itself or by the name it is given."""
    names = {name for name, value in source.assignments if value is node}
    for call in source.calls("set_global_buffer"):
        if call.owner in source.outputs() and call.args:
            inside = {code(n) for n in m.findall(call.args[0], m.Name())}
            if inside & names or node in m.findall(call.args[0], m.BinaryOperation()):
                return True
    return False


def _remainder_dropped(source: Source, _: Random) -> Iterator[Site]:
    """E3: the last part, which is not whole, is nobody's."""
    tiles = any(call.loops for call in source.stores())
    helpers = {call.function for call in source.stores()} - _entries(source)
    for node, total in ceilings(source):
        if (tiles or helpers) and not _rounds(source, node) and not _divides(source, node):
            yield Site(source.line(node), {node.left: instead(total)})


def _rounds(source: Source, node: cst.BinaryOperation) -> bool:
    """Whether it is of ``(n + d - 1) // d * d``: that is alignment, and divides no work."""
    around = source.parent(node)
    return (
        isinstance(around, cst.BinaryOperation)
        and isinstance(around.operator, cst.Multiply)
        and code(node.right) in (code(around.left), code(around.right))
    )


def _divides(source: Source, node: cst.BinaryOperation) -> bool:
    """Whether something is divided by it later on. A share of 0 is then a division by zero (X1), no remainder."""
    names = {name for name, value in source.assignments if value is node}
    before = 0
    while len(names) > before:
        before = len(names)
        names |= {name for name, value in source.assignments if _uses(value, names)}
    divisions = m.BinaryOperation(operator=m.FloorDivide() | m.Modulo())
    return any(_uses(found.right, names) for found in source.find(divisions))


def _uses(expression: cst.CSTNode, names: set[str]) -> bool:
    found = m.findall(expression, m.Name())
    return any(cst.ensure_type(name, cst.Name).value in names for name in found)


def _entries(source: Source) -> set[cst.FunctionDef | None]:
    """The functions that divide the work among the cores."""
    return {source.function(c.node) for c in source.calls("get_block_idx", "get_block_num")}


def _tail_core(source: Source, _: Random) -> Iterator[Site]:
    """E4: the last core works on as much as the others."""
    for found in at_most(source):
        # both are the same for all cores: what is limited is a tile, and without it the buffer is too short (B2)
        ends = source.depends_on_block(found.rest) or source.depends_on_block(found.whole)
        if ends and not source.loops(found.node):
            yield _unclamped(source, found)
    for node in source.find(m.IfExp(test=m.Comparison())):
        usual = _usual(source, node)
        if usual is not None:
            yield Site(source.line(node), {node: instead(usual)})


def _unclamped(source: Source, found: AtMost) -> Site:
    """``end = end`` is left out; ``own = length`` stays."""
    statement = source.statement(found.node)
    names = [name for name, value in source.assignments if value is found.node]
    if statement is not None and names and code(found.rest) == names[0]:
        return Site(source.line(found.node), source.removal([statement]))
    return Site(source.line(found.node), {found.node: instead(found.whole)})


def _usual(source: Source, node: cst.IfExp) -> cst.BaseExpression | None:
    """``length`` of ``total - offset if block == blocks - 1 else length``."""
    test = cst.ensure_type(node.test, cst.Comparison)
    if not source.is_block_index(test.left):
        return None
    branches = (node.body, node.orelse)
    rest = m.BinaryOperation(operator=m.Subtract())
    plain = [branch for branch in branches if not m.matches(branch, rest)]
    return plain[0] if len(plain) == 1 else None


def _too_many_blocks(source: Source, _: Random) -> Iterator[Site]:
    """E5: one block more than there are cores, and a barrier."""
    for call in source.calls("sync_all"):
        yield Site(call.line, blocks="cores + 1")


def _skipped_barrier(source: Source, _: Random) -> Iterator[Site]:
    """E6: one core does not come to the barrier."""
    index = next((n for n, v in source.assignments if code(v).endswith("get_block_idx()")), "")
    condition = f"{index or 'asc.get_block_idx()'} > 0"
    for call in source.calls("sync_all"):
        yield Site(call.line, {call.statement: under(condition)})


def _no_barrier(source: Source, _: Random) -> Iterator[Site]:
    """E7: nobody waits for the other cores."""
    for call in source.calls("sync_all"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _scalar_store(source: Source, _: Random) -> Iterator[Site]:
    """E8: the scalar results of the cores lie side by side instead of one to a cache line."""
    for call in source.calls("set_value"):
        at = call.args[0] if call.args else None
        if source.is_local(call.node.func) or not isinstance(at, cst.BinaryOperation):
            continue
        line = at.right
        value = source.constants.get(code(line))
        if source.is_block_index(at.left) and isinstance(value, cst.Integer):
            yield Site(source.line(value), {value: instead("1")})


def _not_flushed(source: Source, _: Random) -> Iterator[Site]:
    """E9: what a scalar store wrote stays in the cache of its core."""
    for call in source.calls("data_cache_clean_and_invalid"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _plain_stores(source: Source, _: Random) -> Iterator[Site]:
    """E10: the cores store instead of adding."""
    starts = source.calls("set_atomic_add")
    ends = source.calls("set_atomic_none")
    statements = [call.statement for call in (*starts, *ends)]
    if starts and not source.empties(statements):
        yield Site(starts[0].line, source.removal(statements))


E1 = FaultClass("E1", "silent", _no_offset, wave=1, difficulty=1)
E2 = FaultClass("E2", "silent", _wrong_stride, wave=1, difficulty=2)
E3 = FaultClass("E3", "silent", _remainder_dropped, wave=1, difficulty=1)
E4 = FaultClass("E4", "abort", _tail_core, wave=2, difficulty=2)
E5 = FaultClass("E5", "hang", _too_many_blocks, wave=3, difficulty=2)
E6 = FaultClass("E6", "hang", _skipped_barrier, wave=2, difficulty=2)
E7 = FaultClass("E7", "silent", _no_barrier, difficulty=2)
E8 = FaultClass("E8", "silent", _scalar_store, wave=2, difficulty=3)
E9 = FaultClass("E9", "silent", _not_flushed, wave=3, difficulty=3)
E10 = FaultClass("E10", "silent", _plain_stores, wave=2, difficulty=2)

CLASSES = (E1, E2, E3, E4, E5, E6, E7, E8, E9, E10)
