"""``ascend-lab export FILE``: a script for pyasc itself, to be run on a card.

The kernel's text is kept byte for byte; imports change, and a header says what was checked on the model and what
was not. With ``--task`` the answer gets a harness: the public cases, golden and accuracy rule of the task.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_lab import __version__
from ascend_lab.asc.codegen import Note, kernel_names, lint
from ascend_lab.commands import export_header, harness, language, porting
from ascend_lab.commands.export_header import Facts
from ascend_lab.commands.source import Cell, Refused, cells_of

if TYPE_CHECKING:
    from ascend_lab.exercise import Bank, Task

DONE, REFUSED, USAGE = 0, 1, 2


def add_parser(subparsers: Any) -> None:
    """Add ``export``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "export",
        help="a script for pyasc, to run on a card / 导出可在卡上运行的 pyasc 脚本",
        description="Write FILE as a script for pyasc: same kernels, pyasc's imports, a header that says what "
        "was checked on the model. Exit code: 0 written, 1 it cannot be exported, 2 wrong usage.",
    )
    parser.add_argument("file", metavar="FILE", help="a .py file; with --task also a notebook")
    parser.add_argument("--out", metavar="FILE", help="where to write (default: standard output)")
    parser.add_argument(
        "--task",
        metavar="ID",
        help="export the kernel of this task (03/sigmoid) with its cases and golden",
    )
    parser.add_argument("--bank", metavar="DIR", help="another exam bank")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the script; returns the exit code."""
    lang: str = arguments.lang
    try:
        cells = cells_of(arguments.file)
    except Refused as refused:
        print(refused.message(lang), file=sys.stderr)
        return USAGE
    try:
        if arguments.task:
            text = _task(cells, arguments.task, arguments.bank, lang)
        else:
            text = _script(cells, Path(arguments.file), lang)
    except Refused as refused:
        print(refused.message(lang), file=sys.stderr)
        return REFUSED
    if arguments.out:
        Path(arguments.out).write_text(text, encoding="utf-8")
        print(_written(arguments.out, arguments.task, lang), file=sys.stderr)
    else:
        sys.stdout.write(text)
    return DONE


# --- a script --------------------------------------------------------------------------------------


def _script(cells: Sequence[Cell], path: Path, lang: str) -> str:
    """A script that launches its kernels itself."""
    if path.suffix == ".ipynb":
        raise Refused(
            f"{path.name} 是 notebook：请用 --task 说明要导出哪个任务的答案。",
            f"{path.name} is a notebook: say with --task which answer to export.",
        )
    [cell] = cells
    names = kernel_names(cells)
    _refuse_notes(lint(cells, apis=True))
    if not names:
        raise Refused(
            f"{path.name} 里没有带 @asc.jit 的核函数。",
            f"{path.name} has no kernel marked @asc.jit.",
        )
    text = porting.ported_file(cell.text, cell.name)
    first, rest = _preamble(text)
    return f"{first}{export_header.text(_observed(path, names), lang)}\n{rest}"


def _preamble(text: str) -> tuple[str, str]:
    """The lines that have to stay on top (``#!``, encoding), and the rest."""
    lines = text.split("\n")
    top = 1 if lines[0].startswith("#!") else 0
    if len(lines) > top and lines[top].startswith("#") and "coding" in lines[top]:
        top += 1
    return "".join(f"{line}\n" for line in lines[:top]), "\n".join(lines[top:])


def _observed(path: Path, names: Sequence[str]) -> Facts:
    """What one run of the script on the model showed."""
    from ascend_lab.asc.registering import register_asc, register_torch
    from ascend_lab.asc.runtime import config
    from ascend_lab.commands.run import execute

    register_asc()
    register_torch()
    said = io.StringIO()
    with (
        config.npu_is_model(),
        config.reporting(),
        config.collecting() as results,
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
    ):
        code, spoken = execute(path)
    found = [finding for result in results for finding in result.findings]
    return Facts(
        version=__version__,
        kernels=tuple(names),
        chips=tuple(dict.fromkeys(str(result.trace.meta["chip"]) for result in results)),
        launches=len(results),
        ended=code == 0 and spoken is None,
        findings=export_header.counted((f.id, f.file, f.line) for f in found),
        apis=export_header.recorded_in(result.trace for result in results),
    )


# --- an answer to a task ---------------------------------------------------------------------------


def _task(cells: Sequence[Cell], id: str, folder: str | None, lang: str) -> str:
    """The kernel of a task with its public cases."""
    try:
        from ascend_lab import exercise
        from ascend_lab.exercise import slicing
    except ModuleNotFoundError as error:
        install = "pip install 'ascend-lab[grader]'"
        raise Refused(
            f"缺少 {error.name}。请安装：{install}",
            f"{error.name} is missing. Install it: {install}",
        ) from None
    try:
        bank = exercise.open_bank(folder)
        task = bank.load(id)
    except exercise.TaskError as error:
        raise Refused(error.message("zh"), error.message("en")) from None
    _refuse_notes(lint(cells, [task.kernel], apis=True))
    from ascend_lab.exercise.wire import Cell as Sent

    sent = [Sent(cell.name, cell.text) for cell in cells]
    source = slicing.parse(sent)
    chosen = slicing.choose(source, task.kernel, live=False)
    if chosen is None or chosen.empty:
        raise _no_kernel(task, [(cells[index].name, error) for index, error in source.errors])
    kernel = "\n\n".join(_part(cells[index], nodes) for index, nodes in chosen.parts)
    nodes = [node for _, part in chosen.parts for node in part]
    _refuse_clash(nodes)
    body = harness.text(task, exercise.PRACTICE, _structs(task, nodes))
    facts = _judged(bank, task, sent)
    return (
        f"{export_header.text(facts, lang)}\n{harness.IMPORTS}\n{kernel.strip(chr(10))}\n\n\n{body}"
    )


def _part(cell: Cell, nodes: Sequence[ast.stmt]) -> str:
    """The statements of one cell, without imports that the harness has."""
    own = ["__future__", *harness.IMPORTS.split("\n")]
    wanted = [
        node
        for node in nodes
        if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    parts = [porting.ported(cell.text, cell.name, [node]) for node in wanted]
    kept = [
        (node, part) for node, part in zip(wanted, parts, strict=True) if part.strip() not in own
    ]
    text = ""
    for node, part in kept:
        wide = isinstance(node, ast.FunctionDef | ast.ClassDef)
        text += f"{chr(10) * 2 if wide and text else ''}{part}\n"
    return text


def _refuse_clash(nodes: Sequence[ast.stmt]) -> None:
    from ascend_lab.asc.codegen.survey import names_stored

    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            continue
        clash = sorted(set(names_stored(node)) & harness.NAMES)
        if clash:
            raise Refused(
                f"第 {node.lineno} 行定义的 {clash[0]} 与导出脚本里的名字相同。下一步：改名。",
                f"line {node.lineno} defines {clash[0]}, which the exported script needs. Next: rename it.",
            )


def _structs(task: Task, nodes: Sequence[ast.stmt]) -> dict[str, str]:
    """The Struct class of each tiling parameter, by the task's name of the parameter."""
    kernel = next(
        n for n in reversed(nodes) if isinstance(n, ast.FunctionDef) and n.name == task.kernel
    )
    own = [*kernel.args.posonlyargs, *kernel.args.args]
    return {
        parameter.name: ast.unparse(argument.annotation)
        for parameter, argument in zip(task.parameters, own, strict=False)
        if parameter.role == "tiling" and argument.annotation is not None
    }


def _judged(bank: Bank, task: Task, sent: Sequence[Any]) -> Facts:
    """What judging the answer on the public cases showed. Raises Refused when it cannot be loaded."""
    from ascend_lab import exercise

    traces: list[Any] = []
    orders = 0

    def watch(case: str, schedule: str, result: Any) -> None:
        nonlocal orders
        traces.append(result.trace)
        orders += len(result.variants)

    with exercise.Judge(tasks=bank) as judge:
        result = judge.check(task, exercise.Answer(tuple(sent)), watch=watch)
    loads = result.check("loads")
    if loads.verdict not in (exercise.Verdict.PASS, exercise.Verdict.NOT_ATTEMPTED):
        raise Refused(loads.zh, loads.en)
    return Facts(
        version=__version__,
        kernels=(task.kernel,),
        chips=(task.chip,),
        launches=len(traces),
        ended=True,
        findings=export_header.counted((f.id, f.file, f.line) for f in result.findings),
        apis=export_header.recorded_in(traces),
        task=task.id,
        verdicts=tuple(
            (check.name, str(check.verdict)) for check in result.checks if check.name != "hidden"
        ),
        orders=orders,
        hidden=bool(task.hidden_cases),
    )


# --- what cannot be exported -----------------------------------------------------------------------


def _no_kernel(task: Task, broken: Sequence[tuple[str, SyntaxError]]) -> Refused:
    zh = f"没有找到任务 {task.id} 的核函数 {task.kernel}，或者它还是空的。"
    en = f"there is no kernel {task.kernel} of task {task.id}, or it is still empty."
    for name, error in broken:
        zh += f"\n{name}:{error.lineno}：{error.msg}"
        en += f"\n{name}:{error.lineno}: {error.msg}"
    return Refused(zh, en)


def _refuse_notes(notes: Sequence[Note]) -> None:
    if notes:
        zh = "\n".join(
            ["pyasc 不接受以下写法，无法导出：", *(f"  {n.message('zh')}" for n in notes)]
        )
        en = "\n".join(
            ["pyasc refuses what follows, so it cannot be exported:"]
            + [f"  {note.message('en')}" for note in notes]
        )
        raise Refused(zh, en)


def _written(out: str, task: str | None, lang: str) -> str:
    on_a_card = f"python {out} -r NPU" if task else f"python {out}"
    if lang == "zh":
        return f"已写入 {out}。在卡上运行：{on_a_card}；在模型上：ascend-lab run {out}"
    return f"wrote {out}. On a card: {on_a_card}; on the model: ascend-lab run {out}"
