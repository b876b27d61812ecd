"""A bundle for each student: the lab, blank notebooks, public checks, own papers. No solution and no key."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ascend_lab
from ascend_lab.exercise import Bank, Task
from ascend_lab.exercise.bank import digest
from grader import troubleshooting
from grader.release.course import Course
from grader.release.problem import Problem
from grader.release.roster import Person
from grader.release.stripping import public_task, write_bank, write_hunts, write_programs
from grader.release.timing import baseline_us
from grader.release.variants import Rule, rules, vary
from grader.release.words import word

#: Called with the number of bundles made and to be made.
Tick = Callable[[int, int], None]

_REPOSITORY = Path(ascend_lab.__file__).resolve().parents[1]
_NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "*.so", "*.o")
_BESIDE = ("constraints.txt", "LICENSE")
_MANIFEST = "bundle.json"


@dataclass(frozen=True, slots=True)
class Edition:
    """What all bundles of a release have in common."""

    course: Course
    bank: Bank
    lang: str
    labs: Path
    times: dict[str, float | None] = field(default_factory=dict)

    def handed_out(self, task: Task) -> Task:
        """``task`` as a student gets it. The same baseline is timed once."""
        key = digest(task)
        if key not in self.times:
            self.times[key] = baseline_us(task, self.bank)
        return public_task(task, baseline_us=self.times[key])


def release(
    course: Course,
    bank: Bank,
    people: Sequence[Person],
    lang: str,
    out: Path,
    *,
    zipped: bool = False,
    tick: Tick | None = None,
    labs: Path | None = None,
) -> list[Path]:
    """Write a bundle in the language ``lang`` for each student into ``out``; gives their places.

    A bundle that is there already is replaced. ``labs`` is where the notebooks are. Raises Problem.
    """
    edition = Edition(course, bank, lang, labs or _REPOSITORY / "labs")
    places = []
    with tempfile.TemporaryDirectory(prefix="release-") as scratch:
        shared = Path(scratch) / "shared"
        _write_shared(edition, shared)
        for count, person in enumerate(people, 1):
            place = out / person.id
            _clear(place)
            shutil.copytree(shared, place)
            _write_own(edition, person, place)
            if zipped:
                shutil.make_archive(str(place), "zip", out, person.id)
                shutil.rmtree(place)
            places.append(place.with_name(f"{person.id}.zip") if zipped else place)
            if tick is not None:
                tick(count, len(people))
    return places


def _clear(place: Path) -> None:
    """Take away an earlier bundle; a folder that is none stays, and stands in the way."""
    if not place.exists():
        return
    if not (place / _MANIFEST).is_file():
        raise Problem("not_a_bundle", path=place)
    shutil.rmtree(place)


# --- the same for all --------------------------------------------------------------------------------


def _write_shared(edition: Edition, place: Path) -> None:
    lang = edition.lang
    package = Path(ascend_lab.__file__).resolve().parent
    shutil.copytree(package, place / "ascend_lab", ignore=_NOT_COPIED)
    for name in _BESIDE:
        if (_REPOSITORY / name).is_file():
            shutil.copyfile(_REPOSITORY / name, place / name)
    (place / "pyproject.toml").write_text(_project(), encoding="utf-8")
    notebooks = place / "labs" / lang
    notebooks.mkdir(parents=True)
    for lab in edition.course.labs:
        for path in sorted((edition.labs / lang).glob(f"{lab}_*.ipynb")):
            (notebooks / path.name).write_text(blank(path), encoding="utf-8")
        write_hunts(edition.bank, place / "exam_bank", lab)
        write_programs(edition.bank, place / "exam_bank", lab)
    (place / "README.md").write_text(_readme(edition), encoding="utf-8")


def _readme(edition: Edition) -> str:
    papers = "\n" + word("readme_papers", edition.lang) if edition.course.papers else ""
    values = {"course": edition.course.id, "edition": edition.lang, "papers": papers}
    return word("readme", edition.lang, **values)


def _project() -> str:
    """The package's description, without the instructor's command."""
    text = (_REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    head = text.partition("\n[tool.ruff]")[0]
    head = re.sub(r'^grader = "grader\.cli:main"\n', "", head, flags=re.MULTILINE)
    return re.sub(r'^grader = \["\*\*.*\n', "", head, flags=re.MULTILINE)


def blank(path: Path) -> str:
    """A notebook without outputs, as JSON."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


# --- one student's own -------------------------------------------------------------------------------


def _write_own(edition: Edition, person: Person, place: Path) -> None:
    course, bank = edition.course, edition.bank
    known = rules(bank)
    own = [edition.handed_out(_varied(course, person, task, known)) for task in _tasks(edition)]
    write_bank(bank, place / "exam_bank", own)
    for name in course.papers:
        secret = course.secret(person.id, f"paper/{name}")
        drawn = troubleshooting.draw(troubleshooting.template(name, bank), secret, bank=bank)
        troubleshooting.write_paper(drawn, place / "papers" / name, edition.lang)
    manifest = {
        "format": 1,
        "course": course.id,
        "student": person.id,
        "lang": edition.lang,
        "lab": ascend_lab.__version__,
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (place / _MANIFEST).write_text(text + "\n", encoding="utf-8")


def _tasks(edition: Edition) -> list[Task]:
    return [task for lab in edition.course.labs for task in edition.bank.tasks(lab)]


def _varied(course: Course, person: Person, task: Task, known: Mapping[str, Rule]) -> Task:
    """The student's own variant. Hidden cases are not handed out and stay the author's."""
    rule = known.get(task.id)
    return task if rule is None else vary(task, rule, course.secret(person.id, task.id))
