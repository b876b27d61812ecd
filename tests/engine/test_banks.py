"""Bank conflicts: the published scenarios, and that both ways of counting agree."""

from __future__ import annotations

import itertools

import pytest

from ascend_lab import chips
from ascend_lab.engine import banks
from ascend_lab.engine.banks import Banks, Walk, cycles

BANKS = Banks.of(chips.shared())


def add(x: int, y: int, z: int, src0: tuple[int, int] = (1, 8)) -> float:
    """Cycles of 64 repeats."""
    reads = (Walk(x, *src0, 64), Walk(y, 1, 8, 64))
    return cycles(BANKS, reads, (Walk(z, 1, 8, 64),), 1.0)


@pytest.mark.parametrize(
    ("addresses", "each"),
    [
        ((0, 0x10100, 0x20000), 1.0),  # none
        ((0, 0x4000, 0x10000), 2.0),  # two reads in a group
        ((0, 0x10100, 0x4000), 1.0),  # source and destination lie alike in a bank
        ((0, 0x10100, 0x4020), 1.8),  # they do not
        ((0, 0x10100, 0x10100), 1.0),  # in place
    ],
)
def test_published_scenarios(addresses: tuple[int, int, int], each: float) -> None:
    assert add(*addresses) == pytest.approx(64 * each)


def test_eight_writes_in_one_group_take_eight_cycles() -> None:
    """The layout of bank_conflict_nd2nz before and after it is shifted."""
    read = (Walk(0, 1, 8, 144),)
    assert cycles(BANKS, read, (Walk(73728, 144, 1, 144),), 1.0) == 8 * 144
    assert cycles(BANKS, read, (Walk(73728, 145, 1, 144),), 1.0) == 144


def test_one_place_read_twice_is_read_once() -> None:
    x = Walk(0, 1, 8, 4)
    assert cycles(BANKS, (x, x), (Walk(0x10100, 1, 8, 4),), 1.0) == 4


def test_an_operation_that_needs_longer_hides_the_conflict() -> None:
    reads = (Walk(0, 1, 8, 4), Walk(0x4000, 1, 8, 4))
    assert cycles(BANKS, reads, (Walk(0x10000, 1, 8, 4),), 4.0) == 16


def test_contiguous_operands_count_as_strided_ones_do() -> None:
    starts = (0, 0x20, 0x100, 0x4000, 0xFF00, 0x10000, 0x10120)
    for x, y, z in itertools.product(starts, repeat=3):
        reads, writes = (Walk(x, 1, 8, 16), Walk(y, 1, 8, 16)), (Walk(z, 1, 8, 16),)
        sources = tuple(dict.fromkeys(reads))
        exact = banks._strided(BANKS, sources, writes, 1.0)
        assert cycles(BANKS, reads, writes, 1.0) == pytest.approx(exact, abs=0.9), (x, y, z)
