"""What a student handed in: a zip file or the exam's folder. Read as data, with limits; nothing is executed."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab.course.exam import Entry, Remark, Sheet, elapsed, read_log, remarks
from ascend_lab.course.exam.log import FILE as LOG
from ascend_lab.course.exam.sheet import FILE as SHEET
from ascend_lab.course.exam.store import LIMIT, VERSIONS
from grader.release import Problem

_LARGEST_ZIP = 64 << 20
_LARGEST_LOG = 16 << 20
_DIGEST = re.compile(r"[0-9a-f]{64}")

#: Gives a member of what was handed in: (name, most bytes).
Read = Callable[[str, int], bytes | None]


@dataclass(frozen=True, slots=True)
class Submission:
    """The answers that count, by name; ``late`` names those that have a newer version that does not.

    ``digest`` is the hash of everything that was read; ``head`` the last link of the log's chain.
    """

    student: str
    answers: Mapping[str, str]
    remarks: tuple[Remark, ...]
    late: tuple[str, ...]
    started: int
    minutes: float
    digest: str
    head: str


def claimed(path: Path) -> Sheet:
    """The sheet as it came back: whose exam it says to be. Raises Problem for something that is no exam."""
    data = _reader(path)(SHEET, LIMIT * 8)
    try:
        return msgspec.json.decode(data or b"", type=Sheet)
    except msgspec.MsgspecError:
        raise Problem("no_exam", path=path) from None


def read_submission(path: Path, sheet: Sheet) -> Submission:
    """The answers in ``path`` to the exam ``sheet``, which was derived from the key.

    What was saved after the time and its grace does not count. Raises Problem when it cannot be read.
    """
    read = _reader(path)
    given = read(SHEET, LIMIT * 8)
    log = read(LOG, _LARGEST_LOG)
    if given is None or log is None:
        raise Problem("no_exam", path=path)
    entries, broken = read_log(log, sheet.token)
    found = [*broken, *remarks(entries, sheet.minutes)]
    if claimed(path) != sheet:
        found.append(Remark("other_sheet"))
    times = _times(entries)
    limit = sheet.minutes * 60 + sheet.grace_s
    counted, late = _versions(entries, times, limit)
    answers = {}
    for what, digest in counted.items():
        text = _answer(read, digest)
        if text is None:
            found.append(Remark("lost"))
        else:
            answers[what] = text
    start = next((entry.wall for entry in entries if entry.event == "started"), 0)
    whole = hashlib.sha256(given + log + "\n".join(sorted(counted.values())).encode()).hexdigest()
    return Submission(
        sheet.student,
        answers,
        tuple(found),
        late,
        start,
        round(max(times.values(), default=0.0) / 60, 1),
        whole,
        entries[-1].mac if entries else "",
    )


def _times(entries: list[Entry]) -> dict[int, float]:
    starts = [n for n, entry in enumerate(entries) if entry.event == "started"]
    since = entries[starts[0] :] if starts else []
    return dict(zip((entry.number for entry in since), elapsed(since), strict=True))


def _versions(
    entries: list[Entry], times: Mapping[int, float], limit: float
) -> tuple[dict[str, str], tuple[str, ...]]:
    counted, late = {}, []
    for entry in entries:
        if entry.event != "saved" or entry.number not in times:
            continue
        if times[entry.number] <= limit:
            counted[entry.what] = entry.digest
        elif entry.what not in late:
            late.append(entry.what)
    return counted, tuple(late)


def _answer(read: Read, digest: str) -> str | None:
    """A version, None when it is not there or is not what the log says."""
    if not _DIGEST.fullmatch(digest):
        return None
    data = read(f"{VERSIONS}/{digest}", LIMIT)
    if data is None or hashlib.sha256(data).hexdigest() != digest:
        return None
    return data.decode("utf-8", "replace")


def _reader(path: Path) -> Read:
    if path.is_dir() and not path.is_symlink():
        return lambda name, limit: _from_folder(path, name, limit)
    try:
        if path.is_symlink() or path.stat().st_size > _LARGEST_ZIP:
            raise Problem("no_exam", path=path)
        archive = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    except (OSError, zipfile.BadZipFile):
        raise Problem("no_exam", path=path) from None
    return lambda name, limit: _from_zip(archive, name, limit)


def _from_folder(folder: Path, name: str, limit: int) -> bytes | None:
    place = folder / name
    if not place.is_file() or any(p.is_symlink() for p in (place, place.parent)):
        return None
    return place.read_bytes() if place.stat().st_size <= limit else None


def _from_zip(archive: zipfile.ZipFile, name: str, limit: int) -> bytes | None:
    """A member, when it is there once and unpacks to no more than ``limit`` bytes."""
    try:
        with archive.open(name) as file:
            data = file.read(limit + 1)
    except (KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        return None
    return data if len(data) <= limit else None
