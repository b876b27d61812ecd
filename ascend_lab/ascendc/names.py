"""What the student calls things in a C++ source: read from the line a record stands on."""

from __future__ import annotations

import linecache
import re

from ascend_lab.engine.instruction import Where

_INIT = re.compile(r"\bInitBuffer\s*\(\s*((?:[^(),]|\([^()]*\))+?)\s*,")
_TENSOR = re.compile(r"\b(?:LocalTensor\s*<.*>|auto)\s*&?\s+([A-Za-z_]\w*)\s*[=({]")
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)\s*=[^=]")
_FALLBACK = {"q": "que", "b": "buf"}


def named(where: Where, kind: str, number: int) -> str:
    """The queue ("q") or TBuf ("b") of an InitBuffer, the tensor ("v") of a placement, else a default."""
    line = "".join(linecache.getline(where.file, where.line + k) for k in range(3))
    if kind == "v":
        first = line.split("\n")[0]
        found = _TENSOR.search(first) or _ASSIGNED.search(first)
        return found[1] if found else ""
    found = _INIT.search(line)
    if found is None:
        return f"{_FALLBACK[kind]}{number}"
    text = found[1].strip().lstrip("&*")
    return text.removeprefix("this->").strip()
