"""Takes away what a rewriting left without use, so that the file looks as if it had been written so."""

from __future__ import annotations

import re
from functools import cache

from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import Declared, bare

#: Calls that only make a value.
_VALUES = ("GetBlockIdx", "GetBlockNum", "Get", "static_cast", "sizeof")


def swept(text: str, before: str) -> str:
    """``text`` without declarations that nothing uses any more, though something did in ``before``."""
    used = _used(before)
    while True:
        source = CppSource(text)
        uses = _uses(source)
        gone = [
            each.node
            for each in source.declared
            if uses[each.name] == 1 and each.name in used and _is_idle(source, each)
        ]
        if not gone or source.empties(gone):
            return text
        text = source.rewritten(source.removal(gone))


@cache
def _used(before: str) -> frozenset[str]:
    return frozenset(name for name, uses in _uses(CppSource(before)).items() if uses > 1)


def _uses(source: CppSource) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind in ("identifier", "field_identifier", "type_identifier"):
        for node in source.all(kind):
            found[source.code(node)] = found.get(source.code(node), 0) + 1
    return found


def _is_idle(source: CppSource, each: Declared) -> bool:
    """Whether leaving it out changes nothing else."""
    if each.value is None or not each.is_alone or source.statement(each.node) is None:
        return False
    inside = source.within(bare(each.value), "call_expression")
    return all(_called(source.code(call)) in _VALUES for call in inside)


def _called(call: str) -> str:
    """``Get`` of ``buf.Get<float>()``, ``GetBlockIdx`` of ``AscendC::GetBlockIdx()``."""
    return re.split(r"[<(]", call.replace("AscendC::", ""), maxsplit=1)[0].rpartition(".")[2]
