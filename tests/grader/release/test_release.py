"""Bundles of two students: what differs, what is derived again, and that nothing secret is inside."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_lab.course import hunts
from ascend_lab.exercise import Judge, Task, TaskResult, Verdict, from_text, open_bank
from grader.cli import main
from grader.release.command import derived
from grader.release.course import open_course
from grader.release.problem import Problem
from grader.release.roster import read_roster
from grader.release.stripping import public_task, write_bank
from grader.release.variants import rules, vary, vary_source
from grader.troubleshooting import Drawn, draw, template

STUDENTS = ("s01", "s02")
PAPER = "never-ends"
LABS = ("01", "02", "03", "04", "09")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a course whose bundles have been written."""
    folder = tmp_path_factory.mktemp("release")
    course = folder / "spring"
    course.mkdir()
    (course / "course.toml").write_text(
        f'labs = ["01", "02", "03", "04", "09"]\npapers = ["{PAPER}"]\n'
    )
    (course / "course.key").write_text("5a" * 32 + "\n")
    roster = folder / "roster.csv"
    roster.write_text("学号,姓名\ns01,甲\ns02,乙\n", encoding="gb18030")
    assert main(["release", str(course), "--students", str(roster), "--edition", "en"]) == 0
    return course


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file of a bundle as text; of notebooks the cells."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "ascend_lab" not in path.relative_to(folder).parts[:1]:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".ipynb":
                cells = json.loads(text)["cells"]
                text = "\n".join("".join(cell["source"]) for cell in cells)
            yield path, text


def test_papers_and_variants_differ(released: Path) -> None:
    one, other = (released / "bundles" / student for student in STUDENTS)
    for name in (f"papers/{PAPER}/repaired.py", "exam_bank/tasks/03/sigmoid.toml"):
        assert (one / name).read_bytes() != (other / name).read_bytes()
    for name in ("labs/en/03_vector_add.ipynb", "exam_bank/kernels/03/sigmoid.start.py"):
        assert (one / name).read_bytes() == (other / name).read_bytes()


@pytest.mark.nightly
def test_variants_are_derived_again_from_key_and_id(released: Path) -> None:
    bank = open_bank()
    course = open_course(released, bank)
    stored = [path for path in released.iterdir() if path.is_file()]
    assert sorted(path.name for path in stored) == ["course.key", "course.toml"]
    for student in STUDENTS[:1]:
        told = derived(course, bank, student)
        bundle = open_bank(released / "bundles" / student / "exam_bank")
        sizes = {case.name: case.sizes for case in bundle.load("03/sigmoid").public_cases}
        assert [t["sizes"] for t in told["tasks"] if t["task"] == "03/sigmoid"] == [sizes]
        (paper,) = told["papers"]
        form = (released / "bundles" / student / "papers" / PAPER / "answer.toml").read_text()
        assert f'fingerprint = "{paper["fingerprint"]}"' in form


def windows(text: str, length: int) -> Iterator[str]:
    """Every run of ``length`` lines that are not blank."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for start in range(len(lines) - length + 1):
        yield "\n".join(lines[start : start + length])


@pytest.mark.parametrize("student", STUDENTS)
def test_nothing_secret_is_inside(released: Path, student: str) -> None:
    bank, bundle = open_bank(), released / "bundles" / student
    key = (released / "course.key").read_text().strip()
    inside = dict(texts(bundle))
    whole = "\n".join(inside.values())
    packed = "\n".join("\n".join(windows(text, 1)) for text in inside.values())
    assert "seed_add" in packed
    assert key not in whole + "\n".join(
        path.read_text("utf-8") for path in (bundle / "ascend_lab").rglob("*.py")
    )

    # solutions: no five lines in a row, beside what is published as it stands in the bank
    published = {path for path in inside if path.suffix == ".ipynb"}
    handed_out = {task.given for task in map(bank.load, bank.ids())}
    for lab in LABS:
        handed_out |= {hunt.kernel for hunt in hunts.load(bank.folder, lab).values()}
    for path, text in inside.items():
        name = path.relative_to(bundle).as_posix().removeprefix("exam_bank/")
        if name in handed_out or name.endswith((".start.py", "01/work.py")):
            assert bank.source(name) == text
            published.add(path)
    public = {window for path in published for window in windows(inside[path], 5)}
    rest = "\n".join(
        "\n".join(windows(text, 1))
        for path, text in inside.items()
        if path not in published and "papers" not in path.parts
    )
    for path in (bank.folder / "kernels").rglob("*.py"):
        name = path.relative_to(bank.folder).as_posix()
        if name in handed_out:
            continue
        for window in windows(path.read_text("utf-8"), 5):
            assert window in public or window not in rest, (name, window)
    # hidden cases: none of their sizes or values, whichever task
    for task in map(bank.load, bank.ids()):
        if task.lab not in LABS:
            assert task.id not in open_bank(bundle / "exam_bank").ids()
            continue
        given = open_bank(bundle / "exam_bank").load(task.id)
        assert given.points.hidden == task.points.hidden
        for case in given.hidden_cases:
            assert case.sizes == given.public_cases[0].sizes
            assert not case.edges
    # answers of hunts, keys of theory, truths and templates of troubleshooting
    for lab in LABS[1:]:
        answers = (bank.folder / f"hunts/{lab}.toml").read_text("utf-8")
        for line in answers.splitlines():
            if line.startswith(("zh = ", "en = ")):
                assert line.partition(" = ")[2].strip('"') not in whole
        assert "lines" not in inside[bundle / "exam_bank/hunts" / f"{lab}.toml"]
    for path in (bank.folder / "theory").glob("*.toml"):
        for line in path.read_text("utf-8").splitlines():
            if len(line) > 40 and line.startswith(("text.", "because.")):
                assert line.partition(" = ")[2].strip('"') not in whole
    folders = {path.name for path in (bundle / "exam_bank").iterdir()}
    assert folders <= {"hunts", "kernels", "programs", "tasks"}
    assert not list(bundle.rglob("grader"))
    assert not list(bundle.rglob("*.key"))
    assert not list(bundle.rglob("*.baseline.*"))


@pytest.mark.nightly
def test_the_paper_tells_nothing_of_its_truth(released: Path) -> None:
    bank = open_bank()
    course = open_course(released, bank)
    drawn: Drawn = draw(template(PAPER), course.secret("s01", f"paper/{PAPER}"))
    folder = released / "bundles/s01/papers" / PAPER
    given = {path.name: path.read_text("utf-8") for path in folder.iterdir()}
    assert given["repaired.py"] == drawn.source != drawn.reference.source
    assert drawn.secret not in "".join(given.values())
    assert 'class = ""' in given["answer.toml"]


SESSION = """
import sys
from ascend_lab import course
from ascend_lab.exercise import open_bank
lab = course.start("03", lang="en")
start = open(open_bank().folder / "kernels/03/sigmoid.start.py").read()
lab.check("03/sigmoid", start)
lab.check("03/sigmoid", sys.stdin.read())
lab.hunt("03/hunt-1", {"A1": 1})
lab.progress()
import ascend_lab
print(ascend_lab.__file__)
"""


@pytest.mark.nightly
def test_a_bundle_works_on_its_own(released: Path, tmp_path: Path) -> None:
    bundle = released / "bundles/s01"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "ASCEND"))}
    env |= {"PYTHONPATH": str(bundle), "ASCEND_LAB_PROGRESS": str(tmp_path / "progress.json")}
    answer = open_bank().source("kernels/03/sigmoid.py")
    ran = subprocess.run(
        [sys.executable, "-c", SESSION], input=answer, cwd=bundle, env=env,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert str(bundle) in ran.stdout
    assert "not attempted" in ran.stdout
    assert "27 / 27 points" in ran.stdout
    assert "40 cores, a prime length" in ran.stdout  # that hidden cases exist is said


def seen(result: TaskResult) -> list[Any]:
    """All that a student sees of a judgement; of hidden cases it is only said that they are not run now."""
    return [
        (c.name, c.verdict, c.points, c.possible, c.zh, c.en, c.cases)
        + tuple((f.id, f.line, f.zh, f.en) for f in c.findings)
        for c in result.checks
    ]


def answers(task: Task, right: str, start: str) -> dict[str, tuple[str, Verdict]]:
    """Of each kind an answer and its verdict; a start of a speed task is right and slow."""
    wrong = right.replace("asc.add(", "asc.sub(").replace("asc.exp(", "asc.abs(")
    found = {"right": (right, Verdict.PASS), "blank": (start, Verdict.NOT_ATTEMPTED)}
    if wrong != right:
        found["wrong"] = (wrong, Verdict.FAIL)
    if task.performance is not None:
        size = "x.dtype.sizeof()"
        found["slow"] = (start.replace(size, f"{size} * 1", 1), Verdict.FAIL)
    return found


@pytest.mark.parametrize(
    "id",
    [
        "03/sigmoid",
        "09/add",
        "09/layernorm",
        *(
            pytest.param(id, marks=pytest.mark.nightly)
            for id in ("02/hello", "02/fill", "02/uneven", "03/cuda-add", "03/seed-add")
        ),
        *(
            pytest.param(id, marks=pytest.mark.nightly)
            for id in ("04/bytes", "04/copy", "04/join", "09/table")
        ),
    ],
)
def test_a_bundle_judges_as_the_bank_does(released: Path, id: str) -> None:
    """Without hidden cases, solutions and the kernel that speed is compared with."""
    own, given = open_bank(), open_bank(released / "bundles/s01/exam_bank")
    task, public = own.load(id), given.load(id)
    rule = rules(own).get(id)
    if rule is not None:
        task = vary(task, rule, open_course(released, own).secret("s01", id))
    assert public.points == task.points
    if task.performance is not None:
        assert public.performance is not None
        assert (public.performance.baseline, task.performance.baseline_us) == ("", None)
    with Judge("x", tasks=own) as one, Judge("x", tasks=given) as other:
        for kind, (text, verdict) in answers(
            task, own.source(task.reference), own.source(task.given or "")
        ).items():
            ours, theirs = one.check(task, from_text(text)), other.check(public, from_text(text))
            assert seen(theirs) == seen(ours), kind
            assert (theirs.verdict, ours.verdict) == (verdict, verdict), kind
            if task.performance is not None and kind in ("right", "slow"):
                assert "HAP" in theirs.check("performance").en


def test_the_sealed_hunts_know_their_answers(released: Path) -> None:
    for lab in ("02", "03"):
        known = hunts.load(open_bank().folder, lab)
        given = hunts.load(released / "bundles/s01/exam_bank", lab)
        for id, hunt in known.items():
            assert given[id].faults == ()
            assert given[id].count == hunt.count
            assert [given[id].fault(fault.id) for fault in hunt.faults] == list(hunt.faults)
            assert given[id].fault("Z9") is None


@pytest.mark.nightly
def test_a_varied_task_is_still_solved_by_the_renamed_reference() -> None:
    bank = open_bank()
    rule, task = rules(bank)["exam/clamp"], bank.load("exam/clamp")
    varied = vary(task, rule, "a secret")
    source = vary_source(task, rule, "a secret", bank.source(task.reference))
    assert varied.kernel != task.kernel
    assert f"def {varied.kernel}(" in source
    with Judge("x", tasks=bank) as judge:
        result = judge.check(varied, from_text(source))
    assert result.verdict is Verdict.PASS


@pytest.mark.nightly
@pytest.mark.parametrize("id", sorted(rules(open_bank())))
@pytest.mark.parametrize("secret", ["one", "two", "three"])
def test_every_variant_is_solved_by_its_reference(id: str, secret: str) -> None:
    bank = open_bank()
    task, rule = bank.load(id), rules(bank)[id]
    source = vary_source(task, rule, secret, bank.source(task.reference))
    with Judge(secret, tasks=bank) as judge:
        result = judge.check(vary(task, rule, secret), from_text(source), cases="all")
    assert result.verdict is Verdict.PASS, [c.en for c in result.checks]


def test_sizes_keep_what_makes_a_case() -> None:
    bank = open_bank()
    for id, rule in rules(bank).items():
        task = bank.load(id)
        seen = {name: set() for case in task.cases for name in case.sizes}
        for number in range(5):
            varied = vary(task, rule, f"student {number}")
            for old, new in zip(task.cases, varied.cases, strict=True):
                for name in rule.sizes:
                    v, w = old.sizes[name], new.sizes[name]
                    seen[name].add(w)
                    assert all((v % m == 0) == (w % m == 0) for m in (2, 8, 16, 32, 64))
                    assert abs(v - w) <= 0.3 * v
        assert all(len(seen[name]) > 5 for name in rule.sizes), id


def test_every_task_of_the_bank_can_be_handed_out(tmp_path: Path) -> None:
    bank = open_bank()
    tasks = [bank.load(id) for id in bank.ids()]
    write_bank(bank, tmp_path, map(public_task, tasks))
    given = open_bank(tmp_path)
    assert given.ids() == tuple(task.id for task in tasks if task.given is not None)
    for task in tasks:
        handed_out = given.load(task.id)
        assert handed_out.points.total == task.points.total
        assert handed_out.reference == task.given
        assert handed_out.performance is None  # without a time speed is not judged
        titles = {case.title for case in handed_out.hidden_cases}
        assert {case.title for case in task.hidden_cases} <= titles
    assert not list(tmp_path.rglob("*.baseline.*"))


def test_new_names_mean_nothing_else_in_the_reference() -> None:
    bank = open_bank()
    for id, rule in rules(bank).items():
        task = bank.load(id)
        words = set(re.findall(r"\w+", bank.source(task.reference)))
        for old, options in {**rule.names, task.kernel: rule.kernel}.items():
            assert not words & set(options) - {old}, id


def test_a_roster_that_is_wrong_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    for text, said in (
        ("", "no student"),
        ("who\na\n", "line 1"),
        ("student\na\n../b\n", "line 3"),
        ("student\na\nA\n", "line 3"),
    ):
        path.write_text(text)
        with pytest.raises(Problem, match=said):
            read_roster(path)
    path.write_text("student,name\n\ns1, Zoé \n24 张 三,\n", encoding="utf-8-sig")
    people = [(p.id, p.name) for p in read_roster(path)]
    assert people == [("s1", "Zoé"), ("24 张 三", "24 张 三")]


def test_what_stands_in_the_way(
    released: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("student\nx1\n")
    (tmp_path / "out/x1").mkdir(parents=True)
    places = [str(released), "--students", str(roster), "--out", str(tmp_path / "out")]
    assert main(["release", *places]) == 2
    assert "is no earlier bundle" in capsys.readouterr().err
    assert main(["variant", str(tmp_path / "nowhere"), "s01", "--lang", "zh"]) == 2
    assert "没有" in capsys.readouterr().err
