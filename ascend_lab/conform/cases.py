"""Which cases a sample has: its scenarios, and those of them that are for this architecture."""

from __future__ import annotations

import re
from pathlib import Path

from ascend_lab.conform.cmake import Refused, evaluate

_RANGE = re.compile(r"(\d+)\s*[-~]\s*(\d+)")
_LIST = re.compile(r"\((\d+(?:\s*,\s*\d+)+)\)")
_NUMBERED = re.compile(r"(?:^|[\s#])(\d+)\s*:")
_ASSIGNED = re.compile(r"(?m)^\s*([A-Z_]+)=(\d+)[ \t]*(?:#[ \t]*(.*))?$")
_MOST = 32


def of_sample(folder: Path, text: str) -> list[dict[str, str]]:
    """The settings of each case of the sample in ``folder``, whose commands are ``text``; [{}] for just one."""
    name, told = _chosen_by(folder, text)
    if not name:
        return [{}]
    wanted = _values(told)
    accepted = [k for k in range(_MOST) if _accepts(folder, name, str(k))]
    if len(accepted) < _MOST:
        values = [k for k in accepted if not wanted or k in wanted] or accepted
    else:
        values = wanted
    return [{name: str(value)} for value in values] or [{}]


def _chosen_by(folder: Path, text: str) -> tuple[str, str]:
    """The number a sample is chosen by, and what is said about it."""
    cached: dict[str, str] = {}
    if (folder / "CMakeLists.txt").is_file():
        try:
            cached = evaluate(folder, {}).cached
        except Refused:
            cached = {}
    for match in _ASSIGNED.finditer(text):
        return match[1], f"{cached.get(match[1], '')} {match[3] or ''}"
    for name, told in cached.items():
        if "SCENARIO" in name:
            return name, told
    return "", ""


def _values(told: str) -> list[int]:
    listed = _LIST.search(told)
    if listed is not None:
        return [int(part) for part in listed[1].split(",")]
    found = _RANGE.search(told)
    if found is not None:
        return list(range(int(found[1]), int(found[2]) + 1))
    return sorted({int(number) for number in _NUMBERED.findall(told)})


def _accepts(folder: Path, name: str, value: str) -> bool:
    if not (folder / "CMakeLists.txt").is_file():
        return True
    try:
        evaluate(folder, {name: value})
    except Refused:
        return False
    return True
