"""``kill -9`` at any moment: nothing that was judged is lost, and the report is the one of an undisturbed run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from grader.journal import NAME, Journal
from tests.exercise import kernels
from tests.grader.attacks.conftest import adopt_orphans, children, left
from tests.grader.conftest import small_bank

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="SIGKILL, /proc")
# The lab is taken to be the same in every run, even when somebody edits it during the test.
_CODE = (
    "import sys, grader.journal as j; j.package_digest = lambda: 'one lab'; "
    "from grader.cli import main; sys.exit(main(sys.argv[1:]))"
)


def start(root: Path, repository: Path, out: str) -> subprocess.Popen[bytes]:
    """A grader of its own."""
    places = ("in", "--bank", "bank", "--out", out, "-j", "2", "--seed", "s")
    return subprocess.Popen(
        [sys.executable, "-c", _CODE, "grade", *places],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(repository), "TMPDIR": str(root / "scratch")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def report(out: Path) -> tuple[Any, str]:
    """Everything that a run says, but for the version of the lab."""
    data = json.loads((out / "results.json").read_text(encoding="utf-8"))
    for student in data["students"]:
        for mark in student["marks"]:
            mark["result"]["provenance"]["lab_digest"] = ""
    return data, (out / "grades.csv").read_text(encoding="utf-8-sig")


def judged(out: Path) -> int:
    """Judgements in the journal."""
    if not (out / NAME).is_file():
        return 0
    with Journal(out / NAME) as journal:
        return journal.count()


def killed_and_resumed(root: Path, repository: Path, answers: int, kills: int) -> None:
    small_bank(root / "bank")
    for name in ("in", "scratch"):
        (root / name).mkdir()
    for number in range(answers):
        right = kernels.ADD if number % 3 else kernels.changed("asc.add(", "asc.sub(")
        (root / f"in/s{number:03}.py").write_text(f"{right}# {number}\n")
    adopt_orphans()
    running = children()
    began = time.monotonic()
    assert start(root, repository, "calm").wait() == 1
    whole = time.monotonic() - began
    chance, known = random.Random(kills), 0
    for number in range(kills):
        grader = start(root, repository, "killed")
        while number % 2 == 0 and judged(root / "killed") <= known and grader.poll() is None:
            time.sleep(0.02)  # every other time: once something new has been judged
        time.sleep(chance.uniform(0, whole / 4))
        grader.send_signal(signal.SIGKILL)
        grader.wait()
        now = judged(root / "killed")
        assert now >= known
        known = now
    assert known > 0
    assert start(root, repository, "killed").wait() == 1
    assert report(root / "killed") == report(root / "calm")
    assert judged(root / "killed") == answers
    assert left(running) == []


@pytest.mark.timeout(300)
def test_killed_at_some_moments(tmp_path: Path, repository: Path) -> None:
    killed_and_resumed(tmp_path, repository, answers=8, kills=2)


@pytest.mark.nightly
def test_killed_at_twenty_moments(tmp_path: Path, repository: Path) -> None:
    killed_and_resumed(tmp_path, repository, answers=100, kills=20)


@pytest.mark.nightly
def test_two_runs_race(tmp_path: Path, repository: Path) -> None:
    small_bank(tmp_path / "bank")
    for name in ("in", "scratch"):
        (tmp_path / name).mkdir()
    for number in range(30):
        (tmp_path / f"in/s{number:02}.py").write_text(f"{kernels.ADD}# {number}\n")
    graders = [start(tmp_path, repository, "out") for _ in range(2)]
    assert [grader.wait() for grader in graders] == [0, 0]
    assert judged(tmp_path / "out") == 30
    assert start(tmp_path, repository, "calm").wait() == 0
    assert report(tmp_path / "out") == report(tmp_path / "calm")
