"""The flows that are not a plain lane by lane: one example of each kind."""

from __future__ import annotations

from typing import Any

from ascend_lab.engine.instruction import Instr, Pipe
from ascend_lab.engine.semantics import SEMANTICS, Flow, Pad, Span
from ascend_lab.engine.semantics.form import FULL, resolve
from tests.spec.one_core import OneCore, gm, ub, vector

A, B, C, BITS = (ub(k * 16384, "float32") for k in range(4))


def flows(instr: Instr) -> tuple[Any, ...]:
    return SEMANTICS[instr.op].flow(instr, resolve(instr, FULL))


def test_contiguous_vectors_are_spans() -> None:
    expected = (Span("UB", 4, 0, 100, (("UB", 4, 16384), ("UB", 4, 32768))),)
    assert flows(vector("Add", A, (B, C), count=100)) == expected
    half = ub(16384, "float16")
    params = {"mask": 64, "repeat": 2, "blk": (1, 1), "rep": (8, 4)}
    assert flows(vector("Cast", A, (half,), **params)) == (
        Span("UB", 4, 0, 128, (("UB", 2, 16384),)),
    )
    assert flows(vector("Duplicate", A, (), count=9, scalar=0)) == (Span("UB", 4, 0, 9, ()),)
    assert flows(vector("Axpy", A, (B,), count=9, scalar=0))[0].srcs[1] == ("UB", 4, 0)
    assert flows(vector("Add", A, (B, C), count=0)) == ()


def test_strided_vectors_are_lanes() -> None:
    params = {"mask": 2, "repeat": 2, "blk": (1, 1), "rep": (8, 1)}
    (flow,) = flows(vector("Abs", A, (B,), **params))
    assert flow.kind == "lanes"
    assert flow.dst.tolist() == [0, 4, 256, 260]
    assert flow.srcs[0][2].tolist() == [16384, 16388, 16416, 16420]


def test_a_copy_is_one_slice() -> None:
    core = OneCore()
    array = gm(core, 64, "float32")
    (span,) = flows(Instr("DataCopy", Pipe.MTE2, A, (array,), {"count": 4096}))
    assert span == Span("UB", 1, 0, 16384, (("GM", 1, array.addr),))
    assert span.lanes().dst.size == 16384


def test_pads_and_dummies_are_marked() -> None:
    core = OneCore()
    array = gm(core, 64, "float32")
    params = {"block_count": 2, "block_len": 20, "src_stride": 0, "dst_stride": 1}
    found = flows(Instr("DataCopyPad", Pipe.MTE2, A, (array,), params | {"left": 1, "right": 1}))
    assert found == (
        Pad("UB", ((0, 4), (24, 32), (64, 68), (88, 96))),
        Span("UB", 1, 4, 20, (("GM", 1, array.addr),)),
        Span("UB", 1, 68, 20, (("GM", 1, array.addr + 20),)),
    )
    dummies = flows(Instr("DataCopyPad", Pipe.MTE2, A, (array,), params))
    assert dummies[0] == Pad("UB", ((20, 32), (84, 96)))
    out = flows(Instr("DataCopyPad", Pipe.MTE3, array, (A,), params))
    assert [type(flow) for flow in out] == [Span, Span]


def test_many_blocks_become_one_array_of_elements() -> None:
    core = OneCore()
    array = gm(core, 0, "float32")
    params = {"block_count": 40, "block_len": 8, "src_stride": 4, "dst_stride": 0}
    pads, lanes = flows(Instr("DataCopyPad", Pipe.MTE2, A, (array,), params))
    assert isinstance(pads, Pad)
    assert isinstance(lanes, Flow)
    assert lanes.dst[:4].tolist() == [0, 4, 32, 36]
    assert (lanes.srcs[0][2][:4] - array.addr).tolist() == [0, 4, 12, 16]


def test_compare_packs_eight_lanes_into_a_byte() -> None:
    (flow,) = flows(vector("Compare", ub(0, "uint8"), (B, C), count=64, mode="LT"))
    assert flow.kind == "pack"
    assert flow.dst.tolist() == list(range(8))
    assert flow.srcs[0][2].shape == (8, 8)
    assert flow.srcs[1][2][1].tolist() == [32768 + 32 + 4 * k for k in range(8)]


def test_select_names_the_mask_byte_first() -> None:
    bits = ub(49152, "uint8")
    (flow,) = flows(vector("Select", A, (bits, B, C), count=20, mode=2))
    assert flow.kind == "select"
    assert flow.srcs[0][2].tolist() == [49152 + k // 8 for k in range(20)]
    assert len(flow.srcs) == 3
    (scalar,) = flows(vector("Select", A, (bits, B), count=20, mode=1, scalar=0))
    assert scalar.kind == "lanes"
    assert len(scalar.srcs) == 1
    (again,) = flows(vector("Select", A, (bits, B, C), count=128, mode=0))
    assert again.srcs[0][2].max() == 49152 + 7


def test_reductions_name_their_rows() -> None:
    instr = vector("BlockReduceSum", A, (B,), mask=9, repeat=1, dst_rep=1, src_blk=1, src_rep=8)
    (flow,) = flows(instr)
    assert flow.dst.tolist() == [0, 4]
    assert flow.srcs[0][2][1].tolist() == [16384 + 32, *([-1] * 7)]
    tmp, total = flows(vector("ReduceMax", A, (B, C), count=128, index=False))
    assert tmp == Span("UB", 4, 32768, 4, ())
    assert total.srcs[0][2].shape == (1, 128)
