"""``grader hunt``: papers without truth, marks, exit codes, both languages."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from ascend_lab.exercise import open_bank
from grader import cli
from grader.release.course import open_course
from grader.troubleshooting import answers, templates

SEED = "a seed nobody knows"


def _run(*arguments: str | Path) -> int:
    return cli.main(["hunt", *map(str, arguments)])


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper, and its truth beside it."""
    out = tmp_path / "paper"
    args = ("--seed", SEED, "--out", out, "--truth", tmp_path / "truth.json")
    assert _run("first-copy", *args) == 0
    return out


def truth_of(paper: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((paper.parent / "truth.json").read_text("utf-8"))
    return found


def fill(paper: Path, class_id: str, line: object, why: str) -> None:
    path = paper / answers.ANSWER
    text = path.read_text("utf-8").replace('class = ""', f'class = "{class_id}"')
    text = text.replace("line = 0", f"line = {line}").replace('why = ""', f'why = "{why}"')
    path.write_text(text, "utf-8")


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", ["first-copy", "two-mistakes", "never-ends"])
def test_a_paper_tells_nothing_of_the_truth(tmp_path: Path, name: str, lang: str) -> None:
    out = tmp_path / "paper"
    args = ("--seed", SEED, "--out", out, "--truth", tmp_path / "truth.json", "--lang", lang)
    assert _run(name, *args) == 0
    truth = truth_of(out)
    files = sorted(path.name for path in out.iterdir())
    assert files == sorted(["answer.toml", "paper.md", "repaired.py", _kernel(out)])
    everything = {path.name: path.read_text("utf-8") for path in out.iterdir()}
    assert everything["repaired.py"] == everything[_kernel(out)] == truth["broken"]
    assert isinstance(truth["faults"], list)
    for text in everything.values():
        assert SEED not in text
        assert str(tmp_path) not in text
        assert truth["fixed"] != text
        for fault in truth["faults"]:
            assert not re.search(rf"\b{fault['class']}\b", text.replace('"A1"', ""))
    assert "line = 0" in everything["answer.toml"]
    assert 'why = ""' in everything["answer.toml"]


def _kernel(folder: Path) -> str:
    own = {"answer.toml", "paper.md", "repaired.py"}
    return next(path.name for path in folder.iterdir() if path.name not in own)


def test_the_same_seed_writes_the_same_paper(tmp_path: Path, paper: Path) -> None:
    again = tmp_path / "again"
    assert _run("first-copy", "--seed", SEED, "--out", again) == 0
    for path in paper.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes()


def test_from_the_paper_to_full_marks(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--mark", paper, "--seed", SEED) == 1
    assert "first-copy: 0/100" in capsys.readouterr().out
    truth = truth_of(paper)
    assert isinstance(truth["faults"], list)
    fault = truth["faults"][0]
    fill(paper, fault["class"], fault["lines"][0], fault["why"])
    (paper / "repaired.py").write_text(str(truth["fixed"]), "utf-8")
    assert _run("--mark", paper / "answer.toml", "--seed", SEED) == 0
    assert "first-copy: 100/100" in capsys.readouterr().out
    assert _run("first-copy", "--mark", paper, "--seed", SEED, "--lang", "zh") == 0
    assert "修复: 40/40" in capsys.readouterr().out


def test_a_paper_of_a_bundle_is_marked_by_its_course(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = tmp_path / "spring"
    course.mkdir()
    (course / "course.toml").write_text('labs = ["02"]\npapers = ["first-copy"]\n')
    (course / "course.key").write_text("5a" * 32 + "\n")
    opened = open_course(course, open_bank())
    seed, out = opened.secret("s01", "paper/first-copy"), tmp_path / "paper"
    assert _run("first-copy", "--seed", seed, "--out", out) == 0
    capsys.readouterr()
    assert _run("--mark", out, "--course", course, "--student", "s01") == 1
    assert "first-copy: 0/100" in capsys.readouterr().out
    assert _run("--mark", out, "--course", course, "--student", "s02") == 2
    assert "not drawn" in capsys.readouterr().err
    assert _run("--mark", out, "--course", course) == 2
    assert "--student" in capsys.readouterr().err
    assert _run("--mark", out, "--course", tmp_path / "nowhere", "--student", "s01") == 2


def test_another_seed_is_noticed(paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--mark", paper, "--seed", "another") == 2
    assert "not drawn with this --seed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paper = ", "not TOML"),
        ('paper = "first-copy"', "fingerprint"),
        ('paper = "x"\nfingerprint = "y"\nfault = 1', "fault"),
        ('paper = "x"\nfingerprint = "y"\n[[faults]]\nline = "three"', "faults[0].line"),
        ('paper = "../x"\nfingerprint = "y"', "no such troubleshooting task"),
    ],
)
def test_a_form_that_cannot_be_read(
    paper: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (paper / "answer.toml").write_text(text, "utf-8")
    assert _run("--mark", paper, "--seed", SEED) == 2
    assert said in capsys.readouterr().err


def test_wrong_usage(tmp_path: Path, paper: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("first-copy") == 2
    assert _run("no-such-paper", "--out", tmp_path / "x") == 2
    assert _run("never-ends", "--mark", paper, "--seed", SEED) == 2
    assert _run("--mark", tmp_path / "nowhere", "--seed", SEED) == 2
    (tmp_path / "file").write_text("", "utf-8")
    assert _run("first-copy", "--out", tmp_path / "file") == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_link_is_not_followed(tmp_path: Path, paper: Path) -> None:
    (paper / "repaired.py").unlink()
    (paper / "repaired.py").symlink_to(tmp_path / "truth.json")
    assert _run("--mark", paper, "--seed", SEED) == 2


def test_papers_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run() == 0
    assert len(capsys.readouterr().out.splitlines()) == len(list(templates()))


def test_both_languages_are_filled_in_alike() -> None:
    text = resources.files("grader.troubleshooting").joinpath("words.toml").read_text("utf-8")
    for key, said in tomllib.loads(text).items():
        fields = [set(re.findall(r"\{(\w+)", said[lang])) for lang in ("zh", "en")]
        assert fields[0] == fields[1], key


def test_authors_are_told_of_a_paper_that_cannot_be_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bank = open_bank().folder
    (tmp_path / "tasks").mkdir()
    (tmp_path / "kernels").symlink_to(bank / "kernels")
    (tmp_path / "troubleshooting").mkdir()
    right = (bank / "troubleshooting" / "several-cores.toml").read_text("utf-8")
    place = tmp_path / "troubleshooting" / "several-cores.toml"
    for text, code, said in (
        (right, 0, "Problems: 0"),
        (right.replace('class = "E2"', 'class = "A4"'), 1, "several-cores.toml:"),
        (right.replace('class = "E2"', 'clas = "E2"'), 1, "faults[0].clas"),
    ):
        place.write_text(text, "utf-8")
        assert cli.main(["validate", str(place)]) == code
        assert said in "".join(capsys.readouterr())
