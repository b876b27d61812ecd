"""What stands in a function for the core although a core has none of it: containers of the host, calls of the host.

The real compiler refuses it; g++ would take it. Only the text of functions marked __aicore__ or __global__ is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ascend_lab.ascendc.rewriting import blanked, closing_of

_MARK = re.compile(r"\b(?:__aicore__|__global__|__vector__)\b")
_BODY = re.compile(r"[;{]")
_FOREIGN = re.compile(
    r"\bstd::(?:vector|string|stringstream|map|set|unordered_\w+|list|deque|function|shared_ptr|unique_ptr|cout|cerr"
    r"|ifstream|ofstream|thread|mutex)\b|\bacl(?:rt|nn|op|mdl)?[A-Z]\w*(?=\s*\()"
)


def foreign(text: str) -> Iterator[tuple[int, str]]:
    """(line, name) of what no core has, in the order of the text."""
    code = blanked(text)
    end = 0
    for mark in _MARK.finditer(code):
        opening = _BODY.search(code, mark.end())
        if mark.start() < end or opening is None or opening[0] == ";":
            continue
        end = closing_of(code, opening.start())
        for found in _FOREIGN.finditer(code, opening.start(), max(end, opening.start())):
            yield code.count("\n", 0, found.start()) + 1, found[0]
