"""The command ``grader similar``."""

from __future__ import annotations

import json as jsons
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console

from ascend_lab.exercise import TaskError, open_bank
from grader.reports.frame import environment
from grader.similar.comparing import Line, Pair, compare
from grader.similar.sources import Source, collect_sources, skeletons
from grader.similar.words import word

Lang = Literal["zh", "en"]
#: How many pairs get a page of their own.
_PAGES = 100


class Exit(IntEnum):
    """Exit codes of ``grader similar``."""

    NONE = 0
    FOUND = 1
    USAGE = 2


def similar(
    folder: Path,
    /,
    *,
    least: float = 0.5,
    out: Path | None = None,
    skeleton: Annotated[tuple[Path, ...], Parameter(name="--skeleton")] = (),
    json: bool = False,
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Compare everybody's answers in FOLDER, Python and Ascend C; tell the pairs that are alike.

    What was handed out (starts of tasks, notebooks of the labs) does not count, nor what most of a class has.
    Renaming, comments and layout make no difference. Similar is not copied: look at the pair.

    Exit codes: 0 no pair is that similar, 1 some are, 2 wrong usage.

    Parameters
    ----------
    folder
        Where the submissions are, as for ``grader grade``.
    least
        Smallest similarity that is told, from 0 to 1.
    out
        Folder for pages that show each pair side by side.
    skeleton
        More files or folders that were handed out.
    json
        Print the pairs as JSON.
    lang
        Language of the console, and the one that pages open in.
    bank
        Another exam bank.
    """
    if not folder.is_dir():
        return _complain(word("no_folder", lang, path=folder))
    try:
        students = collect_sources(folder)
        if len(students) < 2:
            return _complain(word("too_few", lang, path=folder))
        pairs = compare(students, skeletons(open_bank(bank), skeleton), least)
        if out is not None:
            write_pages(pairs, students, out, lang)
    except TaskError as error:
        return _complain(error.message(lang))
    except OSError as error:
        at = {"path": str(error.filename or out), "reason": error.strerror or ""}
        return _complain(word("unwritable", lang, **at))
    if json:
        sys.stdout.write(jsons.dumps(told(pairs), ensure_ascii=False, indent=1) + "\n")
    else:
        _tell(pairs, least, out, lang)
    return Exit.FOUND if pairs else Exit.NONE


def told(pairs: Sequence[Pair]) -> dict[str, Any]:
    """The pairs as data."""
    return {
        "format": 1,
        "pairs": [
            {
                "students": [pair.first, pair.second],
                "similarity": round(pair.share, 4),
                "fingerprints": pair.shared,
                "lines": [_ranges(lines) for lines in pair.lines],
            }
            for pair in pairs
        ],
    }


def _ranges(lines: Iterable[Line]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for name, line in sorted(lines):
        found.setdefault(name, []).append(line)
    return found


def _tell(pairs: Sequence[Pair], least: float, out: Path | None, lang: Lang) -> None:
    for pair in pairs:
        said = {"first": pair.first, "second": pair.second, "share": f"{100 * pair.share:.0f}"}
        _print(word("pair", lang, lines=len(pair.lines[0]), **said))
    if not pairs:
        _print(word("none", lang, least=f"{100 * least:g}"))
    if out is not None:
        _print(word("written", lang, path=out / "index.html"))


def write_pages(
    pairs: Sequence[Pair], students: Mapping[str, tuple[Source, ...]], out: Path, lang: str
) -> None:
    """``index.html`` and a page for each of the first pairs."""
    made = environment("similar", lang, word)
    out.mkdir(parents=True, exist_ok=True)
    pages = [(pair, f"pair-{n}.html") for n, pair in enumerate(pairs[:_PAGES], 1)]
    index = made.get_template("similar_index.html").render(pairs=pages)
    (out / "index.html").write_text(index, encoding="utf-8")
    for pair, name in pages:
        ids = (pair.first, pair.second)
        sides = [
            (id, [_side(source, lines) for source in students[id] if _has(source, lines)])
            for id, lines in zip(ids, pair.lines, strict=True)
        ]
        page = made.get_template("similar_pair.html").render(pair=pair, sides=sides)
        (out / name).write_text(page, encoding="utf-8")


def _has(source: Source, lines: Iterable[Line]) -> bool:
    return any(name == source.name for name, _ in lines)


def _side(source: Source, lines: frozenset[Line]) -> tuple[str, list[tuple[int, str, bool]]]:
    numbered = enumerate(source.text.splitlines(), 1)
    return source.name, [(n, text, (source.name, n) in lines) for n, text in numbered]


def _complain(text: str) -> int:
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _print(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)
