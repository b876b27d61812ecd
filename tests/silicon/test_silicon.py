"""Published silicon beside the model: the quick cases, and what a file of cases may say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ascend_lab import chips
from benchmarks.silicon_cases import fitting
from benchmarks.silicon_cases.cases import OPEN_SET, read
from benchmarks.silicon_cases.running import predict
from benchmarks.silicon_cases.samples import MODELS
from benchmarks.silicon_cases.vocabulary import model

CASES = {case.id: case for case in read()}
SPEC = chips.shared()


@pytest.mark.parametrize("name", [name for name in CASES if "bank_ub" in name])
def test_bank_conflicts(name: str) -> None:
    case = CASES[name]
    found = predict(case.model, SPEC)[case.main]
    assert found == pytest.approx(case.metrics[case.main], rel=0.02)


@pytest.mark.parametrize("blocks", [1, 24])
def test_launch(blocks: int) -> None:
    case = CASES[f"a2_doc_empty_cub_{blocks}"]
    found = predict(case.model, SPEC)["task_duration_us"]
    assert found == pytest.approx(case.metrics["task_duration_us"], rel=0.03)


def test_one_core_with_one_buffer() -> None:
    case = CASES["a2_add_c1"]
    found = predict(replace(case.model, share=256), SPEC)
    assert found["aiv_time_us"] == pytest.approx(case.metrics["aiv_time_us"], rel=0.04)
    assert found["aiv_vec_time_us"] == pytest.approx(case.metrics["aiv_vec_time_us"], rel=0.03)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["a2_add_c3", "a2_add_c4", "a2_add_c6", "a2_nd2nz_s2"])
def test_whole_kernels(name: str) -> None:
    case = CASES[name]
    found = predict(replace(case.model, share=4), SPEC)["aiv_time_us"]
    assert found == pytest.approx(case.metrics["aiv_time_us"], rel=0.05)


def test_every_case_of_the_open_set_is_run_and_has_a_source() -> None:
    rows = json.loads(OPEN_SET.read_text(encoding="utf-8"))
    assert len(rows) == len(CASES) > 20
    assert all(row["source"] and row["metrics"] for row in rows)


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    file = folder / "cases.json"
    file.write_text(json.dumps(rows), encoding="utf-8")
    return file


def test_a_case_of_a_file_names_its_kernel_in_words(tmp_path: Path) -> None:
    words = {
        "kind": "elementwise", "dtype": "float32", "shape": [48, 4096], "cores": 4, "tile": 2048,
        "buffers": 2, "ops": [["mul", "z", "x", "y"], ["exp", "z", "z"]], "bypass": ["x"],
    }  # fmt: skip
    file = write(tmp_path, {"id": "mine", "soc": "Ascend910B1", "metrics": {}, "model": words})
    (case,) = read(file)
    found = predict(case.model, SPEC)
    assert 0 < found["aiv_vec_time_us"] < found["aiv_time_us"] < found["task_duration_us"]


def test_a_sample_needs_only_its_id_and_unknown_rows_are_passed_over(tmp_path: Path) -> None:
    rows = ({"id": "a2_add_c2", "metrics": {}}, {"id": "a2_mm_hp_c0", "metrics": {}})
    assert [case.id for case in read(write(tmp_path, *rows))] == ["a2_add_c2"]


def test_a_word_that_does_not_exist_is_told(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "mine", "metrics": {}, "model": {"kind": "copy", "tiel": 3}})
    with pytest.raises(ValueError, match=r"mine: .*tiel"):
        read(file)


def test_the_double_buffered_sample_has_its_published_layout() -> None:
    found = model(MODELS["a2_add_c6"])
    assert found.ub["y"][0] % 512 == 256
    assert max(at for places in found.ub.values() for at in places) + 32512 <= 196608


def test_left_out_refits_the_others() -> None:
    slopes = {name: {"dma.hbm_rate": -1.0} for name in "abc"}
    found = fitting.left_out({"a": 0.03, "b": 0.0, "c": 0.0}, slopes)
    assert found["a"] == pytest.approx(0.03)
    assert found["b"] == pytest.approx(-0.015)
    alone = fitting.left_out({"a": 0.01, "b": 0.0}, {"a": {"sync.flag_hop": 0.5}, "b": {}})
    assert alone["a"] is None
