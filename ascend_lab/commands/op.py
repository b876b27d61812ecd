"""``ascend-lab op``: operator projects of msopgen (op_host, op_kernel) and their aclnn calls, without CANN.

``op run PROJECT --case CASE`` builds the project, runs InferShape and TilingFunc on the host, launches the kernel
on the model and compares with the case's golden. ``op call PROJECT MAIN`` builds and runs a host program that calls
aclnnXxxGetWorkspaceSize and aclnnXxx. ``op show`` tells what the project registers. ``op new NAME`` writes a project
to start from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ascend_lab.chips import ChipError
from ascend_lab.commands import language
from ascend_lab.engine.errors import InternalError, LabError, NotModelled

OK, FOUND, USAGE = 0, 1, 2


def add_parser(subparsers: Any) -> None:
    """Add ``op`` with its own subcommands."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "op",
        help="build and run an operator project (op_host, op_kernel) / 编译并运行算子工程",
        description="Operator projects as msopgen makes them. Exit code: 0 right, 1 a fault or a wrong result, "
        "2 wrong usage or no compiler.",
    )
    inner = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    run_parser = inner.add_parser("run", help="run cases / 运行用例")
    _options(run_parser)
    run_parser.add_argument(
        "--case",
        dest="cases",
        action="append",
        default=[],
        metavar="CASE",
        help="a TOML file, or a name in PROJECT/cases (default: all of them)",
    )
    run_parser.add_argument(
        "--schedule", choices=("realistic", "adversarial"), default="realistic", help="see Device"
    )
    run_parser.add_argument("--no-checks", action="store_true", help="do not watch for faults")
    run_parser.set_defaults(run=_spoken(_run))
    caller = inner.add_parser(
        "call", help="run a program that calls aclnn functions / 运行 aclnn 调用程序"
    )
    _options(caller)
    caller.add_argument("source", metavar="MAIN", help="the host program's source")
    caller.add_argument("--folder", metavar="DIR", help="run there (default: where MAIN is)")
    caller.add_argument("args", nargs=argparse.REMAINDER, help="arguments of the program")
    caller.set_defaults(run=_spoken(_call))
    show = inner.add_parser("show", help="what the project registers / 列出算子原型")
    _options(show)
    show.set_defaults(run=_spoken(_show))
    new = inner.add_parser("new", help="write a project to start from / 生成一个算子工程")
    new.add_argument("name", metavar="NAME", help="the operator, as in SinhCustom or sinh_custom")
    new.add_argument("--folder", metavar="DIR", default=".", help="write it there (default: here)")
    language.add_option(new)
    new.set_defaults(run=_spoken(_new))


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", help="a folder with op_host and op_kernel")
    parser.add_argument("--op", help="the operator, where there are several")
    parser.add_argument("--chip", help="the chip to model")
    language.add_option(parser)


def _spoken(command: Any) -> Any:
    """``command`` with its errors told in the language asked for."""

    def run(arguments: argparse.Namespace) -> int:
        from ascend_lab.ascendc.building import CompileError, NoCompiler

        try:
            code: int = command(arguments)
            return code
        except (LabError, NotModelled, InternalError, CompileError) as error:
            print(error.message(arguments.lang), file=sys.stderr)
            return FOUND
        except (NoCompiler, ChipError) as error:
            print(error.message(arguments.lang), file=sys.stderr)
            return USAGE

    return run


def _project(arguments: argparse.Namespace) -> Any:
    from ascend_lab import chips
    from ascend_lab.ascendc.project import Project

    return Project(arguments.project, chips.load(arguments.chip or chips.DEFAULT))


# --- op new ----------------------------------------------------------------------------------------------


def _new(arguments: argparse.Namespace) -> int:
    from ascend_lab.ascendc.project.new import create

    made = create(arguments.name, Path(arguments.folder))
    root = next(path.parent.parent for path in made if path.parent.name == "op_host")
    zh = arguments.lang == "zh"
    print(f"已生成 {root}：" if zh else f"Written to {root}:")
    print(*(f"  {path.relative_to(root)}" for path in made), sep="\n")
    print(
        f"在 op_kernel 的 Compute() 里写计算，然后运行：ascend-lab op run {root}"
        if zh
        else f"Write your computation into Compute() in op_kernel, then: ascend-lab op run {root}"
    )
    return OK


# --- op show ---------------------------------------------------------------------------------------------


def _show(arguments: argparse.Namespace) -> int:
    project = _project(arguments)
    for known in project.prototypes.values():
        if arguments.op in (None, known.type, known.kernel):
            print(*_described(known), sep="\n")
    return OK


def _described(known: Any) -> Iterator[str]:
    from ascend_lab.ascendc.project.types import said

    yield known.type
    for kind, parameters in (("in ", known.inputs), ("out", known.outputs)):
        for one in parameters:
            types = ", ".join(said(code) for code in one.types)
            yield f"  {kind} {one.name}: {one.option}, {types}"
    for attr in known.attrs:
        how = "required" if attr.required else f"default {attr.default}"
        yield f"  attr {attr.name}: {attr.kind}, {how}"
    for structure in known.structures.values():
        fields = ", ".join(f"{one.type} {one.name}" for one in structure.fields)
        yield f"  tiling {structure.name}: {fields}"


# --- op run ------------------------------------------------------------------------------------------------


def _run(arguments: argparse.Namespace) -> int:
    from ascend_lab.commands.op_case import load
    from ascend_lab.device import Device

    project = _project(arguments)
    device = Device(chip=project.spec, schedule=arguments.schedule, checks=not arguments.no_checks)
    paths = _cases(project.root, arguments.cases)
    right = 0
    for path in paths:
        case = load(path)
        known = project.prototype(arguments.op or case.op)
        ran = project.run(known, case.inputs, case.attrs, device, case.shapes)
        good, lines = _told(case, known, ran, arguments.lang)
        print(*lines, sep="\n")
        right += good
    print(_total(right, len(paths), arguments.lang))
    return OK if right == len(paths) else FOUND


def _call(arguments: argparse.Namespace) -> int:
    from ascend_lab.ascendc.project.aclnn import call
    from ascend_lab.ascendc.telling import told

    source = Path(arguments.source)
    if not source.is_file():
        raise LabError(f"找不到源文件 {source}。", f"there is no source {source}.")
    folder = Path(arguments.folder) if arguments.folder else None
    called = call(_project(arguments), [source], arguments.args, folder=folder)
    lines = [fault.message(arguments.lang) for fault in called.faults]
    print(*lines, *told(called.outcome, arguments.lang), sep="\n", file=sys.stderr)
    if called.ok:
        return OK
    return called.outcome.code if called.outcome.code > 0 else FOUND


def _cases(root: Path, names: Sequence[str]) -> list[Path]:
    folder = root / "cases"
    if not names:
        found = sorted(folder.glob("*.toml"))
        if not found:
            raise LabError(
                f"{root.name}/cases 里没有用例：用 --case 文件.toml 指定。",
                f"there is no case in {root.name}/cases: name one with --case FILE.toml.",
            )
        return found
    paths = []
    for name in names:
        listed = folder / f"{name}.toml"
        path = listed if listed.is_file() else Path(name)
        if not path.is_file():
            raise LabError(f"找不到用例 {name}。", f"there is no case {name}.")
        paths.append(path)
    return paths


def _told(case: Any, known: Any, ran: Any, lang: str) -> tuple[bool, list[str]]:
    lines = [f"[{known.kernel}] {case.name}"]
    good = ran.ok
    lines += [fault.message(lang) for fault in ran.ready.faults]
    tiling = ran.ready.tiling
    if tiling is not None:
        lines.append(
            f"  blockDim {tiling.blocks}, tilingKey {tiling.key}, "
            f"tiling {len(tiling.data)} B, workspace {tiling.workspace} B"
        )
    if ran.result is not None:
        lines.append(f"  {ran.result.time_us:.2f} us")
        if ran.result.stdout:
            lines.append(ran.result.stdout.rstrip("\n"))
        lines += [finding.message(lang) for finding in ran.result.findings]
        for name, output in ran.outputs.items():
            right, line = _compared(case, name, output, lang)
            good = good and right
            lines.append(line)
    return good, lines


def _compared(case: Any, name: str, output: Any, lang: str) -> tuple[bool, str]:
    from ascend_lab.exercise.accuracy import compare

    zh = lang == "zh"
    head = f"  {name} {output.dtype.name}{list(output.shape)}: "
    wanted = case.outputs.get(name)
    if wanted is None or not wanted.golden:
        return True, head + (
            "没有给出 golden，未比较" if zh else "not compared, the case has no golden"
        )
    found = compare(output, case.expected(name, output), wanted.tolerance)
    if found.passed:
        accuracy = f", MERE {found.mere:.1e} < {found.t:.1e}" if found.t else ""
        return True, head + ("正确" if zh else "right") + accuracy
    count = found.wrong or found.total
    first = list(found.first or ())
    if zh:
        text = f"错误：{found.total} 个元素中 {count} 个不对；首个 {first}：应为 {found.expected}，得到 {found.got}"
    else:
        text = (
            f"wrong: {count} of {found.total} elements; the first, {first}: "
            f"{found.got} instead of {found.expected}"
        )
    return False, head + text


def _total(right: int, total: int, lang: str) -> str:
    return f"通过 {right}/{total}" if lang == "zh" else f"passed {right}/{total}"
