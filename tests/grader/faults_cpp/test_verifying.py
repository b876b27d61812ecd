"""Ascend C mutants are compiled and run: alive, and caught under their own id."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ascend_lab.ascendc import NoCompiler
from ascend_lab.ascendc.building import compiler
from grader import faults
from grader.faults import Status, Verifier

#: One of each family that the kernel with queues can have.
GATE = ("A1", "B3", "E1", "F1")


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    try:
        compiler()
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])
    with Verifier() as made:
        yield made


@pytest.mark.parametrize("class_id", GATE)
def test_gate(verifier: Verifier, class_id: str) -> None:
    reference = faults.reference("add_queues.asc")
    seen = verifier.verify(faults.inject(reference.source, class_id), reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, class_id)


def test_a_flag_kernel(verifier: Verifier) -> None:
    reference = faults.reference("add_pingpong.asc")
    assert verifier.clean(reference) == ()
    seen = verifier.verify(faults.inject(reference.source, "D2"), reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, "D2")


def test_a_buffer_without_memory_is_found_where_it_is_asked_for(verifier: Verifier) -> None:
    reference = faults.reference("exam/sinh.asc")
    given = "        pipe.InitBuffer(wideBuf, TILE_LENGTH * sizeof(float));\n"
    (mutant,) = (m for m in faults.mutants(reference.source, "C3") if given not in m.source)
    seen = verifier.verify(mutant, reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, "C3")
    assert "wideBuf.Get<float>()" in mutant.source.splitlines()[seen.line - 1]


@pytest.mark.parametrize("class_id", ["C2", "G9"])
def test_what_names_alone_can_tell(verifier: Verifier, class_id: str) -> None:
    """C2: an index far behind the last instruction. G9: only one of the two numbers has the host's name."""
    reference = faults.reference("exam/rope.asc")
    seen = verifier.verify(faults.inject(reference.source, class_id), reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, class_id)


def test_what_is_new_leads_before_what_is_told_under_the_usual(verifier: Verifier) -> None:
    """Of the right kernel K2 is said as well; K1 is told under it, and K3 is the fault."""
    reference = faults.reference("exam/rope.asc")
    seen = verifier.verify(faults.inject(reference.source, "K3"), reference)
    assert (seen.status, seen.leading) == (Status.CAUGHT, "K3")


def test_a_mutant_that_does_not_compile_is_broken(verifier: Verifier) -> None:
    import dataclasses

    reference = faults.reference("add_queues.asc")
    mutant = faults.inject(reference.source, "F1")
    mutant = dataclasses.replace(mutant, source=mutant.source.replace("EnQue(", "Enque("))
    seen = verifier.verify(mutant, reference)
    assert seen.status is Status.BROKEN
    assert "add_queues.asc" in seen.en


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("reference", faults.ascendc_references(), ids=lambda each: each.name)
def test_whole_matrix(verifier: Verifier, reference: faults.Reference) -> None:
    found = faults.matrix([reference])
    assert found.unclean == {reference.name: ()}
    assert found.escaped == ()
