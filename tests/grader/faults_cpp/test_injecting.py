"""Faults go into Ascend C sources as a programmer would write them; nothing is compiled here."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_lab.exercise import open_bank
from grader import faults
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import blanked, is_cpp
from grader.faults.injecting import read
from grader.faults.matrices import diff

REFERENCES = faults.ascendc_references()
BY_NAME = {each.task.kernel: each for each in REFERENCES}


def changed(kernel: str, class_id: str) -> list[str]:
    """The changed lines of the first place, each with its sign, without indent."""
    reference = BY_NAME[kernel]
    mutant = min(faults.mutants(reference.source, class_id), key=lambda each: each.line)
    lines = [line for line in diff(mutant, reference).splitlines() if line[0] in "+-"]
    return [line[0] + line[1:].strip() for line in lines]


def test_qualifiers_are_blanked_and_every_byte_stays_where_it_is() -> None:
    text = "__global__ __aicore__ void 核(__gm__ float* x); // 中\nk<<<8, nullptr, s>>>(x);\n"
    made = blanked(text)
    assert len(made.encode()) == len(text.encode())
    assert "__" not in made
    assert "<<<" not in made
    assert made.index("void") == text.index("void")


def test_a_kernel_is_told_by_its_qualifiers() -> None:
    assert all(is_cpp(each.source) for each in REFERENCES)
    assert not is_cpp(faults.reference("add_queues").source)


def test_there_are_references_with_a_task_each() -> None:
    assert len(REFERENCES) >= 6
    for each in REFERENCES:
        assert each.name == f"reference/{each.task.kernel}.asc"
        assert each.task.kernel in each.source


def test_text_that_is_no_cpp_is_refused() -> None:
    with pytest.raises(SyntaxError):
        read("__aicore__ void f() { int x = ; }\n")


@pytest.mark.parametrize(
    ("kernel", "class_id", "lines"),
    [
        ("add_queues", "F1", ["-inQueueX.FreeTensor(xLocal);"]),
        (
            "add_queues",
            "E1",
            [
                "-zGm.SetGlobalBuffer((__gm__ float*)z + offset, ownLength);",
                "+zGm.SetGlobalBuffer((__gm__ float*)z, ownLength);",
            ],
        ),
        (
            "add_queues",
            "B3",
            [
                "-const uint32_t left = ownLength - start;",
                "-const uint32_t count = left > TILE_LENGTH ? TILE_LENGTH : left;",
                "+const uint32_t count = TILE_LENGTH;",
            ],
        ),
        (
            "add_pingpong",
            "D9",
            ["-AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(turn);"],
        ),
        (
            "sigmoid_half",
            "A2",
            [
                "-DataCopyPad(xLocal, xGm[start], move, pad);",
                "+DataCopy(xLocal, xGm[start], count);",
            ],
        ),
        (
            "two_phase_sum",
            "E6",
            ["-SyncAll();", "+if (blockIdx > 0) {", "+SyncAll();", "+}"],
        ),
    ],
)
def test_what_a_fault_changes(kernel: str, class_id: str, lines: list[str]) -> None:
    made = changed(kernel, class_id)
    assert [line for line in lines if line not in made] == []


def test_a_function_of_the_file_uses_the_tensor_it_is_given() -> None:
    source = faults.reference("exam/sinh.asc").source
    (mutant,) = faults.mutants(source, "F5")
    early = "inQueue.FreeTensor(xLocal);\n        Widen(wide, xLocal, count);"
    assert early in mutant.source
    assert early not in source


def test_every_mutant_is_read_again_and_only_its_lines_differ() -> None:
    for reference in REFERENCES:
        for id in faults.CLASSES:
            for mutant in faults.mutants(reference.source, id):
                if mutant.blocks:
                    continue
                CppSource(mutant.source)
                assert mutant.source != reference.source
                assert mutant.lines
                assert mutant.line in mutant.lines


def test_the_three_waves_have_a_place() -> None:
    """Every class of the waves 1 to 3 that a kernel can have."""
    places = {
        id
        for id, fault in faults.CLASSES.items()
        if fault.wave in (1, 2, 3) and any(faults.places(each.source, id) for each in REFERENCES)
    }
    wanted = {id for id, fault in faults.CLASSES.items() if fault.wave in (1, 2, 3)}
    assert wanted - places == set()


def test_the_same_seed_draws_the_same_mutant() -> None:
    source = BY_NAME["add_queues"].source
    assert faults.inject(source, "A1", 7) == faults.inject(source, "A1", 7)


def test_a_kernel_without_a_place_says_so() -> None:
    with pytest.raises(faults.DoesNotApply):
        faults.inject(BY_NAME["add_queues"].source, "E6")


def test_a_file_with_a_task_beside_it_is_taken(tmp_path: Path) -> None:
    folder = open_bank().folder / "kernels" / "reference"
    for suffix in (".asc", ".toml"):
        name = "relu_rows" + suffix
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (found,) = faults.chosen(str(tmp_path / "relu_rows.asc"))
    assert found.file == "relu_rows.asc"
    assert [case.name for case in found.task.cases] == ["three", "whole-blocks"]  # one type only


def test_a_source_that_names_types_keeps_the_cases_of_all() -> None:
    cases = faults.reference("exam/sinh.asc").task.cases
    assert {case.dtypes.get("x", "float32") for case in cases} == {"float32", "float16"}


def test_all_of_them_have_a_name() -> None:
    assert faults.chosen("ascendc") == REFERENCES


def test_without_a_compiler_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from grader.faults.command import Exit
    from grader.faults.command import faults as command

    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    assert command("add_queues.asc", classes=["F1"]) == Exit.USAGE
    assert "conda install" in capsys.readouterr().err
