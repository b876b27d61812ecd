"""Answers as they were saved: every version under its hash, and the log says which came when.

Nothing is overwritten, so that the marker can take what was there when the time was over.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

from ascend_lab.course.exam.clock import Clock
from ascend_lab.course.exam.log import FILE as LOG
from ascend_lab.course.exam.log import Entry, Log
from ascend_lab.course.exam.sheet import FILE as SHEET
from ascend_lab.course.exam.sheet import Sheet

#: Folder of the versions, beside the log.
VERSIONS = "answers"
#: Longest answer that is kept, in bytes.
LIMIT = 512 << 10
_DATE = (1980, 1, 1, 0, 0, 0)  # the same bytes for the same content


class Store:
    """The answers of one exam in ``folder``."""

    def __init__(self, folder: Path, sheet: Sheet, clock: Clock) -> None:
        self.folder = folder
        self._sheet = sheet
        self.log = Log(folder, sheet.token, clock)

    @property
    def is_started(self) -> bool:
        """Whether the clock is running."""
        return any(entry.event == "started" for entry in self.log.entries)

    @property
    def is_submitted(self) -> bool:
        """Whether the exam has been handed in."""
        return any(entry.event == "submitted" for entry in self.log.entries)

    @property
    def left_s(self) -> float:
        """Seconds that are left; negative when the time is over."""
        return self._sheet.minutes * 60 - self.log.seconds()

    def start(self) -> None:
        """Start the clock; it starts once."""
        self.log.add("opened" if self.is_started else "started")

    def save(self, what: str, text: str) -> bool:
        """Keep a version of the answer ``what``; False when it is the one kept last.

        Raises ValueError for an answer longer than `LIMIT`.
        """
        data = text.encode("utf-8", "replace")
        if len(data) > LIMIT:
            raise ValueError(what)
        digest = hashlib.sha256(data).hexdigest()
        last = self._last(what)
        if last is not None and last.digest == digest:
            return False
        versions = self.folder / VERSIONS
        versions.mkdir(exist_ok=True)
        (versions / digest).write_bytes(data)
        self.log.add("saved", what, digest)
        return True

    def load(self, what: str) -> str | None:
        """The answer ``what`` as it was saved last."""
        last = self._last(what)
        if last is None:
            return None
        return (self.folder / VERSIONS / last.digest).read_bytes().decode()

    def _last(self, what: str) -> Entry | None:
        found = [e for e in self.log.entries if e.event == "saved" and e.what == what]
        return found[-1] if found else None

    def submit(self) -> Path:
        """Pack everything into one file and note that; gives its place. It can be done again."""
        self.log.add("submitted", "", self.digest())
        path = self.folder / f"{self._sheet.student}.exam.zip"
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in (SHEET, LOG, *self._versions()):
                archive.writestr(zipfile.ZipInfo(name, _DATE), (self.folder / name).read_bytes())
        path.write_bytes(made.getvalue())
        return path

    def digest(self) -> str:
        """Hash of all versions that are kept."""
        return hashlib.sha256("\n".join(self._versions()).encode()).hexdigest()

    def _versions(self) -> list[str]:
        known = {entry.digest for entry in self.log.entries if entry.event == "saved"}
        return [f"{VERSIONS}/{digest}" for digest in sorted(known)]
