"""The line of a key in a TOML file: tomllib forgets where things stood.

The text is read a second time, for positions only: the file is known to be right TOML.
"""

from __future__ import annotations

import re
from bisect import bisect_right

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_BARE = re.compile(r"[\w-]+")
_PLAIN = re.compile(r"[^,\]}\n#]+")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_LITERAL = re.compile(r"'''.*?'{3,5}|'[^'\n]*'", re.DOTALL)
_STEP = re.compile(r"(?P<key>[\w-]+)|\[(?P<item>\d+)\]|[.\[\]]")
_SYNTAX = re.compile(r"\(at line (\d+), column \d+\)")


def line_of(text: str, key: str, error: str = "") -> int:
    """The line of ``key`` (``cases[1].name``), else of what it would stand in; 1 for none.

    ``error`` is what tomllib said of a text that it could not read: it names the line itself.
    """
    if found := _SYNTAX.search(error):
        return int(found[1])
    if "(at end of document)" in error:
        return max(text.count("\n"), 1)
    try:
        known = positions(text)
    except ValueError:
        return 1
    path = _path(key)
    while path and path not in known:
        path = path[:-1]
    return known.get(path, 1)


def positions(text: str) -> dict[Path, int]:
    """Line of every key, table and array item of a right TOML text. Raises ValueError for another."""
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def _path(key: str) -> Path:
    """``cases[1].name (in ...)`` as a path: up to the first blank."""
    steps: list[str | int] = []
    for found in _STEP.finditer(key.partition(" ")[0]):
        if found["item"] is not None:
            steps.append(int(found["item"]))
        elif found["key"] is not None:
            steps.append(found["key"])
    return tuple(steps)


class _Scanner:
    """Walks over the text and notes where each path begins."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self._arrays: dict[Path, int] = {}  # arrays of tables: index of the last
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def document(self) -> None:
        here: Path = ()
        while self._next():
            if self.text.startswith("[[", self.at):
                here = self._header(2)
            elif self.text[self.at] == "[":
                here = self._header(1)
            else:
                self._pair(here)

    def _next(self) -> str:
        """Skip blanks and comments; the next character, "" at the end."""
        self._skip(_BLANK)
        return self.text[self.at : self.at + 1]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ValueError(f"offset {self.at}")
        self.at = found.end()

    def _note(self, path: Path, at: int) -> None:
        self.found.setdefault(path, bisect_right(self._starts, at))

    def _header(self, brackets: int) -> Path:
        start = self.at
        self.at += brackets
        path: Path = ()
        keys = self._key()
        for number, key in enumerate(keys, 1):
            path = (*path, key)
            self._note(path, start)
            if number == len(keys) and brackets == 2:
                self._arrays[path] = self._arrays.get(path, -1) + 1
            if path in self._arrays:
                path = (*path, self._arrays[path])
                self._note(path, start)
        self.at += brackets
        return path

    def _key(self) -> list[str]:
        parts: list[str] = []
        while True:
            self._skip(_SPACES)
            start = self.at
            if self.text.startswith(('"', "'"), self.at):
                self._value(())
                parts.append(self.text[start + 1 : self.at - 1])
            else:
                self._skip(_BARE)
                parts.append(self.text[start : self.at])
            self._skip(_SPACES)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def _pair(self, here: Path) -> None:
        start = self.at
        path = here
        for key in self._key():
            path = (*path, key)
            self._note(path, start)
        if not self.text.startswith("=", self.at):
            raise ValueError(f"offset {self.at}")
        self.at += 1
        self._value(path)

    def _value(self, path: Path) -> None:
        self._skip(_SPACES)
        match self.text[self.at : self.at + 1]:
            case '"':
                self._skip(_STRING)
            case "'":
                self._skip(_LITERAL)
            case "[":
                self._array(path)
            case "{":
                self._table(path)
            case _:
                self._skip(_PLAIN)

    def _array(self, path: Path) -> None:
        self.at += 1
        index = 0
        while self._next() not in ("]", ""):
            self._note((*path, index), self.at)
            self._value((*path, index))
            index += 1
            if self._next() == ",":
                self.at += 1
        self.at += 1

    def _table(self, path: Path) -> None:
        self.at += 1
        while self._next() not in ("}", ""):
            self._pair(path)
            if self._next() == ",":
                self.at += 1
        self.at += 1
