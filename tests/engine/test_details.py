"""The further tables of a trace: operands, flags, markers, buffers, and what never ended."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ascend_lab.engine.details import OPERANDS, Details
from ascend_lab.engine.instruction import DTYPES
from ascend_lab.engine.trace import SPACE_IDS, Trace, TraceError
from tests.view import kernels


@pytest.fixture(scope="module")
def racy() -> Trace:
    return kernels.racy().trace


def serials(trace: Trace, op: str) -> list[int]:
    return [row.serial for row in trace.rows() if trace.ops[row.op] == op]


def operands(trace: Trace, serial: int) -> list[tuple[int, ...]]:
    table = trace.details.operands
    return [tuple(row) for row in table[table["serial"] == serial].tolist()]


def test_every_operand_of_an_instruction_is_there_in_order(racy: Trace) -> None:
    ub, count = SPACE_IDS["UB"], 4096
    add = serials(racy, "Add")[0]
    walk = (1, 8, 16, 255, 255)
    assert operands(racy, add) == [
        (add, 0, ub, 0, count, count, 0, *walk),
        (add, 0, ub, count, 2 * count, count, count, *walk),
        (add, 1, ub, 2 * count, 3 * count, count, 2 * count, *walk),
    ]


def test_a_copy_has_no_pattern_of_repeats(racy: Trace) -> None:
    copy = serials(racy, "DataCopy")[0]
    assert [(row[1], row[2], row[5], row[9]) for row in operands(racy, copy)] == [
        (0, SPACE_IDS["GM"], 4096, 0),
        (1, SPACE_IDS["UB"], 4096, 0),
    ]


def test_strides_and_the_blocks_of_a_repeat() -> None:
    trace = kernels.banked(0, 0x10100, 0x10100, 0, 1).trace
    src0, src1, dst = operands(trace, serials(trace, "Add")[0])
    assert src0[6:] == (0, 0, 1, 64, 255, 255)
    assert src1[6:] == dst[6:] == (0x10100, 1, 8, 64, 255, 255)


def test_a_vector_instruction_has_its_type_and_elements(racy: Trace) -> None:
    names = list(DTYPES)
    add = serials(racy, "Add")[0]
    assert (add, names.index("float32"), 1024) in [tuple(r) for r in racy.details.types.tolist()]


def test_flags_have_their_pipes_id_and_buffer(racy: Trace) -> None:
    first = racy.details.flags[0].tolist()
    row = next(row for row in racy.rows() if row.serial == first[0])
    assert racy.ops[row.op] == "SetFlag"
    assert first[1:] == (4, 1, 0, 0)
    assert len(racy.details.flags) == len(serials(racy, "SetFlag") + serials(racy, "WaitFlag"))


def test_markers_have_their_buffer_and_queue(racy: Trace) -> None:
    marks = racy.details.marks.tolist()
    ops = {row.serial: racy.ops[row.op] for row in racy.rows()}
    assert [(ops[serial], buf, queue) for serial, buf, queue in marks[:4]] == [
        ("AllocTensor", 0, 0),
        ("AllocTensor", 1, 1),
        ("EnQue", 0, 0),
        ("DeQue", 0, 0),
    ]


def test_places_and_arrays_have_their_names(racy: Trace) -> None:
    found = [(p.name, p.num, p.addr, p.length, p.kind, p.pos) for p in racy.details.places]
    assert found == [
        ("in_x", 1, 0, 4096, "que", "VECIN"),
        ("in_y", 1, 4096, 4096, "que", "VECIN"),
        ("out_z", 1, 8192, 4096, "que", "VECOUT"),
    ]
    assert [(a.name, a.nbytes, a.dtype) for a in racy.details.arrays] == [
        (name, 12288, "float32") for name in "xyz"
    ]
    assert racy.details.pending == ()


def test_a_tensor_placed_by_address_is_named_once() -> None:
    places = kernels.stuck().trace.details.places
    assert [(p.name, p.buf, p.addr, p.length, p.kind) for p in places] == [
        ("x_local", -1, 0, 4096, "static"),
        ("z_local", -1, 4096, 4096, "static"),
    ]


def test_what_never_ended_is_kept_with_its_reason() -> None:
    trace = kernels.stuck().trace
    assert [(p.op, p.pipe, p.kind) for p in trace.details.pending] == [
        ("WaitFlag", 1, "flag"),
        ("Adds", 1, "queued"),
        ("SetFlag", 1, "queued"),
        ("WaitFlag", 5, "flag"),
        ("DataCopy", 5, "queued"),
    ]
    waits = {p.serial for p in trace.details.pending if p.op == "WaitFlag"}
    flags = {row[0]: row[1:4] for row in trace.details.flags.tolist()}
    assert [flags[serial] for serial in sorted(waits)] == [(4, 1, 1), (1, 5, 0)]


def test_saved_and_loaded_is_the_same(racy: Trace, tmp_path: Path) -> None:
    racy.save(tmp_path / "run.npz")
    again = Trace.load(tmp_path / "run.npz")
    assert again.details.lists == racy.details.lists
    for name, table in racy.details.columns.items():
        assert np.array_equal(again.details.columns[name], table)
    assert again.to_bytes() == racy.to_bytes()
    assert again.digest() == racy.digest()


def test_a_trace_without_them_has_empty_tables(tmp_path: Path) -> None:
    trace = Trace.from_rows([], [], [], [], {})
    trace.save(tmp_path / "old.npz")
    for known in (trace, Trace.load(tmp_path / "old.npz")):
        assert known.details.places == known.details.arrays == known.details.pending == ()
        assert [len(table) for table in known.details.columns.values()] == [0, 0, 0, 0]


def test_a_table_of_another_shape_is_refused(tmp_path: Path) -> None:
    table = np.zeros(2, np.dtype([("serial", "<i4")]))
    trace = Trace.from_rows([], [], [], [], {}, lambda: Details(operands=table))
    trace.save(tmp_path / "odd.npz")
    with pytest.raises(TraceError, match="column operands"):
        Trace.load(tmp_path / "odd.npz")
    assert OPERANDS.names is not None
    assert OPERANDS.names[0] == "serial"


def test_the_digest_sees_the_further_tables(racy: Trace) -> None:
    kept = racy.details
    bare = Details(kept.operands, kept.flags, kept.marks, kept.places[1:], kept.arrays)
    rows = [tuple(row) for row in racy.rows()]
    made = [
        Trace.from_rows(rows, racy.ops, racy.sources, racy.causes, racy.meta, lambda d=d: d)  # type: ignore[misc]
        for d in (kept, bare)
    ]
    assert made[0].digest() == racy.digest() != made[1].digest()
