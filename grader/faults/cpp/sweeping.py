"""Takes away what a rewriting left without use, so that the file looks as if it had been written so."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from tree_sitter import Node

from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import Declared, bare, field

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
            if (key := (_scope(source, each.function), each.name)) in used
            and uses[key] == 1
            and _is_idle(source, each)
        ]
        if not gone or source.empties(gone):
            return text
        text = source.rewritten(source.removal(gone))


@cache
def _used(before: str) -> frozenset[tuple[str, str]]:
    return frozenset(name for name, uses in _uses(CppSource(before)).items() if uses > 1)


def _uses(source: CppSource) -> Counter[tuple[str, str]]:
    """How often a name stands in the file ("") and in each of its functions."""
    found: Counter[tuple[str, str]] = Counter()
    for kind in ("identifier", "field_identifier", "type_identifier"):
        for node in source.all(kind):
            scopes = {"", _scope(source, source.function(node))}
            found.update((scope, source.code(node)) for scope in scopes)
    return found


def _scope(source: CppSource, function: Node | None) -> str:
    """What a function is told by: its head."""
    return "" if function is None else source.code(field(function, "declarator"))


def _is_idle(source: CppSource, each: Declared) -> bool:
    """Whether leaving it out changes nothing else."""
    if each.value is None or not each.is_alone or source.statement(each.node) is None:
        return False
    inside = source.within(bare(each.value), "call_expression")
    return all(_called(source.code(call)) in _VALUES for call in inside)


def _called(call: str) -> str:
    """``Get`` of ``buf.Get<float>()``, ``GetBlockIdx`` of ``AscendC::GetBlockIdx()``."""
    return re.split(r"[<(]", call.replace("AscendC::", ""), maxsplit=1)[0].rpartition(".")[2]
