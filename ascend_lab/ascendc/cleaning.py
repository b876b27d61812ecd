"""What a compiler says, cut down to the student's own lines.

A source may include any file of the system: what an error shows of one that is not the student's must not be seen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from ascend_lab.ascendc import wording

_PLACE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?:\s*(?P<rest>.*)$")
_SOURCE = re.compile(r"^\s*\d+ \|")
_FROM = re.compile(r"^(?:In file included from|\s+from) (?P<file>[^:\n]+):(?P<line>\d+)?")
_UNLINKED = re.compile(r"^.*?(undefined reference|multiple definition)")
_OURS = (
    "/ascend_lab/ascendc/include/"  # a precompiled header may come from another copy of the project
)
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
    reader.end()
    lines = reader.lines[:_MOST]
    return "\n".join(lines) + ("\n" if lines else "")


class _Reader:
    def __init__(self, own: Sequence[Path], ours: Sequence[Path]) -> None:
        self.lines: list[str] = []
        self._own = own
        self._ours = ours
        self._keep = False  # what is shown below belongs to an error of the student's
        self._kept = False  # and so do its notes
        self._place_of: re.Match[str] | None = None  # of the last message,
        self._message = 0  # and which line it is
        self._errors = 0
        self._included = ""  # the student's line that includes what is being read
        self._source = ""  # the line of source shown last
        self._candidates: list[str] = []  # what the call at the last error may be

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
            self._shown(line)

    def end(self) -> None:
        """What belongs to the last error."""
        for line in wording.possible(self._candidates):
            self._add(line)
        self._candidates = []

    def _place(self, place: re.Match[str]) -> None:
        rest = place["rest"]
        mine = _is_in(place["file"], self._own)
        ours = _is_in(place["file"], self._ours) or _OURS in place["file"]
        if "note:" in rest:
            call = wording.candidate(rest) if self._kept and (mine or ours) else None
            self._candidates += [] if call is None else [call]
            self._keep = False
            return
        self.end()
        is_error = "error:" in rest
        self._errors += is_error
        self._keep = self._kept = mine and self._errors <= _MOST_ERRORS
        if self._keep:
            said = wording.plain(rest)
            self._message, self._place_of = len(self.lines), place
            self._add(
                f"{Path(place['file']).name}:{place['line']}: {said}{wording.suggested(said)}"
            )
        elif is_error and ours:
            self._add(wording.plain(rest))
        elif is_error and not mine and self._included:
            self._add(f"{self._included}: error: what is included here does not compile")

    def _shown(self, line: str) -> None:
        """A line of source, or marks below one: those of a rewritten line point elsewhere."""
        if _SOURCE.match(line):
            self._source = line
            self._look_before(line)
        elif "<<<" in self._source or len(line.rstrip()) > len(self._source) or "::" in line:
            return
        self._add(line.rstrip())

    def _look_before(self, source: str) -> None:
        """A semicolon that is missed at the start of a line is missing at the end of the one before."""
        place = self._place_of
        if place is None or "expected ';' before" not in place["rest"]:
            return
        if not source.partition("|")[2][
            : int(place["column"] or 1)
        ].strip() and self._message < len(self.lines):
            self.lines[self._message] += f"; look at the end of line {int(place['line']) - 1}"

    def _add(self, line: str) -> None:
        if line.startswith(" ") or line not in self.lines:
            self.lines.append(line)


def _is_in(file: str, places: Sequence[Path]) -> bool:
    file = os.path.normpath(file)  # "own/../../etc/passwd" is not the student's
    return any(file == str(place) or file.startswith(f"{place}/") for place in places)
