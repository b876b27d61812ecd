"""What a compiler says, cut down to the student's own lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?:\s*(?P<rest>.*)$")
_NOISE = re.compile(r"^(In file included from|\s+from )")
_MOST = 40
_MOST_ERRORS = 10


def cleaned(said: str, ours: Sequence[Path]) -> str:
    """Errors and warnings with the student's file names (no folders), without what stands in ``ours``."""
    lines: list[str] = []
    keep = False
    errors = 0
    for line in said.splitlines():
        if _NOISE.match(line) or "compilation terminated" in line:
            continue
        place = _PLACE.match(line)
        if place is not None:
            keep = not _is_among(place["file"], ours) and "note:" not in place["rest"]
            errors += "error:" in place["rest"]
            if errors > _MOST_ERRORS:
                break
            if keep:
                lines.append(f"{Path(place['file']).name}:{place['line']}: {place['rest']}")
        elif keep and line.startswith(" "):
            lines.append(line)
        elif "undefined reference" in line or "multiple definition" in line:
            lines.append(re.sub(r"^.*?(undefined|multiple)", r"\1", line))
    if not any("error" in line or "undefined" in line or "multiple" in line for line in lines):
        lines += _bare_errors(said)
    return "\n".join(lines[:_MOST]) + ("\n" if lines else "")


def _bare_errors(said: str) -> list[str]:
    """Errors inside our own headers, by what they say alone."""
    found = re.findall(r"(?:fatal )?error: [^\n]*", said)
    return list(dict.fromkeys(found))[:_MOST_ERRORS]


def _is_among(file: str, ours: Sequence[Path]) -> bool:
    return file.startswith("/usr/") or any(file.startswith(str(folder)) for folder in ours)
