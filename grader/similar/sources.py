"""What there is to compare: each student's sources, and what was handed out to all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.exercise import Bank
from grader.collecting import collect

CPP = (".asc", ".cpp", ".cc", ".h", ".hpp")
_MAGIC = "%%ascendc"
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """One piece of text. ``name`` is what reports call it."""

    name: str
    text: str
    is_cpp: bool


def collect_sources(folder: Path) -> dict[str, tuple[Source, ...]]:
    """The sources of each student of ``folder``, laid out as for ``grader grade``, and Ascend C files."""
    found: dict[str, list[Source]] = {}
    for student in collect(folder):
        cells = [c for paper in student.papers if paper.answer for c in paper.answer.cells]
        found[student.id] = [_source(c.name, c.text) for c in cells if c.text.strip()]
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder).parts
        if path.suffix in CPP and path.is_file() and not path.is_symlink():
            owner = inner[0] if len(inner) > 1 else path.stem
            name = "/".join(inner)
            if all(source.name != name for source in found.setdefault(owner, [])):
                found[owner].append(Source(name, _read(path), True))
    return {id: tuple(sources) for id, sources in sorted(found.items()) if sources}


def skeletons(bank: Bank, more: Iterable[Path] = ()) -> Iterator[Source]:
    """What was handed out: starts of tasks, cells of the labs' notebooks, and what ``more`` names."""
    for id in bank.ids():
        given = bank.load(id).given
        if given is not None:
            yield Source(given, bank.source(given), given.endswith(CPP))
    labs = bank.folder.parent / "labs"
    for path in (*sorted(labs.glob("[ez][nh]/*.ipynb")), *_files(more)):
        yield from _parts(path)


def _files(places: Iterable[Path]) -> Iterator[Path]:
    for place in places:
        yield from sorted(place.rglob("*")) if place.is_dir() else (place,)


def _parts(path: Path) -> Iterator[Source]:
    if path.suffix == ".ipynb":
        try:
            cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        except (OSError, ValueError, KeyError):
            return
        for number, cell in enumerate(cells, 1):
            if cell.get("cell_type") == "code":
                yield _source(f"{path.name} [{number}]", "".join(cell["source"]))
    elif path.suffix in (".py", *CPP) and path.is_file():
        yield Source(path.name, _read(path), path.suffix in CPP)


def _source(name: str, text: str) -> Source:
    """A cell or file of Python, unless its magic says Ascend C."""
    if text.lstrip().startswith(_MAGIC):
        return Source(name, text.lstrip().partition("\n")[2], True)
    return Source(name, text, name.endswith(CPP))


def _read(path: Path) -> str:
    return path.read_bytes()[:_LARGEST].decode("utf-8", "replace")
