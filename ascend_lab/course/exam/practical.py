"""The practical answer: one Python kernel, one Ascend C source, or the four files of the official judge.

The four files are those that learning-hub's skills/cannjudge-submit sends: op_kernel/*_tiling.h, op_kernel/
tiling_key_*.h (which may be absent), op_host/*.cpp, op_kernel/*.cpp.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ascend_lab.exercise import Answer, from_text
from ascend_lab.exercise.wire import Cell

#: Under this name the Python kernel is saved, and before a slash the files in Ascend C.
PRACTICAL = "practical"
#: The four files of the official judge's format, by the names under which they are saved.
CPP = ("tiling_h", "tiling_key_h", "host_cpp", "kernel_cpp")
_TILED = re.compile(r"\bGET_TILING_DATA")  # a kernel that gets its numbers from op_host
_HEADERS = {"tiling_h": r"\w+_tiling\.h", "tiling_key_h": r"tiling_key\w*\.h"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What counts of the files that were saved. ``missing``: what an answer in Ascend C lacks.

    ``answer`` is the Python kernel where that of Ascend C is not whole, None where there is neither.
    """

    answer: Answer | None
    missing: tuple[str, ...] = ()


def chosen(answers: Mapping[str, str], kernel: str) -> Chosen:
    """The answer in Ascend C where there is a whole one, else the Python kernel."""
    files = {name: answers.get(f"{PRACTICAL}/{name}", "") for name in CPP}
    given = {name for name, text in files.items() if text.strip()}
    missing = tuple(_missing(files, given))
    if given and not missing:
        if given == {"kernel_cpp"}:
            return Chosen(Answer((Cell(f"{kernel}.asc", files["kernel_cpp"]),), form="cpp"))
        return Chosen(Answer(tuple(_project(files, given, kernel)), form="project"))
    text = answers.get(PRACTICAL, "")
    return Chosen(from_text(text, f"{PRACTICAL}.py") if text.strip() else None, missing)


def _missing(files: Mapping[str, str], given: set[str]) -> Iterator[str]:
    """Which files the others need, and are not there."""
    if not given:
        return
    needed = {name for name in _HEADERS if _included(files, name)}
    yield from (name for name in _HEADERS if name in needed - given)
    alone = given == {"kernel_cpp"} and not needed and not _TILED.search(files["kernel_cpp"])
    if "host_cpp" not in given and not alone:
        yield "host_cpp"
    if "kernel_cpp" not in given:
        yield "kernel_cpp"


def _project(files: Mapping[str, str], given: set[str], kernel: str) -> Iterator[Cell]:
    """The four files as an operator project; the headers lie where they are included from."""
    for name, usual in (
        ("tiling_h", f"op_kernel/{kernel}_tiling.h"),
        ("tiling_key_h", f"op_kernel/tiling_key_{kernel}.h"),
    ):
        if name in given:
            for place in sorted(_included(files, name)) or [usual]:
                yield Cell(place, files[name])
    yield Cell(f"op_host/{kernel}.cpp", files["host_cpp"])
    yield Cell(f"op_kernel/{kernel}.cpp", files["kernel_cpp"])


def _included(files: Mapping[str, str], name: str) -> set[str]:
    """Where the includes of host and kernel look for the header ``name``."""
    wanted = re.compile(rf'^\s*#\s*include\s+"((?:[\w.]+/)*{_HEADERS[name]})"', re.MULTILINE)
    found = {
        posixpath.normpath(f"{folder}/{path}")
        for folder, file in (("op_host", "host_cpp"), ("op_kernel", "kernel_cpp"))
        for path in wanted.findall(files[file])
    }
    return {path for path in found if path.startswith(("op_host/", "op_kernel/"))}
