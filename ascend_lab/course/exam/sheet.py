"""What a student gets of an exam: questions without keys, the task, the papers. One JSON file."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ascend_lab.exercise import Both

FILE = "exam.json"


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a question."""

    letter: str
    text: Both


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A theory question as it is shown. ``kind``: "single", "multi", "true_false" or "compute"."""

    id: str
    kind: str
    text: Both
    code: str = ""
    choices: tuple[Choice, ...] = ()
    unit: Both | None = None


class Practical(msgspec.Struct, frozen=True, kw_only=True):
    """The operator to be written: a task of the bank beside the notebook."""

    task: str
    kernel: str


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """The shape that is timed."""

    sizes: dict[str, int]


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """A broken kernel. ``reasons`` are (letter, sentence); ``count`` is how many faults there are."""

    id: str
    fingerprint: str
    title: Both
    text: Both
    file: str
    source: str
    reasons: tuple[tuple[str, Both], ...]
    count: int


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """One student's exam. ``token`` signs the log; ``weights`` are the points of each part."""

    format: int = 1
    exam: str
    title: Both
    course: str
    student: str
    lang: str
    minutes: int
    grace_s: int
    pass_total: float
    pass_parts: dict[str, float]
    weights: dict[str, float]
    token: str
    theory: tuple[Asked, ...]
    practical: Practical
    performance: Performance | None
    papers: tuple[Paper, ...]


def read_sheet(folder: Path) -> Sheet:
    """The exam in ``folder``. Raises OSError, or ValueError when it is damaged."""
    try:
        return msgspec.json.decode((folder / FILE).read_bytes(), type=Sheet)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{FILE}: {error}") from None
