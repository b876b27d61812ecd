"""``ascend-lab lint FILE``: what pyasc's code generator would refuse in the kernels of a file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from ascend_lab.asc.codegen import Note, kernel_names, lint
from ascend_lab.commands import language
from ascend_lab.commands.source import Refused, cells_of

SILENT, FOUND, USAGE = 0, 1, 2


def add_parser(subparsers: Any) -> None:
    """Add ``lint``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "lint",
        help="what pyasc would refuse in the kernels of a file / pyasc 不接受的写法",
        description="Read the kernels of FILE (.py or .ipynb) and name every line that pyasc's code "
        "generator refuses. Host code is not looked at and nothing is run. Exit code: 0 nothing, "
        "1 something, 2 wrong usage.",
    )
    parser.add_argument("file", metavar="FILE", help="a .py or .ipynb file")
    parser.add_argument(
        "--kernel",
        action="append",
        default=[],
        metavar="NAME",
        help="only this kernel and what it calls; may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print the notes as JSON")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lint the file; returns the exit code."""
    lang: str = arguments.lang
    try:
        cells = cells_of(arguments.file)
    except Refused as refused:
        print(refused.message(lang), file=sys.stderr)
        return USAGE
    names = kernel_names(cells)
    unknown = [name for name in arguments.kernel if name not in names]
    if unknown:
        print(_unknown(unknown, names, lang), file=sys.stderr)
        return USAGE
    notes = lint(cells, arguments.kernel or None, apis=True)
    if arguments.json:
        print(json.dumps([note.as_dict() for note in notes], ensure_ascii=False, indent=1))
    else:
        print(*(note.message(lang) for note in notes), _sum(notes, names, lang), sep="\n")
    return FOUND if notes else SILENT


def notes_text(notes: Sequence[Note], lang: str) -> str:
    """Notes under a heading that says what they mean, for the end of a run."""
    return "\n".join([heading(lang), *(f"  {note.message(lang)}" for note in notes)])


def heading(lang: str) -> str:
    """What the notes have in common."""
    if lang == "zh":
        return "可移植性（在模型上能运行，但 pyasc 不接受，在卡上无法编译）："
    return "portability (this runs on the model, but pyasc refuses it and it does not compile for a card):"


def _sum(notes: Sequence[Note], names: Sequence[str], lang: str) -> str:
    if lang == "zh":
        return f"{len(names)} 个核函数，{len(notes)} 处 pyasc 不接受的写法"
    kernels = "1 kernel function" if len(names) == 1 else f"{len(names)} kernel functions"
    places = "1 place" if len(notes) == 1 else f"{len(notes)} places"
    return f"{kernels}, {places} that pyasc refuses"


def _unknown(unknown: Sequence[str], names: Sequence[str], lang: str) -> str:
    known, wanted = ", ".join(names), ", ".join(unknown)
    if lang == "zh":
        return f"没有核函数 {wanted}。文件里有：{known or '无'}"
    return f"there is no kernel function {wanted}. The file has: {known or 'none'}"
