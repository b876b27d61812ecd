"""Mutants are alive and caught under their own id; right kernels have no findings."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader import faults
from grader.faults import Status, Verifier

#: One kernel with flags, one with queues, and what outputs only show.
GATE = ("reference/quantise", "reference/add_queues")
#: Told by the checks when they know them: see `faults.Status.UNCHECKED`.
WITHOUT_A_CHECK = {"A6", "B6", "E4", "G9", "I1", "K1", "K3"}


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    with Verifier() as made:
        yield made


@pytest.mark.parametrize("name", GATE)
def test_gate(name: str) -> None:
    reference = faults.reference(name)
    ids = [id for id in faults.CLASSES if id not in ("K1", "K3")]
    found = faults.matrix([reference], ids)
    assert found.unclean == {name: ()}
    assert found.escaped == ()
    assert found.totals["caught"] >= 15
    for each in found.tries:
        assert each.status is not Status.UNCHECKED or each.mutant.class_id in WITHOUT_A_CHECK


@pytest.mark.parametrize(
    ("name", "class_id"),
    [
        ("atomic_sum", "C4"),
        ("atomic_sum", "E5"),
        ("atomic_sum", "E10"),
        ("clamp_select", "I4"),
        ("mask_add", "C7"),
        ("mask_add", "G7"),
        ("normalise_long", "D4"),
        ("normalise_long", "D6"),
        ("relu_rows", "A4"),
        ("sigmoid_half", "H1"),
        ("softmax_rows", "C6"),
        ("two_phase_sum", "G1"),
        ("exam/cumulative-sum", "E3"),
        ("exam/cumulative-sum", "K1"),
        ("exam/cumulative-sum", "K3"),  # the right kernel has small copies (K2) on this case too
        ("exam/rope", "A3"),
        ("exam/rope", "E4"),
    ],
)
def test_classes_that_need_another_kernel(verifier: Verifier, name: str, class_id: str) -> None:
    reference = faults.reference(name)
    seen = verifier.verify(faults.inject(reference.source, class_id), reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, class_id)


def test_a_mutant_that_changes_nothing_is_dropped(verifier: Verifier) -> None:
    reference = faults.reference("sum_half")
    found = [verifier.verify(m, reference) for m in faults.mutants(reference.source, "H4")]
    assert [seen.status for seen in found] == [Status.TOLERATED]
    reference = faults.reference("two_phase_sum")
    mutant = next(faults.mutants(reference.source, "B6"))
    assert verifier.verify(mutant, reference).status is Status.EQUIVALENT


def test_another_class_that_leads_is_told(verifier: Verifier) -> None:
    """A mutant under a wrong name is not caught."""
    import dataclasses

    reference = faults.reference("add_queues")
    mutant = dataclasses.replace(faults.inject(reference.source, "F1"), class_id="D2")
    seen = verifier.verify(mutant, reference)
    assert (seen.status, seen.leading) == (Status.MISNAMED, "F1")


def test_a_mutant_that_does_not_load_is_broken(verifier: Verifier) -> None:
    import dataclasses

    reference = faults.reference("add_queues")
    mutant = dataclasses.replace(faults.inject(reference.source, "F1"), source="1 / 0\n")
    assert verifier.verify(mutant, reference).status is Status.BROKEN


def test_the_first_of_two_faults_hides_the_second(verifier: Verifier) -> None:
    reference = faults.reference("add_queues")
    both = next(faults.combine(reference.source, "B1", "E3"))
    assert [part.class_id for part in both.parts] == ["B1", "E3"]
    seen = verifier.verify(both, reference)
    assert (seen.leading, "E3" in seen.found) == ("B1", False)
    assert verifier.verify(both.parts[1], reference).leading == "E3"


@pytest.mark.nightly
@pytest.mark.parametrize("reference", faults.references(), ids=lambda reference: reference.name)
def test_clean_on_every_chip(verifier: Verifier, reference: faults.Reference) -> None:
    for chip in reference.chips:
        assert verifier.clean(reference, chip) == ()


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [0, 1])
def test_whole_matrix(seed: int) -> None:
    found = faults.matrix(faults.references(), seed=seed, every=True)
    assert found.is_good, [(t.mutant.class_id, t.verification) for t in found.escaped]
    for row in found.rows:
        assert row.applies or row.absent is not None
    unchecked = {t.mutant.class_id for t in found.tries if t.status is Status.UNCHECKED}
    assert unchecked <= WITHOUT_A_CHECK
