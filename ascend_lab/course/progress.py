"""What a student has done so far, kept between sittings in a file of the user's own.

Losing it must never stand in anyone's way: a file that cannot be read counts as empty, one that cannot be
written is said so once and forgotten. No time, name or path is kept.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

#: Names another file; tests use it.
VARIABLE = "ASCEND_LAB_PROGRESS"
_VERSION = 1
_LARGEST = 1_000_000  # bytes; ours has some hundred


@dataclass(slots=True)
class Progress:
    """The record behind one file. Every change is written at once."""

    path: Path
    points: dict[str, float] = field(default_factory=dict)  # best of each task
    hints: dict[str, int] = field(default_factory=dict)  # highest level shown of each ladder
    leading: dict[str, str] = field(default_factory=dict)  # what the last check found first
    predicted: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, list[str]] = field(default_factory=dict)  # what the runs showed, in order
    found: dict[str, list[str]] = field(default_factory=dict)  # faults found in hunts
    saved: bool = True

    def scored(self, task: str, points: float) -> float:
        """Note a score; returns the best one so far."""
        best = max(points, self.points.get(task, 0.0))
        self.points[task] = best
        self.save()
        return best

    def save(self) -> None:
        """Write the file; ``saved`` says whether that worked."""
        record = {"version": _VERSION, **{name: getattr(self, name) for name in _TABLES}}
        text = json.dumps(record, ensure_ascii=False, indent=1, sort_keys=True)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part = self.path.with_name(f"{self.path.name}.{os.getpid()}.part")
            part.write_text(text + "\n", encoding="utf-8")
            part.replace(self.path)
        except OSError:
            self.saved = False


_TABLES = ("points", "hints", "leading", "predicted", "seen", "found")
_PLAIN: Mapping[str, type | tuple[type, ...]] = {
    "points": (int, float),
    "hints": int,
    "leading": str,
}


def load(path: Path | None = None) -> Progress:
    """The record in ``path``, else in `place`; empty when there is none that can be read."""
    chosen = path or place()
    progress = Progress(chosen)
    try:
        if chosen.stat().st_size <= _LARGEST:
            _fill(progress, json.loads(chosen.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        pass
    return progress


def place(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Where the record is kept: ``$ASCEND_LAB_PROGRESS``, else the platform's folder for user data."""
    variables = os.environ if environ is None else environ
    named = variables.get(VARIABLE)
    return Path(named) if named else _folder(variables, platform) / "ascend-lab" / "progress.json"


def _folder(environ: Mapping[str, str], platform: str) -> Path:
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")


def _fill(progress: Progress, record: Any) -> None:
    """Take what has the right shape; the rest of a damaged or newer file is left out."""
    if not isinstance(record, dict):
        return
    for name, kind in _PLAIN.items():
        getattr(progress, name).update(_entries(record.get(name), kind))
    for name in ("predicted", "seen", "found"):
        lists = _entries(record.get(name), list)
        getattr(progress, name).update(
            {key: value for key, value in lists.items() if all(isinstance(v, str) for v in value)}
        )


def _entries(table: Any, kind: type | tuple[type, ...]) -> dict[str, Any]:
    if not isinstance(table, dict):
        return {}
    return {
        key: value
        for key, value in table.items()
        if isinstance(value, kind) and not isinstance(value, bool)
    }
