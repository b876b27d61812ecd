"""What a sample's text says of its result, where its exit code says nothing."""

from __future__ import annotations

import re

_GOOD = re.compile(r"test\s+pass|\[?success\]?|verification passed|accuracy is verified", re.I)
_BAD = re.compile(
    r"test\s+(?:is\s+)?fail|result\s+error|verif\w+\s+fail|accuracy\s+fail|\[fail(?:ed|ure)?\]|mismatch"
    r"|precision\s+error|compare\s+fail",
    re.I,
)


def says_wrong(text: str) -> str:
    """The line that says the result is wrong, "" for none."""
    for line in text.splitlines():
        if _BAD.search(line) and not re.search(r"mismatch\w*\W+0\b|0 mismatch", line, re.I):
            return line.strip()[:160]
    return ""


def says_right(text: str) -> bool:
    """Whether a line says the result is right."""
    return _GOOD.search(text) is not None
