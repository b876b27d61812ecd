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
_SCENARIO = re.compile(r"场景\s*(\d+)\s*[：:，,](.*)")
_LISTED = re.compile(r"(\d+)\s*[=：:]([^=：:，,；;|]*)")
_ONLY_950 = re.compile(r"仅[^。；]*950|950[^。；]*仅支持")
_THIS_CHIP = re.compile(r"Atlas|A2\b|2201|910")
_SUPPORTS = re.compile(r"(?m)^\|([^|\n]*(?:Ascend|Atlas)[^|\n]*)\|\s*>=")


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


def for_another_chip(folder: Path) -> bool:
    """Whether the README's table of products names Ascend 950 and no chip of the model."""
    told = _SUPPORTS.findall(_readme(folder))
    return bool(told) and all("950" in row and not _THIS_CHIP.search(row) for row in told)


def not_here(folder: Path) -> set[str]:
    """The numbers of scenarios that README or source say are for Ascend 950 only."""
    texts = [_readme(folder)]
    texts += [file.read_text("utf-8", "replace") for file in sorted(folder.glob("*.asc"))]
    found: set[str] = set()
    for line in "\n".join(texts).splitlines():
        told = _SCENARIO.findall(line)
        if not told and line.lstrip().startswith("|"):
            told = _LISTED.findall(line)
        for number, words in told:
            if _ONLY_950.search(words) and not _THIS_CHIP.search(words):
                found.add(number)
    return found


def _readme(folder: Path) -> str:
    file = folder / "README.md"
    return file.read_text("utf-8", "replace") if file.is_file() else ""
