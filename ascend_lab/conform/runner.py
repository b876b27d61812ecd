"""All samples of a list, each in a limited process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ascend_lab.conform.ladder import Entry
from ascend_lab.conform.sample import verdict_on
from ascend_lab.conform.verdict import Verdict

SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Judged:
    """An entry, what became of it, and of each of its cases."""

    entry: Entry
    verdict: Verdict
    cases: tuple[Verdict, ...]


def conform(
    root: Path,
    entries: Sequence[Entry],
    *,
    jobs: int = 1,
    seconds: float = SECONDS,
    schedule: str = "realistic",
    told: Callable[[Judged], None] | None = None,
) -> list[Judged]:
    """Drive ``entries`` of the repositories in ``root``; in the order of the list, however many at a time.

    ``schedule`` is that of the devices their kernels run on.
    """

    def one(entry: Entry) -> Judged:
        cases = _in_a_process(root.absolute(), entry, seconds, schedule)
        return Judged(entry, verdict_on(entry, cases), tuple(cases))

    judged = []
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        for found in pool.map(one, entries):
            judged.append(found)
            if told is not None:
                told(found)
    return judged


def _in_a_process(root: Path, entry: Entry, seconds: float, schedule: str) -> list[Verdict]:
    job = json.dumps({"root": str(root), "entry": entry.plain(), "schedule": schedule})
    command = [sys.executable, "-m", "ascend_lab.conform.one"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    ) as child:
        try:
            out, err = child.communicate(job, timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(child)
            return [Verdict("crash", f"no end after {seconds:g} s")]
        _end(child)
    try:
        return [Verdict(**_tuples(v)) for v in json.loads(out.strip().splitlines()[-1])]
    except (ValueError, IndexError, TypeError):
        last = (err.strip().splitlines() or [f"exit code {child.returncode}"])[-1]
        return [Verdict("crash", last[:200])]


def _tuples(plain: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in plain.items()}


def _end(child: subprocess.Popen[str]) -> None:
    """End what the sample has left running, too."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
