"""What has changed since a run, one case run again, and what confines an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from grader import journal
from grader.cli import main
from grader.doctor import Health, Layer, examine
from grader.journal import NAME, Journal, Row, RunOf
from grader.regrading import changes, chosen
from tests.exercise import kernels

Grade = Callable[..., int]
#: Right for the public case of 512 elements, wrong for the hidden one of 1024.
SHORT = kernels.changed("n // TILE, asc", "min(n // TILE, 4), asc")


def regrade(folder: Path, *more: str) -> int:
    places = (folder / "in", "--bank", folder / "bank", "--out", folder / "out")
    return main(["regrade", *map(str, places), "-j", "1", *more])


def test_only_what_changed_and_why(
    grade: Grade,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, text in {"a": kernels.ADD, "b": kernels.ADD, "c": SHORT}.items():
        (tmp_path / f"in/{name}.py").write_text(text)
    assert regrade(tmp_path) == 2  # nothing to compare with
    assert grade() == 1
    assert regrade(tmp_path) == 0
    assert "No mark has changed since run 1" in capsys.readouterr().out
    (tmp_path / "in/a.py").write_text(SHORT)
    (tmp_path / "in/d.py").write_text(kernels.ADD)
    monkeypatch.setattr(journal, "package_digest", lambda: "another lab")
    assert regrade(tmp_path, "--json", str(tmp_path / "changes.json")) == 1
    told = {
        change["student"]: change["why"]
        for change in json.loads((tmp_path / "changes.json").read_text())["changes"]
    }
    assert told == {"a": ["why_answer", "why_lab"], "d": ["why_new"]}
    assert regrade(tmp_path, "--since", "1") == 1
    assert regrade(tmp_path, "--since", "77") == 2


def test_an_appeal(grade: Grade, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in/c.py").write_text(SHORT)
    places = ["--out", str(tmp_path / "out"), "--bank", str(tmp_path / "bank")]
    pack = tmp_path / "pack"
    assert main(["appeal", "c", "00/add", *places, "--to", str(pack)]) == 2
    assert grade("--seed", "nobody-may-know") == 1
    assert main(["appeal", "x", "00/add", *places, "--to", str(pack)]) == 2
    assert main(["appeal", "c", "00/add", *places, "--to", str(pack)]) == 0
    assert main(["appeal", "c", "00/add", *places, "--to", str(pack)]) == 2
    passed = ["--case", "even", "--lang", "zh", "--to", str(tmp_path / "none")]
    assert main(["appeal", "c", "00/add", *places, *passed]) == 2
    assert "用例 even 没有失败" in capsys.readouterr().err
    everything = b"".join(path.read_bytes() for path in pack.rglob("*") if path.is_file())
    assert b"nobody-may-know" not in everything
    assert (pack / "answer/c.py").read_text() == SHORT
    capsys.readouterr()
    assert main(["replay", str(pack), "--lang", "zh"]) == 1
    assert "用例 other" in capsys.readouterr().out
    right = json.loads((pack / "answer.json").read_text())
    right["cells"] = [["c.py", kernels.ADD]]
    (pack / "answer.json").write_text(json.dumps(right))
    assert main(["replay", str(pack), "--json", str(tmp_path / "replay.json")]) == 0
    assert json.loads((tmp_path / "replay.json").read_text())["verdict"] == "pass"
    assert main(["replay", str(tmp_path / "in")]) == 2


def test_changes() -> None:
    was = Row("a", "t", "pass", 1, 1, "x", "t1", "l1", "s")
    assert changes([was], [was]) == ()
    now = Row("a", "t", "fail", 0, 1, "x", "t2", "l1", "s")
    assert [change.why for change in changes([was], [now])] == [("why_task",)]
    assert [change.why for change in changes([was], [])] == [("why_gone",)]


def test_which_run() -> None:
    runs = [RunOf(1, "2026-01-01T10:00:00"), RunOf(2, "2026-01-02T10:00:00")]
    assert chosen(runs, None) == runs[1]
    assert chosen(runs, "1") == runs[0]
    assert chosen(runs, "2026-01-01") == runs[0]
    assert chosen(runs, "2026-01-02") == runs[1]
    assert chosen(runs, "2026-01-02T09:00:00+00:00") == runs[0]
    assert chosen(runs, "2025-12-31") is None
    assert chosen(runs, "yesterday") is None
    assert chosen([], None) is None


def test_two_graders_share_a_journal(tmp_path: Path) -> None:
    with Journal(tmp_path / NAME) as one, Journal(tmp_path / NAME) as other:
        assert one.seed == other.seed
        first = one.finish([Row("a", "t", "pass", 1, 1)])
        second = other.finish([Row("a", "t", "fail", 0, 1)])
        assert (first.number, second.number) == (1, 2)
        assert one.rows(2)[0].verdict == "fail"


def test_doctor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor", "--lang", "zh", "--json", str(tmp_path / "d.json")])
    assert code in (0, 1)
    found = json.loads((tmp_path / "d.json").read_text(encoding="utf-8"))
    assert found["safe"] == (code == 0)
    assert "防护层" in capsys.readouterr().out


def test_a_layer_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_LAB_WITHOUT", "landlock,bubblewrap,seccomp")
    found = examine()
    reasons = {layer.name: layer.reason for layer in found.layers}
    assert reasons["landlock"] == reasons["seccomp"] == "ASCEND_LAB_WITHOUT"
    assert not found.is_safe


def test_what_is_safe() -> None:
    def health(*names: str) -> Health:
        layers = tuple(Layer(name, True, "") for name in names)
        return Health("", "", "", layers, "", "")

    assert health("limits", "no processes", "landlock").is_safe
    assert health("limits", "no processes", "bubblewrap").is_safe
    assert not health("limits", "landlock").is_safe
    assert not health("limits", "no processes", "seccomp").is_safe
