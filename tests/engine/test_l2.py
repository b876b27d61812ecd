"""The L2 cache: what is held, what goes first, and what must be written back."""

from __future__ import annotations

from ascend_lab.engine.l2 import L2

KB = 1024


def test_a_second_read_hits() -> None:
    cache = L2(64 * KB, 128)
    assert cache.touch([(0, 8 * KB)], dirty=False) == (0, 8 * KB, 0)
    assert cache.touch([(4 * KB, 12 * KB)], dirty=False) == (4 * KB, 4 * KB, 0)


def test_whole_lines_are_held() -> None:
    cache = L2(64 * KB, 128)
    assert cache.touch([(100, 130)], dirty=False) == (0, 256, 0)
    assert cache.touch([(0, 128)], dirty=False).hit == 128


def test_what_was_unused_for_longest_goes_first_and_dirty_lines_are_told() -> None:
    cache = L2(16 * KB, 128)
    cache.touch([(0, 8 * KB)], dirty=True)
    cache.touch([(8 * KB, 16 * KB)], dirty=False)
    cache.touch([(0, 4 * KB)], dirty=False)
    assert cache.touch([(16 * KB, 20 * KB)], dirty=False) == (0, 4 * KB, 4 * KB)
    assert cache.touch([(0, 4 * KB)], dirty=False).hit == 4 * KB
    assert cache.touch([(4 * KB, 8 * KB)], dirty=False).hit == 0


def test_reading_more_than_it_holds_over_and_over_never_hits() -> None:
    """As case 5 of the published data_copy example: the whole matrix, four times."""
    cache = L2(16 * KB, 128)
    hits = [
        cache.touch([(low, low + 4 * KB)], dirty=False).hit
        for _ in range(4)
        for low in range(0, 32 * KB, 4 * KB)
    ]
    assert sum(hits) == 0


def test_a_look_keeps_nothing() -> None:
    cache = L2(64 * KB, 128)
    assert cache.look([(0, KB)]) == (0, KB, 0)
    assert cache.look([(0, KB)]).hit == 0
    cache.touch([(0, KB)], dirty=False)
    assert cache.look([(0, 2 * KB)]) == (KB, KB, 0)
