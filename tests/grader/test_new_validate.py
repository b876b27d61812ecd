"""``grader new`` and ``grader validate``: what is written is right, and what is wrong is named."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

from ascend_lab.device import Device
from ascend_lab.exercise import open_bank
from ascend_lab.exercise.hunting import HuntFault, HuntText
from ascend_lab.exercise.theory import Draw, Item, Option, Topic, theory
from grader.authoring import words
from grader.cli import main

CJK = re.compile(r"[\u4e00-\u9fff]")
RIGHT, PROBLEMS, USAGE = 0, 1, 2


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty bank, and the working folder."""
    (tmp_path / "tasks").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


Run = Callable[..., str]


@pytest.fixture
def grader(bank: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the bank; what it printed. Its exit code is checked."""

    def run(*arguments: str, code: int = RIGHT) -> str:
        capsys.readouterr()
        assert main([*arguments, "--bank", str(bank)]) == code
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return printed.out if code != USAGE else printed.err

    return run


def edit(file: Path, old: str, new: str) -> int:
    """Replace ``old`` by ``new``, once; the line that it stands in."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) >= 1, old
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


# --- new -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_what_is_new_is_right(grader: Run, bank: Path, lang: str) -> None:
    said = grader("new", "task", "scale-rows", "--lab", "09", "--lang", lang)
    assert "tasks/09/scale-rows.toml" in said
    assert bool(CJK.search(said)) == (lang == "zh")
    grader("new", "theory", "lanes", "--lang", lang)
    grader("new", "hunt", "leak", "--lab", "09", "--lang", lang)
    grader("new", "hunt", "leak-again", "--lab", "09", "--lang", lang)
    for file in ("tasks/09/scale-rows.toml", "theory/lanes.toml", "hunts/09.toml"):
        comments = re.findall(r"^#.*", (bank / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert len(comments) >= 2
        assert all(bool(CJK.search(line)) == (lang == "zh") for line in comments)
        assert not re.search("@[A-Z]+@", (bank / file).read_text("utf-8"))
    found = json.loads(grader("validate", "--json"))
    assert found == {
        "checked": {"tasks": 1, "items": 1, "hunts": 2, "troubleshooting": 0},
        "problems": [],
    }


def test_the_files_mean_what_they_say(grader: Run, bank: Path) -> None:
    grader("new", "task", "scale-rows", "--lab", "09")
    grader("new", "theory", "lanes")
    assert open_bank(bank).ids() == ("09/scale-rows",)
    assert theory(bank).ids() == ("lanes/written-elements",)
    assert theory(bank).find("lanes/written-elements").draw(0).question.choices


def test_the_new_hunt_has_its_fault(grader: Run, bank: Path) -> None:
    """The finding of the kernel stands in one of the lines that the hunt names."""
    grader("new", "hunt", "leak", "--lab", "09")
    path = bank / "kernels/09/hunts/leak.py"
    spec = importlib.util.spec_from_file_location("leak", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x, z = np.ones(2048, np.float32), np.zeros(2048, np.float32)
    result = Device().launch(module.leak, 1, x, z, 8)
    text = (bank / "hunts/09.toml").read_text("utf-8")
    lines = re.search(r"lines = \[(.*)\]", text)
    assert lines is not None
    assert [finding.id for finding in result.findings] == ["F1"]
    assert str(result.findings[0].line) in lines[1].split(", ")


def test_nothing_is_overwritten(grader: Run, bank: Path) -> None:
    grader("new", "task", "scale-rows", "--lab", "09")
    before = {path: path.read_bytes() for path in bank.rglob("*") if path.is_file()}
    said = grader("new", "task", "scale-rows", "--lab", "09", code=USAGE)
    assert "scale-rows.toml is there already" in said
    grader("new", "hunt", "leak", "--lab", "09")
    (bank / "kernels/09/hunts/leak.py").unlink()
    assert "has 09/leak already" in grader("new", "hunt", "leak", "--lab", "09", code=USAGE)
    assert all(path.read_bytes() == data for path, data in before.items())


@pytest.mark.parametrize(
    "arguments",
    [
        ("task", "Scale"),
        ("task", "../up"),
        ("theory", ""),
        ("task", "scale", "--lab", "../09"),
        ("exam", "scale"),
        ("task",),
    ],
)
def test_bad_names_are_refused(grader: Run, bank: Path, arguments: tuple[str, ...]) -> None:
    assert grader("new", *arguments, code=USAGE)
    assert not [path for path in bank.rglob("*") if path.is_file()]


# --- validate --------------------------------------------------------------------------------------


@pytest.fixture
def three(grader: Run, bank: Path) -> dict[str, Path]:
    """A task, a topic and a hunt."""
    grader("new", "task", "scale-rows", "--lab", "09")
    grader("new", "theory", "lanes")
    grader("new", "hunt", "leak", "--lab", "09")
    return {
        "task": bank / "tasks/09/scale-rows.toml",
        "theory": bank / "theory/lanes.toml",
        "hunt": bank / "hunts/09.toml",
    }


@pytest.mark.parametrize(
    ("kind", "old", "new", "key", "said"),
    [
        ("task", 'role = "in"', 'rol = "in"', "parameters[0].rol", "Did you mean role?"),
        ("task", 'role = "out"', 'role = "ouput"', "parameters[1].role", "Did you mean out"),
        ("task", "hidden = true", "hiden = true", "cases[2].hiden", "Did you mean hidden?"),
        ("task", '"2 * x + 1"', '"2 * y + 1"', "golden.z", "unknown name 'y'"),
        ("task", "runs = 2", 'runs = "2"', "points.runs", "must be a number, is a string"),
        ("task", "blocks = 4", "blocks = 4\nblocks = 5", "", "not TOML"),
        ("task", "scale_rows.start.py", "scale_row.start.py", "given", "there is no file"),
        ("task", 'id = "09/', 'id = "08/', "id", "must be '09/scale-rows'"),
        ("theory", 'kind = "single"', 'kind = "singel"', "items[0].kind", "Did you mean single?"),
        (
            "theory",
            '"align(count, 64)"',
            '"align(cout, 64)"',
            "items[0].options[2].value",
            "Did you mean count?",
        ),
        ("theory", "right = true", "wrong = false", "items[0].options[0].wrong", "no such key"),
        ("hunt", 'id = "F1"', 'id = "F99"', "hunts[0].faults[0].id", "unknown name 'F99'"),
        ("hunt", "[17, 21, 22]", "[17, 99]", "hunts[0].faults[0].lines", "99 is no line of"),
        ("hunt", "hunts/leak.py", "hunts/leek.py", "hunts[0].kernel", "there is no file 'leek.py'"),
        (
            "hunt",
            'zh = "tensor',
            'cn = "tensor',
            "hunts[0].faults[0].cn",
            "Allowed: id, lines, zh, en",
        ),
    ],
)
def test_each_mistake_has_file_line_and_key(
    grader: Run, three: dict[str, Path], kind: str, old: str, new: str, key: str, said: str
) -> None:
    line = edit(three[kind], old, new)
    wanted = line + 1 if "not TOML" in said else line
    file = three[kind].relative_to(Path.cwd()).as_posix()
    en = grader("validate", file, "--quick", code=PROBLEMS).splitlines()[0]
    assert en.startswith(f"{file}:{wanted}: " + (f"{key}: " if key else ""))
    assert said in en
    zh = grader("validate", file, "--quick", "--lang", "zh", code=PROBLEMS).splitlines()[0]
    assert zh.startswith(f"{file}:{wanted}: ")
    assert CJK.search(zh)


def test_as_json(grader: Run, three: dict[str, Path]) -> None:
    line = edit(three["task"], 'role = "in"', 'rol = "in"')
    edit(three["theory"], 'kind = "single"', 'kind = "singel"')
    found = json.loads(grader("validate", "--quick", "--json", code=PROBLEMS))
    assert found["checked"] == {"tasks": 0, "items": 0, "hunts": 1, "troubleshooting": 0}
    first, second = found["problems"]
    assert (first["line"], first["key"], first["near"]) == (line, "parameters[0].rol", ["role"])
    assert (second["key"], second["near"]) == ("items[0].kind", ["single"])
    assert CJK.search(first["zh"])
    assert not CJK.search(first["en"])


def test_a_key_that_the_model_contradicts(grader: Run, three: dict[str, Path]) -> None:
    edit(three["theory"], 'value = "count"', 'value = "count + 1"')
    assert "Problems: 0" in grader("validate", "theory", "--quick")
    said = grader("validate", "theory", "--seeds", "1", code=PROBLEMS)
    assert re.search(
        r"theory/lanes\.toml:\d+: items\[0\]\.witness: .*the key says \d+, the model \d+", said
    )


def test_a_reference_that_fails(grader: Run, three: dict[str, Path], bank: Path) -> None:
    edit(bank / "kernels/09/scale_rows.py", "z_local, 1.0, count", "z_local, 1.5, count")
    line = edit(three["task"], "reference = ", "reference = ")
    said = grader("validate", "tasks", code=PROBLEMS)
    assert (
        f"tasks/09/scale-rows.toml:{line}: reference: The reference earns 2 of 10 points." in said
    )
    assert "Problems: 0" in grader("validate", "tasks", "--quick")


def test_a_start_that_is_done_already(grader: Run, three: dict[str, Path], bank: Path) -> None:
    done = (bank / "kernels/09/scale_rows.py").read_text("utf-8")
    (bank / "kernels/09/scale_rows.start.py").write_text(done, encoding="utf-8")
    said = grader("validate", "tasks", code=PROBLEMS)
    assert "given: The source handed out passes everything" in said


def test_a_start_that_is_no_python(grader: Run, three: dict[str, Path], bank: Path) -> None:
    edit(bank / "kernels/09/scale_rows.start.py", "pipe = asc.TPipe()", "pipe = asc.TPipe(")
    assert "given: The source handed out cannot be loaded" in grader(
        "validate", "tasks", code=PROBLEMS
    )


def test_troubleshooting_tasks(grader: Run, bank: Path, repository: Path) -> None:
    """One whose fault has no place in its kernel, and one whose class is misspelt."""
    shutil.copytree(repository / "exam_bank/kernels/reference", bank / "kernels/reference")
    text = (repository / "exam_bank/troubleshooting/first-copy.toml").read_text("utf-8")
    text = text.replace("exam/copy-any-shape", "reference/atomic_sum")
    file = bank / "troubleshooting/first-copy.toml"
    file.parent.mkdir()
    file.write_text(text.replace('class = "A1"', 'class = "A1"\nplace = "no such line"'), "utf-8")
    grader("validate", "troubleshooting", "--quick")
    said = grader("validate", "troubleshooting", code=PROBLEMS)
    assert "first-copy.toml:14: faults: the kernel has no place" in said
    file.write_text(text.replace("class =", "clas ="), "utf-8")
    said = grader("validate", "troubleshooting", "--quick", code=PROBLEMS)
    assert "first-copy.toml:15: faults[0].clas: no such key. Allowed: class, why" in said


@pytest.mark.parametrize(
    ("make", "said"),
    [
        ("nothing", "There is no"),
        ("empty/", "has no TOML file"),
        ("other/a.toml", "is in no folder"),
    ],
)
def test_what_cannot_be_checked(grader: Run, bank: Path, make: str, said: str) -> None:
    path = bank / make
    if make.endswith("/"):
        path.mkdir()
    elif "." in make:
        path.parent.mkdir()
        path.write_text("a = 1\n")
    assert said in grader("validate", make, code=USAGE)


def test_the_whole_bank_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--quick", "--json"]) == RIGHT
    found = json.loads(capsys.readouterr().out)
    assert found["problems"] == []
    assert found["checked"]["items"] >= 24


@pytest.mark.nightly
def test_the_whole_bank_keeps_its_promises() -> None:
    assert main(["validate", "--json"]) == RIGHT


def test_all_words_are_there_in_both_languages() -> None:
    for entry in words._words().values():
        zh, en = entry["zh"], entry["en"]
        assert CJK.search(zh)
        assert not CJK.search(en)
        fields = [sorted(re.findall(r"\{(\w+)", text)) for text in (zh, en)]
        assert fields[0] == fields[1]


def test_the_pages_for_authors_name_every_key(repository: Path) -> None:
    structs = [Topic, Item, Option, Draw, HuntText, HuntFault]
    keys = {field.name for struct in structs for field in msgspec.structs.fields(struct)}
    for page in ("docs/authoring.md", "docs/authoring.zh.md"):
        text = (repository / page).read_text(encoding="utf-8")
        assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", text, re.ASCII)] == []
