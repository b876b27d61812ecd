"""``ascend-lab run FILE.py [args]``: a script written for pyasc, unmodified, on the model.

An Ascend C source (.asc, .cpp) is compiled and run as ``ascend-lab cc`` does.

``import asc`` finds the lab's door, ``import torch`` a small stand-in when torch is absent; in this process
only. With ``--pytest`` the path is given to pytest instead. ``--findings`` says what a launch does about a
fault that the chip would not stop for: ``raise`` as everywhere in the lab, or ``report`` it at the end.
"""

from __future__ import annotations

import argparse
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_lab.asc.registering import register_asc, register_torch
from ascend_lab.asc.runtime import config
from ascend_lab.chips import ChipError
from ascend_lab.commands import cc, found, language
from ascend_lab.engine.errors import InternalError, LabError, NotModelled

if TYPE_CHECKING:
    from ascend_lab.device import Device

OK, FOUND, USAGE = 0, 1, 2
_SPOKEN = (LabError, NotModelled, InternalError, ChipError)


def add_parser(subparsers: Any) -> None:
    """Add ``run``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "run",
        help="run a pyasc script or its tests on the model / 在模型上运行 pyasc 脚本或测试",
        description="Run FILE as python would, with `import asc` found here. Exit code: 0 no finding, "
        "1 a finding or an error of the script, 2 wrong usage.",
    )
    parser.add_argument("file", metavar="FILE", help="a Python file; with --pytest also a folder")
    parser.add_argument(
        "args", nargs=argparse.REMAINDER, help="arguments of the script (of pytest)"
    )
    parser.add_argument("--chip", help="the chip to model (default: what the script chooses)")
    parser.add_argument(
        "--schedule", choices=("realistic", "adversarial"), default="realistic", help="see Device"
    )
    parser.add_argument("--pytest", action="store_true", help="run FILE with pytest")
    parser.add_argument(
        "--npu-is-model",
        action="store_true",
        help="let Backend.NPU mean the model, for scripts that only know the card",
    )
    parser.add_argument(
        "--findings",
        choices=("raise", "report"),
        help="raise faults of the kernel, or run on where the chip would and report them at the end "
        "(default: raise; with --pytest report)",
    )
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the script; returns the exit code."""
    path = Path(arguments.file)
    lang: str = arguments.lang
    if not path.exists() or (path.is_dir() and not arguments.pytest):
        print(_no_file(arguments.file, lang), file=sys.stderr)
        return USAGE
    if path.suffix in cc.SUFFIXES:
        return cc.run_source(
            arguments.file, arguments.args, arguments.chip, lang, arguments.schedule
        )
    register_asc()
    register_torch()
    if arguments.chip:
        try:
            config.set_platform(config.Backend.Model, arguments.chip)
            _chip_of_the_host_runtime(arguments.chip)
        except ChipError as error:
            print(error.message(lang), file=sys.stderr)
            return USAGE
    npu = arguments.npu_is_model or arguments.pytest
    report = (arguments.findings or ("report" if arguments.pytest else "raise")) == "report"
    with (
        nullcontext()
        if arguments.schedule == "realistic"
        else config.making(_adversarial(arguments.chip)),
        config.npu_is_model() if npu else nullcontext(),
        config.reporting() if report else nullcontext(),
    ):
        if arguments.pytest:
            return _pytest(path, arguments.args, found.Table(lang) if report else None)
        return _script(path, arguments.args, lang, report)


def _adversarial(default: str | None) -> Callable[[str | None], Device]:
    from ascend_lab.chips import DEFAULT
    from ascend_lab.device import Device

    return lambda chip: Device(chip or default or DEFAULT, schedule="adversarial")


def _script(path: Path, args: Sequence[str], lang: str, report: bool) -> int:
    with config.collecting() as results:
        code, spoken = execute(path, args)
        host = _of_the_host_runtime()
    print(_portability(path, lang), end="", file=sys.stderr)
    if spoken is not None and (report or getattr(spoken, "finding", None) is None):
        print(spoken.message(lang), file=sys.stderr)
    if report:
        table = found.Table(lang)
        table.add(path.name, results)
        print(*table.lines(), sep="\n", end="\n" if table.lines() else "", file=sys.stderr)
        for finding in host:
            print(finding.message(lang), file=sys.stderr)
        return code
    findings = [finding for result in results for finding in result.findings] + host
    for finding in findings:
        print(finding.message(lang), file=sys.stderr)
    wrong = any(finding.severity == "error" for finding in findings)
    return FOUND if wrong or spoken is not None else code


def _chip_of_the_host_runtime(chip: str) -> None:
    from ascend_lab.acl.current import default_chip

    default_chip(chip)


def _of_the_host_runtime() -> list[Any]:
    """What the script did wrong as a host program; nothing when it has not imported the runtime."""
    if "ascend_lab.acl" not in sys.modules:
        return []
    from ascend_lab.acl.current import ended

    return list(ended())


def _portability(path: Path, lang: str) -> str:
    """What pyasc would refuse in the script's kernels; "" when there is nothing."""
    from ascend_lab.asc.codegen import lint
    from ascend_lab.commands.lint import notes_text
    from ascend_lab.commands.source import Refused, cells_of

    try:
        notes = [note for note in lint(cells_of(str(path))) if note.rule != "syntax"]
    except Refused:
        return ""
    return f"{notes_text(notes, lang)}\n" if notes else ""


def execute(path: Path, args: Sequence[str] = ()) -> tuple[int, Any]:
    """Run a script as ``__main__``: its exit code, and the error of ours that ended it or None."""
    with _as_main(path, args):
        return _execute(path)


def _execute(path: Path) -> tuple[int, Any]:
    """(exit code of the script, the error of ours that ended it)."""
    try:
        runpy.run_path(str(path), run_name="__main__")
    except _SPOKEN as error:
        return FOUND, error
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            return stop.code or OK, None
        print(stop.code, file=sys.stderr)
        return FOUND, None
    except Exception as error:
        # The script's own error: its traceback, without the frames that started it.
        frames = error.__traceback__
        while frames is not None and frames.tb_frame.f_code.co_filename != str(path):
            frames = frames.tb_next
        traceback.print_exception(error.with_traceback(frames))
        return FOUND, None
    return OK, None


@contextmanager
def _as_main(path: Path, args: Sequence[str]) -> Iterator[None]:
    """``sys.argv`` and ``sys.path`` as the script would find them."""
    argv, search = sys.argv, list(sys.path)
    sys.argv = [str(path), *args]
    sys.path.insert(0, str(path.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = argv, search


def _pytest(path: Path, args: Sequence[str], table: found.Table | None) -> int:
    try:
        import pytest
    except ModuleNotFoundError:
        print("pytest is not installed: pip install pytest", file=sys.stderr)
        return USAGE
    ours = ("-p", "no:cacheprovider", "--import-mode=importlib")
    plugins = [found.plugin(pytest, table)] if table is not None else []
    code = int(pytest.main([str(path), *ours, *args], plugins=plugins))
    return code if code in (OK, FOUND) else USAGE


def _no_file(file: str, lang: str) -> str:
    if lang == "zh":
        return f"找不到文件 {file}。用法：ascend-lab run FILE.py [脚本参数]"
    return f"there is no file {file}. Usage: ascend-lab run FILE.py [arguments of the script]"
