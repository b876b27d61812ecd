"""Published silicon beside the model: the quick cases, and what a file of cases may say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ascend_lab import chips
from benchmarks import silicon
from benchmarks.silicon_cases import fitting
from benchmarks.silicon_cases.cases import OPEN_SET, read
from benchmarks.silicon_cases.checking import refuse
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"[\n1 2]", ("line 2, column 3", "第 2 行第 3 列")),
        (b"\xff", ("byte 1", "第 1 字节")),
    ],
)
def test_a_file_that_is_no_json_is_told_in_both_languages(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    text: bytes,
    said: tuple[str, str],
) -> None:
    file = tmp_path / "cases.json"
    file.write_bytes(text)
    monkeypatch.setattr("sys.argv", ["silicon.py", "--cases", str(file)])
    assert silicon.main() == 2
    told = capsys.readouterr().err
    assert all(part in told for part in said)


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


@pytest.mark.parametrize("name", ["a2_add_c1", "a2_mmgelu_gelu"])
def test_scalar_time_follows_the_transfers(name: str) -> None:
    """Three a tile with one vector instruction, and two with eight."""
    case = CASES[name]
    share = {"a2_add_c1": 256, "a2_mmgelu_gelu": 64}[name]
    found = predict(replace(case.model, share=share), SPEC)["aiv_scalar_time_us"]
    assert found == pytest.approx(case.metrics["aiv_scalar_time_us"], rel=0.03)


def test_a_hint_costs_the_scalar_unit_one_look_at_memory() -> None:
    plain = model({"kind": "elementwise", "shape": [48, 4096], "cores": 48, "tile": 4096})
    past = replace(plain, bypass=("x", "y"))
    issue = SPEC.cost.scalar.issue / SPEC.clock_mhz
    more = [predict(m, SPEC)["aiv_scalar_time_us"] for m in (plain, past)]
    assert more[1] - more[0] == pytest.approx(SPEC.cost.dma.hint_us + 2 * issue)


def test_every_published_kernel_is_a_good_case() -> None:
    for name, words in MODELS.items():
        refuse(name, model(words))


CHAIN = {
    "kind": "elementwise", "shape": [96, 4096], "cores": 8, "tile": 4096, "ops": [["add", "z", "x", "y"]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ({"tile": 1000}, "tile"),
        ({"tile": 65536}, "tile"),
        ({"buffers": 3}, "buffers"),
        ({"cores": 0}, "cores"),
        ({"share": 1000}, "share"),
        ({"shape": [4096]}, "shape"),
        ({"dtype": "half"}, "dtype"),
        ({"ops": []}, "ops"),
        ({"ops": [["addd", "z", "x", "y"]]}, "ops"),
        ({"ops": [["add", "z", "x", "q"]]}, "ops"),
        ({"ops": [["adds", 1.0, "x"]]}, "ops"),
        ({"bypass": ["q"]}, "bypass"),
        ({"scalar": True, "inputs": ["x"]}, "scalar"),
        ({"ub": {"x": [0], "y": [8192]}}, "ub"),
        ({"ub": {"x": [0], "y": [8192], "z": [196608]}}, "ub"),
        ({"kind": "copy", "tile": [4]}, "tile"),
        ({"kind": "copy", "tile": [4, 512], "order": "zigzag"}, "order"),
        ({"kind": "stream", "count": 100, "ub": [0, 0, 0]}, "count"),
        ({"kind": "stream", "count": 4096}, "ub"),
        ({"kind": "nd2nz", "tile": [144, 128], "split": [1, 4]}, "split"),
    ],
)
def test_what_cannot_be_is_refused_in_both_languages(words: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=f'mine: "{word}".*\nmine："{word}"'):
        refuse("mine", model({**CHAIN, **words}))


def test_measurements_are_numbers(tmp_path: Path) -> None:
    file = write(tmp_path, {"id": "mine", "metrics": {"aiv_time_us": "3"}, "model": CHAIN})
    with pytest.raises(ValueError, match="no measurement"):
        read(file)


def test_more_cores_and_larger_tiles_are_never_slower() -> None:
    times = [
        predict(model({**CHAIN, **words}), SPEC)["aiv_time_us"]
        for words in ({"tile": 1024}, {}, {"cores": 16}, {"cores": 48})
    ]
    assert times == sorted(times, reverse=True)
