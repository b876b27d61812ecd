"""Lab 03 says what will happen at each step of a repair. Here the model says whether that is true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ascend_lab import Device
from ascend_lab.course import hunts
from ascend_lab.exercise import check
from tests.labs.lab_03 import BANK, KERNELS, add, changed, kernel, text

CHIPS = ("Ascend910B1", "Ascend310P3")
SCHEDULES = ("realistic", "adversarial")
HUNTS = hunts.load(BANK, "03")


# --- the first seed's kernel: four events, in this order -----------------------------------------


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize(
    ("name", "leading", "right"),
    [
        ("seed_add.start.py", "C3", 0),
        ("repairs/seed_add_1_elements.py", "B2", 0),
        ("repairs/seed_add_1_buffers.py", "D2", 0),
        ("repairs/seed_add_2_queued.py", "E3", 2048),
        ("seed_add.py", None, 2088),
    ],
)
def test_each_repair_of_the_seed_kernel_shows_the_next_fault(
    tmp_path: Path, name: str, leading: str | None, right: int, chip: str, schedule: str
) -> None:
    result, correct = add(text(name), "seed_add", tmp_path, chip=chip, schedule=schedule)
    assert next(iter(result.findings.ids), None) == leading
    assert correct == right


def test_the_store_that_overtakes_is_told_with_both_lines(tmp_path: Path) -> None:
    source = text("repairs/seed_add_1_buffers.py")
    result, _ = add(source, "seed_add", tmp_path)
    finding = result.findings[0]
    lines = source.splitlines()
    assert "asc.data_copy(out_gm" in lines[finding.line - 1]
    assert ["asc.add(" in lines[place.line - 1] for place in finding.related] == [True]
    assert finding.hints == ("F6",)  # the queue was by-passed
    assert [f.id for f in finding.consequences] == ["E3"]


def test_the_gap_is_the_remainder(tmp_path: Path) -> None:
    result, _ = add(text("repairs/seed_add_2_queued.py"), "seed_add", tmp_path)
    numbers = result.findings[0].numbers
    assert (numbers["first"], numbers["last"], numbers["missing"]) == (2048, 2087, 40)


def test_fewer_elements_than_the_cores_take(tmp_path: Path) -> None:
    """The hint for B3 is for who repairs only the end."""
    result, _ = add(text("repairs/seed_add_2_queued.py"), "seed_add", tmp_path, n=136)
    assert result.findings.ids[0] == "B3"


def test_buffers_of_the_whole_length(tmp_path: Path) -> None:
    source = changed(
        text("repairs/seed_add_2_queued.py"),
        ("BLOCK_LENGTH = 256\n", "BLOCK_LENGTH = 20000\n"),
    )
    result, _ = add(source, "seed_add", tmp_path, n=160000)
    assert result.findings.ids == ("B1",)


# --- the second seed's kernel: six mistakes, one after the other -----------------------------------

MEMBERS = (
    ("a_gm.set_global_buffer(a_, len_)", "a_gm.set_global_buffer(a, length)"),
    ("b_gm.set_global_buffer(b_, len_)", "b_gm.set_global_buffer(b, length)"),
    ("c_gm.set_global_buffer(c_, len_)", "c_gm.set_global_buffer(c, length)"),
)
PIPE = (
    ("    a_gm = asc.GlobalTensor()\n", "    pipe_ = asc.TPipe()\n    a_gm = asc.GlobalTensor()\n"),
)
COUNTS = (
    ("data_copy(data, a_gm)", "data_copy(data, a_gm, length)"),
    ("data_copy(data_b, b_gm)", "data_copy(data_b, b_gm, length)"),
)
QUEUES = (
    (
        "    out_queue = asc.TQue",
        "    in_queue_b = asc.TQue(asc.TPosition.VECIN, 1)\n    out_queue = asc.TQue",
    ),
    (
        "    pipe_.init_buffer(out_queue",
        "    pipe_.init_buffer(in_queue_b, 1, length * b.dtype.sizeof())\n    pipe_.init_buffer(out_queue",
    ),
    ("data_b = in_queue.alloc_tensor", "data_b = in_queue_b.alloc_tensor"),
    ("in_queue.enque(data_b)", "in_queue_b.enque(data_b)"),
)
COMPUTE = (
    (
        "    # take both from the queue and add them: left to the reader\n",
        """\
    data = in_queue.deque(a.dtype)
    data_b = in_queue_b.deque(b.dtype)
    out = out_queue.alloc_tensor(c.dtype)
    asc.add(out, data, data_b, length)
    out_queue.enque(out)
    out = out_queue.deque(c.dtype)
    asc.data_copy(c_gm, out, length)
    in_queue.free_tensor(data)
    in_queue_b.free_tensor(data_b)
    out_queue.free_tensor(out)
""",
    ),
)


@pytest.mark.parametrize(
    ("edits", "n", "leading", "at"),
    [
        ((), 2048, "X1", "a_gm.set_global_buffer(a_, len_)"),
        (MEMBERS, 2048, "X1", "pipe_.init_buffer(in_queue"),
        (MEMBERS + PIPE, 2048, "X1", "asc.data_copy(data, a_gm)"),
        (MEMBERS + PIPE + COUNTS, 2048, "F4", "data_b = in_queue.alloc_tensor"),
        (MEMBERS + PIPE + COUNTS, 100_000, "B1", "pipe_.init_buffer("),
        (MEMBERS + PIPE + COUNTS + QUEUES + COMPUTE, 100_000, "B1", "pipe_.init_buffer("),
    ],
)
def test_mistakes_of_the_cuda_kernel(
    tmp_path: Path, edits: tuple[tuple[str, str], ...], n: int, leading: str, at: str
) -> None:
    source = changed(text("cuda_add.sample.py"), *edits)
    result, _ = add(source, "cuda_add", tmp_path, n=n, blocks=2)
    finding = result.findings[0]
    assert finding.id == leading
    assert at in source.splitlines()[finding.line - 1]


def test_nothing_is_computed_or_stored(tmp_path: Path) -> None:
    source = changed(text("cuda_add.sample.py"), *MEMBERS, *PIPE, *COUNTS, *QUEUES)
    result, _ = add(source, "cuda_add", tmp_path, n=2048, blocks=1)
    assert "E3" in result.findings.ids


def test_every_core_does_everything(tmp_path: Path) -> None:
    """The seventh, which the article's text never mentions: a note, since the values are equal."""
    source = changed(text("cuda_add.sample.py"), *MEMBERS, *PIPE, *COUNTS, *QUEUES, *COMPUTE)
    alone, correct = add(source, "cuda_add", tmp_path, n=2048, blocks=1)
    assert (alone.findings.ids, correct) == ((), 2048)
    together, _ = add(source, "cuda_add", tmp_path, n=2048, blocks=4)
    assert together.ok
    assert {f.id for f in together.findings} <= {"E1", "E2"}
    assert len(together.findings) > 0


# --- sigmoid ---------------------------------------------------------------------------------------


def test_overflow_is_seen_in_the_values() -> None:
    result = check("03/sigmoid", text("repairs/sigmoid_overflow.py"))
    assert result.check("runs").verdict == "pass"
    assert result.check("values").verdict == "fail"
    assert "nan" in result.check("values").en


def test_data_copy_leaves_out_the_tail() -> None:
    result = check("03/sigmoid", text("repairs/sigmoid_rounded.py"))
    assert result.findings[0].id == "A2"
    assert result.hints[0].finding == "A2"


def test_task_asks_for_a_tbuf() -> None:
    """One can do without, so the requirement has to be checked."""
    source = changed(
        text("sigmoid.py"),
        ("    ones_buf = asc.TBuf(asc.TPosition.VECCALC)\n", ""),
        ("    pipe.init_buffer(ones_buf, TILE_LENGTH * x.dtype.sizeof())\n", ""),
        ("    ones = ones_buf.get(x.dtype)\n    asc.duplicate(ones, 1.0, TILE_LENGTH)\n", ""),
        (
            "        asc.div(z_local, ones, x_local, count)\n",
            "        asc.duplicate(z_local, 1.0, count)\n"
            "        asc.div(z_local, z_local, x_local, count)\n",
        ),
    )
    result = check("03/sigmoid", source)
    assert result.check("values").verdict == "pass"
    assert result.check("requirements").verdict == "fail"
    assert "TBuf" in result.check("requirements").en


# --- hunts: what the key says is what the model finds ------------------------------------------------


WIDTHS = {"hunt_1": 512, "hunt_2": 8192, "hunt_3": 1024}


def hunted(name: str, source: str, width: int, folder: Path) -> tuple[list[str], int, bool]:
    """Run a hunt's kernel with four rows or tiles; ids, line of the first, whether the output is right."""
    made = kernel(source, name, folder)
    rows = 4
    x = np.linspace(-1, 1, rows * width, dtype=np.float32)
    y = x[::-1].copy()
    z = np.full(width if name == "hunt_1" else x.size, np.nan, np.float32)
    used = [x, y, z] if name == "hunt_2" else [x, z]
    result = Device().launch(made, 1, *used, rows)
    golden = {
        "hunt_1": x.reshape(rows, width).sum(axis=0),
        "hunt_2": x * x + y,
        "hunt_3": np.maximum(x, 0),
    }[name]
    line = result.findings[0].line if result.findings else 0
    return list(result.findings.ids), line, bool(np.allclose(z, golden, atol=1e-6))


@pytest.mark.parametrize("name", ["hunt_1", "hunt_2", "hunt_3"])
def test_hunt_is_what_the_model_finds(tmp_path: Path, name: str) -> None:
    (fault,) = HUNTS[f"03/{name.replace('_', '-')}"].faults
    ids, line, right = hunted(name, text(f"hunts/{name}.py"), WIDTHS[name], tmp_path)
    assert ids[0] == fault.id
    assert line in fault.lines
    assert not right


@pytest.mark.parametrize(
    ("name", "width", "edit"),
    [
        (
            "hunt_1",
            512,
            ("    for row in", "    asc.duplicate(z_local, 0.0, ROW)\n    for row in"),
        ),
        ("hunt_2", 4096, ("LONG_TILE = 8192", "LONG_TILE = 4096")),
        (
            "hunt_3",
            1024,
            (
                "        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)\n",
                "        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)\n"
                "        out_queue.free_tensor(z_local)\n",
            ),
        ),
    ],
)
def test_hunt_with_its_fault_repaired_is_clean(
    tmp_path: Path, name: str, width: int, edit: tuple[str, str]
) -> None:
    ids, _, right = hunted(name, changed(text(f"hunts/{name}.py"), edit), width, tmp_path)
    assert (ids, right) == ([], True)


def test_hunts_are_silent_abort_and_hang() -> None:
    from ascend_lab.checks.texts import entry

    faults = [HUNTS[f"03/hunt-{number}"].faults[0].id for number in (1, 2, 3)]
    assert [entry(id).outcome for id in faults] == ["SILENT", "ABORT", "HANG"]


# --- the references ----------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["03/seed-add", "03/cuda-add", "03/sigmoid"])
def test_reference_gets_everything(task: str) -> None:
    name = task.removeprefix("03/").replace("-", "_")
    result = check(task, (KERNELS / f"{name}.py").read_text(encoding="utf-8"), cases="all")
    assert result.points == result.possible, [c.en for c in result.checks]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_seed_reference_on_the_seeds_chip(tmp_path: Path, schedule: str) -> None:
    for n, blocks in ((8, 8), (2048, 8), (5128, 3), (3336, 1)):
        result, right = add(
            text("seed_add.py"), "seed_add", tmp_path, n, blocks, "Ascend310P3", schedule
        )
        assert (result.findings.ids, right) == ((), n)
