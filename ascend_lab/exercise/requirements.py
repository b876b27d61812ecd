"""What a kernel is made of, against what the task asks: judged by the instructions it issued."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ascend_lab.asc.codegen import lint
from ascend_lab.exercise.remote import Answer
from ascend_lab.exercise.task import Both, Requirements
from ascend_lab.exercise.texts import say


def broken(wanted: Requirements, launches: Sequence[Counter[str]]) -> list[Both]:
    """A sentence for each requirement that some launch does not meet.

    API names count in either spelling (``data_copy``, ``DataCopy``); "TBuf" and "TQue" are buffers that
    InitBuffer gave to one.
    """
    counted = [_folded(launch) for launch in launches]
    return list(_complaints(wanted, counted))


def refused(answer: Answer, kernel: str) -> list[Both]:
    """A sentence for each line of the kernel that pyasc's code generator would refuse."""
    notes = lint([(cell.name, cell.text) for cell in answer.cells], [kernel])
    return [Both(note.message("zh"), note.message("en")) for note in notes]


def _complaints(wanted: Requirements, counted: Sequence[Counter[str]]) -> Iterator[Both]:
    for name in wanted.uses:
        if not all(launch[_fold(name)] for launch in counted):
            yield _both("must_use", name=name)
    for name in wanted.forbids:
        most = max((launch[_fold(name)] for launch in counted), default=0)
        if most:
            yield _both("must_not_use", name=name, n=most)
    for name, limit in wanted.at_most.items():
        most = max((launch[_fold(name)] for launch in counted), default=0)
        if most > limit:
            yield _both("at_most", name=name, limit=limit, n=most)


def _both(key: str, **numbers: object) -> Both:
    return Both(say(key, "zh", **numbers), say(key, "en", **numbers))


def _fold(name: str) -> str:
    return name.replace("_", "").casefold()


def _folded(launch: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, count in launch.items():
        found[_fold(name)] += count
    return found
