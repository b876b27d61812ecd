"""From a right kernel to one with a fault."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import libcst as cst

from grader.faults.classes import CLASSES
from grader.faults.cpp import sweeping as cpp_sweeping
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import is_cpp
from grader.faults.fault import DoesNotApply, FaultClass, Mutant, Site
from grader.faults.source import Source, after_blank_line
from grader.faults.sweeping import swept


def inject(source: str, class_id: str, seed: int | str = 0) -> Mutant:
    """``source`` with a fault of ``class_id`` at the place that ``seed`` draws.

    Raises DoesNotApply when the kernel has no place for it, KeyError for a class that is not known, and
    SyntaxError for text that is neither Python nor Ascend C.
    """
    for mutant in mutants(source, class_id, seed):
        return mutant
    raise DoesNotApply(class_id)


def mutants(source: str, class_id: str, seed: int | str = 0) -> Iterator[Mutant]:
    """One mutant for each place, in the order ``seed`` draws; some may turn out to be right kernels."""
    fault = CLASSES[class_id]
    parsed = read(source)
    sites = fault.draw(parsed, seed)
    for site in sites:
        text = source
        if site.changes:
            text = _rewritten(parsed, site)
        if text != source or site.blocks:
            yield _mutant(fault, site, sites, source, text, str(seed))


def combine(source: str, first: str, second: str, seed: int | str = 0) -> Iterator[Mutant]:
    """Kernels with two faults, ``first`` put into each kernel that has ``second``.

    ``parts`` are the kernels with one of the two: what is left when the other is repaired.
    """
    for hidden in mutants(source, second, seed):
        for shown in mutants(source, first, seed):
            both = _again(source, hidden.source, shown, seed)
            if both is None or hidden.blocks:
                continue
            yield replace(
                both,
                class_id=f"{first}+{second}",
                lines=changed_lines(source, both.source),
                difficulty=min(3, max(both.difficulty, hidden.difficulty) + 1),
                parts=(shown, hidden),
            )


def _again(right: str, source: str, shown: Mutant, seed: int | str) -> Mutant | None:
    """The fault of ``shown`` in another kernel: the same lines go, and the same come."""
    wanted = _change(right, shown.source)
    for mutant in mutants(source, shown.class_id, seed):
        if not mutant.blocks and _change(source, mutant.source) == wanted:
            return mutant
    return None


def _change(before: str, after: str) -> tuple[Counter[str], Counter[str]]:
    """(the lines that are missing in ``after``, the lines that are new)."""
    old, new = (Counter(map(str.strip, text.splitlines())) for text in (before, after))
    return old - new, new - old


def places(source: str, class_id: str) -> tuple[int, ...]:
    """Lines of ``source`` where a fault of the class can be put."""
    sites = CLASSES[class_id].draw(read(source), 0)
    return tuple(sorted({site.line for site in sites}))


def _rewritten(parsed: Source | CppSource, site: Site) -> str:
    text = parsed.rewritten(site.changes)
    tidy = swept if isinstance(parsed, Source) else cpp_sweeping.swept
    return tidy(text, parsed.text)


@lru_cache(maxsize=64)
def read(text: str) -> Source | CppSource:
    """The parsed text, Python or Ascend C; parsing is slow, so it is kept. Raises SyntaxError."""
    if is_cpp(text):
        return CppSource(text)
    try:
        return Source(text)
    except cst.ParserSyntaxError as error:
        raise SyntaxError(error.message, ("", error.raw_line, error.raw_column, "")) from None


def _mutant(
    fault: FaultClass, site: Site, sites: Sequence[Site], source: str, text: str, seed: str
) -> Mutant:
    words = fault.words
    touched = {site.line, *(line for node, line in _touched(source, site))}
    return Mutant(
        source=text,
        class_id=fault.id,
        line=_place(source, text, site.line),
        lines=tuple(sorted({_place(source, text, line) for line in touched})),
        sites=tuple(sorted({site.line for site in sites})),
        hints=words.hints,
        story=words.story,
        outcome=fault.outcome,
        difficulty=fault.difficulty,
        seed=seed,
        blocks=site.blocks,
    )


def _touched(source: str, site: Site) -> Iterator[tuple[Any, int]]:
    """What a rewriting changes, except for blank lines that move."""
    parsed = read(source)
    for node, change in site.changes.items():
        if change is not after_blank_line:
            yield node, parsed.line(node)


def changed_lines(before: str, after: str) -> tuple[int, ...]:
    """Lines of ``after`` that differ; where lines are missing, the one that follows."""
    found: list[int] = []
    total = len(after.splitlines())
    for tag, _, _, low, high in _steps(before, after):
        if tag != "equal":
            found += range(low + 1, high + 1) if high > low else (min(low + 1, total),)
    return tuple(sorted(set(found)))


def _place(before: str, after: str, line: int) -> int:
    """Where line ``line`` of ``before`` is in ``after``, or what stands in its place."""
    for _, low, high, new_low, new_high in _steps(before, after):
        if low < line <= high:
            return min(new_low + line - low, max(new_high, new_low + 1))
    return line


def _steps(before: str, after: str) -> Sequence[tuple[str, int, int, int, int]]:
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return matcher.get_opcodes()
