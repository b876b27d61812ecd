"""From a template and a key to a broken kernel whose faults are known to be alive and to be named."""

from __future__ import annotations

import difflib
import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from ascend_lab.exercise import Bank, Both
from grader.faults import (
    CLASSES,
    Mutant,
    Reference,
    Status,
    Verification,
    Verifier,
    combine,
    mutants,
    reference,
)
from grader.troubleshooting.answers import REPAIRED
from grader.troubleshooting.dressing import laid_out, new_names, renamed
from grader.troubleshooting.templates import Planted, Template


@dataclass(frozen=True, slots=True)
class Truth:
    """One fault of a broken kernel.

    ``names``: ids that name it, its class's own first. ``lines``: lines that locate it: every changed one,
    the line on each side of something missing, and the line at which the model reports it. ``why`` is the
    letter of the right reason. ``alone``: the kernel with this fault only.
    """

    names: tuple[str, ...]
    lines: tuple[int, ...]
    why: str
    alone: Mutant


@dataclass(frozen=True, slots=True)
class Drawn:
    """A paper and its truth.

    ``reasons``: (letter, sentence) as the student sees them. ``leading``: id of the finding that the broken
    kernel shows first. ``secret`` decides the inputs that a repaired kernel is judged on.
    """

    template: Template
    reference: Reference
    source: str
    truths: tuple[Truth, ...]
    reasons: tuple[tuple[str, Both], ...]
    leading: str
    secret: str

    @property
    def repaired(self) -> str:
        """Name of the file for the repaired kernel: "repaired.py", "repaired.asc"."""
        return REPAIRED + Path(self.reference.file).suffix

    @property
    def fingerprint(self) -> str:
        """Tells papers apart, and nothing else: a hash of what was handed out."""
        handed_out = [self.source, *(text.en for _, text in self.reasons)]
        return hashlib.sha256("\0".join(handed_out).encode()).hexdigest()[:12]


class NothingToDraw(LookupError):
    """The kernel has no place where the faults of the template are alive and named."""

    def __init__(self, template: Template) -> None:
        super().__init__(template.id)
        self.template = template


def draw(
    template: Template, key: str, *, bank: Bank | None = None, verifier: Verifier | None = None
) -> Drawn:
    """The paper that ``key`` draws: the same for the same key, and a living fault at any of its places.

    The mutant is run on the model: it has to be caught under its own id, with two faults each for itself as
    well. Raises NothingToDraw.
    """
    secret = derived(key, template.id)
    right = reference(template.kernel, bank)
    if verifier is not None:
        return _drawn(template, right, secret, verifier)
    with Verifier(secret) as own:
        return _drawn(template, right, secret, own)


def derived(key: str, what: str) -> str:
    """What decides everything about one paper; it tells nothing of ``key``."""
    return hmac.new(key.encode(), what.encode(), hashlib.sha256).hexdigest()


def _drawn(template: Template, right: Reference, secret: str, verifier: Verifier) -> Drawn:
    right = _laid_out(right, template, secret)
    spare: Drawn | None = None
    for mutant in candidates(template, right.source, secret):
        parts = mutant.parts or (mutant,)
        seen = [verifier.verify(part, right) for part in parts]
        whole = verifier.verify(mutant, right) if mutant.parts else seen[0]
        if all(map(_is_serious, (*seen, whole))):
            names = new_names(right.source, secret)
            own = replace(right, source=renamed(right.source, names))
            made = _paper(template, own, secret, _renamed(mutant, names), (whole, *seen))
            if _are_apart(made.truths):
                return made
            spare = spare or made
    if spare is None:
        raise NothingToDraw(template)
    return spare


def _are_apart(truths: tuple[Truth, ...]) -> bool:
    """Whether no line tells of two faults: where it can be, one answer locates one of them."""
    lines = [line for truth in truths for line in truth.lines]
    return len(set(lines)) == len(lines)


def _laid_out(right: Reference, template: Template, secret: str) -> Reference:
    return replace(right, source=laid_out(right.source, Path(template.kernel).stem, secret))


def _renamed(mutant: Mutant, names: Mapping[str, str]) -> Mutant:
    """The same in other words: which line is which stays."""
    parts = tuple(_renamed(part, names) for part in mutant.parts)
    return replace(mutant, source=renamed(mutant.source, names), parts=parts)


def _is_serious(seen: Verification) -> bool:
    """Whether the fault is found under its own id and is more than a note: the story has to be true."""
    return seen.status is Status.CAUGHT and seen.severity == "error"


def draw_without_check(template: Template, key: str, bank: Bank | None = None) -> str:
    """The source that would be tried first, without running it: for a quick look at a template."""
    secret = derived(key, template.id)
    right = _laid_out(reference(template.kernel, bank), template, secret)
    for mutant in candidates(template, right.source, secret):
        return renamed(mutant.source, new_names(right.source, secret))
    raise NothingToDraw(template)


def candidates(template: Template, source: str, secret: str) -> Iterator[Mutant]:
    """Kernels with the faults of ``template`` at places its rules allow, in the order ``secret`` draws."""
    first, *second = template.faults
    if second:
        found = combine(source, first.class_id, second[0].class_id, secret)
    else:
        found = mutants(source, first.class_id, secret)
    for mutant in found:
        parts = mutant.parts or (mutant,)
        pairs = zip(template.faults, parts, strict=True)
        if not mutant.blocks and all(_is_allowed(planted, part, source) for planted, part in pairs):
            yield mutant


def _is_allowed(planted: Planted, mutant: Mutant, source: str) -> bool:
    """Whether a changed line of the right kernel is one of those that the place rule names."""
    before = source.splitlines()
    steps = _steps(source, mutant.source)
    changed = [before[low:high] for tag, low, high, _, _ in steps if tag in ("replace", "delete")]
    return any(re.search(planted.place, line) for lines in changed for line in lines) or (
        not planted.place
    )


def _paper(
    template: Template,
    right: Reference,
    secret: str,
    mutant: Mutant,
    seen: tuple[Verification, ...],
) -> Drawn:
    whole, *each = seen
    options = [(planted.why, index) for index, planted in enumerate(template.faults)]
    options += [(wrong, -1) for planted in template.faults for wrong in planted.wrong]
    Random(f"{secret}/reasons").shuffle(options)
    letters = "abcdefgh"[: len(options)]
    truths = []
    for index, part in enumerate(mutant.parts or (mutant,)):
        fault = CLASSES[part.class_id]
        letter = next(a for a, (_, n) in zip(letters, options, strict=True) if n == index)
        lines = _lines(right.source, part, mutant.source, each[index].line)
        names = (fault.id, *(name for name in fault.expects if name != fault.id))
        truths.append(Truth(names, lines, letter, part))
    reasons = tuple((a, text) for a, (text, _) in zip(letters, options, strict=True))
    return Drawn(template, right, mutant.source, tuple(truths), reasons, whole.leading, secret)


def _lines(right: str, part: Mutant, whole: str, reported: int) -> tuple[int, ...]:
    """Lines of ``whole`` that locate the fault ``part``."""
    beside = [gap for gap in _gaps(right, part.source) if set(gap) & set(part.lines)]
    found = {reported, *part.lines, *(line for gap in beside for line in gap)}
    total = len(whole.splitlines())
    moved = {_moved(part.source, whole, line) for line in found}
    return tuple(sorted(line for line in moved if 1 <= line <= total))


def _gaps(before: str, after: str) -> Iterator[tuple[int, int]]:
    """The lines of ``after`` above and below of something that is missing."""
    for tag, _, _, low, _ in _steps(before, after):
        if tag == "delete":
            yield low, low + 1


def _moved(before: str, after: str, line: int) -> int:
    """Where line ``line`` of ``before`` is in ``after``, or what stands in its place."""
    for _, low, high, new_low, new_high in _steps(before, after):
        if low < line <= high:
            return min(new_low + line - low, max(new_high, new_low + 1))
    return line


def _steps(before: str, after: str) -> list[tuple[str, int, int, int, int]]:
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return list(matcher.get_opcodes())
