"""Classes against kernels: which fault applies where, whether it is alive, and whether it is caught."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff

from ascend_lab.exercise import Both
from grader.faults.classes import ABSENT, CLASSES
from grader.faults.fault import Mutant
from grader.faults.injecting import mutants
from grader.faults.references import Reference
from grader.faults.verifying import Status, Verification, Verifier
from grader.faults.words import both

#: Called after each cell: done, of how many.
Tick = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Try:
    """One mutant and what became of it."""

    mutant: Mutant
    verification: Verification

    @property
    def status(self) -> Status:
        """What became of it."""
        return self.verification.status


@dataclass(frozen=True, slots=True)
class Cell:
    """One class in one kernel: its places, and the mutants that were made."""

    class_id: str
    reference: str
    places: tuple[int, ...]
    tries: tuple[Try, ...]

    @property
    def best(self) -> Try | None:
        """The first mutant that is alive, else the last that was tried."""
        alive = (each for each in self.tries if each.status.is_alive)
        return next(alive, self.tries[-1] if self.tries else None)

    @property
    def status(self) -> Status | None:
        """The status of the cell: the worst of its living mutants; None where nothing applies."""
        found = {each.status for each in self.tries}
        for status in _WORST_FIRST:
            if status in found:
                return status
        return None


_WORST_FIRST = (
    Status.BROKEN,
    Status.ESCAPED,
    Status.MISNAMED,
    Status.UNCHECKED,
    Status.CAUGHT,
    Status.TOLERATED,
    Status.EQUIVALENT,
)
_BAD = (Status.BROKEN, Status.ESCAPED, Status.MISNAMED)


@dataclass(frozen=True, slots=True)
class Row:
    """One class: its cells by kernel, or why it has none."""

    class_id: str
    wave: int
    title: Both
    cells: dict[str, Cell] = field(default_factory=dict)
    absent: Both | None = None

    @property
    def applies(self) -> bool:
        """Whether there is a mutant that is alive."""
        tries = [each for cell in self.cells.values() for each in cell.tries]
        return any(each.status.is_alive for each in tries)


@dataclass(frozen=True, slots=True)
class Matrix:
    """All rows; ``unclean`` says what was found in a kernel that should have no fault."""

    seed: str
    references: tuple[Reference, ...]
    rows: tuple[Row, ...]
    unclean: dict[str, tuple[str, ...]]

    @property
    def tries(self) -> tuple[Try, ...]:
        """Every mutant."""
        return tuple(t for row in self.rows for cell in row.cells.values() for t in cell.tries)

    @property
    def totals(self) -> dict[str, int]:
        """How many classes, kernels and mutants, and how many mutants of each status."""
        counts = Counter(each.status for each in self.tries)
        alive = sum(count for status, count in counts.items() if status.is_alive)
        return {
            "classes": len(self.rows),
            "classes alive": sum(row.applies for row in self.rows),
            "kernels": len(self.references),
            "mutants": len(self.tries),
            "alive": alive,
            **{status.value: counts[status] for status in Status},
            "findings on references": sum(map(len, self.unclean.values())),
        }

    @property
    def escaped(self) -> tuple[Try, ...]:
        """Mutants that no check names, or that another class names."""
        return tuple(each for each in self.tries if each.status in _BAD)

    @property
    def is_good(self) -> bool:
        """Whether every living mutant is caught and every reference is clean."""
        return not self.escaped and not any(self.unclean.values())

    def row(self, class_id: str) -> Row:
        """The row of a class."""
        return next(row for row in self.rows if row.class_id == class_id)


def matrix(
    references: Sequence[Reference],
    classes: Sequence[str] | None = None,
    seed: int | str = 0,
    *,
    every: bool = False,
    tick: Tick | None = None,
) -> Matrix:
    """Put each class into each kernel, and run what comes out.

    ``seed`` draws the places; the first mutant that is alive stands for its cell, with ``every`` all of
    them are run. ``classes`` are ids; all when None, also those that no kernel can have.
    """
    ids = list(CLASSES) if classes is None else [id for id in CLASSES if id in classes]
    total = len(references) * (len(ids) + 1)
    done = 0
    cells: dict[str, dict[str, Cell]] = {id: {} for id in ids}
    unclean = {}
    with Verifier() as verifier:
        for reference in references:
            unclean[reference.name] = verifier.clean(reference)
            for id in ids:
                cells[id][reference.name] = _cell(verifier, id, reference, seed, every)
                done += 1
                if tick is not None:
                    tick(done, total)
    rows = [_row(id, cells[id]) for id in ids]
    rows += [_absent(each.id) for each in ABSENT if classes is None or each.id in classes]
    return Matrix(str(seed), tuple(references), tuple(sorted(rows, key=_order)), unclean)


def _cell(
    verifier: Verifier, class_id: str, reference: Reference, seed: int | str, every: bool
) -> Cell:
    tries = []
    places: tuple[int, ...] = ()
    for mutant in mutants(reference.source, class_id, seed):
        places = mutant.sites
        tries.append(Try(mutant, verifier.verify(mutant, reference)))
        if tries[-1].status.is_alive and not every:
            break
    return Cell(class_id, reference.name, places, tuple(tries))


def _row(class_id: str, cells: dict[str, Cell]) -> Row:
    fault = CLASSES[class_id]
    there = {name: cell for name, cell in cells.items() if cell.tries}
    row = Row(class_id, fault.wave, fault.words.title, there)
    if row.applies:
        return row
    reason = fault.gap or both("dropped_everywhere" if there else "applies_nowhere")
    return Row(class_id, fault.wave, fault.words.title, there, reason)


def _absent(class_id: str) -> Row:
    found = next(each for each in ABSENT if each.id == class_id)
    return Row(found.id, found.wave, found.title, absent=found.reason)


def _order(row: Row) -> tuple[str, int]:
    return row.class_id[0], int(row.class_id[1:])


def diff(mutant: Mutant, reference: Reference) -> str:
    """What was changed, as a unified diff without a heading."""
    lines = unified_diff(
        reference.source.splitlines(), mutant.source.splitlines(), lineterm="", n=1
    )
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))
