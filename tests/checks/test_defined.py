"""Bytes without meaning are followed, and told only where they matter."""

from __future__ import annotations

import pytest

from ascend_lab.checks.shadow import Origin, Origins, Shadow, grouped
from ascend_lab.engine.instruction import Pipe
from tests.checks.scripting import (
    Arrays,
    Program,
    buffer,
    init_buffer,
    judge,
    load,
    loaded,
    pad,
    queue,
    scalar,
    store,
    vector,
)
from tests.engine import script
from tests.engine.script import set_flag, sync_all, ub, wait_flag

Z = frozenset("z")
SMALL = {"x": (64, "float32"), "z": (64, "float32")}
ROWS = {"x": (36, "float16"), "z": (36, "float16")}
NO_PAD = {"is_pad": False, "left": 0, "right": 0, "pad_value": 0}


def test_the_line_is_that_of_the_first_use() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield vector("Adds", ub(4096), ub(0), count=64, scalar=1.0, where=50)
        yield vector("Muls", ub(4096), ub(4096), count=64, scalar=2.0, where=51)
        yield from store(a.at("z"), ub(4096), 64, 52)

    findings = judge(program, arrays=SMALL)
    assert [(f.id, f.line, f.numbers["bytes"]) for f in findings] == [("C1", 50, 256)]
    assert findings[0].numbers["array"] == "z"


def test_only_what_reaches_the_output_counts() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(0), a.at("x"), 32)
        yield vector("Adds", ub(4096), ub(0), count=64, scalar=1.0)
        yield from store(a.at("z"), ub(4096), 32)

    assert not judge(program, arrays={"x": (64, "float32"), "z": (32, "float32")})


def test_an_output_that_is_written_again_is_clean() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from store(a.at("z"), ub(0), 64)
        yield script.barrier(Pipe.MTE3)
        yield vector("Duplicate", ub(4096), count=64, scalar=0.0)
        yield from store(a.at("z"), ub(4096), 64)

    assert not judge(program, arrays=SMALL)


def test_lanes_that_a_mask_leaves_out_keep_their_state() -> None:
    def program(block: int, a: Arrays) -> Program:
        params = {"repeat": 1, "blk": (1, 1), "rep": (8, 8)}
        yield vector("Duplicate", ub(0), mask=(0xFFFF, 0), scalar=1.0, where=40, **params)
        yield vector("Adds", ub(4096), ub(0), count=64, scalar=1.0, where=41)
        yield from store(a.at("z"), ub(4096), 64)

    findings = judge(program, arrays=SMALL)
    assert [(f.id, f.line, f.numbers["bytes"]) for f in findings] == [("C1", 41, 192)]


def test_strides_are_followed() -> None:
    """Every second block is filled; only those are used."""

    def program(block: int, a: Arrays) -> Program:
        every_second = {"mask": 64, "repeat": 1, "blk": (2, 1), "rep": (16, 8)}
        back = {"mask": 64, "repeat": 1, "blk": (1, 2), "rep": (8, 16)}
        yield vector("Duplicate", ub(0), scalar=1.0, **every_second)
        yield vector("Adds", ub(4096), ub(0), scalar=1.0, **back)
        yield from store(a.at("z"), ub(4096), 64)

    assert not judge(program, arrays=SMALL)


def test_alloc_tensor_forgets() -> None:
    """The second tile loads half of the buffer; the rest is the first tile's by luck only."""

    def program(block: int, a: Arrays) -> Program:
        yield init_buffer(size=256)
        for count in (64, 32):
            yield queue("AllocTensor", buffer())
            yield from load(buffer(), a.at("x"), count)
            yield vector("Adds", ub(4096), buffer(), count=64, scalar=1.0, where=60)
            yield set_flag(Pipe.V, Pipe.MTE2, 3)
            yield wait_flag(Pipe.V, Pipe.MTE2, 3)
            yield queue("FreeTensor", buffer())
        yield from store(a.at("z"), ub(4096), 64)

    findings = judge(program, arrays=SMALL)
    assert [(f.id, f.line, f.numbers["bytes"]) for f in findings] == [("C1", 60, 128)]


def test_packed_rows_stored_without_a_vector() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0, "float16"), a.at("x"), 4, 18, 70, **NO_PAD)
        yield set_flag(Pipe.MTE2, Pipe.MTE3)
        yield wait_flag(Pipe.MTE2, Pipe.MTE3)
        yield pad(a.at("z"), ub(0, "float16"), 1, 72, 71)

    findings = judge(program, arrays=ROWS)
    assert [(f.id, f.line) for f in findings] == [("A4", 71)]
    assert findings[0].numbers["slot"] == 32
    assert [(p.line, p.role) for p in findings[0].related] == [(70, "loads")]


def test_packed_rows_in_a_reduction() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0, "float16"), a.at("x"), 4, 18, 70, **NO_PAD)
        yield from loaded(ub(0))
        tmp = ub(8192, "float16")
        yield vector("ReduceSum", ub(4096, "float16"), ub(0, "float16"), tmp, count=36, where=71)

    assert [(f.id, f.line) for f in judge(program, arrays=ROWS)] == [("A4", 71)]


@pytest.mark.parametrize(
    ("op", "value", "told"),
    [
        ("ReduceSum", 0.0, False),
        ("ReduceSum", 1.0, True),
        ("ReduceMax", float("-inf"), False),
        ("ReduceMax", 5.0, False),
        ("ReduceMax", 99.0, True),
        ("ReduceMin", 2.0, False),
        ("ReduceMin", 0.0, True),
        ("WholeReduceSum", 3.0, True),
        ("WholeReduceMax", 3.0, False),
    ],
)
def test_padding_matters_only_when_it_changes_the_result(op: str, value: float, told: bool) -> None:
    """x is 1..9; the pads hold ``value``."""

    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0), a.at("x"), 1, 36, is_pad=True, left=0, right=7, pad_value=value)
        yield from loaded(ub(0))
        if op.startswith("Whole"):
            params = {"mask": 16, "repeat": 1, "dst_rep": 1, "src_blk": 1, "src_rep": 8}
            yield vector(op, ub(4096), ub(0), where=80, **params)
        else:
            yield vector(op, ub(4096), ub(0), ub(8192), count=16, where=80)

    findings = judge(program, arrays=SMALL)
    assert [(f.id, f.line) for f in findings] == ([("C6", 80)] if told else [])
    if told:
        assert (findings[0].numbers["lanes"], findings[0].numbers["valid"]) == (7, 9)


def test_exp_turns_harmless_padding_into_ones() -> None:
    """The classical softmax: pads of 0 are harmless in a sum, exp of them is not."""

    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0), a.at("x"), 1, 36, 90, is_pad=True, right=7)
        yield from loaded(ub(0))
        yield vector("Exp", ub(0), ub(0), count=16)
        yield vector("ReduceSum", ub(4096), ub(0), ub(8192), count=16, where=91)

    findings = judge(program, arrays=SMALL)
    assert [(f.id, f.line, f.numbers["origin_line"]) for f in findings] == [("C6", 91, 90)]


def test_padding_that_was_asked_for_may_be_stored() -> None:
    """A pad operator: the padding is part of its output."""

    def program(block: int, a: Arrays) -> Program:
        yield pad(ub(0), a.at("x"), 1, 36, is_pad=True, right=7, pad_value=4.0)
        yield from loaded(ub(0))
        yield from store(a.at("z"), ub(0), 16)

    arrays = {"x": (9, "float32"), "z": (16, "float32")}
    assert not judge(program, arrays=arrays, outputs=Z)


def test_what_was_read_past_a_tensor_may_not_be_stored() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(0), a.at("x"), 16, 95)
        yield from store(a.at("z"), ub(0), 16, 96)

    arrays = {"x": (9, "float32"), "z": (16, "float32")}
    findings = judge(program, arrays=arrays, outputs=Z)
    assert [(f.id, f.variant, f.line, f.severity) for f in findings] == [
        ("A3", "pad", 96, "error"),
        ("A3", "overread", 95, "note"),
    ]


def test_a_bit_mask_of_which_part_is_good() -> None:
    """100 of 128 lanes are valid: byte 12 holds four bits of each kind and counts as good."""

    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(0), a.at("x"), 96)
        yield vector("Duplicate", ub(384), count=4, scalar=0.0)
        yield vector("CompareScalar", ub(8192, "uint8"), ub(0), count=128, scalar=1.0, mode="GT")
        both = (ub(8192, "uint8"), ub(0))
        yield vector("Select", ub(4096), *both, count=100, scalar=0.0, mode=1)
        yield from store(a.at("z"), ub(4096), 96)

    arrays = {"x": (128, "float32"), "z": (96, "float32")}
    assert not judge(program, arrays=arrays, outputs=Z)


def test_another_core_reads_what_was_stored_without_meaning() -> None:
    def program(block: int, a: Arrays) -> Program:
        if block == 0:
            yield from store(a.at("w"), ub(0), 64, 97)
        yield sync_all()
        if block == 1:
            yield from load(ub(0), a.at("w"), 64)
            yield from store(a.at("z"), ub(0), 64, 98)

    arrays = {"w": (64, "float32"), "z": (64, "float32")}
    findings = judge(program, blocks=2, arrays=arrays, outputs=Z)
    assert [(f.id, f.line, f.block) for f in findings] == [("C1", 97, 0)]


def test_an_atomic_store_does_not_clean() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from store(a.at("z"), ub(0), 64, 99)
        yield script.barrier(Pipe.MTE3)
        yield vector("Duplicate", ub(4096), count=64, scalar=0.0)
        yield scalar("SetAtomic", mode="add", dtype="float32")
        yield from store(a.at("z"), ub(4096), 64)
        yield scalar("SetAtomic", mode="none")

    assert judge(program, arrays=SMALL, outputs=Z).ids == ("C1",)


def test_shadow_clips_to_its_memory() -> None:
    shadow = Shadow(8, 1, 100)
    assert shadow.slice(96, 104).size == 4
    assert shadow.slice(0, 50).size == 0
    assert grouped(shadow.slice(100, 107), 2).tolist() == [1, 1, 1]


def test_origins_never_run_out() -> None:
    origins = Origins()
    codes = [origins.code(Origin("unwritten", where, None)) for where in range(400)]  # type: ignore[arg-type]
    assert codes[:3] == [2, 3, 4]
    assert set(codes[254:]) == {255}
    assert origins.code(Origin("unwritten", 0, None)) == 2  # type: ignore[arg-type]


def test_what_lies_beside_a_result_is_a_fault_only_in_an_output() -> None:
    def program(block: int, a: Arrays) -> Program:
        yield from load(ub(0), a.at("x"), 64)
        yield vector("ReduceSum", ub(4096), ub(0), ub(8192), count=64)
        yield from store(a.at("z"), ub(4096), 8)

    found = judge(program)[0]
    assert (found.id, found.variant, found.severity, found.numbers["bytes"]) == (
        *("C1", "rest", "note"),
        28,
    )
    declared = judge(program, arrays={"x": (64, "float32"), "z": (8, "float32")}, outputs={"z"})
    assert [(f.id, f.severity) for f in declared] == [("C1", "error")]
