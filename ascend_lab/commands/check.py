"""``ascend-lab check FILE``: judge the kernels of a file against the tasks they answer."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ascend_lab.commands import language

if TYPE_CHECKING:
    from ascend_lab.checks import Finding
    from ascend_lab.course.edition import Lang
    from ascend_lab.exercise import Answer, Bank, Judge, Task, TaskResult

PASSED, LOST, USAGE, UNDECIDED = 0, 1, 2, 3


def add_parser(subparsers: Any) -> None:
    """Add ``check``."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "check",
        help="judge the kernels of a file / 检查文件中的核函数",
        description="Judge every kernel of FILE (.py, .ipynb or one Ascend C source) that has the name of a task's kernel, on the "
        "public cases. Exit code: 0 all pass, 1 not all, 2 wrong usage, 3 not to be judged.",
    )
    parser.add_argument("file", metavar="FILE", help="a .py, .ipynb, .asc or .cpp file")
    parser.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="ID",
        help="only this task (03/seed-add); may be given more than once",
    )
    parser.add_argument("--bank", metavar="DIR", help="another exam bank")
    parser.add_argument(
        "--hint",
        type=int,
        choices=(1, 2, 3),
        default=0,
        help="with a task that is not passed, show its hints up to this level",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    language.add_option(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Judge the file; returns the exit code."""
    try:
        from ascend_lab import exercise
    except ModuleNotFoundError as error:
        print(_missing(error.name or "", arguments.lang), file=sys.stderr)
        return USAGE
    try:
        bank = exercise.open_bank(arguments.bank)
        answer = exercise.read(Path(arguments.file))
        tasks = _tasks(bank, answer, arguments.task)
    except (exercise.TaskError, exercise.AnswerFault) as error:
        print(error.message(arguments.lang), file=sys.stderr)
        return USAGE
    if not tasks:
        print(_nothing(arguments.file, bank, arguments.lang), file=sys.stderr)
        return USAGE
    with exercise.Judge(tasks=bank) as judge:
        judged = [Judged.by(judge, task, answer) for task in tasks]
    if arguments.json:
        _print_json([one.result for one in judged])
    else:
        _print_cards(judged, answer, arguments.lang, arguments.hint)
    return _code([one.result for one in judged])


@dataclass(frozen=True, slots=True)
class Judged:
    """A task, the judgement, and the findings of all launches."""

    task: Task
    result: TaskResult
    found: tuple[Finding, ...]

    @classmethod
    def by(cls, judge: Judge, task: Task, answer: Answer) -> Self:
        """What ``judge`` says of ``answer``."""
        found: list[Finding] = []
        result = judge.check(
            task, answer, watch=lambda case, schedule, run: found.extend(run.findings)
        )
        return cls(task, result, tuple(found))


def _tasks(bank: Bank, answer: Answer, wanted: Sequence[str]) -> list[Task]:
    """The tasks asked for, else those whose kernel the file defines."""
    from ascend_lab import exercise

    if wanted:
        return [bank.load(id) for id in wanted]
    return [task for task in bank.tasks() if exercise.answers(answer, task)]


def _print_cards(judged: Sequence[Judged], answer: Answer, lang: Lang, level: int) -> None:
    from msgspec.structs import replace

    from ascend_lab.course.verdicts import verdict_card

    texts = {cell.name: cell.text for cell in answer.cells}
    for one in judged:
        # The card offers a notebook's hints; here they are asked for with --hint.
        task, result = replace(one.task, hints=()), one.result
        print(verdict_card(task, result, lang, one.found, texts, 0))
        if not result.passed:
            for hint in result.hints[:level]:
                print(f"  {hint.level}. {hint.text(lang)}")
        if result.stdout:
            print(result.stdout, end="" if result.stdout.endswith("\n") else "\n")


def _print_json(results: Sequence[TaskResult]) -> None:
    import msgspec

    plain = msgspec.to_builtins(results)
    print(json.dumps(plain, ensure_ascii=False, indent=1))


def _code(results: Sequence[TaskResult]) -> int:
    if any(result.undecided for result in results):
        return UNDECIDED
    return PASSED if all(result.passed for result in results) else LOST


def _missing(name: str, lang: str) -> str:
    if lang == "zh":
        return f"缺少 {name}。请安装：pip install 'ascend-lab[grader]'"
    return f"{name} is missing. Install it: pip install 'ascend-lab[grader]'"


def _nothing(file: str, bank: Bank, lang: str) -> str:
    known = ", ".join(f"{task.kernel} ({task.id})" for task in bank.tasks())
    if lang == "zh":
        return f"{file} 里没有任何任务要求的核函数。任务有：{known}"
    return f"{file} defines no kernel of any task. The tasks are: {known}"
