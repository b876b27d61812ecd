"""The signed log: what it sees, and how long it says an exam took."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ascend_lab.course import exam as sitting
from ascend_lab.course.exam.log import Log, elapsed, read_log, remarks
from tests.grader.exam.conftest import HandClock


@pytest.fixture
def log(tmp_path: Path, clock: HandClock) -> Log:
    """A log of a start, three answers a minute apart, and the end."""
    made = Log(tmp_path, "token", clock)
    made.add("started")
    for number in range(3):
        clock.wait(60)
        made.add("saved", f"theory/{number}", "ab" * 32)
    clock.wait(1)
    made.add("submitted")
    return made


def read(folder: Path) -> tuple[list[str], list[str]]:
    entries, broken = read_log((folder / "log.jsonl").read_bytes(), "token")
    return [e.event for e in entries], [r.kind for r in [*broken, *remarks(entries, 30)]]


def test_a_whole_log_has_no_remarks(log: Log, tmp_path: Path) -> None:
    assert read(tmp_path) == (["started", "saved", "saved", "saved", "submitted"], [])
    assert elapsed(log.entries) == [0, 60, 120, 180, 181]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda lines: [*lines[:2], *lines[3:]], id="taken-out"),
        pytest.param(lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], id="moved"),
        pytest.param(lambda lines: [*lines[:2], lines[1], *lines[2:]], id="put-in"),
        pytest.param(
            lambda lines: [*lines[:2], lines[2].replace("theory/1", "theory/9"), *lines[3:]],
            id="changed",
        ),
        pytest.param(
            lambda lines: [*lines[:2], lines[2].replace('"wall":18', '"wall":17'), *lines[3:]],
            id="time-changed",
        ),
        pytest.param(lambda lines: [*lines[:2], "no json", *lines[2:]], id="not-json"),
        pytest.param(lambda lines: [*lines[:2], '{"number": 3}', *lines[2:]], id="other-json"),
    ],
)
def test_a_changed_log_counts_up_to_the_change(
    log: Log, tmp_path: Path, change: Callable[[list[str]], list[str]]
) -> None:
    path = tmp_path / "log.jsonl"
    lines = path.read_text().splitlines()
    changed = change(list(lines))
    assert changed != lines
    path.write_text("\n".join(changed) + "\n")
    events, kinds = read(tmp_path)
    assert "edited" in kinds
    assert len(events) <= 3
    assert events == ["started", "saved", "saved"][: len(events)]


def test_another_token_holds_nothing(log: Log, tmp_path: Path) -> None:
    entries, broken = read_log((tmp_path / "log.jsonl").read_bytes(), "other")
    assert entries == []
    assert [remark.kind for remark in broken] == ["edited"]


def test_a_clock_that_was_set_back_gives_no_time(
    log: Log, tmp_path: Path, clock: HandClock
) -> None:
    clock.set_by = -3600
    clock.wait(40 * 60)
    log.add("saved", "practical", "cd" * 32)
    _, kinds = read(tmp_path)
    assert kinds == ["clock", "late"]
    assert log.seconds() == 181 + 40 * 60


def test_a_restart_is_told_and_the_wall_clock_goes_on(
    log: Log, tmp_path: Path, clock: HandClock
) -> None:
    clock.start = "two"
    clock.wait(300)
    assert log.seconds() == 481
    log.add("opened")
    assert read(tmp_path)[1] == ["restarted"]


def test_late_and_unfinished(tmp_path: Path, clock: HandClock) -> None:
    made = Log(tmp_path, "token", clock)
    assert read_kinds(made) == ["unfinished"]
    made.add("started")
    clock.wait(31 * 60)
    made.add("saved", "practical", "ab" * 32)
    assert read_kinds(made) == ["unfinished", "late"]


def read_kinds(log: Log) -> list[str]:
    return [remark.kind for remark in remarks(log.entries, 30)]


def test_the_real_clock_runs() -> None:
    clock = sitting.Clock()
    assert clock.wall() > 1_700_000_000
    assert clock.running() <= clock.running()
    assert len(clock.boot()) in (0, 8)


def test_entries_are_lines_of_json(log: Log, tmp_path: Path) -> None:
    for line in (tmp_path / "log.jsonl").read_text().splitlines():
        assert len(json.loads(line)["mac"]) == 64
