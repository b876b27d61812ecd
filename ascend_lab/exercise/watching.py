"""Looks at a child's folder while the judge waits for the child: what it writes there has a limit."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from ascend_lab.exercise.faults import ChildFault
from ascend_lab.exercise.wire import TimedOut

#: What a child may have in its folder, in MB, and how many files.
FOLDER_MB, FOLDER_FILES = 64, 1000
_LOOK_S = 0.2


class Watchman:
    """Waits for a child, and looks at its folder from time to time.

    ``wall_s``: how long a launch may take, of which the judge's own work counts as CPU time of this thread. Then
    a machine that is busy with others does not end an endless loop before the limit of instructions does.
    """

    def __init__(self, folder: str, wall_s: float) -> None:
        self._folder = folder
        self._left = wall_s
        self._worked = time.thread_time()

    def wait(self, some: Callable[[float], bytes]) -> bytes:
        """What ``some`` (called with seconds) brings. Raises TimedOut, and ChildFault for the folder."""
        self._left -= max(time.thread_time() - self._worked, 0.0)
        began = time.monotonic()
        try:
            return self._wait(some, began + self._left)
        finally:
            self._left -= time.monotonic() - began
            self._worked = time.thread_time()

    def _wait(self, some: Callable[[float], bytes], end: float) -> bytes:
        while (left := end - time.monotonic()) > 0:
            try:
                return some(min(left, _LOOK_S))
            except TimedOut:
                pass
            if not _is_within_limits(self._folder):
                raise ChildFault("disk", detail=FOLDER_MB, files=FOLDER_FILES)
        raise TimedOut


def _is_within_limits(folder: str) -> bool:
    size = files = 0
    waiting = [folder]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:  # gone, closed, or too deep for a path
            continue
        files += len(entries)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                size += _blocks(entry)
        if files > FOLDER_FILES or size > FOLDER_MB << 20:
            return False
    return True


def _blocks(entry: os.DirEntry[str]) -> int:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return 0
    return int(getattr(status, "st_blocks", 0)) * 512
