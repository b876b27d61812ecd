"""Compares everybody with everybody."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grader.similar.sources import Source
from grader.similar.tokens import Token, tokens
from grader.similar.winnowing import GRAM, fingerprints, grams

#: What more than this share of a class has is common knowledge, in classes of at least `_CLASS`.
_COMMON = 0.5
_CLASS = 6

#: Fewer shared fingerprints than this say nothing: a line beside one that was handed out makes one.
_FEWEST = 3

#: (name of the source, line): a line that both have.
Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two students. ``share``: part of the smaller one's fingerprints that the other has, from 0 to 1.

    ``lines``: the lines of each that are in a shared passage.
    """

    first: str
    second: str
    share: float
    shared: int
    lines: tuple[frozenset[Line], frozenset[Line]]


@dataclass(slots=True)
class _Work:
    """One student's fingerprints: hash -> lines it covers."""

    lines: dict[int, set[Line]] = field(default_factory=dict)

    def add(self, source: Source) -> None:
        found = tokens(source.text, source.is_cpp)
        for hash, places in fingerprints(found).items():
            covered = self.lines.setdefault(hash, set())
            for place in places:
                covered |= {(source.name, each.line) for each in _gram(found, place)}


def _gram(found: Sequence[Token], place: int) -> Sequence[Token]:
    return found[place : place + GRAM]


def compare(
    students: Mapping[str, Iterable[Source]], skeleton: Iterable[Source], least: float = 0.0
) -> list[Pair]:
    """Every pair that shares at least ``least``, the most similar first."""
    handed_out: set[int] = set()
    for source in skeleton:
        handed_out |= set(grams(tokens(source.text, source.is_cpp)))
    works = {id: _work(sources) for id, sources in students.items()}
    common = _common(works.values())
    for work in works.values():
        for hash in (handed_out | common) & work.lines.keys():
            del work.lines[hash]
    pairs = [
        _pair(first, second, works[first], works[second])
        for first, second in itertools.combinations(works, 2)
    ]
    found = [pair for pair in pairs if pair.shared >= _FEWEST and pair.share >= least]
    return sorted(found, key=lambda pair: (-pair.share, -pair.shared, pair.first, pair.second))


def _work(sources: Iterable[Source]) -> _Work:
    work = _Work()
    for source in sources:
        work.add(source)
    return work


def _common(works: Iterable[_Work]) -> set[int]:
    everybody = list(works)
    if len(everybody) < _CLASS:
        return set()
    counts = Counter(hash for work in everybody for hash in work.lines)
    return {hash for hash, count in counts.items() if count > _COMMON * len(everybody)}


def _pair(first: str, second: str, one: _Work, other: _Work) -> Pair:
    shared = one.lines.keys() & other.lines.keys()
    smaller = min(len(one.lines), len(other.lines))
    lines = tuple(
        frozenset(line for hash in shared for line in work.lines[hash]) for work in (one, other)
    )
    share = len(shared) / smaller if smaller else 0.0
    return Pair(first, second, share, len(shared), (lines[0], lines[1]))
