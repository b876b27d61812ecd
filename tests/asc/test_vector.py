"""Vector instructions: each call becomes one instruction, however its arguments are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab.engine.instruction import Crash

UB = asc.TPosition.VECIN
Record = Callable[..., list[str]]
A = "UB+0:float32[256]"
B = "UB+1024:float32[256]"
C = "UB+2048:float32[256]"


def tensors(dtype: asc.DataType = asc.float32) -> list[asc.LocalTensor]:
    """Three tensors of 256 elements, one after the other."""
    return [asc.LocalTensor(dtype, UB, k * 256 * dtype.sizeof(), 256) for k in range(3)]


def calls(
    *made: Callable[..., None], dtype: asc.DataType = asc.float32
) -> asc.runtime.jit.JITFunction:
    """A kernel that makes each call on three tensors a, b, c."""

    @asc.jit
    def kernel() -> None:
        a, b, c = tensors(dtype)
        for call in made:
            call(a, b, c)

    return kernel


def issued(
    record: Record, *made: Callable[..., None], dtype: asc.DataType = asc.float32
) -> list[str]:
    """The lines of the calls, without the three Static markers."""
    return record(calls(*made, dtype=dtype))[3:]


BINARY = {
    "add": "Add",
    "sub": "Sub",
    "mul": "Mul",
    "div": "Div",
    "max": "Max",
    "min": "Min",
    "bitwise_and": "And",
    "bitwise_or": "Or",
}


@pytest.mark.parametrize(("name", "op"), BINARY.items())
def test_two_sources(record: Record, name: str, op: str) -> None:
    call = getattr(asc, name)
    strides = asc.BinaryRepeatParams(1, 1, 0, 8, 8, 0)
    assert issued(
        record,
        lambda a, b, c: call(a, b, c, 200),
        lambda a, b, c: call(dst=a, src0=b, src1=c, count=200),
        lambda a, b, c: call(a, b, c, 200, True),
        lambda a, b, c: call(a, b, c, 64, 4, strides),
        lambda a, b, c: call(a, b, c, mask=64, repeat_times=4, repeat_params=strides),
        lambda a, b, c: call(a, b, c, [5, 0], 4, strides),
        lambda a, b, c: call(a, b, c, asc.MASK_PLACEHOLDER, 4, strides, is_set_mask=False),
    ) == [
        *[f"V {op} {A} <- {B}, {C} count=200"] * 3,
        *[f"V {op} {A} <- {B}, {C} mask=64 repeat=4 blk=(1, 1, 0) rep=(8, 8, 0)"] * 2,
        f"V {op} {A} <- {B}, {C} mask=(5, 0) repeat=4 blk=(1, 1, 0) rep=(8, 8, 0)",
        f"V {op} {A} <- {B}, {C} mask=None repeat=4 blk=(1, 1, 0) rep=(8, 8, 0)",
    ]


UNARY = {
    "abs": "Abs",
    "exp": "Exp",
    "ln": "Ln",
    "sqrt": "Sqrt",
    "rsqrt": "Rsqrt",
    "reciprocal": "Reciprocal",
    "relu": "Relu",
    "bitwise_not": "Not",
}


@pytest.mark.parametrize(("name", "op"), UNARY.items())
def test_one_source(record: Record, name: str, op: str) -> None:
    call = getattr(asc, name)
    strides = asc.UnaryRepeatParams(1, 2, 8, 16)
    assert issued(
        record,
        lambda a, b, c: call(a, b, 200),
        lambda a, b, c: call(a, b, count=200),
        lambda a, b, c: call(a, b, 64, 4, strides),
        lambda a, b, c: call(a, b, [5, 0], repeat_times=4, repeat_params=strides),
        lambda a, b, c: call(a, b, 0, 4, strides, False),
    ) == [
        f"V {op} {A} <- {B} count=200",
        f"V {op} {A} <- {B} count=200",
        f"V {op} {A} <- {B} mask=64 repeat=4 blk=(1, 2) rep=(8, 16)",
        f"V {op} {A} <- {B} mask=(5, 0) repeat=4 blk=(1, 2) rep=(8, 16)",
        f"V {op} {A} <- {B} mask=None repeat=4 blk=(1, 2) rep=(8, 16)",
    ]


SCALAR = {
    "adds": "Adds",
    "muls": "Muls",
    "maxs": "Maxs",
    "mins": "Mins",
    "leaky_relu": "LeakyRelu",
    "shift_left": "ShiftLeft",
    "shift_right": "ShiftRight",
    "axpy": "Axpy",
}


@pytest.mark.parametrize(("name", "op"), SCALAR.items())
def test_a_source_and_a_scalar(record: Record, name: str, op: str) -> None:
    call = getattr(asc, name)
    strides = asc.UnaryRepeatParams()
    high = "repeat=4 blk=(1, 1) rep=(8, 8)"
    assert issued(
        record,
        lambda a, b, c: call(a, b, 2, 200),
        lambda a, b, c: call(a, b, scalar=2, count=200),
        lambda a, b, c: call(a, b, 2, 64, 4, strides),
        lambda a, b, c: call(a, b, 2, 0, 4, strides, is_set_mask=False),
        lambda a, b, c: call(a, b, 2, 1, is_set_mask=False),
    ) == [
        f"V {op} {A} <- {B} count=200 scalar=2.0",
        f"V {op} {A} <- {B} count=200 scalar=2.0",
        f"V {op} {A} <- {B} mask=64 {high} scalar=2.0",
        f"V {op} {A} <- {B} mask=None {high} scalar=2.0",
        f"V {op} {A} <- {B} mask=None repeat=1 blk=(1, 1) rep=(8, 8) scalar=2.0",
    ]


def test_a_scalar_takes_the_type_of_the_source(record: Record) -> None:
    lines = issued(record, lambda a, b, c: asc.adds(a, b, 2.9, 16), dtype=asc.int32)
    assert lines == ["V Adds UB+0:int32[256] <- UB+1024:int32[256] count=16 scalar=2"]


@pytest.mark.parametrize("mode", list(asc.RoundMode))
def test_cast_carries_its_round_mode(record: Record, mode: asc.RoundMode) -> None:
    strides = asc.UnaryRepeatParams(1, 1, 8, 4)
    assert issued(
        record,
        lambda a, b, c: asc.cast(a, b, mode, 200),
        lambda a, b, c: asc.cast(a, b, round_mode=mode, count=200),
        lambda a, b, c: asc.cast(a, b, mode, 64, 4, strides),
    ) == [
        f"V Cast {A} <- {B} count=200 round={mode.name!r}",
        f"V Cast {A} <- {B} count=200 round={mode.name!r}",
        f"V Cast {A} <- {B} mask=64 repeat=4 blk=(1, 1) rep=(8, 4) round={mode.name!r}",
    ]


def test_duplicate(record: Record) -> None:
    assert issued(
        record,
        lambda a, b, c: asc.duplicate(a, 1, 200),
        lambda a, b, c: asc.duplicate(a, scalar=1, count=200),
        lambda a, b, c: asc.duplicate(a, 1, 64, 4, 1, 8),
        lambda a, b, c: asc.duplicate(
            a, 1, mask=[3, 0], repeat_times=4, dst_block_stride=2, dst_repeat_stride=16
        ),
        lambda a, b, c: asc.duplicate(a, 1, 0, 4, 1, 8, False),
    ) == [
        f"V Duplicate {A} count=200 scalar=1.0",
        f"V Duplicate {A} count=200 scalar=1.0",
        f"V Duplicate {A} mask=64 repeat=4 blk=(1,) rep=(8,) scalar=1.0",
        f"V Duplicate {A} mask=(3, 0) repeat=4 blk=(2,) rep=(16,) scalar=1.0",
        f"V Duplicate {A} mask=None repeat=4 blk=(1,) rep=(8,) scalar=1.0",
    ]


@pytest.mark.parametrize("mode", list(asc.CMPMODE))
def test_compare(record: Record, mode: asc.CMPMODE) -> None:
    binary, unary = asc.BinaryRepeatParams(), asc.UnaryRepeatParams()
    assert issued(
        record,
        lambda a, b, c: asc.compare(a, b, c, mode, 64),
        lambda a, b, c: asc.compare(dst=a, src0=b, src1=c, cmp_mode=mode, count=64),
        lambda a, b, c: asc.compare(a, b, c, mode, 64, 1, binary),
        lambda a, b, c: asc.compare_scalar(a, b, 1.5, mode, 64),
        lambda a, b, c: asc.compare_scalar(a, b, 1.5, mode, 64, 1, unary),
    ) == [
        *[f"V Compare {A} <- {B}, {C} count=64 mode={mode.name!r}"] * 2,
        f"V Compare {A} <- {B}, {C} mask=64 repeat=1 blk=(1, 1, 1) rep=(8, 8, 8) mode={mode.name!r}",
        f"V CompareScalar {A} <- {B} count=64 scalar=1.5 mode={mode.name!r}",
        f"V CompareScalar {A} <- {B} mask=64 repeat=1 blk=(1, 1) rep=(8, 8)"
        f" scalar=1.5 mode={mode.name!r}",
    ]


def test_select(record: Record) -> None:
    scalar, tensor = asc.SelMode.VSEL_TENSOR_SCALAR_MODE, asc.SelMode.VSEL_TENSOR_TENSOR_MODE
    strides = asc.BinaryRepeatParams()
    high = "mask=64 repeat=2 blk=(1, 1, 1) rep=(8, 8, 8)"
    assert issued(
        record,
        lambda a, b, c: asc.select(a, b, c, 0.5, scalar, 64),
        lambda a, b, c: asc.select(a, b, c, c, tensor, 64),
        lambda a, b, c: asc.select(a, b, c, src1=c, sel_mode=tensor, count=64),
        lambda a, b, c: asc.select(a, b, c, c, asc.SelMode.VSEL_CMPMASK_SPR, 64, 2, strides),
        lambda a, b, c: asc.select(a, b, c, 0.5, scalar, 64, 2, strides),
    ) == [
        f"V Select {A} <- {B}, {C} count=64 mode=1 scalar=0.5",
        f"V Select {A} <- {B}, {C}, {C} count=64 mode=2",
        f"V Select {A} <- {B}, {C}, {C} count=64 mode=2",
        f"V Select {A} <- {B}, {C}, {C} {high} mode=0",
        f"V Select {A} <- {B}, {C} {high} mode=1 scalar=0.5",
    ]


def test_reduce_to_one(record: Record) -> None:
    assert issued(
        record,
        lambda a, b, c: asc.reduce_sum(a, b, c, 200),
        lambda a, b, c: asc.reduce_sum(a, b, shared_tmp_buffer=c, count=200),
        lambda a, b, c: asc.reduce_sum(a, b, c, 64, 4, 8),
        lambda a, b, c: asc.reduce_sum(a, b, c, [1, 0], 4, 8),
        lambda a, b, c: asc.reduce_max(a, b, c, 200),
        lambda a, b, c: asc.reduce_max(a, b, c, 200, True),
        lambda a, b, c: asc.reduce_min(
            a, b, c, mask=64, repeat_time=4, src_rep_stride=8, cal_index=True
        ),
    ) == [
        f"V ReduceSum {A} <- {B}, {C} count=200",
        f"V ReduceSum {A} <- {B}, {C} count=200",
        f"V ReduceSum {A} <- {B}, {C} mask=64 repeat=4 rep=(8,)",
        f"V ReduceSum {A} <- {B}, {C} mask=(1, 0) repeat=4 rep=(8,)",
        f"V ReduceMax {A} <- {B}, {C} count=200 index=False",
        f"V ReduceMax {A} <- {B}, {C} count=200 index=True",
        f"V ReduceMin {A} <- {B}, {C} mask=64 repeat=4 rep=(8,) index=True",
    ]


def test_reduce_each_repeat(record: Record) -> None:
    strides = "dst_rep=1 src_blk=1 src_rep=8"
    assert issued(
        record,
        lambda a, b, c: asc.whole_reduce_sum(a, b, 64, 4, 1, 1, 8),
        lambda a, b, c: asc.whole_reduce_sum(a, b, 0, 4, 1, 1, 8, is_set_mask=False),
        lambda a, b, c: asc.whole_reduce_max(a, b, 64, 4, 1, 1, 8),
        lambda a, b, c: asc.whole_reduce_max(
            a, b, 64, 4, 1, 1, 8, asc.ReduceOrder.ORDER_ONLY_VALUE
        ),
        lambda a, b, c: asc.whole_reduce_min(
            a,
            b,
            mask=[7, 0],
            repeat_time=4,
            dst_rep_stride=1,
            src_blk_stride=1,
            src_rep_stride=8,
            order=asc.ReduceOrder.ORDER_INDEX_VALUE,
        ),
        lambda a, b, c: asc.block_reduce_sum(a, b, 4, 64, 1, 1, 8),
        lambda a, b, c: asc.block_reduce_max(a, b, 4, 64, 1, 1, 8),
        lambda a, b, c: asc.block_reduce_min(
            a, b, repeat=4, mask=64, dst_rep_stride=1, src_blk_stride=1, src_rep_stride=8
        ),
        lambda a, b, c: asc.pair_reduce_sum(a, b, 4, 64, 1, 1, 8),
        lambda a, b, c: asc.repeat_reduce_sum(a, b, 4, 64, 0, 1, 1, 8),
    ) == [
        f"V WholeReduceSum {A} <- {B} mask=64 repeat=4 {strides}",
        f"V WholeReduceSum {A} <- {B} mask=None repeat=4 {strides}",
        f"V WholeReduceMax {A} <- {B} mask=64 repeat=4 {strides} order='ORDER_VALUE_INDEX'",
        f"V WholeReduceMax {A} <- {B} mask=64 repeat=4 {strides} order='ORDER_ONLY_VALUE'",
        f"V WholeReduceMin {A} <- {B} mask=(7, 0) repeat=4 {strides} order='ORDER_INDEX_VALUE'",
        f"V BlockReduceSum {A} <- {B} mask=64 repeat=4 {strides}",
        f"V BlockReduceMax {A} <- {B} mask=64 repeat=4 {strides}",
        f"V BlockReduceMin {A} <- {B} mask=64 repeat=4 {strides}",
        f"V PairReduceSum {A} <- {B} mask=64 repeat=4 {strides}",
        f"V WholeReduceSum {A} <- {B} mask=64 repeat=4 {strides}",
    ]


def test_params_are_plain_values() -> None:
    from tests.asc.driving import instructions

    @asc.jit
    def kernel(n: int) -> None:
        a, b, c = tensors()
        asc.add(a[n:], b, c, n)
        asc.add(a, b, c, [n, n], n, asc.BinaryRepeatParams(n, n, n, n, n, n))
        asc.muls(a, b, asc.number(0.1, asc.float32), n)

    issued, _ = instructions(kernel, [8])
    for instr in issued:
        values: list[Any] = []
        for value in (*instr.params.values(), *(instr.dst or ())):
            values += value if isinstance(value, tuple) else [value]
        assert {type(v) for v in values} <= {int, float, str, bool, type(None)}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda a, b, c: asc.add(a, b, 3, 64), "src1 is a int, it must be a LocalTensor"),
        (lambda a, b, c: asc.add(a, b, asc.GlobalTensor(), 64), "src1 is a GlobalTensor"),
        (asc.add, "no form of asc.add takes these arguments"),
        (lambda a, b, c: asc.add(a, b, c, 64, 1), "no form of asc.add takes these arguments"),
        (lambda a, b, c: asc.add(a, b, c, counts=64), "no form of asc.add takes these arguments"),
        (lambda a, b, c: asc.add(a, b, c, 64, 1, asc.UnaryRepeatParams()), "BinaryRepeatParams"),
        (lambda a, b, c: asc.add(a, b, c, 1.5), "count is 1.5 (float), it must be an integer"),
        (lambda a, b, c: asc.adds(a, b, "2", 8), "scalar is a str, it must be a number"),
        (lambda a, b, c: asc.cast(a, b, "CAST_RINT", 8), "no form of asc.cast"),
        (lambda a, b, c: asc.add(asc.LocalTensor(asc.half), b, c, 8), "has no memory yet"),
    ],
)
def test_what_cannot_become_an_instruction_is_explained(
    crashed: Callable[..., Crash], call: Callable[..., None], text: str
) -> None:
    found = crashed(calls(call))
    assert found.kind == "LabError"
    assert text in found.message
