"""E: several cores."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tree_sitter import Node

from grader.faults.cpp.patterns import AtMost, at_most, ceilings, number
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import bare, binary, field
from grader.faults.fault import Site


def _no_offset(source: CppSource, _: Random) -> Iterator[Site]:
    """E1: an output starts at the same place for every core."""
    outputs = source.outputs()
    for call in source.calls("SetGlobalBuffer"):
        total = binary(call.args[0], "+") if call.args else None
        if call.owner in outputs and total is not None and source.depends_on_block(total[1]):
            yield Site(call.line, source.put(call.args[0], source.code(total[0])))


def _wrong_stride(source: CppSource, _: Random) -> Iterator[Site]:
    """E2: the cores are a tile apart instead of a block."""
    tiles = [n for n in source.constants if "TILE" in n.upper() and "BYTES" not in n.upper()]
    for node in source.all("binary_expression"):
        pair = binary(node, "*")
        if pair is None or not tiles:
            continue
        for index, length in (pair, pair[::-1]):
            name = source.code(bare(length))
            if bare(length).type != "identifier" or name in source.constants:
                continue
            if source.is_block_index(index) and _places_output(source, node):
                yield Site(source.line(node), source.put(length, tiles[0]))


def _places_output(source: CppSource, node: Node) -> bool:
    """Whether an output starts where ``node`` says, by itself or by the name it is given."""
    names = {name for name, value, _ in source.assigned if bare(value) == node}
    for call in source.calls("SetGlobalBuffer"):
        if call.owner in source.outputs() and call.args:
            inside = {source.code(n) for n in source.within(call.args[0], "identifier")}
            if inside & names or node in source.within(call.args[0], "binary_expression"):
                return True
    return False


def _remainder_dropped(source: CppSource, _: Random) -> Iterator[Site]:
    """E3: the last part, which is not whole, is nobody's."""
    dividing = {call.function for call in source.calls("GetBlockIdx", "GetBlockNum")}
    if not any(call.loops or call.function not in dividing for call in source.stores()):
        return  # what is left out is missing in a sum, not in an output
    for node, above, total in ceilings(source):
        # rounding to blocks is no division of work
        rounds = number(source, field(bare(node), "right")) is not None or _rounds(source, node)
        if not rounds and not _divides(source, node):
            yield Site(source.line(node), source.put(above, source.code(total)))


def _rounds(source: CppSource, node: Node) -> bool:
    """Whether it is of ``(n + d - 1) / d * d``."""
    by = source.code(bare(field(bare(node), "right")))
    products = (binary(found, "*") for found in source.all("binary_expression"))
    return any(
        bare(one) == bare(node) and source.code(bare(other)) == by
        for pair in products
        if pair is not None
        for one, other in (pair, pair[::-1])
    )


def _divides(source: CppSource, node: Node) -> bool:
    """Whether something is divided by it later on. A share of 0 is then a division by zero (X1), no remainder."""
    names = {name for name, value, _ in source.assigned if bare(value) == bare(node)}
    before = 0
    while len(names) > before:
        before = len(names)
        names |= {name for name, value, _ in source.assigned if _uses(source, value, names)}
    divisions = (binary(found, "/", "%") for found in source.all("binary_expression"))
    return any(_uses(source, pair[1], names) for pair in divisions if pair is not None)


def _uses(source: CppSource, node: Node, names: set[str]) -> bool:
    found = [*source.within(node, "identifier"), *source.within(node, "field_identifier")]
    return any(source.code(name) in names for name in found)


def _tail_core(source: CppSource, _: Random) -> Iterator[Site]:
    """E4: the last core works on as much as the others."""
    for found in at_most(source):
        ends = source.depends_on_block(found.rest) or source.depends_on_block(found.whole)
        if ends and not source.loops(found.node):  # else what is limited is a tile
            yield _unclamped(source, found)
    for node in source.all("conditional_expression"):
        usual = _usual(source, node)
        if usual is not None:
            yield Site(source.line(node), source.put(node, source.code(usual)))


def _unclamped(source: CppSource, found: AtMost) -> Site:
    """``end = end`` is left out; ``own = length`` stays."""
    statement = source.statement(found.node)
    names = [name for name, value, _ in source.assigned if bare(value) == found.node]
    line = source.line(found.node)
    if statement is not None and names and source.code(found.rest) == names[0]:
        return Site(line, source.removal([statement]))
    return Site(line, source.put(found.node, source.code(found.whole)))


def _usual(source: CppSource, node: Node) -> Node | None:
    """``length`` of ``block == blocks - 1 ? total - offset : length``."""
    test = binary(field(node, "condition"), "==", "<", "!=")
    if test is None or not source.is_block_index(test[0]):
        return None
    branches = (field(node, "consequence"), field(node, "alternative"))
    plain = [branch for branch in branches if binary(branch, "-") is None]
    return plain[0] if len(plain) == 1 else None


def _too_many_blocks(source: CppSource, _: Random) -> Iterator[Site]:
    """E5: one block more than there are cores, and a barrier."""
    for call in source.calls("SyncAll"):
        yield Site(call.line, blocks="cores + 1")


def _skipped_barrier(source: CppSource, _: Random) -> Iterator[Site]:
    """E6: one core does not come to the barrier."""
    names = [n for n, v, _ in source.assigned if source.is_call(v, "GetBlockIdx")]
    for call in source.calls("SyncAll"):
        prefix = "AscendC::" if source.code(call.node).startswith("AscendC::") else ""
        index = names[0] if names else f"{prefix}GetBlockIdx()"
        yield Site(call.line, source.under(call.statement, f"{index} > 0"))


def _no_barrier(source: CppSource, _: Random) -> Iterator[Site]:
    """E7: nobody waits for the other cores."""
    for call in source.calls("SyncAll"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _scalar_store(source: CppSource, _: Random) -> Iterator[Site]:
    """E8: the scalar results of the cores lie side by side instead of one to a cache line."""
    for call in source.calls("SetValue"):
        pair = binary(call.args[0], "*") if call.args else None
        if pair is None or call.owner in source.local_names:
            continue
        value = source.constants.get(source.code(pair[1]))
        is_own = source.is_block_index(pair[0]) and value is not None
        if is_own and value is not None and number(source, value) is not None:
            yield Site(source.line(value), source.put(value, "1"))


def _not_flushed(source: CppSource, _: Random) -> Iterator[Site]:
    """E9: what a scalar store wrote stays in the cache of its core."""
    for call in source.calls("DataCacheCleanAndInvalid"):
        if not source.empties([call.statement]):
            yield Site(call.line, source.removal([call.statement]))


def _plain_stores(source: CppSource, _: Random) -> Iterator[Site]:
    """E10: the cores store instead of adding."""
    starts = source.calls("SetAtomicAdd")
    statements = [call.statement for call in (*starts, *source.calls("SetAtomicNone"))]
    if starts and not source.empties(statements):
        yield Site(starts[0].line, source.removal(statements))


SITES = {
    "E1": _no_offset,
    "E2": _wrong_stride,
    "E3": _remainder_dropped,
    "E4": _tail_core,
    "E5": _too_many_blocks,
    "E6": _skipped_barrier,
    "E7": _no_barrier,
    "E8": _scalar_store,
    "E9": _not_flushed,
    "E10": _plain_stores,
}
