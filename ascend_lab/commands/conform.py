"""``ascend-lab conform DIR [--list FILE] [--json OUT]``: samples of others, unmodified, on the model."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from ascend_lab.commands import language

OK, FAILED, USAGE = 0, 1, 2


def add_parser(subparsers: Any) -> None:
    """Add ``conform``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "conform",
        help="run official samples, unmodified, and count what passes / 原样运行官方样例并统计通过率",
        description="DIR holds copies of repositories as owner+name folders. Each sample is built, run and "
        "verified as its own document says. Exit code: 0 all pass, 1 some do not, 2 wrong usage.",
    )
    parser.add_argument("folder", metavar="DIR", help="a folder of repositories")
    parser.add_argument(
        "--list", dest="listed", metavar="FILE", help="a table of samples (Markdown)"
    )
    parser.add_argument("--json", dest="json", metavar="OUT", help="write the verdicts there")
    parser.add_argument("--only", metavar="N[,N...]", help="these numbers of the list")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="samples at a time (default: 1)")
    parser.add_argument(
        "--seconds", type=float, default=900.0, help="time of one sample (default: 900)"
    )
    parser.add_argument(
        "--schedule", choices=("realistic", "adversarial"), default="realistic", help="see Device"
    )
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Drive the samples; returns the exit code."""
    from ascend_lab import conform
    from ascend_lab.conform.report import row

    folder = Path(arguments.folder)
    listed = Path(arguments.listed) if arguments.listed else None
    missing = next((p for p in (folder, listed) if p is not None and not p.exists()), None)
    if missing is not None:
        print(_missing(missing, arguments.lang), file=sys.stderr)
        return USAGE
    entries = conform.read(listed.read_text("utf-8")) if listed else conform.discover(folder)
    if arguments.only:
        numbers = {int(part) for part in arguments.only.split(",")}
        entries = [entry for entry in entries if entry.number in numbers]
    judged = conform.conform(
        folder,
        entries,
        jobs=arguments.jobs,
        seconds=arguments.seconds,
        schedule=arguments.schedule,
        told=lambda found: print(row(found), flush=True),
    )
    if arguments.json:
        _write(Path(arguments.json), judged)
    print(conform.summary(judged))
    return OK if all(found.verdict.status == "pass" for found in judged) else FAILED


def _write(file: Path, judged: list[Any]) -> None:
    made = [
        {
            **found.entry.plain(),
            "matrix": found.entry.matrix,
            **found.verdict.plain(),
            "cases": [case.plain() for case in found.cases],
        }
        for found in judged
    ]
    file.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _missing(path: Path, lang: str) -> str:
    if lang == "zh":
        return f"找不到 {path}。用法：ascend-lab conform 目录 [--list 清单]"
    return f"there is no {path}. Usage: ascend-lab conform DIR [--list FILE]"
