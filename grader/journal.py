"""What has been judged already, and every finished run: one SQLite file.

A judgement is found again by what it depends on: the answer, the task, the lab, the seed. So an interrupted run,
whatever ended it, goes on where it stopped, and an unchanged answer is not judged twice. A judgement is in the file
when it has been made; several graders may use the file at once.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from ascend_lab.exercise import Answer, Task, TaskResult, answer_digest, digest, package_digest
from grader.marks import Picture

NAME = "journal.sqlite"
_VERSION = "2"
_WAITS_S = 60.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS judgements
    (key TEXT PRIMARY KEY, result BLOB NOT NULL, pictures BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS answers (digest TEXT PRIMARY KEY, answer BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS marks (
    run INTEGER NOT NULL, student TEXT NOT NULL, task TEXT NOT NULL, verdict TEXT NOT NULL,
    points REAL NOT NULL, possible REAL NOT NULL, answer TEXT NOT NULL, task_digest TEXT NOT NULL,
    lab TEXT NOT NULL, seed TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (run, student, task));
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """One judgement, under the hash of all it depends on."""

    key: str
    result: TaskResult
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One mark of a finished run, and what it depended on; hashes are "" where there was no judgement."""

    student: str
    task: str
    verdict: str
    points: float
    possible: float
    answer: str = ""
    task_digest: str = ""
    lab: str = ""
    seed: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class RunOf:
    """A finished run: its number, and when it ended (UTC, ISO 8601)."""

    number: int
    at: str


class Journal:
    """The journal in ``path``; created when it is not there. Use as a context manager. Raises sqlite3.Error."""

    def __init__(self, path: Path, seed: str | None = None, fresh: bool = False) -> None:
        if fresh:
            for end in ("", "-wal", "-shm"):
                path.with_name(path.name + end).unlink(missing_ok=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(path, timeout=_WAITS_S, isolation_level=None)
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.executescript(_SCHEMA)
        self.lab = package_digest()
        self.seed = self._seed(seed)

    def _seed(self, given: str | None) -> str:
        """The seed that was given, else the journal's, else one that is drawn; the journal keeps it."""
        known = self._fact("version")
        if known not in (None, _VERSION):
            raise sqlite3.DatabaseError(f"version {known}, not {_VERSION}")
        self._file.execute("INSERT OR IGNORE INTO facts VALUES ('version', ?)", (_VERSION,))
        if given is not None:
            self._file.execute("REPLACE INTO facts VALUES ('seed', ?)", (given,))
            return given
        drawn = os.urandom(16).hex()
        self._file.execute("INSERT OR IGNORE INTO facts VALUES ('seed', ?)", (drawn,))
        return self._fact("seed") or drawn

    def _fact(self, name: str) -> str | None:
        row = self._file.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    # --- judgements --------------------------------------------------------------------------------------

    def key(self, task: Task, answer: Answer) -> str:
        """Hash of everything that a judgement of ``answer`` depends on."""
        names = "\0".join((answer.form, *(cell.name for cell in answer.cells)))
        parts = (self.lab, digest(task), answer_digest(answer), names, self.seed)
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()

    def find(self, key: str) -> Entry | None:
        """The judgement under ``key``; one that was left undecided is made again."""
        row = self._file.execute(
            "SELECT result, pictures FROM judgements WHERE key = ?", (key,)
        ).fetchone()
        if row is None:
            return None
        result = msgspec.json.decode(row[0], type=TaskResult)
        if result.undecided:
            return None
        return Entry(key, result, msgspec.json.decode(row[1], type=tuple[Picture, ...]))

    def add(self, entry: Entry, answer: Answer) -> None:
        """Keep a judgement and its answer; both are in the file when this returns."""
        self._file.execute("BEGIN IMMEDIATE")
        self._file.execute(
            "REPLACE INTO judgements VALUES (?, ?, ?)",
            (entry.key, msgspec.json.encode(entry.result), msgspec.json.encode(entry.pictures)),
        )
        self._file.execute(
            "INSERT OR IGNORE INTO answers VALUES (?, ?)",
            (entry.result.provenance.answer_digest, msgspec.json.encode(answer)),
        )
        self._file.execute("COMMIT")

    def count(self) -> int:
        """How many judgements are kept."""
        return int(self._file.execute("SELECT count(*) FROM judgements").fetchone()[0])

    def judged(self, row: Row) -> TaskResult | None:
        """The whole judgement behind a mark, when it is still kept."""
        found = self._file.execute(
            "SELECT result FROM judgements WHERE key = ?", (row.key,)
        ).fetchone()
        return None if found is None else msgspec.json.decode(found[0], type=TaskResult)

    def answer(self, digest: str) -> Answer | None:
        """An answer that has been judged, by its hash."""
        row = self._file.execute(
            "SELECT answer FROM answers WHERE digest = ?", (digest,)
        ).fetchone()
        return None if row is None else msgspec.json.decode(row[0], type=Answer)

    # --- runs --------------------------------------------------------------------------------------------

    def finish(self, rows: Iterable[Row]) -> RunOf:
        """Note a run that came to its end, with all its marks."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        self._file.execute("BEGIN IMMEDIATE")
        number = self._file.execute("INSERT INTO runs (at) VALUES (?)", (at,)).lastrowid or 0
        self._file.executemany(
            "INSERT INTO marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(number, *astuple(row)) for row in rows],
        )
        self._file.execute("COMMIT")
        return RunOf(number, at)

    def runs(self) -> tuple[RunOf, ...]:
        """All finished runs, the first first."""
        return tuple(
            RunOf(*row) for row in self._file.execute("SELECT * FROM runs ORDER BY number")
        )

    def rows(self, run: int) -> tuple[Row, ...]:
        """The marks of a run."""
        found = self._file.execute(
            "SELECT student, task, verdict, points, possible, answer, task_digest, lab, seed, key "
            "FROM marks WHERE run = ? ORDER BY student, task",
            (run,),
        )
        return tuple(Row(*row) for row in found)
