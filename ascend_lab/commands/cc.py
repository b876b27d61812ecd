"""``ascend-lab cc FILE [args]``: compile an Ascend C source with the machine's g++, run it on the model.

The source stays as it is: launches, host code and all. ``ascend-lab run`` does the same for .asc and .cpp files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ascend_lab.chips import ChipError
from ascend_lab.commands import language

OK, FOUND, USAGE = 0, 1, 2
SUFFIXES = (".asc", ".cpp", ".cc", ".cxx", ".cce")


def add_parser(subparsers: Any) -> None:
    """Add ``cc``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "cc",
        help="compile and run an Ascend C source on the model / 编译 Ascend C 源文件并在模型上运行",
        description="Compile FILE with g++ or clang++ (CXX names another) and run it; kernels run on the "
        "model. Exit code: that of the program, 1 when a kernel has a finding, 2 wrong usage or no compiler.",
    )
    parser.add_argument(
        "-D",
        dest="defines",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="define a macro",
    )
    parser.add_argument(
        "-I",
        dest="includes",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of headers",
    )
    parser.add_argument(
        "--source",
        dest="sources",
        action="append",
        default=[],
        metavar="FILE",
        help="a further source",
    )
    parser.add_argument("--folder", metavar="DIR", help="run there (default: where FILE is)")
    parser.add_argument("--chip", help="the chip to model")
    parser.add_argument(
        "--schedule", choices=("realistic", "adversarial"), default="realistic", help="see Device"
    )
    parser.add_argument("--no-checks", action="store_true", help="do not watch for faults")
    parser.add_argument("--no-run", action="store_true", help="only compile")
    parser.add_argument("file", metavar="FILE", help="an Ascend C source")
    parser.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the program")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compile and run; returns the exit code."""
    from ascend_lab.ascendc.building import CompileError, NoCompiler, Options, build

    lang: str = arguments.lang
    sources = [Path(name) for name in (arguments.file, *arguments.sources)]
    missing = next((source for source in sources if not source.is_file()), None)
    if missing is not None:
        print(_no_file(str(missing), lang), file=sys.stderr)
        return USAGE
    options = Options(tuple(arguments.defines), tuple(map(Path, arguments.includes)))
    try:
        built = build(sources, options)
    except (CompileError, NoCompiler) as error:
        print(error.message(lang), file=sys.stderr)
        return FOUND if isinstance(error, CompileError) else USAGE
    print(built.warnings, end="", file=sys.stderr)
    if arguments.no_run:
        return OK
    return _run(built, arguments, lang)


def _run(built: Any, arguments: argparse.Namespace, lang: str) -> int:
    from ascend_lab.acl.host_device import HostDevice
    from ascend_lab.ascendc.program import run as run_program
    from ascend_lab.ascendc.telling import told

    chip = {"chip": arguments.chip} if arguments.chip else {}
    try:
        device = HostDevice(schedule=arguments.schedule, checks=not arguments.no_checks, **chip)
    except ChipError as error:
        print(error.message(lang), file=sys.stderr)
        return USAGE
    folder = Path(arguments.folder) if arguments.folder else None
    outcome = run_program(built, arguments.args, device=device, folder=folder)
    print(*told(outcome, lang), sep="\n", file=sys.stderr)
    if outcome.ok:
        return OK
    return outcome.code if outcome.code > 0 else FOUND


def run_source(
    file: str,
    args: Sequence[str],
    chip: str | None,
    lang: str,
    schedule: str = "realistic",
) -> int:
    """What ``ascend-lab run`` does with an Ascend C source."""
    return run(
        argparse.Namespace(
            file=file,
            args=list(args),
            chip=chip,
            lang=lang,
            sources=[],
            defines=[],
            includes=[],
            folder=None,
            schedule=schedule,
            no_checks=False,
            no_run=False,
        )
    )


def _no_file(file: str, lang: str) -> str:
    if lang == "zh":
        return f"找不到文件 {file}。用法：ascend-lab cc FILE [程序参数]"
    return f"there is no file {file}. Usage: ascend-lab cc FILE [arguments of the program]"
