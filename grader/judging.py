"""What a worker does with one answer: judge it, and draw the launch that says most."""

from __future__ import annotations

from collections.abc import Iterator

from ascend_lab import Result, view
from ascend_lab.exercise import Bank, Judge, Task
from grader.frames import Done, Work
from grader.marks import Picture

#: Launches with more instructions than this are not drawn: the picture would show nothing.
_DRAWN = 20_000
#: Nor are longer pictures of the UB.
_LARGEST = 150_000


def judged(judge: Judge, tasks: Bank, work: Work) -> Done:
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
