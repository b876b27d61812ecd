"""The command: exit codes, the journal, an interruption."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from grader.journal import NAME
from grader.pool import Pool
from tests.exercise import kernels

Grade = Callable[..., int]
Results = Callable[[], dict[str, Any]]
WRONG = kernels.changed("asc.add(", "asc.sub(")


def hand_in(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / "in" / f"{name}.py").write_text(text)


def entries(folder: Path) -> list[str]:
    """Keys of the judgements in the journal, in their order."""
    path = folder / "out" / NAME
    if not path.is_file():
        return []
    with contextlib.closing(sqlite3.connect(path)) as file:
        try:
            return [key for (key,) in file.execute("SELECT key FROM judgements ORDER BY rowid")]
        except sqlite3.OperationalError:  # it is being made
            return []


# --- exit codes --------------------------------------------------------------------------------------


def test_all_passed(grade: Grade, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_in(tmp_path, a=kernels.ADD, b=kernels.ADD)
    assert grade("--json", str(tmp_path / "deep/r.json"), "--lang", "zh") == 0
    assert "2 名学生" in capsys.readouterr().out
    assert json.loads((tmp_path / "deep/r.json").read_text(encoding="utf-8"))["exit"] == 0


def test_points_lost(grade: Grade, tmp_path: Path) -> None:
    hand_in(tmp_path, a=kernels.ADD, b=WRONG)
    assert grade() == 1


def test_not_to_be_judged(grade: Grade, tmp_path: Path, results: Results) -> None:
    hand_in(tmp_path, a=kernels.changed("@asc.jit", "@asc.jit(matmul_cube_only=True)"))
    assert grade() == 3
    assert results()["a"]["marks"][0]["result"]["undecided"] == 31


@pytest.mark.parametrize(
    "more",
    [
        ["--only", "99"],
        ["--only", "00/sub"],
        ["-j", "0"],
        ["-j", "many"],
        ["--lang", "fr"],
        ["--no-such-option"],
        ["--bank", "/nowhere"],
        ["--out", "/dev/null/x"],
    ],
)
def test_wrong_usage(grade: Grade, tmp_path: Path, more: list[str]) -> None:
    hand_in(tmp_path, a=kernels.ADD)
    assert grade(*more) == 2


def test_folders_with_nothing_in_them(
    grade: Grade, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert grade() == 2
    assert "has no submissions" in capsys.readouterr().err
    bank = str(tmp_path / "bank")
    assert main(["grade", str(tmp_path / "absent"), "--bank", bank]) == 2
    assert main(["grade"]) == 2


def test_only_by_many_names(grade: Grade, tmp_path: Path, results: Results) -> None:
    hand_in(tmp_path, a=kernels.ADD)
    for only in ("00", "0", "lab00", "Lab-00", "00/add"):
        assert grade("--only", only) == 0
    assert len(entries(tmp_path)) == 1


# --- the journal -----------------------------------------------------------------------------------------


def test_nothing_is_judged_twice(
    grade: Grade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path, a=kernels.ADD, b=WRONG)
    assert grade() == 1
    first = (tmp_path / "out/results.json").read_bytes()
    page = (tmp_path / "out/students/b.html").read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Pool, "__enter__", lambda self: pytest.fail("a worker was started"))
        assert grade() == 1
    assert (tmp_path / "out/results.json").read_bytes() == first
    assert (tmp_path / "out/students/b.html").read_bytes() == page
    hand_in(tmp_path, b=kernels.ADD + "\n")
    assert grade() == 0
    assert len(entries(tmp_path)) == 3
    (tmp_path / "bank/tasks/00/add.toml").write_text(
        (tmp_path / "bank/tasks/00/add.toml")
        .read_text(encoding="utf-8")
        .replace("runs = 1", "runs = 2"),
        encoding="utf-8",
    )
    assert grade() == 0
    assert len(entries(tmp_path)) == 5  # another task: everything again


def test_fresh_and_seed(grade: Grade, tmp_path: Path, results: Results) -> None:
    hand_in(tmp_path, a=kernels.ADD)
    grade()
    drawn = results()["a"]["marks"][0]["result"]["provenance"]["seed"]
    assert len(drawn) == 32
    grade("--fresh")
    assert results()["a"]["marks"][0]["result"]["provenance"]["seed"] != drawn
    assert len(entries(tmp_path)) == 1
    grade("--seed", "mine")
    assert len(entries(tmp_path)) == 2
    grade()
    assert results()["a"]["marks"][0]["result"]["provenance"]["seed"] == "mine"
    assert len(entries(tmp_path)) == 2


def test_a_journal_that_is_none(
    grade: Grade, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand_in(tmp_path, a=kernels.ADD)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / NAME).write_bytes(b"no database" * 100)
    assert grade() == 2
    assert "--fresh" in capsys.readouterr().err
    assert grade("--fresh") == 0


def test_a_judgement_that_was_left_open_is_made_again(
    grade: Grade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand_in(tmp_path, a=kernels.changed("@asc.jit", "@asc.jit(matmul_cube_only=True)"))
    assert grade() == 3
    jobs: list[int] = []
    run = Pool.run
    monkeypatch.setattr(Pool, "run", lambda self, work: jobs.append(len(work)) or run(self, work))
    assert grade() == 3
    assert jobs == [1]


# --- interruption ----------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.timeout(240)
def test_an_interrupted_run_goes_on(grade: Grade, tmp_path: Path, repository: Path) -> None:
    slow = {f"s{i}": kernels.at_start(f"while True: pass  # {i}") for i in range(8)}
    hand_in(tmp_path, **slow)
    places = ("in", "--bank", "bank", "--out", "out", "-j", "1", "--seed", "s")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    same_lab = "import grader.journal as j; j.package_digest = lambda: 'one lab'"
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # in the background too
    code = f"import sys; {heard}; {same_lab}; from grader.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "grade", *places],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(repository), "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
    )
    while len(entries(tmp_path)) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"run the same command again" in said
    assert b"Traceback" not in said
    assert list(scratch.iterdir()) == []
    kept = entries(tmp_path)
    assert 2 <= len(kept) < 8
    assert grade("--seed", "s") == 1
    after = entries(tmp_path)
    assert after[: len(kept)] == kept
    assert len(after) == len(set(after)) == 8


def test_a_worker_that_dies_costs_one_mark(
    grade: Grade, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, results: Results
) -> None:
    """A worker that falls over one answer is replaced; that answer is "not graded", the others are."""
    from grader import pool

    start = pool._command

    def fragile(bank: Path) -> list[str]:
        command = start(bank)
        trip = (
            "import grader.judging as w; judge = w.judged; "
            "w.judged = lambda j, t, work: "
            "__import__('os')._exit(9) if 'deadly' in work.answer.cells[0].text else judge(j, t, work); "
        )
        return [
            *command[:2],
            command[2].replace("from grader.worker", f"{trip}from grader.worker"),
            *command[3:],
        ]

    monkeypatch.setattr(pool, "_command", fragile)
    hand_in(tmp_path, a=kernels.ADD, b=kernels.ADD + "# deadly\n", c=kernels.ADD + "# mild\n")
    assert grade() == 3
    found = results()
    assert [found[name]["marks"][0]["verdict"] for name in "abc"] == ["pass", "ungraded", "pass"]
    assert "please report" in found["b"]["marks"][0]["reason"]["en"]
