"""From an answer to a verdict."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest

from ascend_lab.device import Device
from ascend_lab.exercise import (
    CHECKS,
    Answer,
    Bank,
    Judge,
    TaskResult,
    Verdict,
    from_text,
    texts,
    trial,
)
from ascend_lab.exercise.bank import read
from ascend_lab.exercise.requirements import broken
from ascend_lab.exercise.task import Requirements
from ascend_lab.exercise.texts import keys
from ascend_lab.exercise.wire import Cell
from tests.exercise import kernels
from tests.exercise.conftest import TASK, Court

STORE = "asc.data_copy(z_gm[start:], z_local, TILE)"


def verdicts(result: TaskResult) -> str:
    """First letters: P, F, B(locked), E, N."""
    return "".join(check.verdict.value[0].upper() for check in result.checks)


def test_a_right_answer(court: Court) -> None:
    result = court()
    assert verdicts(result) == "PPPPPP"
    assert (result.verdict, result.points, result.possible, result.undecided) == (
        Verdict.PASS,
        31,
        31,
        0,
    )
    assert [check.name for check in result.checks] == list(CHECKS)
    assert result.check("schedules").cases[0].schedule == "adversarial"
    assert result.check("values").cases[0].time_us > 0


def test_it_is_the_same_every_time(court: Court) -> None:
    assert court() == court()


def test_everything_is_said_in_both_languages(court: Court) -> None:
    result = court("asc.add(", "asc.sub(")
    for check in result.checks:
        assert check.zh != check.en
        for lang in ("zh", "en"):
            assert check.title(lang)
            assert check.message(lang)
            assert check.verdict.text(lang)


def test_a_result_is_json(court: Court) -> None:
    result = court("asc.add(", "asc.sub(")
    text = msgspec.json.encode(result)
    assert json.loads(text)["task"] == "00/add"
    assert msgspec.json.decode(text, type=TaskResult) == result


# --- one check after the other ---------------------------------------------------------------------


def test_wrong_values(court: Court) -> None:
    result = court("asc.add(", "asc.sub(")
    assert verdicts(result) == "PPFBBB"
    assert result.points == 1
    values = result.check("values")
    assert "z[0]" in values.en
    assert "512" in values.en
    assert "2^" not in values.en
    assert "even" in values.zh


def test_a_finding_blocks_the_rest(court: Court) -> None:
    result = court("x_gm[start:], TILE)", "x_gm[start:], TILE - 3)")
    assert verdicts(result) == "PFBBBB"
    assert result.points == 0
    assert result.findings[0].id == "A2"
    assert (result.findings[0].file, result.findings[0].line) == ("s01.py", 26)


def test_only_hidden_cases_fail(court: Court) -> None:
    result = court("n // TILE", "min(n, 512) // TILE")
    assert verdicts(result) == "PPPFPP"
    assert result.points == 1 + 2 + 8 + 16
    hidden = result.check("hidden")
    assert "longer" in hidden.en
    assert "更长" in hidden.zh


def test_hidden_cases_give_nothing_away(court: Court) -> None:
    result = court(
        "        asc.add(",
        "        if n > 512:\n            asc.muls(x_local, x_local, 2.0, TILE)\n        asc.add(",
    )
    hidden = result.check("hidden")
    assert hidden.verdict is Verdict.FAIL
    assert "z[" not in hidden.en
    assert "should be" not in hidden.en


def test_hidden_cases_wait_for_grading(court: Court) -> None:
    result = court.judge.check(court.task, from_text(kernels.ADD))
    assert verdicts(result) == "PPPBPP"
    assert result.verdict is Verdict.PASS
    assert result.points == 31 - 4


def test_a_missing_wait_is_named(court: Court) -> None:
    result = court.of(static_kernel(refill_waits=False))
    assert verdicts(result) == "PFBBBB"
    assert {finding.id for finding in result.findings} == {"D3"}
    assert court.of(static_kernel(refill_waits=True)).verdict is Verdict.PASS


def test_an_order_that_luck_hides(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no check sees a race (here: they are off), another order still shows it in the values."""

    class Unchecked(Device):
        def __init__(self, *args: Any, **more: Any) -> None:
            super().__init__(*args, **more, checks=False)

    monkeypatch.setattr(trial, "Device", Unchecked)
    result = court.of(static_kernel(refill_waits=False))
    assert result.check("values").verdict is Verdict.PASS
    assert result.check("schedules").verdict is Verdict.FAIL
    assert court.of(static_kernel(refill_waits=True)).verdict is Verdict.PASS


def static_kernel(refill_waits: bool) -> str:
    """One buffer each, by address and flags; the wait before a refill may be left out."""
    wait = "        asc.set_flag(asc.HardEvent.V_MTE2, 0)\n        asc.wait_flag(asc.HardEvent.V_MTE2, 0)\n"
    return f"""\
import ascend_lab.asc as asc

TILE = 128


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    y_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, TILE * 4, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * 8, TILE)
    for tile in range(asc.get_block_idx(), n // TILE, asc.get_block_num()):
        start = tile * TILE
        asc.data_copy(x_local, x_gm[start:], TILE)
        asc.data_copy(y_local, y_gm[start:], TILE)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.add(z_local, x_local, y_local, TILE)
{wait if refill_waits else ""}\
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(z_gm[start:], z_local, TILE)
        asc.set_flag(asc.HardEvent.MTE3_V, 0)
        asc.wait_flag(asc.HardEvent.MTE3_V, 0)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
"""


def test_a_changed_input(court: Court) -> None:
    result = court(STORE, f"{STORE}\n        asc.data_copy(x_gm[start:], z_local, TILE)")
    assert result.check("values").verdict is not Verdict.PASS
    assert result.points < 4


# --- no answer, and answers that end badly ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "letters", "words"),
    [
        ("", "NNNNNN", "was not answered"),
        ("def addd(): return 1", "FBBBBB", "no kernel named add. Close to it: addd"),
        ("import asc\n@asc.jit\ndef add(x, y, z, n): pass", "NNNNNN", "still empty"),
        ("import asc\n@asc.jit\ndef add(x): return x", "FBBBBB", "takes 1 parameters (x)"),
        ("def add(:", "FBBBBB", "Syntax error at s01.py:1"),
    ],
)
def test_nothing_to_judge(court: Court, text: str, letters: str, words: str) -> None:
    result = court.of(text)
    assert verdicts(result) == letters
    assert words in result.check("loads").en
    assert result.points == 0


def test_what_was_handed_out_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "given.py").write_text(kernels.ADD)
    task = read(
        TASK.replace('reference = "none"', 'reference = "none"\ngiven = "given.py"').encode(), "t"
    )
    with Judge("secret", tasks=Bank(tmp_path)) as own:
        assert own.check(task, from_text(kernels.ADD + "# mine\n")).verdict is Verdict.NOT_ATTEMPTED
        changed = own.check(task, from_text(kernels.changed("TILE = 128", "TILE = 64")))
        assert changed.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("import os; os._exit(0)", "ended its own process"),
        ("import ctypes; ctypes.string_at(0)", "SIGSEGV"),
        ("while True: pass", "CPU time"),
    ],
)
def test_a_process_that_ends_badly(court: Court, line: str, words: str) -> None:
    result = court("    # here\n", f"    {line}\n")
    assert verdicts(result) == "PFBBBB"
    assert words in result.check("runs").en
    assert result.stdout == ""  # what the interpreter says of it is for us


def test_a_billion_instructions(court: Court) -> None:
    line = "    for _ in range(1_000_000_000): asc.pipe_barrier(asc.PipeID.PIPE_V)\n"
    result = court("    # here\n", line)
    assert [finding.id for finding in result.findings] == ["X2"]


def test_an_exception_in_the_kernel(court: Court) -> None:
    result = court("    # here\n", "    1 / 0\n")
    (finding,) = (f for f in result.findings if f.severity == "error")
    assert (finding.id, finding.line) == ("X1", 21)
    assert "ZeroDivisionError" in finding.en


def test_what_the_model_has_not_costs_nothing(court: Court) -> None:
    result = court("@asc.jit", "@asc.jit(matmul_cube_only=True)")
    assert verdicts(result) == "PEEEEE"
    assert (result.verdict, result.points, result.undecided) == (Verdict.ERROR, 0, 31)


def test_a_fault_of_ours_costs_nothing(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(trial.Device, "launch", broken)
    result = court()
    assert verdicts(result) == "PEEEEE"
    assert result.undecided == 31
    assert "KeyError" in result.check("runs").en
    assert "Traceback" not in result.check("runs").en


# --- tricks --------------------------------------------------------------------------------------------


def test_computing_in_numpy_is_worth_nothing(court: Court) -> None:
    text = """\
import numpy as np
import asc

@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    try:
        z[:] = np.asarray(x) + np.asarray(y)
    except Exception:
        pass
    z = np.asarray(x, dtype=object) + 1 if False else np.zeros(512)
"""
    result = court.of(text)
    assert result.points == 0
    assert verdicts(result) == "PFBBBB"


PATCHES = """\
def bend():
    import sys
    import ascend_lab.checks, ascend_lab.device
    from ascend_lab.exercise import accuracy, hearing, judging, trial, verdict
    ascend_lab.checks.judge = lambda *a, **k: ascend_lab.checks.Findings()
    ascend_lab.device.Device.launch = lambda *a, **k: None
    accuracy.THRESHOLDS["float32"] = float("inf")
    trial.compare = lambda *a, **k: True
    hearing.Hearing.outcomes = lambda self: ()
    verdict.overall = lambda checks: "pass"
    return True

BENT = bend()
"""


def test_patching_the_lab_is_worth_nothing(court: Court) -> None:
    wrong = kernels.changed("asc.add(", "asc.sub(").replace("    # here\n", "    assert BENT\n")
    result = court.of(PATCHES + wrong)
    assert verdicts(result) == "PPFBBB"
    assert court().verdict is Verdict.PASS  # and the next one is judged as ever


def test_constants_instead_of_a_computation(court: Court) -> None:
    """Whoever knew the inputs could send their sum as constants; the inputs are not to be known."""
    result = court("asc.add(z_local, x_local, y_local, TILE)", "asc.duplicate(z_local, 0.0, TILE)")
    assert result.check("values").verdict is Verdict.FAIL


def test_other_secrets_other_inputs(court: Court) -> None:
    with Judge("another secret") as other:
        wrong = from_text(kernels.changed("asc.add(", "asc.sub("))
        mine, theirs = (j.check(court.task, wrong).check("values").en for j in (court.judge, other))
    assert mine != theirs


# --- requirements, H3, notes -----------------------------------------------------------------------------


def test_requirements(judge: Judge) -> None:
    text = TASK.replace(
        "points =", 'requirements = { uses = ["TBuf", "data_copy"], forbids = ["Add"] }\npoints ='
    )
    result = judge.check(read(text.encode(), "t"), from_text(kernels.ADD), cases="all")
    found = result.check("requirements")
    assert found.verdict is Verdict.FAIL
    assert found.en.splitlines() == [
        "This task asks for TBuf, which the kernel does not use.",
        "This task does not allow Add; the kernel used it 4 times.",
    ]


def test_at_most_counts_one_launch() -> None:
    wanted = Requirements(at_most={"get_value": 2})
    assert not broken(wanted, [Counter(GetValue=2), Counter(GetValue=2)])
    assert len(broken(wanted, [Counter(GetValue=3)])) == 1


def test_inserted_sync_can_be_ruled_out(judge: Judge) -> None:
    text = TASK.replace("points =", "requirements = { insert_sync = false }\npoints =")
    answer = kernels.changed("@asc.jit", "@asc.jit(insert_sync=True)")
    result = judge.check(read(text.encode(), "t"), from_text(answer))
    assert "insert_sync" in result.check("loads").en


HALF = TASK.replace('golden = "x + y"', 'golden = "np.sum(x)"').replace(
    'shape = ["n"]\n\n[[parameters]]\nname = "n"', 'shape = [16]\n\n[[parameters]]\nname = "n"'
)


def test_half_accumulation_is_named(judge: Judge) -> None:
    """Sums by adding element after element in float16."""
    text = HALF.replace("blocks = 2", "blocks = 1\naccuracy = { accumulates = true }")
    text = text.replace('role = "in"\n', 'role = "in"\ndtype = "float16"\nrange = [0.1, 0.1]\n')
    text = text.replace('role = "out"\n', 'role = "out"\ndtype = "float16"\n')
    text = text.replace("sizes = { n = 512 }", "sizes = { n = 16 }")
    text = text.replace("sizes = { n = 1024 }\nhidden = true", "sizes = { n = 8192 }")
    text = text.replace("hidden = 4, ", "")
    answer = """\
import asc

@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, 16)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, 32)
    pipe.init_buffer(out_z, 1, 32)
    total = out_z.alloc_tensor(z.dtype)
    asc.duplicate(total, 0.0, 16)
    for tile in range(n // 16):
        part = in_x.alloc_tensor(x.dtype)
        asc.data_copy(part, x_gm[tile * 16:], 16)
        in_x.enque(part)
        part = in_x.deque(x.dtype)
        asc.add(total, total, part, 16)
        in_x.free_tensor(part)
    asc.muls(total, total, 16.0, 16)
    out_z.enque(total)
    total = out_z.deque(z.dtype)
    asc.data_copy(z_gm, total, 16)
    out_z.free_tensor(total)
"""
    result = judge.check(read(text.encode(), "t"), from_text(answer, "s01.py"))
    assert verdicts(result).startswith("PPF")
    assert [f.id for f in result.findings if f.severity == "error"] == ["H3"]
    right = judge.check(
        read(text.replace("accumulates = true", "t = 0.5").encode(), "t"), from_text(answer)
    )
    assert not right.findings


def test_notes(court: Court) -> None:
    twice = kernels.ADD + "\n\n" + kernels.changed("TILE = 128", "TILE = 64")
    cells = (Cell("s.ipynb [1]", kernels.ADD), Cell("s.ipynb [2]", kernels.ADD))
    result = court.of(Answer(cells))
    assert "s.ipynb [1], s.ipynb [2]" in result.notes[0].en
    renamed = court.of(
        twice.replace("y: asc.GlobalAddress", "other: asc.GlobalAddress").replace(
            "(y, n)", "(other, n)"
        )
    )
    assert "other = y" in renamed.notes[-1].en
    assert renamed.verdict is Verdict.PASS


def test_what_the_kernel_prints_is_shown(court: Court) -> None:
    result = court("    # here\n", "    print('in Python')\n    asc.printf('on the device\\n')\n")
    assert "in Python" in result.stdout
    assert "on the device" in result.stdout
    assert result.verdict is Verdict.PASS


def test_a_mark_can_be_replayed(court: Court) -> None:
    first = court().provenance
    assert first.seed == "secret"
    assert "limits" in first.layers
    assert first.answer_digest != court("TILE = 128", "TILE = 64").provenance.answer_digest


def test_every_sentence_needs_the_same_numbers_in_both_languages() -> None:
    for key in keys():
        fields = [
            {name.removesuffix("_zh").removesuffix("_en") for _, name, _, _ in parse(text) if name}
            for text in (raw(key, "zh"), raw(key, "en"))
        ]
        assert fields[0] == fields[1], key
        assert raw(key, "zh") != raw(key, "en") or key == "not_modelled"


def raw(key: str, lang: str) -> str:
    """A sentence before it is filled in."""
    return texts._texts()[key][lang]


def parse(text: str) -> Iterable[tuple[Any, ...]]:
    """The fields of a format string."""
    return Formatter().parse(text)


TILED = TASK.replace(
    'role = "scalar"\nvalue = "n"', 'role = "tiling"\nfields = { total = "n", tile = "128" }'
)
STRUCT = """\
from asc.language.core.struct import Field, Struct


class Tiling(Struct):
    total = Field(dtype=asc.int32)
    tile = Field(dtype=asc.int32)


"""


def test_tiling_is_passed_as_the_kernels_own_struct(judge: Judge) -> None:
    task = read(TILED.encode(), "t")
    body = kernels.changed("n: int", "t: Tiling").replace("TILE = 128\n", "TILE = 128\n\n" + STRUCT)
    right = body.replace("n // TILE", "t.total // t.tile").replace(", n)", ", t.total)")
    assert judge.check(task, from_text(right), cases="all").verdict is Verdict.PASS
    plain = judge.check(task, from_text(right.replace("t: Tiling", "t: int")))
    assert "annotate it with its class" in plain.check("runs").en
    missing = judge.check(task, from_text(right.replace("    tile = Field(dtype=asc.int32)\n", "")))
    assert missing.check("runs").verdict is Verdict.FAIL
