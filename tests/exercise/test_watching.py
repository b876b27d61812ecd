"""How long a judge waits for a child, and what does not count."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ascend_lab.exercise.watching import Watchman
from ascend_lab.exercise.wire import TimedOut


def silent(seconds: float) -> bytes:
    time.sleep(seconds)
    raise TimedOut


def test_time_that_others_take_does_not_count(tmp_path: Path) -> None:
    """As when the judge's device gets little of a busy machine: it is slow, and the kernel is not."""
    watchman = Watchman(str(tmp_path), 0.4)
    for _ in range(4):
        time.sleep(0.2)
        assert watchman.wait(lambda _: b"an instruction") == b"an instruction"


def test_waiting_is_added_up(tmp_path: Path) -> None:
    def slow(_: float) -> bytes:
        time.sleep(0.15)
        return b"an instruction"

    watchman = Watchman(str(tmp_path), 0.4)
    for _ in range(3):
        watchman.wait(slow)
    with pytest.raises(TimedOut):
        watchman.wait(slow)


def test_one_that_says_nothing_is_given_up(tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(TimedOut):
        Watchman(str(tmp_path), 0.3).wait(silent)
    assert time.monotonic() - began >= 0.3


def test_work_of_the_judge_counts_as_cpu_time(tmp_path: Path) -> None:
    watchman = Watchman(str(tmp_path), 0.1)
    end = time.thread_time() + 0.2
    while time.thread_time() < end:
        pass
    with pytest.raises(TimedOut):
        watchman.wait(lambda _: b"an instruction")
