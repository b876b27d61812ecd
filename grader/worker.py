"""A worker: a judge in a process of its own, so that two cores judge twice as fast.

``python -m grader.worker BANK`` reads the secret and then work from stdin, and answers on stdout.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import IO

from ascend_lab import Result, view
from ascend_lab.exercise import Bank, Judge, Task, open_bank
from grader.frames import Done, Secret, Work, read, write
from grader.marks import Picture

#: Launches with more instructions than this are not drawn: the picture would show nothing.
_DRAWN = 20_000
#: Nor are longer pictures of the UB.
_LARGEST = 150_000


def main() -> None:
    """Judge until there is no more work."""
    inward, outward = _pipes()
    tasks = open_bank(sys.argv[1])
    secret = read(inward, Secret)
    if secret is None:
        return
    with Judge(secret.seed, tasks=tasks) as judge:
        while (work := read(inward, Work)) is not None:
            write(outward, _judge(judge, tasks, work))


def _pipes() -> tuple[IO[bytes], IO[bytes]]:
    """stdin and stdout for us alone: whatever prints by accident goes to stderr."""
    inward, outward = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return inward, outward


def _judge(judge: Judge, tasks: Bank, work: Work) -> Done:
    """One judgement; what goes wrong in here is told and ends nothing."""
    try:
        task = tasks.load(work.task)
        album = Album(task)
        result = judge.check(task, work.answer, cases="all", watch=album.see)
        return Done(result, album.pictures())
    except Exception as error:
        return Done(None, problem=f"{type(error).__name__}: {error}")


class Album:
    """Keeps the launch worth drawing: the first with a fault, else the first of all.

    Hidden cases are not drawn: their data is not shown.
    """

    def __init__(self, task: Task) -> None:
        self._titles = {case.name: case.title for case in task.public_cases}
        self._kept: tuple[str, Result] | None = None

    def see(self, case: str, schedule: str, result: Result) -> None:
        """Called with every launch."""
        if case not in self._titles or schedule != "realistic":
            return
        if self._kept is None or (self._kept[1].ok and not result.ok):
            self._kept = case, result

    def pictures(self) -> tuple[Picture, ...]:
        """Timeline, UB and coverage of the launch."""
        if self._kept is None or len(self._kept[1].trace) > _DRAWN:
            return ()
        case, result = self._kept
        cores = self._cores(result)
        return (
            Picture(
                case,
                view.timeline_svg(result, cores, lang="zh"),
                view.timeline_svg(result, cores, lang="en"),
            ),
            *self._memory(case, result, cores[0]),
            Picture(
                case, view.coverage_svg(result, lang="zh"), view.coverage_svg(result, lang="en")
            ),
        )

    @staticmethod
    def _memory(case: str, result: Result, core: int) -> Iterator[Picture]:
        """Who has which bytes of the UB when; nothing of a core that has no buffers."""
        if not any(place.core == core for place in result.trace.details.places):
            return
        zh, en = (
            view.memory(result, core, lang="zh").html,
            view.memory(result, core, lang="en").html,
        )
        if len(zh) < _LARGEST:
            yield Picture(case, zh, en)

    @staticmethod
    def _cores(result: Result) -> list[int]:
        """The core of the leading finding, else the first."""
        leading = [finding.core for finding in result.findings if finding.core >= 0]
        return leading[:1] or [0]


if __name__ == "__main__":
    main()
