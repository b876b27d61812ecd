"""The roster: a CSV file with one line for each student."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from grader.release.problem import Problem

#: Headings of the column with the id, in any case. In a gradebook of Canvas "Student" is the name.
_ID = ("sis user id", "student", "id", "student id", "student_id", "学号")
_NAME = ("name", "姓名", "student name", "student")
#: The second line of such a gradebook.
_NO_STUDENT = "Points Possible"
#: An id is also a folder's name.
_PLAIN = re.compile(r"(?=.{1,64}$)[\w.-]+(?: [\w.-]+)*")
_LARGEST = 4 << 20


@dataclass(frozen=True, slots=True)
class Person:
    """One student. ``row`` is the whole line, by heading: exports take their columns from it."""

    id: str
    name: str
    row: tuple[tuple[str, str], ...] = ()

    def column(self, *headings: str) -> str:
        """The first of these columns that the roster has, "" without any."""
        cells = {heading.casefold(): cell for heading, cell in self.row}
        return next((cells[h.casefold()] for h in headings if cells.get(h.casefold())), "")


def read_roster(path: Path) -> tuple[Person, ...]:
    """The students of a roster, in its order. Raises Problem that names file and line."""
    table = list(csv.reader(io.StringIO(_text(path))))
    if not table:
        raise Problem("empty_roster", path=path)
    heads = [cell.strip() for cell in table[0]]
    place = _place(heads, _ID)
    if place is None:
        raise Problem("no_id_column", path=path, headings=", ".join(heads) or "-")
    named = _place(heads, _NAME)
    people: dict[str, Person] = {}
    for number, row in enumerate(table[1:], 2):
        cells = [cell.strip() for cell in row] + [""] * (len(heads) - len(row))
        if not any(cells) or _NO_STUDENT in cells:
            continue
        id = cells[place]
        if not _PLAIN.fullmatch(id) or not id.strip("."):
            raise Problem("bad_id", path=path, line=number, id=id)
        if id.casefold() in people:
            raise Problem("same_id", path=path, line=number, id=id)
        name = cells[named] if named is not None else ""
        pairs = tuple(zip(heads, cells, strict=False))
        people[id.casefold()] = Person(id, name or id, pairs)
    if not people:
        raise Problem("empty_roster", path=path)
    return tuple(people.values())


def _place(heads: list[str], known: tuple[str, ...]) -> int | None:
    """Where the first of the ``known`` headings stands."""
    folded = [head.casefold() for head in heads]
    return next((folded.index(name) for name in known if name in folded), None)


def _text(path: Path) -> str:
    try:
        data = path.read_bytes()[:_LARGEST]
    except OSError as error:
        raise Problem("unreadable", path=path, reason=error.strerror or "") from None
    for encoding in ("utf-8-sig", "gb18030"):  # spreadsheets in China save the latter
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Problem("unreadable", path=path, reason="encoding")
