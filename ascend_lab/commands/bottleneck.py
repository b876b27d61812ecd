"""``ascend-lab bottleneck FILE``: what the kernel is bound by, and the first change to try, with its gain.

The file is run again for every question ("what if V were twice as fast?"), so this takes about fifteen times
as long as ``ascend-lab prof``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from ascend_lab.commands import prof
from ascend_lab.commands.prof_words import say

if TYPE_CHECKING:
    from ascend_lab.profile.whatif import Change


def add_parser(subparsers: Any) -> None:
    """Add ``bottleneck``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "bottleneck",
        help="what a kernel is bound by, and what to try first / 瓶颈在哪里，先改什么",
        description="Run FILE, then again with one cost or wait changed at a time, and say what bounds its "
        "kernel and which change gains most. Exit code: 0 done, 1 a finding of an error or a failing file, "
        "2 wrong usage.",
    )
    prof.add_arguments(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Diagnose the file; returns the exit code."""
    from ascend_lab.profile import diagnose

    opened = prof.open_source(arguments)
    if isinstance(opened, int):
        return opened
    source, launches, number = opened
    result = launches.results[number][1]
    if not result.ok:
        print(say("wrong", arguments.lang), file=sys.stderr)
        for finding in result.findings.errors:
            print(finding.message(arguments.lang), file=sys.stderr)
        return prof.FOUND

    def again(change: Change) -> float:
        ran = source.again(change).results
        return ran[number][1].time_us if number < len(ran) else result.time_us

    found = diagnose(result.trace, result.spec, again)
    if arguments.json:
        print(json.dumps(found.as_dict(), ensure_ascii=False, indent=1))
    else:
        print(*found.lines(arguments.lang), sep="\n")
    return prof.exit_code(launches, result)
