"""Findings: what they say, how they are ordered, merged and folded."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ascend_lab.checks import Finding, Findings, Place
from ascend_lab.checks.texts import CatalogueError

A2 = {
    "count": 133,
    "dtype": "float32",
    "asked": 532,
    "moved": 512,
    "lost": 5,
    "up": 136,
    "array": "z",
}


def finding(class_id: str = "A2", time: float = 1.0, line: int = 7, **more: object) -> Finding:
    numbers = more.pop("numbers", A2 if class_id == "A2" else {})
    severity = str(more.pop("severity", "error"))
    made = Finding(class_id, severity, "add.py", line, 0, 0, "MTE3", time, numbers)  # type: ignore[arg-type]
    return replace(made, **more)  # type: ignore[arg-type]


def test_message() -> None:
    text = finding(related=(Place("add.py", 3, "loads"),), count=4).message("en")
    assert text.split("\n") == [
        "A2  DataCopy leaves out the tail",
        "add.py:7, core 0, MTE3, cycle 1, 4 times",
        "DataCopy is asked for 133 elements of float32 (532 B) but moves 512 B: "
        "5 elements not copied.",
        "  add.py:3: loads the data with padding",
        "Rule: The count form of DataCopy rounds the length down to a multiple of 32 B, "
        "without any error.",
        "Next: Use DataCopyPad with a block length of 532 bytes.",
    ]
    assert finding().message("zh").split("\n")[1] == "add.py:7，核 0，MTE3，周期 1"


def test_a_number_that_is_missing_is_our_fault() -> None:
    with pytest.raises(CatalogueError):
        finding(numbers={}).message()


def test_tools_names() -> None:
    assert finding("C1").npuchk == "ErrorRead2"
    assert finding("C1").sanitizer.startswith("initcheck")
    assert finding("H8", numbers={"page": "docs/zh/x.md"}).page == "docs/zh/x.md"


def test_plain_values() -> None:
    made = Findings([finding(), finding("E3", 2.0, numbers={"array": "z"}, severity="error")])
    told = replace(made[0], consequences=())
    assert json.loads(json.dumps(told.as_dict()))["numbers"]["lost"] == 5


def test_repr_is_stable() -> None:
    assert repr(finding()) == repr(finding())
    assert repr(Findings([finding()])) == "Findings(A2 add.py:7)"


def test_errors_before_notes_then_time() -> None:
    late, early = finding("D2", 9.0, 1), finding("D1", 5.0, 2)
    note = finding("C8", 1.0, 3, severity="note")
    assert Findings([late, note, early]).ids == ("D1", "D2", "C8")


def test_equal_ones_merge_and_the_first_speaks() -> None:
    merged = Findings([finding(time=4.0), finding(time=2.0), finding(time=3.0, line=8)])
    assert [(f.line, f.time, f.count) for f in merged] == [(7, 2.0, 2), (8, 3.0, 1)]


def test_runs_of_one_launch_do_not_add_up() -> None:
    once = Findings([finding(), finding(time=2.0)])
    assert [f.count for f in once.merged(once)] == [2]


def test_symptoms_fold() -> None:
    """E1 over E2 and E3; each cause keeps its own."""
    array = {"array": "z"}
    found = Findings(
        [
            finding("E2", 1.0, 1, numbers=array),
            finding("E1", 2.0, 2, numbers=array),
            finding("E3", 3.0, 3, numbers=array),
        ]
    )
    assert found.ids == ("E1",)
    assert [f.id for f in found[0].consequences] == ["E2", "E3"]
    assert len(found.all) == 3


def test_other_arrays_do_not_fold() -> None:
    found = Findings(
        [finding("E1", 1.0, numbers={"array": "y"}), finding("E3", 2.0, numbers={"array": "z"})]
    )
    assert found.ids == ("E1", "E3")


def test_a_chain_folds_under_its_root() -> None:
    found = Findings([finding("E3", 3.0), finding("E6", 2.0), finding("F3", 1.0, fatal=True)])
    assert found.ids == ("F3",)
    assert [f.id for f in found[0].consequences] == ["E6", "E3"]


def test_some_fold_only_at_the_same_line() -> None:
    """V that runs ahead of its load also runs ahead of everything that load had waited for."""
    found = Findings([finding("D1", 1.0, 5), finding("D3", 2.0, 5), finding("D3", 3.0, 6)])
    assert [(f.id, f.line) for f in found] == [("D1", 5), ("D3", 6)]


def test_a_trap_explains_what_comes_later_only() -> None:
    found = Findings(
        [finding("D1", 1.0, 1), finding("A1", 2.0, 2, fatal=True), finding("D2", 3.0, 3)]
    )
    assert found.ids == ("D1", "A1")
    assert [f.id for f in found[1].consequences] == ["D2"]


def test_the_first_trap_leads() -> None:
    found = Findings([finding("A5", 5.0, fatal=True), finding("A1", 2.0, fatal=True)])
    assert found.ids == ("A1",)


def test_a_note_explains_no_error() -> None:
    found = Findings([finding("A3", 1.0, severity="note"), finding("E2", 2.0)])
    assert found.ids == ("E2", "A3")


def test_empty() -> None:
    assert len(Findings()) == 0
    assert not Findings().errors
