"""What a compiler says, cut down to the student's own lines.

A source may include any file of the system: what an error shows of one that is not the student's must not be seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::\d+)?:\s*(?P<rest>.*)$")
_FROM = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)?")
_UNLINKED = re.compile(r"^.*?(undefined reference|multiple definition)")
_MOST = 40
_MOST_ERRORS = 10


def cleaned(said: str, own: Sequence[Path], ours: Sequence[Path]) -> str:
    """Errors and warnings with the student's file names, without folders.

    ``own``: the student's files and folders. ``ours``: headers of this package, whose errors are shown
    without their place. What stands elsewhere is only told by the line that includes it.
    """
    reader = _Reader(own, ours)
    for line in said.splitlines():
        reader.take(line)
    lines = reader.lines[:_MOST]
    return "\n".join(lines) + ("\n" if lines else "")


class _Reader:
    def __init__(self, own: Sequence[Path], ours: Sequence[Path]) -> None:
        self.lines: list[str] = []
        self._own = own
        self._ours = ours
        self._keep = False
        self._errors = 0
        self._included = ""  # the student's line that includes what is being read

    def take(self, line: str) -> None:
        """One line of what the compiler said."""
        included = _FROM.match(line)
        place = _PLACE.match(line)
        if included is not None:
            if _is_in(included["file"], self._own):
                self._included = f"{Path(included['file']).name}:{included['line']}"
        elif place is not None:
            self._place(place)
        elif _UNLINKED.match(line):
            self._add(_UNLINKED.sub(r"\1", line))
        elif self._keep and line.startswith(" "):
            self._add(line)

    def _place(self, place: re.Match[str]) -> None:
        rest = place["rest"]
        is_error = "error:" in rest
        self._errors += is_error
        mine = _is_in(place["file"], self._own)
        self._keep = mine and "note:" not in rest and self._errors <= _MOST_ERRORS
        if self._keep:
            self._add(f"{Path(place['file']).name}:{place['line']}: {rest}")
        elif is_error and _is_in(place["file"], self._ours):
            self._add(rest)
        elif is_error and not mine and self._included:
            self._add(f"{self._included}: error: what is included here does not compile")

    def _add(self, line: str) -> None:
        if line.startswith(" ") or line not in self.lines:
            self.lines.append(line)


def _is_in(file: str, places: Sequence[Path]) -> bool:
    file = os.path.normpath(file)  # "own/../../etc/passwd" is not the student's
    return any(file == str(place) or file.startswith(f"{place}/") for place in places)
