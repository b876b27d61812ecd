"""K: the kernel is right, but slow."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import libcst as cst
import libcst.matchers as m

from grader.faults.fault import FaultClass, Site
from grader.faults.patterns import is_number, queues
from grader.faults.source import Change, Source, code, instead

_SIGNS = {"add": "+", "sub": "-", "mul": "*", "adds": "+", "muls": "*"}


def _one_buffer(source: Source, _: Random) -> Iterator[Site]:
    """K1: every queue has one buffer."""
    inits = [queue.initialised for queue in queues(source)]
    doubled = [call for call in inits if is_number(call.args[1], 2)]
    if doubled:
        changes: dict[cst.CSTNode, Change] = {call.args[1]: instead("1") for call in doubled}
        yield Site(doubled[0].line, changes)


def _scalar_loop(source: Source, _: Random) -> Iterator[Site]:
    """K3: a loop over elements in place of a vector instruction.

    Only where nothing else would be wrong with it: no flags by hand, no padding that means something.
    """
    pads = [made.args[1] for made in source.calls("DataCopyPadExtParams") if len(made.args) > 1]
    if source.calls("set_flag") or any(code(pad) == "True" for pad in pads):
        return
    for call in source.vectors():
        count, sign = call.count, _SIGNS.get(call.name)
        if count is None or sign is None:
            continue
        taken = {name.value for name in source.find(m.Name())}
        k = next(name for name in ("k", "i", "j", "at", "element") if name not in taken)
        left = f"{code(call.args[1])}.get_value({k})"
        right = code(call.args[2])
        if source.is_local(call.args[2]):
            right = f"{right}.get_value({k})"
        loop = (
            f"for {k} in range({code(count)}):\n"
            f"    {code(call.args[0])}.set_value({k}, {left} {sign} {right})\n"
        )
        yield Site(call.line, {call.statement: _in_its_place(loop)})


def _in_its_place(text: str) -> Change:
    def change(statement: cst.SimpleStatementLine) -> cst.BaseStatement:
        made = cst.ensure_type(cst.parse_statement(text), cst.For)
        return made.with_changes(leading_lines=statement.leading_lines)

    return change


K1 = FaultClass("K1", "slow", _one_buffer, wave=3, difficulty=2)
K3 = FaultClass("K3", "slow", _scalar_loop, wave=3, difficulty=1, brief=True)

CLASSES = (K1, K3)
