"""Marks of a troubleshooting paper: locate 30, name 20, fix 40, no regression 10."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ascend_lab import chips
from ascend_lab.exercise import Answer, Both, ChildFault
from ascend_lab.exercise.trial import Bench
from grader.faults import Mutant, Status, Verification, Verifier
from grader.troubleshooting.answers import Found, Given
from grader.troubleshooting.drawing import Drawn, Truth
from grader.troubleshooting.words import both

#: Points in all (for two faults, half of each for each).
LOCATE, CLASS, REASON, FIX, KEPT = 30, 10, 10, 40, 10
#: How much longer than the right kernel a repaired one may take.
_SLOWER = 1.25
_RIGHT = (Status.EQUIVALENT, Status.TOLERATED)


@dataclass(frozen=True, slots=True)
class Mark:
    """Points for one thing that is asked for, and why."""

    name: str
    points: float
    possible: float
    text: Both


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one paper."""

    paper: str
    marks: tuple[Mark, ...]

    @property
    def points(self) -> float:
        """All of them, out of 100."""
        return sum(mark.points for mark in self.marks)

    def of(self, name: str) -> float:
        """Points for "locate", "name", "fix" or "no regression"."""
        return next(mark.points for mark in self.marks if mark.name == name)


def mark(drawn: Drawn, given: Given) -> Marks:
    """The marks of an answer to ``drawn``.

    A line is right when it is in `Truth.lines`. Half of "name" is the class, half the reason. "fix" is given
    when the repaired kernel is right and without findings in every case and every order; with two faults half
    of it when the one that hid the other is gone. "no regression" needs the whole of "fix", and time: at most
    1.25 times the right kernel's.
    """
    best = max(_pairings(drawn, given), key=lambda pairs: sum(map(_said, pairs)))
    located, named = _located(best), _named(best)
    fixed, kept = _repair(drawn, given)
    return Marks(drawn.template.id, (located, named, fixed, kept))


Pair = tuple[Truth, Found]


def _pairings(drawn: Drawn, given: Given) -> list[tuple[Pair, ...]]:
    """Every way to take the answers for the faults; answers beyond the number of faults do not count."""
    truths = drawn.truths
    answers = (*given.faults, *(Found() for _ in truths))[: len(truths)]
    orders = itertools.permutations(answers)
    return [tuple(zip(truths, order, strict=True)) for order in orders]


def _said(pair: Pair) -> float:
    return LOCATE * _is_located(pair) + CLASS * _is_named(pair) + REASON * _is_explained(pair)


def _is_located(pair: Pair) -> bool:
    return pair[1].line in pair[0].lines


def _is_named(pair: Pair) -> bool:
    return pair[1].class_id.strip().upper() in pair[0].names


def _is_explained(pair: Pair) -> bool:
    return pair[1].why.strip().lower() == pair[0].why


def _located(pairs: Sequence[Pair]) -> Mark:
    hits = sum(map(_is_located, pairs))
    text = both("located", n=hits, of=len(pairs))
    return Mark("locate", LOCATE * hits / len(pairs), LOCATE, text)


def _named(pairs: Sequence[Pair]) -> Mark:
    classes, reasons = sum(map(_is_named, pairs)), sum(map(_is_explained, pairs))
    points = (CLASS * classes + REASON * reasons) / len(pairs)
    text = both("named", classes=classes, reasons=reasons, of=len(pairs))
    return Mark("name", points, CLASS + REASON, text)


# --- the repaired kernel ---------------------------------------------------------------------------


def _repair(drawn: Drawn, given: Given) -> tuple[Mark, Mark]:
    source = _text(given.repaired)
    if not source.strip() or _same(source, drawn.source):
        return _no_fix(0.0, both("unchanged")), _not_kept(both("needs_fix"))
    with Verifier(drawn.secret) as verifier:
        handed_in = replace(drawn.reference, file=drawn.repaired)
        seen = verifier.verify(_as_mutant(drawn, source), handed_in)
    if seen.status not in _RIGHT:
        share = 0.5 if _is_half_repaired(drawn, seen) else 0.0
        return _no_fix(FIX * share, _complaint(seen, share)), _not_kept(both("needs_fix"))
    fixed = Mark("fix", FIX, FIX, both("fixed"))
    ratio = _slowdown(drawn, source)
    if ratio > _SLOWER:
        return fixed, _not_kept(both("slower", ratio=f"{ratio:.2f}", limit=_SLOWER))
    return fixed, Mark("no regression", KEPT, KEPT, both("kept"))


def _no_fix(points: float, text: Both) -> Mark:
    return Mark("fix", points, FIX, text)


def _not_kept(text: Both) -> Mark:
    return Mark("no regression", 0.0, KEPT, text)


def _text(answer: Answer | None) -> str:
    return "" if answer is None else "\n".join(cell.text for cell in answer.cells)


def _same(one: str, other: str) -> bool:
    """Whether two sources differ in blanks at line ends and empty lines only."""
    lines = [[line.rstrip() for line in text.splitlines() if line.strip()] for text in (one, other)]
    return lines[0] == lines[1]


def _as_mutant(drawn: Drawn, source: str) -> Mutant:
    return replace(drawn.truths[0].alone, source=source, blocks="", parts=())


def _is_half_repaired(drawn: Drawn, seen: Verification) -> bool:
    """Whether what leads now is the fault that was hidden before."""
    if len(drawn.truths) < 2:
        return False
    left = [truth for truth in drawn.truths if seen.leading in truth.names]
    return len(left) == 1 and drawn.leading not in left[0].names


def _complaint(seen: Verification, share: float) -> Both:
    if share:
        key = "half_fixed"
    else:
        key = "still_wrong" if seen.case else "not_judged"
    what = both(key, case=seen.case)
    zh, en = seen.zh.partition("\n")[0], seen.en.partition("\n")[0]
    return Both(f"{what.zh}{zh}", f"{what.en} {en}".strip())


def _slowdown(drawn: Drawn, source: str) -> float:
    """Time of the repaired kernel in the public cases, as a multiple of the right one's."""
    with Verifier(drawn.secret) as verifier:
        mine, right = (_cycles(drawn, text, verifier) for text in (source, drawn.reference.source))
    return mine / right


def _cycles(drawn: Drawn, source: str, verifier: Verifier) -> float:
    task = drawn.reference.task
    kernel = verifier.kernel(task, source, drawn.reference.file)
    bench = Bench(task, chips.load(task.chip), kernel, drawn.secret)
    try:
        trials = [trial for case in task.public_cases for trial in bench.run(case)]
        return sum(trial.result.cycles for trial in trials if trial.result is not None) or 1.0
    except ChildFault:
        return float("inf")
    finally:
        kernel.close()
