"""A class of attackers and one honest student, graded; and what must not have changed."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.exercise import kernels
from tests.exercise.conftest import TASK
from tests.grader.attacks.python_attacks import MARK, Attack

HONEST = "honest"
_PLACES = ("/tmp", "/dev/shm", "/var/tmp")
_SUBREAPER = 36
_GRACE_S = 5.0


def make_class(root: Path, attacks: Sequence[Attack]) -> None:
    """``root/in`` with a submission of each, and ``root/bank``."""
    (root / "in").mkdir()
    for attack in attacks:
        for name, content in attack.files.items():
            path = root / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
    (root / f"in/{HONEST}.py").write_text(kernels.ADD)
    (root / "in/link.py").symlink_to(root / f"in/{HONEST}.py")
    with (root / "in/large.ipynb").open("wb") as file:
        file.truncate(200 << 20)
    (root / "bank/tasks/00").mkdir(parents=True)
    text = TASK.replace('"none"', '"add.py"')
    (root / "bank/tasks/00/add.toml").write_text(text, encoding="utf-8")
    (root / "bank/add.py").write_text(kernels.ADD)


def untouched(root: Path) -> dict[str, bytes]:
    """All files of the class and the bank, and whatever an attack has left anywhere."""
    found = {
        str(path): path.read_bytes()
        for part in ("in", "bank")
        for path in sorted((root / part).rglob("*"))
        if path.is_file() and path.stat().st_size < 1 << 20
    }
    marked = [Path(place) / MARK for place in (*_PLACES, str(root), str(Path.home()))]
    return found | {str(path): b"" for path in marked if path.exists()}


def adopt_orphans() -> None:
    """Whatever a run leaves behind becomes a child of this process."""
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def children() -> set[int]:
    """Processes below this one."""
    found: set[int] = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        found |= set(map(int, (task / "children").read_text().split()))
    return found


def left(before: set[int]) -> list[str]:
    """What still runs below this process some seconds after a run, by its command.

    The header that is precompiled behind a first compilation is ours, and may.
    """
    end = time.monotonic() + _GRACE_S
    while (found := _commands(children() - before)) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def _commands(pids: set[int]) -> list[str]:
    found = []
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)  # the dead that nobody waited for
        with contextlib.suppress(OSError):
            found.append(
                Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")[:200]
            )
    return [command for command in found if command and "prelude.h" not in command]


def marks(out: Path) -> dict[str, Any]:
    """The one mark of each student."""
    data = json.loads((out / "results.json").read_text(encoding="utf-8"))
    return {student["student"]: student["marks"][0] for student in data["students"]}


def told(mark: dict[str, Any]) -> str:
    """All that the report says of a mark, in English, with the ids of findings."""
    if mark["reason"] is not None:
        return str(mark["reason"]["en"])
    parts: list[str] = []
    for check in mark["result"]["checks"]:
        parts.append(check["en"])
        for finding in check["findings"]:
            parts += [finding["id"], finding["en"]]
    return "\n".join(parts)


def student(attack: Attack) -> str:
    """What the grader calls who handed it in."""
    return "".join(letter if letter.isprintable() else "?" for letter in attack.name)


def judge_one(attack: Attack, mark: dict[str, Any]) -> None:
    """It has no points for what it attacked, and is called what it is."""
    points = 0.0 if mark["result"] is None else mark["result"]["points"]
    assert points == attack.points, attack.name
    assert re.search(attack.says, told(mark)), (attack.name, told(mark))
    if attack.name == "not-modelled":
        assert mark["verdict"] == "error"
        return
    assert mark["verdict"] == attack.verdict, (attack.name, mark["verdict"], told(mark))
