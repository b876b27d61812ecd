"""Faulty kernels and their repairs in both doors: what each is given, what is right, and what must be said.

`python -m tests.checks.doors.table` runs all of them in both doors and prints what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ascend_lab import Device, Result

FOLDER = Path(__file__).parent
DOORS = ("python", "cpp")
Arrays = dict[str, Any]


@dataclass(frozen=True)
class Situation:
    """One kernel, called ``name`` in both doors.

    ``finds``: the id that leads ("" for a kernel that is right). ``given``: arguments by name, without ``mended``; those
    in ``right`` are outputs, with what must be in them. ``doors``: where it can be written at all.
    """

    name: str
    finds: str
    given: Callable[[], Arrays]
    right: Callable[[Arrays], Arrays]
    blocks: int = 1
    hint: str = ""
    doors: tuple[str, ...] = DOORS
    undefined: tuple[str, ...] = ()
    auto_sync: bool = True


@dataclass(frozen=True)
class Run:
    """What one launch gave: its result and whether the outputs are right."""

    result: Result
    right: bool

    @property
    def leads(self) -> str:
        """The id that leads, "" for none."""
        return (*self.result.findings.ids, "")[0]


def floats(*shape: int, seed: int = 1) -> np.ndarray[Any, Any]:
    """Numbers that are all different."""
    rng = np.random.default_rng(seed)
    return (rng.permutation(int(np.prod(shape))) / 16 + 1).astype(np.float32).reshape(shape)


def zeros(*shape: int, dtype: Any = np.float32) -> np.ndarray[Any, Any]:
    """An output."""
    return np.zeros(shape, dtype)


def launch(
    situation: Situation, kernel: Any, mended: bool, schedule: str = "realistic", seed: int = 0
) -> Run:
    """One launch on fresh arguments."""
    given = situation.given()
    right = situation.right(given)
    device = Device(schedule=schedule, seed=seed, auto_sync=situation.auto_sync)
    with np.errstate(all="ignore"):
        result = device.launch(
            kernel,
            situation.blocks,
            *given.values(),
            *([int(mended)] if situation.finds else []),
            outputs=tuple(right),
            undefined=situation.undefined,
            expected=right,
        )
    return Run(result, all(_same(given[name], value) for name, value in right.items()))


def _same(got: Any, expected: Any) -> bool:
    return bool(
        np.allclose(got.astype(float), np.asarray(expected).astype(float), 1e-3, 1e-3, True)
    )


def fault_line(name: str, door: str, group: str) -> int:
    """The line marked FAULT in the kernel ``name``; 0 where there is none."""
    path = FOLDER / f"{group}.{'py' if door == 'python' else 'asc'}"
    start = f"def {name}(" if door == "python" else f"void {name}("
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(("def ", 'extern "C"')):
            inside = start in line
        if inside and "FAULT" in line:
            return number
    return 0


@cache
def compiled(group: str) -> dict[str, Any]:
    """The kernels of ``group``.asc."""
    from ascend_lab.ascendc import kernels

    return dict(kernels(FOLDER / f"{group}.asc"))


def kernel_of(situation: Situation, group: str, door: str) -> Any:
    """The kernel of one door."""
    if door == "cpp":
        return compiled(group)[situation.name]
    import importlib

    return getattr(importlib.import_module(f"tests.checks.doors.{group}"), situation.name)


def found_at(finding: Any, line: int) -> bool:
    """Whether a finding names ``line`` as its own or as a related place; 0: anywhere."""
    return not line or line in (finding.line, *(place.line for place in finding.related))


def text(group: str, situations: Iterable[Situation], doors: Iterable[str] = DOORS) -> str:
    """A line for each situation and door."""
    lines = []
    for situation in situations:
        for door in (door for door in doors if door in situation.doors):
            kernel = kernel_of(situation, group, door)
            bad, good = (launch(situation, kernel, mended) for mended in (False, True))
            lead = next(iter(bad.result.findings), None)
            said = f"{lead.id} line {lead.line}" if lead else "right" if bad.right else "silent"
            clean = "clean" if good.right and not good.result.findings else "DIRTY"
            wanted = (
                "" if bad.leads == situation.finds else f"wanted {situation.finds or 'nothing'}"
            )
            lines.append(f"{situation.name:12} {door:6} {said:14} {clean:6} {wanted}".rstrip())
    return "\n".join(lines)


if __name__ == "__main__":
    import sys

    from tests.checks.doors.classes import CLASSES
    from tests.checks.doors.reports import REPORTS
    from tests.checks.doors.right import ODD

    groups = {"silent": CLASSES, "reported": REPORTS, "odd": ODD}
    for name in sys.argv[1:] or groups:
        print(text(name, groups[name]))
