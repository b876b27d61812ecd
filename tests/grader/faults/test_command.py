"""The command: exit codes, files, both languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader import cli, faults
from grader.faults.words import keys, word


def _run(*arguments: str) -> int:
    return cli.main(["faults", *arguments])


def test_caught(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, data, out = tmp_path / "m.html", tmp_path / "m.json", tmp_path / "out"
    args = ("--class", "D2", "F1", "--html", str(page), "--json", str(data), "--out", str(out))
    assert _run("reference/add_queues", *args) == 0
    assert "2 caught under their own id" in " ".join(capsys.readouterr().out.split())
    found = json.loads(data.read_text("utf-8"))
    assert found["totals"]["caught"] == 2
    assert [row["id"] for row in found["classes"]] == ["D2", "F1"]
    told = json.loads((out / "add_queues" / "F1.json").read_text("utf-8"))
    assert told["story"]["zh"]
    assert len(told["hints"]) == 3
    assert "free_tensor" in (out / "add_queues" / "F1.py").read_text("utf-8")
    html = page.read_text("utf-8")
    assert "http" not in html.replace("http-equiv", "")
    assert str(tmp_path) not in html


def test_runs_give_the_same_files(tmp_path: Path) -> None:
    pages = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.html"
        assert _run("quantise", "-c", "D1", "--seed", "s7", "--html", str(path)) == 0
        pages.append(path.read_text("utf-8"))
    assert pages[0] == pages[1]


def test_matrix_in_chinese(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("reference/quantise", "--matrix", "-c", "H6", "--lang", "zh") == 0
    assert "以本类编号发现" in "".join(capsys.readouterr().out.split())


def test_a_kernel_with_a_task_beside_it(tmp_path: Path) -> None:
    reference = faults.reference("quantise")
    (tmp_path / "mine.py").write_text(reference.source, encoding="utf-8")
    folder = Path(__file__).parents[3] / "exam_bank" / "kernels" / "reference"
    task = (folder / "quantise.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(task, encoding="utf-8")
    assert _run(str(tmp_path / "mine.py"), "-c", "D2") == 0


def test_a_kernel_that_is_not_right_itself(tmp_path: Path) -> None:
    source = faults.reference("quantise").source.replace("CAST_RINT", "CAST_FLOOR")
    (tmp_path / "mine.py").write_text(source, encoding="utf-8")
    folder = Path(__file__).parents[3] / "exam_bank" / "kernels" / "reference"
    task = (folder / "quantise.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(task, encoding="utf-8")
    assert _run(str(tmp_path / "mine.py"), "-c", "D2") == 4


@pytest.mark.parametrize(
    "arguments", [(), ("03/nothing",), ("absent.py",), ("quantise", "-c", "Z9"), ("--seed",)]
)
def test_wrong_usage(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(*arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_words_in_both_languages() -> None:
    blanks = dict.fromkeys(
        "classes living kernels mutants alive caught misnamed escaped broken unchecked equivalent "
        "tolerated unclean class_id kernel line status found text name known detail path reason".split(),
        "x",
    )
    for key in keys():
        assert word(key, "zh", **blanks)
        assert word(key, "en", **blanks)
