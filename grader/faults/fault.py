"""A class of faults, a place for one, and a kernel that has one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Literal

from ascend_lab.exercise import Both
from grader.faults.cpp.source import CppSource
from grader.faults.source import Source
from grader.faults.wording import Wording, wording

Outcome = Literal["silent", "abort", "hang", "slow"]


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """One place for a fault: the line in the right kernel and what is changed there.

    ``changes``: by node, or by range of bytes in an Ascend C source. ``blocks`` is set when the fault is in the launch: an expression over ``cores`` and ``blocks``.
    """

    line: int
    changes: Mapping[Any, Any] = field(default_factory=dict)
    blocks: str = ""


#: Finds the places for a fault; numbers that may vary are drawn.
Finder = Callable[[Source, Random], Iterable[Site]]
CppFinder = Callable[[CppSource, Random], Iterable[Site]]


@dataclass(frozen=True)
class FaultClass:
    """A class of the taxonomy that can be put into a kernel.

    ``sites``: where it applies in a Python kernel, and the rewriting; ``cpp``: the same in an Ascend C
    source, None where it has no place. ``also``: ids that may lead in its place, each a way the
    same fault is told. ``sentence``: it is told as a sentence of the finding that leads. ``wave`` is 0 for
    a class outside the three waves; ``difficulty`` goes from 1 (found by reading) to 3 (needs a timeline).
    ``brief``: a mutant is so slow that only the smallest case is run. ``gap``: why no reference has a place.
    """

    id: str
    outcome: Outcome
    sites: Finder
    wave: int = 0
    difficulty: int = 1
    also: tuple[str, ...] = ()
    sentence: bool = False
    brief: bool = False
    gap: Both | None = None
    cpp: CppFinder | None = None

    @property
    def expects(self) -> tuple[str, ...]:
        """Ids of findings that name this fault when they lead."""
        return self.also if self.sentence else (self.id, *self.also)

    @cached_property
    def words(self) -> Wording:
        """Its story and hints, in both languages."""
        return wording(self.id)

    def draw(self, source: Source | CppSource, seed: int | str) -> tuple[Site, ...]:
        """Its sites in ``source``, in the order that ``seed`` decides."""
        random = Random(f"{seed}/{self.id}/{digest(source.text)}")
        sites = list(self._found(source, random))
        random.shuffle(sites)
        return tuple(sites)

    def _found(self, source: Source | CppSource, random: Random) -> Iterable[Site]:
        if isinstance(source, Source):
            return self.sites(source, random)
        return () if self.cpp is None else self.cpp(source, random)


@dataclass(frozen=True, slots=True)
class Absent:
    """A class that no kernel of the Python door can have; ``reason`` says why."""

    id: str
    wave: int
    title: Both
    reason: Both


@dataclass(frozen=True, slots=True)
class Mutant:
    """A kernel with a fault, as a student gets it.

    ``line``: where the fault is in ``source``; ``lines``: every changed line. ``sites``: the lines of the
    right kernel that could have been chosen. ``blocks``: how many blocks to launch, when that is the fault.
    ``parts``: the mutants that a combination consists of, the one that shows first first.
    """

    source: str
    class_id: str
    line: int
    lines: tuple[int, ...]
    sites: tuple[int, ...]
    hints: tuple[Both, ...]
    story: Both
    outcome: Outcome
    difficulty: int
    seed: str
    blocks: str = ""
    parts: tuple[Mutant, ...] = ()


class DoesNotApply(ValueError):
    """The kernel has no place for the fault."""

    def __init__(self, class_id: str) -> None:
        super().__init__(class_id)
        self.class_id = class_id


def digest(text: str) -> str:
    """A short hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
