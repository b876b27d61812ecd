"""``grader appeal`` and ``grader replay``: one failed hidden case, to be run again by anybody.

A pack has the answer, the task with this one case, and a seed that gives this case's inputs and no other's.
"""

from __future__ import annotations

import json as jsons
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter
from rich.console import Console

from ascend_lab.exercise import (
    Answer,
    Bank,
    Case,
    Judge,
    Task,
    TaskError,
    TaskResult,
    case_seed,
    digest,
    open_bank,
)
from grader.journal import NAME, Journal, Row
from grader.marks import Exit
from grader.running import Lang, Usage, place_of, refuse
from grader.words import LANGS, word

_FILE, _TASK = "appeal.json", "task.json"


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a pack says of itself: whose mark, which case, its seed, and what was said of it."""

    student: str
    task: str
    case: str
    case_number: int
    seed: str
    lab: str
    verdict: str
    said: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Failed:
    """A mark that lost points at a case."""

    row: Row
    result: TaskResult
    answer: Answer
    task: Task
    case: Case
    number: int


def appeal(
    student: str,
    task: str,
    /,
    *,
    case: str | None = None,
    out: Path = Path("grades"),
    to: Path = Path("appeal"),
    lang: Lang = "en",
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> Exit:
    """Write a pack with which anybody can run one failed case of STUDENT's answer to TASK again.

    The pack reveals this case's inputs and no other's. Run it with ``grader replay``.

    Exit codes: 0 written, 2 wrong usage.

    Parameters
    ----------
    student
        As in the reports.
    task
        Id of the task ("03/seed-add").
    case
        Name of the case; without it the first that failed.
    out
        Folder of the reports and the journal.
    to
        Where to write the pack: a new folder.
    lang
        Language of the console.
    bank
        Another exam bank.
    """
    try:
        tasks = open_bank(bank)
        failed = _failed(student, tasks.load(task), case, out, lang)
        _write(failed, tasks, to, lang)
    except (Usage, TaskError) as error:
        return refuse(error, lang)
    except sqlite3.Error as error:
        return refuse(Usage(word("no_journal", lang, path=out / NAME, reason=error)), lang)
    said = word("appeal_written", lang, path=to, case=failed.case.name)
    Console().print(said, highlight=False, markup=False, soft_wrap=True)
    return Exit.PASSED


def _failed(student: str, task: Task, case: str | None, out: Path, lang: Lang) -> _Failed:
    if not (out / NAME).is_file():
        raise Usage(word("no_runs", lang, path=out))
    with Journal(out / NAME) as journal:
        rows = journal.rows(journal.runs()[-1].number) if journal.runs() else ()
        row = next((r for r in rows if (r.student, r.task) == (student, task.id)), None)
        if row is None or not row.answer:
            raise Usage(word("no_mark", lang, student=student, task=task.id))
        if row.task_digest != digest(task):
            raise Usage(word("task_changed", lang, task=task.id))
        result, answer = journal.judged(row), journal.answer(row.answer)
    if result is None or answer is None:
        raise Usage(word("no_mark", lang, student=student, task=task.id))
    for found in (c for check in result.checks for c in check.cases if not c.passed):
        if case in (None, found.case):
            chosen = next(one for one in task.cases if one.name == found.case)
            return _Failed(row, result, answer, task, chosen, found.seed)
    failed = dict.fromkeys(c.case for check in result.checks for c in check.cases if not c.passed)
    if case is not None and failed:
        raise Usage(word("case_not_failed", lang, case=case, failed=", ".join(failed)))
    raise Usage(word("no_failed_case", lang, student=student, task=task.id))


def _write(failed: _Failed, tasks: Bank, to: Path, lang: Lang) -> None:
    if to.exists():
        raise Usage(word("in_the_way", lang, path=to, reason=word("exists", lang)))
    answer = to / "answer"
    for cell in failed.answer.cells:
        path = answer / _inside(cell.name, failed.answer.form)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(cell.text, encoding="utf-8")
    public = msgspec.structs.replace(failed.case, hidden=False, seeds=(failed.number,))
    task = msgspec.structs.replace(failed.task, cases=(public,), given=None, hints=())
    check = next(c for c in failed.result.checks if c.verdict == "fail")
    pack = Pack(
        student=failed.row.student,
        task=task.id,
        case=failed.case.name,
        case_number=failed.number,
        seed=case_seed(failed.row.seed, failed.task, failed.case, failed.number),
        lab=failed.row.lab,
        verdict=check.name,
        said={"zh": check.zh, "en": check.en},
    )
    (to / _TASK).write_bytes(msgspec.json.encode(task))
    text = jsons.dumps(msgspec.to_builtins(pack), ensure_ascii=False, indent=1)
    (to / _FILE).write_text(text + "\n", encoding="utf-8")
    (to / "answer.json").write_bytes(msgspec.json.encode(failed.answer))
    readme = "\n\n".join(
        word("appeal_readme", one, student=pack.student, task=pack.task, case=pack.case)
        for one in LANGS
    )
    (to / "README.md").write_text(readme + "\n", encoding="utf-8")


def _inside(name: str, form: str) -> str:
    """A cell's name as a path inside the pack."""
    parts = [part for part in Path(name).parts if part not in ("/", "..")]
    return "/".join(parts[-2:] if form == "project" else parts[-1:]) or "answer"


def replay(pack: Path, /, *, lang: Lang = "en", json: Path | None = None) -> Exit:
    """Run the case of an appeal PACK again, in front of whoever asks.

    Exit codes: 0 the case passes now, 1 it fails as before, 2 wrong usage, 3 it could not be judged.

    Parameters
    ----------
    pack
        The folder that ``grader appeal`` wrote.
    lang
        Language of the console.
    json
        Where to write the judgement.
    """
    try:
        about = msgspec.json.decode((pack / _FILE).read_bytes(), type=Pack)
        task = msgspec.json.decode((pack / _TASK).read_bytes(), type=Task)
        answer = msgspec.json.decode((pack / "answer.json").read_bytes(), type=Answer)
    except OSError as error:
        reason = f"{Path(str(error.filename)).name}: {error.strerror}"
        return refuse(Usage(word("no_pack", lang, path=pack, reason=reason)), lang)
    except msgspec.MsgspecError as error:
        return refuse(Usage(word("no_pack", lang, path=pack, reason=error)), lang)
    with Judge(about.seed) as judge:
        result = judge.check(task, answer, cases="all")
    if json is not None:
        place_of(json).write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1))
    console = Console(soft_wrap=True)
    for check in result.checks:
        if check.verdict.value not in ("pass", "blocked"):
            console.print(check.message(lang), markup=False, highlight=False)
            for finding in check.findings:
                console.print(finding.message(lang), markup=False, highlight=False)
    verdict = result.verdict.value
    key = {"pass": "replay_passes", "error": "replay_open"}.get(verdict, "replay_fails")
    console.print(word(key, lang, case=about.case), markup=False, highlight=False)
    return {"pass": Exit.PASSED, "error": Exit.UNGRADED}.get(verdict, Exit.LOST)
