"""The commands ``grader exam new|start|submit|mark`` and ``grader verify``."""

from __future__ import annotations

import json as jsons
import sys
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import cyclopts
from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from ascend_lab.course.exam import Clock, Store, read_sheet
from ascend_lab.course.exam.words import clock_face
from ascend_lab.exercise import Bank, TaskError, open_bank
from grader import troubleshooting
from grader.exam.blueprint import FILE, Blueprint, default_text, read_blueprint
from grader.exam.drawing import draw_exam
from grader.exam.folder import NOTEBOOK, write_folder
from grader.exam.marking import Result, mark_exam
from grader.exam.records import Difference, differences
from grader.exam.reporting import record, remark_texts, write_pages, write_record
from grader.exam.submission import claimed, read_submission
from grader.exam.words import word
from grader.release import Course, Person, Problem, open_course, read_roster

Lang = Literal["zh", "en"]
_ZIP = ".exam.zip"

app = cyclopts.App(name="exam", help="A mock exam: new, start, submit, mark. 模拟考试。")


class Exit(IntEnum):
    """Exit codes of ``grader exam`` and ``grader verify``."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    LOOK = 3


@app.command
def new(
    course: Path,
    /,
    *,
    students: Path,
    edition: Lang = "en",
    out: Path | None = None,
    blueprint: Path | None = None,
    json: bool = False,
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Write an exam for each student: notebook, questions without keys, public cases, broken kernels.

    What each student gets is derived from the course's key; COURSE gets a key when it has none, and exam.toml,
    the blueprint, which may be changed before this command is run again.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    course
        Folder of the course.
    students
        The roster: CSV with a column "student", and "name" if you like.
    edition
        Language of the exam.
    out
        Where the exams go; COURSE/exams unless given.
    blueprint
        A blueprint to put into the course instead of the one it has.
    json
        Print what was written as JSON.
    bank
        Another exam bank.
    """

    def run() -> int:
        found = open_bank(bank)
        opened = open_course(course, found, make=True)
        plan = _put_blueprint(course, blueprint)
        people = read_roster(students)
        place = out or course / "exams"
        with _progress(word("making", edition), len(people)) as step:
            for person in people:
                exam = draw_exam(opened, plan, found, person.id, edition)
                write_folder(exam, found, place / person.id)
                step()
        if json:
            folders = [str(place / person.id) for person in people]
            _print_json({"course": opened.id, "exam": plan.id, "exams": folders})
        else:
            _print(word("made", edition, count=len(people), out=place))
        return Exit.DONE

    return _guarded(run, edition)


@app.command
def start(folder: Path = Path(), /, *, lang: Lang | None = None, json: bool = False) -> int:
    """Start the clock of the exam in FOLDER, as ``paper.start()`` in the notebook does.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    folder
        The exam's folder.
    lang
        Language of the console; the exam's unless given.
    json
        Print what is left as JSON.
    """
    spoken = lang or _edition(folder)

    def run() -> int:
        store = _store(folder)
        store.start()
        if json:
            _print_json({"left_s": round(store.left_s), "notebook": str(folder / NOTEBOOK)})
        else:
            left = clock_face(store.left_s)
            _print(word("opened", spoken, left=left, path=folder / NOTEBOOK))
        return Exit.DONE

    return _guarded(run, spoken)


@app.command
def submit(folder: Path = Path(), /, *, lang: Lang | None = None, json: bool = False) -> int:
    """Pack the exam in FOLDER into STUDENT.exam.zip, as ``paper.submit()`` in the notebook does.

    Exit codes: 0 done, 2 wrong usage.

    Parameters
    ----------
    folder
        The exam's folder.
    lang
        Language of the console; the exam's unless given.
    json
        Print the file's place as JSON.
    """
    spoken = lang or _edition(folder)

    def run() -> int:
        path = _store(folder).submit()
        if json:
            _print_json({"file": str(path)})
        else:
            _print(word("packed", spoken, path=path))
        return Exit.DONE

    return _guarded(run, spoken)


@app.command
def mark(
    course: Path,
    submissions: Path,
    /,
    *,
    students: Path,
    out: Path = Path("marks"),
    lang: Lang = "en",
    json: bool = False,
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Mark the exams in SUBMISSIONS: *.exam.zip, or exam folders. Writes pages and signed records to --out.

    Exit codes: 0 all passed, 1 somebody did not, 2 wrong usage, 3 there is something to look at (a late,
    edited or unfinished log, an exam that could not be read, a part that could not be judged).

    Parameters
    ----------
    course
        Folder of the course that the exams were made from.
    submissions
        One exam, or a folder of them.
    students
        The roster.
    out
        Folder for index.html, a page and a .record.json for each student.
    lang
        Language of the console, and the one that pages open in.
    json
        Print the results as JSON.
    bank
        Another exam bank.
    """

    def run() -> int:
        found = open_bank(bank)
        opened = open_course(course, found)
        plan = read_blueprint(_own(course))
        people = {person.id: person for person in read_roster(students)}
        places = list(_exams(submissions))
        if not places:
            raise Problem("no_submissions", path=submissions)
        out.mkdir(parents=True, exist_ok=True)
        results: list[Result] = []
        problems: list[str] = []
        with _progress(word("marking", lang), len(places)) as step:
            for place in places:
                try:
                    results.append(_marked(place, opened, plan, found, people, results))
                except Problem as problem:
                    problems.append(problem.message(lang))
                step()
        names = {id: person.name for id, person in people.items()}
        for result in results:
            write_record(result, opened.id, opened.key, names[result.exam.student], out)
        if results:
            write_pages(results, names, out, lang)
        _tell(results, problems, names, opened, out, lang, json)
        return _exit(results, problems)

    return _guarded(run, lang)


def verify(
    path: Path,
    /,
    *,
    course: Path,
    submission: Path | None = None,
    lang: Lang = "en",
    json: bool = False,
    bank: Annotated[Path | None, Parameter(name="--bank")] = None,
) -> int:
    """Check the signed record of an exam; says what differs from what was signed.

    With --submission the exam is marked again, and points that come out otherwise are told too.

    Exit codes: 0 the record holds, 1 it does not, 2 wrong usage.

    Parameters
    ----------
    path
        The .record.json.
    course
        Folder of the course, with its key.
    submission
        What was handed in, to be marked again.
    lang
        Language of the console.
    json
        Print the differences as JSON.
    bank
        Another exam bank.
    """

    def run() -> int:
        told = _record(path)
        found = open_bank(bank)
        opened = open_course(course, found)
        differ = differences(told, opened.key)
        if submission is not None and not differ:
            differ = _again(told, submission, opened, found)
        if json:
            plain = [{"kind": d.kind, "path": d.path, "value": d.value} for d in differ]
            _print_json({"holds": not differ, "differences": plain})
        elif differ:
            _print(word("tampered", lang, path=path))
            for each in differ:
                _print(word(f"diff_{each.kind}", lang, path=each.path, value=each.value))
        else:
            result = word("passed" if told["passed"] else "failed", lang)
            said = {"student": told["student"], "exam": told["exam"], "total": f"{told['total']:g}"}
            _print(word("verified", lang, path=path, result=result, **said))
        return Exit.FAILED if differ else Exit.DONE

    return _guarded(run, lang)


# --- marking -------------------------------------------------------------------------------------------


def _marked(
    place: Path,
    course: Course,
    plan: Blueprint,
    bank: Bank,
    people: dict[str, Person],
    before: Sequence[Result],
) -> Result:
    given = claimed(place)
    id = given.student
    if id not in people:
        raise Problem("unknown_student", path=place, id=id)
    if any(result.exam.student == id for result in before):
        raise Problem("two_of_one", path=place, id=id)
    exam = draw_exam(course, plan, bank, id, given.lang)
    return mark_exam(exam, read_submission(place, exam.sheet), bank)


def _again(told: dict[str, Any], place: Path, course: Course, bank: Bank) -> list[Difference]:
    """What comes out otherwise when the exam is marked again."""
    plan = read_blueprint(_own(course.folder))
    exam = draw_exam(course, plan, bank, str(told["student"]), claimed(place).lang)
    result = mark_exam(exam, read_submission(place, exam.sheet), bank)
    fresh = record(result, course.id, str(told["name"]))
    found = []
    for name in ("total", "passed", "parts", "hashes", "versions", "remarks"):
        if fresh[name] != told.get(name):
            value = jsons.dumps(fresh[name], ensure_ascii=False)
            found.append(Difference("remark", name, value if len(value) < 200 else "…"))
    return found


def _exams(place: Path) -> Iterator[Path]:
    """The exams in a folder, by name; the folder itself when it is one."""
    if place.is_file() or (place / "exam.json").is_file():
        yield place
        return
    if not place.is_dir():
        return
    for path in sorted(place.iterdir(), key=lambda p: p.name):
        if path.name.endswith(_ZIP) or (path / "exam.json").is_file():
            yield path


def _exit(results: Sequence[Result], problems: Sequence[str]) -> Exit:
    odd = any(remark_texts(result, "en") or not result.is_decided for result in results)
    if problems or odd:
        return Exit.LOOK
    return Exit.DONE if all(result.passed for result in results) else Exit.FAILED


def _tell(
    results: Sequence[Result],
    problems: Sequence[str],
    names: dict[str, str],
    course: Course,
    out: Path,
    lang: Lang,
    json: bool,
) -> None:
    if json:
        plain = [record(result, course.id, names[result.exam.student]) for result in results]
        _print_json(
            {"results": plain, "problems": list(problems), "exit": _exit(results, problems)}
        )
        return
    for result in results:
        looked = remark_texts(result, lang)
        said = {
            "student": names[result.exam.student],
            "total": f"{result.total:g}",
            "result": word("passed" if result.passed else "failed", lang),
        }
        key = "marked_remarks" if looked else "marked"
        _print(word(key, lang, remarks="; ".join(looked), **said))
    for problem in problems:
        _complain(problem)
    if results:
        _print(word("written", lang, out=out / "index.html"))


# --- files ---------------------------------------------------------------------------------------------


def _own(course: Path) -> Path | None:
    """The course's own blueprint."""
    path = course / FILE
    return path if path.is_file() else None


def _put_blueprint(course: Path, given: Path | None) -> Blueprint:
    """Check the blueprint and see to it that the course has it."""
    if given is not None:
        plan = read_blueprint(given)
        (course / FILE).write_bytes(given.read_bytes())
        return plan
    if _own(course) is None:
        (course / FILE).write_text(default_text(), encoding="utf-8")
    return read_blueprint(course / FILE)


def _store(folder: Path) -> Store:
    try:
        return Store(folder, read_sheet(folder), Clock())
    except (OSError, ValueError):
        raise Problem("no_exam", path=folder) from None


def _edition(folder: Path) -> Lang:
    """The language of the exam in ``folder``; English where there is none."""
    try:
        return "zh" if read_sheet(folder).lang == "zh" else "en"
    except (OSError, ValueError):
        return "en"


def _record(path: Path) -> dict[str, Any]:
    try:
        told = jsons.loads(path.read_text(encoding="utf-8"))
        if isinstance(told, dict) and {"student", "total", "passed", "exam"} <= told.keys():
            return told
    except (OSError, ValueError, RecursionError):
        pass
    raise Problem("no_record", path=path)


# --- console -------------------------------------------------------------------------------------------


def _guarded(run: Callable[[], int], lang: Lang) -> int:
    """Carry a command out; what stands in its way is one sentence."""
    try:
        return run()
    except (Problem, TaskError) as error:
        return _complain(error.message(lang))
    except troubleshooting.NothingToDraw as error:
        problem = Problem("nothing_to_draw", name=error.template.id, kernel=error.template.kernel)
        return _complain(problem.message(lang))
    except OSError as error:
        at = {"path": str(error.filename or ""), "reason": error.strerror or type(error).__name__}
        return _complain(word("unwritable", lang, **at))


class _progress:
    """A bar on stderr; calling what it gives moves it by one."""

    def __init__(self, text: str, total: int) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._bar = self._progress.add_task(text, total=total)

    def __enter__(self) -> Callable[[], None]:
        self._progress.start()
        return lambda: self._progress.advance(self._bar)

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


def _complain(text: str) -> int:
    Console(stderr=True).print(text, markup=False, highlight=False, soft_wrap=True)
    return Exit.USAGE


def _print(text: str) -> None:
    Console().print(text, markup=False, highlight=False, soft_wrap=True)


def _print_json(data: Any) -> None:
    sys.stdout.write(jsons.dumps(data, ensure_ascii=False, indent=1) + "\n")
