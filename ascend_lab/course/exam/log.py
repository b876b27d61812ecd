"""The log of an exam: one line for each event, each signed together with the one before.

A line that is changed, moved, taken out or put in breaks the chain from there on. The signing key is made of
the exam's token, which the student's computer has to hold: who reads this file can forge a log.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab.course.exam.clock import Clock

FILE = "log.jsonl"
#: How far the two clocks may drift apart between two events, in seconds.
_DRIFT_S = 10
_LARGEST = 16 << 20


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One event: "started", "opened", "saved" or "submitted".

    ``what`` is the answer that was saved, ``digest`` the SHA-256 of its content; ``wall``, ``running`` and
    ``boot`` are what `Clock` said.
    """

    number: int
    event: str
    what: str = ""
    digest: str = ""
    wall: int
    running: float
    boot: str
    mac: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something the instructor should see: "edited", "clock", "restarted", "late", "unfinished"."""

    kind: str
    number: int = 0
    seconds: float = 0.0


class Log:
    """The log in ``folder``; every event is on the disk before the call returns."""

    def __init__(self, folder: Path, token: str, clock: Clock) -> None:
        self._path = folder / FILE
        self._token = token
        self._clock = clock
        self.entries: list[Entry] = []
        if self._path.is_file():
            self.entries, _ = read_log(self._path.read_bytes(), token)

    def add(self, event: str, what: str = "", digest: str = "") -> Entry:
        """Note an event."""
        clock = self._clock
        bare = Entry(
            number=len(self.entries) + 1, event=event, what=what, digest=digest,
            wall=clock.wall(), running=clock.running(), boot=clock.boot(),
        )  # fmt: skip
        before = self.entries[-1].mac if self.entries else ""
        entry = msgspec.structs.replace(bare, mac=_mac(self._token, before, bare))
        self.entries.append(entry)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(entry) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        return entry

    def seconds(self) -> float:
        """How long ago the exam was started."""
        now = Entry(
            number=0, event="now", wall=self._clock.wall(), running=self._clock.running(),
            boot=self._clock.boot(),
        )  # fmt: skip
        return elapsed([*_since_start(self.entries), now])[-1]


def read_log(data: bytes, token: str) -> tuple[list[Entry], list[Remark]]:
    """The events up to the first that the chain does not hold, and a remark when there is such a one."""
    entries: list[Entry] = []
    before = ""
    for line in data[:_LARGEST].splitlines():
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except msgspec.MsgspecError:
            return entries, [Remark("edited", len(entries) + 1)]
        good = entry.number == len(entries) + 1
        if not good or not hmac.compare_digest(entry.mac, _mac(token, before, entry)):
            return entries, [Remark("edited", len(entries) + 1)]
        entries.append(entry)
        before = entry.mac
    return entries, []


def elapsed(entries: Sequence[Entry]) -> list[float]:
    """Seconds from the first event to each: by the clock that cannot be set, across restarts by the other."""
    found = [0.0] * min(len(entries), 1)
    for before, entry in itertools.pairwise(entries):
        found.append(found[-1] + _step(before, entry))
    return found


def remarks(entries: Sequence[Entry], minutes: float) -> list[Remark]:
    """What a reader of a whole log should look at; ``minutes`` is the time that was given."""
    found = list(_clock_remarks(entries))
    since = _since_start(entries)
    if not since:
        return [*found, Remark("unfinished")]
    times = dict(zip((entry.number for entry in since), elapsed(since), strict=True))
    last = max((e for e in since if e.event in ("saved", "submitted")), key=lambda e: e.number,
               default=since[0])  # fmt: skip
    if not any(entry.event == "submitted" for entry in since):
        found.append(Remark("unfinished", since[-1].number))
    if times[last.number] > minutes * 60:
        found.append(Remark("late", last.number, times[last.number] - minutes * 60))
    return found


def _since_start(entries: Sequence[Entry]) -> list[Entry]:
    numbers = [n for n, entry in enumerate(entries) if entry.event == "started"]
    return list(entries[numbers[0] :]) if numbers else []


def _step(before: Entry, entry: Entry) -> float:
    if _same_boot(before, entry):
        return entry.running - before.running
    return max(float(entry.wall - before.wall), 0.0)


def _same_boot(before: Entry, entry: Entry) -> bool:
    return before.boot == entry.boot and entry.running >= before.running


def _clock_remarks(entries: Sequence[Entry]) -> Iterator[Remark]:
    for before, entry in itertools.pairwise(entries):
        wall = float(entry.wall - before.wall)
        if _same_boot(before, entry):
            apart = wall - (entry.running - before.running)
            if abs(apart) > _DRIFT_S:
                yield Remark("clock", entry.number, apart)
        else:
            yield Remark("clock" if wall < 0 else "restarted", entry.number, wall)


def _mac(token: str, before: str, entry: Entry) -> str:
    bare = msgspec.structs.replace(entry, mac="")
    message = before.encode() + msgspec.json.encode(bare)
    return hmac.new(token.encode(), message, hashlib.sha256).hexdigest()
