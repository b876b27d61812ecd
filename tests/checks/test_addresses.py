"""Alignment, bounds, parameters, overlap: exact limits on both sides."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Instr, Pipe, Ref
from tests.checks.scripting import (
    Arrays,
    Program,
    buffer,
    init_buffer,
    judge,
    load,
    loaded,
    pad,
    scalar,
    vector,
)
from tests.engine import script
from tests.engine.script import get_value, ub

FORM: dict[str, Any] = {"blk": (1, 1), "rep": (8, 8), "scalar": 1.0}
HALF = "float16"


def one(instr: Instr, **options: Any) -> Findings:
    """``instr`` after 64 KB of UB were filled."""

    def program(block: int, a: Arrays) -> Program:
        yield vector("Duplicate", ub(0), count=16384, scalar=1.0)
        yield instr

    return judge(program, **options)


# --- alignment -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instr", "class_id"),
    [
        (vector("Adds", ub(32), ub(4096), count=64, scalar=1.0), ""),
        (vector("Adds", ub(36), ub(4096), count=64, scalar=1.0), "A5"),
        (vector("Adds", ub(0), ub(4100), count=64, scalar=1.0), "A5"),
        (vector("Add", ub(0), ub(4096), ub(8196), count=64), "A5"),
        (vector("DataCopy", ub(32), ub(4100), count=64), "A1"),
        (vector("ReduceSum", ub(4), ub(4096), ub(8192), count=64), ""),
        (vector("ReduceSum", ub(2), ub(4096), ub(8192), count=64), "A5"),
        (vector("ReduceSum", ub(2, HALF), ub(4096, HALF), ub(8192, HALF), count=64), ""),
        (vector("ReduceSum", ub(0), ub(4096), ub(8196), count=64), "A5"),
        (vector("ReduceMax", ub(4), ub(4096), ub(8192), count=64, index=False), ""),
        (vector("ReduceMax", ub(4), ub(4096), ub(8192), count=64, index=True), "A5"),
        (vector("ReduceMax", ub(8), ub(4096), ub(8192), count=64, index=True), ""),
    ],
)
def test_alignment(instr: Instr, class_id: str) -> None:
    assert one(instr).ids == ((class_id,) if class_id else ())


@pytest.mark.parametrize(("addr", "class_id"), [(16, "A5"), (32, "")])
def test_alignment_of_block_reduce(addr: int, class_id: str) -> None:
    params = {"mask": 64, "repeat": 1, "dst_rep": 1, "src_blk": 1, "src_rep": 8}
    findings = one(vector("BlockReduceSum", ub(addr), ub(4096), **params))
    assert findings.ids == ((class_id,) if class_id else ())


def test_the_operand_is_named_by_its_buffer() -> None:
    odd = Ref("UB", 1028, "float32", 255, 1, "VECIN")

    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=2)
        yield vector("Duplicate", buffer(0), count=64, scalar=1.0)
        yield vector("Adds", odd, buffer(0), count=8, scalar=1.0)

    findings = judge(program)
    assert findings.ids == ("A5",)
    assert (findings[0].numbers["offset"], findings[0].numbers["buffer"]) == (4, "q0")


def test_a_trap_stops_the_core() -> None:
    """What comes behind a misaligned operand is not judged."""

    def program(block: int, a: Arrays) -> Program:
        yield vector("Duplicate", ub(4), count=64, scalar=1.0)
        yield get_value(ub(8192))

    assert len(judge(program).all) == 1


# --- bounds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "class_id"), [(256, ""), (257, "B2")])
def test_count_form_in_its_buffer(count: int, class_id: str) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=2)
        yield vector("Duplicate", buffer(0), count=count, scalar=1.0)

    assert judge(program).ids == ((class_id,) if class_id else ())


@pytest.mark.parametrize(("repeat", "class_id"), [(4, ""), (5, "B8")])
def test_mask_form_in_its_buffer(repeat: int, class_id: str) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=2)
        yield vector("Duplicate", buffer(0), mask=64, repeat=repeat, blk=(1,), rep=(8,), scalar=1.0)

    assert judge(program).ids == ((class_id,) if class_id else ())


def test_only_active_lanes_count() -> None:
    """The last repeat reaches past the buffer only with lanes that are masked off."""

    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(size=768 + 32)
        yield vector("Duplicate", buffer(0), mask=8, repeat=4, blk=(1,), rep=(8,), scalar=1.0)

    assert not judge(program)


def test_a_temporary_buffer_is_no_destination() -> None:
    """ReduceSum writes its temporary too, and that lies in another buffer."""

    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=3)
        yield vector("Duplicate", buffer(0), count=256, scalar=1.0)
        yield vector("ReduceSum", buffer(1, 1024), buffer(0), buffer(2, 2048), count=256)

    assert not judge(program)


@pytest.mark.parametrize(("index", "class_id"), [(0, ""), (255, ""), (256, "B5"), (-1, "B5")])
def test_scalar_index(index: int, class_id: str) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=3)
        ref = Ref("UB", 1024 + 4 * index, "float32", max(256 - index, 0), 1, "VECIN")
        params = {"value": 1.0, "index": index, "size": 256}
        yield Instr("SetValue", Pipe.S, ref, (), params, 9)

    findings = judge(program)
    assert findings.ids == ((class_id,) if class_id else ())
    if class_id:
        assert findings[0].numbers["index"] == index


@pytest.mark.parametrize(
    ("start", "count", "ids"), [(960, 64, ()), (968, 64, ("B3",)), (1024, 8, ("B3",))]
)
def test_reads_of_gm(start: int, count: int, ids: tuple[str, ...]) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(0), a.at("x", start), count)

    assert judge(program).ids == ids


def test_the_end_of_gm_is_exact() -> None:
    """One element past the end is told, though the copy begins inside."""

    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0), a.at("x"), 1, length)
        yield from loaded(ub(0))

    length = 36
    assert not judge(program, arrays={"x": (9, "float32")})
    length = 40
    findings = judge(program, arrays={"x": (9, "float32")})
    assert findings.ids == ("B3",)
    assert findings[0].numbers["beyond"] == 4


# --- capacity ---------------------------------------------------------------------------------------


def test_a_plan_that_fits_exactly() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=2, size=size)
        yield init_buffer(buf=2, num=1, size=65536, addr=2 * size, queue=1)
        yield vector("Duplicate", buffer(0), count=8, scalar=0.0)

    size = 65536
    assert not judge(program)
    size += 32
    findings = judge(program)
    assert findings.ids == ("B1",)
    numbers = findings[0].numbers
    assert numbers["plan"] == "2×q0 65568 + 1×q1 65536"
    assert (numbers["total"], numbers["usable"], numbers["excess"]) == (196672, 196608, 64)
    assert numbers["largest"] == 65536


def test_a_plan_is_judged_even_when_nothing_uses_it() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=4, size=65536)

    assert judge(program).ids == ("B1",)


@pytest.mark.parametrize(("num", "ids"), [(8, ()), (9, ("F9",))])
def test_buffers_of_a_position(num: int, ids: tuple[str, ...]) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(num=num, size=32)

    assert judge(program).ids == ids


# --- parameters -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "ids"),
    [
        ({"mask": 64, "repeat": 255}, ()),
        ({"mask": 64, "repeat": 256}, ("G7",)),
        ({"mask": 65, "repeat": 1}, ("I2",)),
        ({"mask": (0xFF, 0), "repeat": 1}, ()),
        ({"mask": (0xFF, 1), "repeat": 1}, ("I2",)),
        ({"mask": 8, "repeat": 1, "rep": (256, 8)}, ("G7",)),
        ({"mask": 8, "repeat": 1, "blk": (256, 1)}, ()),  # UnaryRepeatParams: uint16
        ({"mask": 8, "repeat": 1, "blk": (65536, 1)}, ("G7",)),
    ],
)
def test_fields(more: dict[str, Any], ids: tuple[str, ...]) -> None:
    assert one(vector("Adds", ub(65536), ub(0), **{**FORM, **more})).ids == ids


def test_binary_strides_are_narrower() -> None:
    form = {"mask": 8, "repeat": 1, "blk": (1, 1, 256), "rep": (8, 8, 8)}
    assert one(vector("Add", ub(65536), ub(0), ub(0), **form)).ids == ("G7",)


def test_what_the_chip_sees() -> None:
    findings = one(vector("Adds", ub(65536), ub(0), mask=64, repeat=257, **FORM))
    assert (findings[0].numbers["value"], findings[0].numbers["seen"]) == (257, 1)


def test_half_has_more_lanes() -> None:
    assert not one(vector("Adds", ub(65536, HALF), ub(0, HALF), mask=128, repeat=1, **FORM))


@pytest.mark.parametrize(
    ("op", "dtype", "chip", "ids"),
    [
        ("Adds", "int32", "Ascend910B1", ()),
        ("Adds", "bfloat16", "Ascend910B1", ("H8",)),
        ("Exp", "int32", "Ascend910B1", ("H8",)),
        ("ShiftLeft", "int32", "Ascend910B1", ()),
        ("ShiftLeft", "int32", "Ascend310P3", ("H8",)),
    ],
)
def test_types(op: str, dtype: str, chip: str, ids: tuple[str, ...]) -> None:
    instr = vector(op, ub(65536, dtype), ub(0, dtype), count=64, scalar=1)
    assert one(instr, chip=chip).ids == ids


def test_a_hard_barrier_is_not_on_every_chip() -> None:
    assert not one(script.sync_all())
    assert one(script.sync_all(), chip="Ascend310P3").ids == ("H8",)


@pytest.mark.parametrize(("blocks", "ids"), [(0, ("E13",)), (1, ()), (65536, ("E13",))])
def test_number_of_blocks(blocks: int, ids: tuple[str, ...]) -> None:
    def program(block: int, a: Arrays) -> Program:
        yield scalar("InitSocState")

    assert judge(program, blocks=blocks).ids == ids


# --- overlap -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dst", "src", "count", "ids"),
    [
        (0, 0, 256, ()),  # in place
        (1024, 0, 256, ()),  # side by side
        (32, 0, 256, ("I5",)),  # smears
        (0, 32, 256, ("I5",)),  # less than an iteration apart
        (0, 256, 256, ()),  # an earlier iteration writes what was read already
        (256, 0, 256, ("I5",)),
        (0, 32, 8, ()),
    ],
)
def test_contiguous(dst: int, src: int, count: int, ids: tuple[str, ...]) -> None:
    assert one(vector("Adds", ub(dst), ub(src), count=count, scalar=1.0)).ids == ids


@pytest.mark.parametrize(
    ("dst", "src", "rep", "ids"),
    [
        (0, 0, (8, 8), ()),
        (0, 0, (16, 16), ()),
        (32, 0, (8, 8), ("I5",)),
        (256, 0, (8, 8), ("I5",)),
        (0, 256, (8, 8), ()),
        (256, 0, (16, 16), ()),  # interleaved
        (0, 0, (16, 8), ("I5",)),
    ],
)
def test_repeats(dst: int, src: int, rep: tuple[int, int], ids: tuple[str, ...]) -> None:
    instr = vector("Adds", ub(dst), ub(src), mask=64, repeat=4, blk=(1, 1), rep=rep, scalar=1.0)
    assert one(instr).ids == ids


def test_accumulating_into_one_block() -> None:
    form = {"mask": 64, "repeat": 4, "blk": (1, 1, 1), "rep": (0, 8, 0)}
    assert not one(vector("Add", ub(0), ub(4096), ub(0), **form))
    assert one(vector("Div", ub(0), ub(4096), ub(0), **form)).ids == ("I5",)


@pytest.mark.parametrize(
    ("dst", "src", "ids"),
    [
        ((0, "float32"), (0, HALF), ("H6",)),
        ((0, "float32"), (4096, HALF), ()),
        ((0, "float32"), (512, HALF), ()),  # 256 half at the top of 1024 B
        ((0, HALF), (0, "float32"), ()),  # narrowing
    ],
)
def test_cast_in_place(dst: tuple[int, str], src: tuple[int, str], ids: tuple[str, ...]) -> None:
    mode = "CAST_RINT" if dst[1] == HALF else "CAST_NONE"
    assert one(vector("Cast", ub(*dst), ub(*src), count=256, round=mode)).ids == ids
