"""``ascend-lab prof FILE [--out DIR]``: what a run costs and where, under the names of ``msprof op``.

FILE is a script that launches kernels (.py) or an Ascend C source with ``main()``. Of several launches the
longest is shown unless ``--launch`` names another.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_lab.chips import ChipError
from ascend_lab.commands import cc, language
from ascend_lab.commands.prof_words import say
from ascend_lab.engine.errors import LabError

if TYPE_CHECKING:
    from ascend_lab.commands.launches import Launches, Source
    from ascend_lab.device import Result

OK, FOUND, USAGE = 0, 1, 2
_LINES = 8


def add_parser(subparsers: Any) -> None:
    """Add ``prof``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "prof",
        help="profile the kernels of a script or program / 分析核函数的性能",
        description="Run FILE and show what its kernel costs: pipes, copies, cores, lines, roofline, and "
        "what is right but slow. Exit code: 0 done, 1 a finding of an error or a failing file, 2 wrong usage.",
    )
    add_arguments(parser)
    parser.add_argument(
        "--out", metavar="DIR", help="write msprof's CSV files and trace.json there"
    )
    parser.add_argument(
        "--baseline", type=float, metavar="US", help="time of a baseline in us: give the HAP score"
    )
    parser.set_defaults(run=run)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``prof`` and ``bottleneck`` have in common."""
    parser.add_argument("file", metavar="FILE", help="a .py script or an Ascend C source")
    parser.add_argument("args", nargs="*", help="arguments of the script or program")
    parser.add_argument("--chip", help="the chip to model (default: what the file chooses)")
    parser.add_argument(
        "--launch", type=int, metavar="N", help="show launch N, from 0 (default: the longest)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    language.add_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Profile the file; returns the exit code."""
    opened = open_source(arguments)
    if isinstance(opened, int):
        return opened
    _, launches, number = opened
    result = launches.results[number][1]
    if arguments.baseline is not None and arguments.baseline <= 0:
        print(say("baseline", arguments.lang), file=sys.stderr)
        return USAGE
    if arguments.json:
        said = as_dict(result, arguments.baseline)
        said["host"] = [finding.as_dict() for finding in launches.slow]
        print(json.dumps(said, ensure_ascii=False, indent=1))
    else:
        print(*_others(launches, number, arguments.lang), sep="", end="")
        print(*report(result, arguments.lang, arguments.baseline), sep="\n")
        for finding in launches.slow:
            print("", finding.message(arguments.lang), sep="\n")
    if arguments.out:
        _write(result, Path(arguments.out), arguments.lang, arguments.json)
    return exit_code(launches, result)


def open_source(arguments: argparse.Namespace) -> tuple[Source, Launches, int] | int:
    """The file, run once, and which launch is meant; or an exit code, when everything has been said."""
    from ascend_lab.ascendc.building import CompileError, NoCompiler
    from ascend_lab.commands.launches import Source

    path, lang = Path(arguments.file), arguments.lang
    if not path.is_file() or path.suffix not in (".py", *cc.SUFFIXES):
        print(say("no_file", lang, file=arguments.file), file=sys.stderr)
        return USAGE
    try:
        source = Source(path, arguments.args, arguments.chip)
        launches = source.run(aside=arguments.json)
    except ChipError as error:
        print(error.message(lang), file=sys.stderr)
        return USAGE
    except (CompileError, NoCompiler, LabError) as error:
        print(error.message(lang), file=sys.stderr)
        return USAGE if isinstance(error, NoCompiler) else FOUND
    for told in launches.errors:
        print(told.message(lang), file=sys.stderr)
    if any(isinstance(told, ChipError) for told in launches.errors):
        return USAGE
    if not launches.results:
        print(say("no_launch", lang, file=path.name), file=sys.stderr)
        return launches.code or FOUND
    number = launches.longest() if arguments.launch is None else arguments.launch
    if not 0 <= number < len(launches.results):
        print(say("launches", lang, n=number, count=len(launches.results)), file=sys.stderr)
        return USAGE
    return source, launches, number


def exit_code(launches: Launches, result: Result) -> int:
    """1 when the file failed or its kernel is wrong."""
    return FOUND if launches.code or launches.errors or not result.ok else OK


# --- the report -----------------------------------------------------------------------------------------


def report(result: Result, lang: str, baseline: float | None = None) -> Iterator[str]:
    """What the command prints."""
    from ascend_lab.profile import hot_lines, indicators, roofline

    trace, spec, figures = result.trace, result.spec, result.metrics
    mark = "" if spec.calibrated else say("uncalibrated", lang)
    yield f"{figures.op_name} · {spec.name} · Block Dim {figures.block_dim}{mark}"
    yield f"Task Duration(us) {figures.task_duration_us:.3f}"
    yield ""
    yield f"PipeUtilization  ({say('mean', lang)})"
    for name, value in figures.as_dict()["PipeUtilization"].items():
        shown = f"{value:.4f}" if name.endswith("ratio") else f"{value:.3f}"
        yield f"  {name:<30}{shown:>14}"
    yield "  " + say("start", lang, us=f"{figures.prologue_scalar_us:g}")
    seen = indicators(trace, spec)
    yield ""
    yield say("indicators", lang)
    for name in ("copy", "compute", "queue_idle", "full_idle"):
        value = getattr(seen, name)
        share = value / seen.total if seen.total else 0.0
        yield f"  {value:>10.3f} us {share:>5.0%}  {say(name, lang)}"
    yield f"  {seen.overlap:>19.0%}  {say('overlap', lang)}"
    yield ""
    yield from _balance(result, lang)
    yield ""
    yield say("lines", lang)
    for line in hot_lines(trace, _LINES):
        ops = ", ".join(line.ops[:3])
        waits = say("waits", lang) if line.waits else ""
        yield f"  {line.share:>5.0%}  {line.pipe.name:<5}{line.place:<24}{ops} × {line.count}{waits}"
    roof = roofline(trace, spec)
    yield ""
    yield say(
        "roofline",
        lang,
        us=f"{roof.bound_us:.2f}",
        share=f"{roof.share:.0%}",
        side=say(f"side_{roof.side}", lang),
    )
    if baseline is not None:
        yield _score(baseline, result, roof.bound_us + figures.launch_us, lang)
    yield from _findings(result, lang)
    yield ""
    yield figures.accuracy(lang)


def _balance(result: Result, lang: str) -> Iterator[str]:
    cores = result.metrics.cores
    times = [core.total_cycles / result.spec.clock_mhz for core in cores]
    if not times:
        return
    slowest = times.index(max(times))
    yield say(
        "balance",
        lang,
        used=len(cores),
        all=result.spec.vector_cores,
        mean=f"{sum(times) / len(times):.3f}",
        low=f"{min(times):.3f}",
        high=f"{max(times):.3f}",
        core=cores[slowest].core,
    )


def _score(baseline: float, result: Result, hardware: float, lang: str) -> str:
    from ascend_lab.profile import hap

    try:
        score = hap(baseline, result.time_us, hardware)
    except ValueError:
        return say("no_hap", lang, base=f"{baseline:g}", hw=f"{hardware:.2f}")
    return say("hap", lang, score=f"{score:.3f}", base=f"{baseline:g}", hw=f"{hardware:.2f}")


def _findings(result: Result, lang: str) -> Iterator[str]:
    for finding in result.findings:
        yield ""
        yield finding.message(lang)


def _others(launches: Launches, number: int, lang: str) -> Iterator[str]:
    """All launches, when there are several."""
    if len(launches.results) < 2:
        return
    for k, (name, result) in enumerate(launches.results):
        arrow = say("shown", lang) if k == number else ""
        mark = "" if result.spec.calibrated else say("uncalibrated", lang)
        yield f"[{k}] {name} {result.time_us:.2f} us{mark}{arrow}\n"
    yield "\n"


def _write(result: Result, folder: Path, lang: str, quiet: bool) -> None:
    from ascend_lab.profile import save_tables

    try:
        files = save_tables(result.trace, result.spec, folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        print(say("unwritable", lang, folder=folder, reason=reason), file=sys.stderr)
        return
    if not quiet:
        print(say("written", lang, folder=folder, files=", ".join(path.name for path in files)))


def as_dict(result: Result, baseline: float | None = None) -> dict[str, Any]:
    """Everything the report says, ready for JSON."""
    from dataclasses import asdict

    from ascend_lab.profile import hap, hot_lines, indicators, roofline, tables

    trace, spec, figures = result.trace, result.spec, result.metrics
    roof = roofline(trace, spec)
    found: dict[str, Any] = {
        "kernel": figures.op_name,
        "chip": spec.name,
        "calibrated": spec.calibrated,
        "time_us": result.time_us,
        "tables": tables(trace, spec),
        "indicators": asdict(indicators(trace, spec)),
        "cores": figures.per_core(),
        "hot_lines": [
            {**asdict(line), "pipe": line.pipe.name} for line in hot_lines(trace, 2 * _LINES)
        ],
        "roofline": {**asdict(roof), "share": roof.share, "side": roof.side},
        "findings": [finding.as_dict() for finding in result.findings],
    }
    hardware = roof.bound_us + figures.launch_us
    if baseline is not None and baseline > hardware:
        found["hap"] = hap(baseline, result.time_us, hardware)
    return found
