"""High-level interfaces: one instruction each, with the temporary buffer the checks can see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import instructions, line
from tests.asc.test_vector import Record

Call = Callable[..., None]
N = 256


def kernel_of(call: Call, dtype: asc.DataType = asc.float32) -> Any:
    """``call(a, b, c)`` on three tensors of TBufs of one TPipe."""

    @asc.jit
    def kernel() -> None:
        pipe = asc.TPipe()
        tensors = []
        for _ in range(3):
            buffer = asc.TBuf(asc.TPosition.VECCALC)
            pipe.init_buffer(buffer, N * dtype.sizeof())
            tensors.append(buffer.get(dtype))
        call(*tensors)

    return kernel


def told(record: Record, call: Call, dtype: asc.DataType = asc.float32) -> str:
    """The line of the one instruction, types of the operands left out where they are float32."""
    lines = [text for text in record(kernel_of(call, dtype)) if text.startswith("V ")]
    assert len(lines) == 1
    return lines[0]


A, B, C = (f"UB+{1024 * k}:float32[256]#{k}" for k in range(3))
MATHS = (
    "acos acosh asin asinh atan atanh ceil cos cosh digamma erf erfc frac lgamma round sign sin sinh "
    "tan tanh trunc floor log"
).split()
NO_BUFFER = ("frac", "round", "floor", "log")


@pytest.mark.parametrize("name", MATHS)
def test_one_source(record: Record, name: str) -> None:
    call = getattr(asc.adv, name)
    assert call.__name__ == name
    found = told(record, lambda a, b, c: call(a, b, count=100))
    head = f"V {name.capitalize()} {A} <- {B}"
    if name in NO_BUFFER:
        assert found == f"{head} count=100"
    else:
        assert found.startswith(f"{head}, UB+3072:uint8[")
        text = found.split("count=100 tmp=")[1]
        assert int(text) % 256 == 0
        assert f"uint8[{text}]" in found


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda a, b, c: asc.adv.sinh(a, b),
            "Sinh {a} <- {b}, UB+3072:uint8[256] count=256 tmp=256",
        ),
        (lambda a, b, c: asc.adv.tanh(a, b, 9, c), "Tanh {a} <- {b}, {c} count=9 tmp=256"),
        (
            lambda a, b, c: asc.adv.cos(a, b, 9, None, True),
            "Cos {a} <- {b}, UB+3072:uint8[512] count=9 tmp=512",
        ),
        (
            lambda a, b, c: asc.adv.exp(a, b, 9, 10, c),
            "ExpLibrary {a} <- {b}, {c} level=10 count=9 tmp=768",
        ),
        (
            lambda a, b, c: asc.adv.axpy(a, b, 0.5, 9),
            "AxpyLibrary {a} <- {b}, UB+3072:uint8[256] scalar=0.5 count=9 tmp=256",
        ),
        (
            lambda a, b, c: asc.adv.power(a, b, c, 9),
            "Power {a} <- {b}, {c}, UB+3072:uint8[1280] count=9 tmp=1280",
        ),
        (
            lambda a, b, c: asc.adv.power(a, 2, b, 9, c),
            "Power {a} <- {b}, {c} count=9 scalar=2.0 base=True tmp=1536",
        ),
        (
            lambda a, b, c: asc.adv.power(a, b, 3.0),
            "Power {a} <- {b}, UB+3072:uint8[1536] count=256 scalar=3.0 base=False tmp=1536",
        ),
        (
            lambda a, b, c: asc.adv.sigmoid(a, b),
            "Sigmoid {a} <- {b}, UB+3072:uint8[256] count=256 tmp=256",
        ),
        (lambda a, b, c: asc.adv.silu(a, b, 8), "Silu {a} <- {b} count=8"),
        (lambda a, b, c: asc.adv.swish(a, b, 2, 8), "Swish {a} <- {b} scalar=2.0 count=8"),
        (lambda a, b, c: asc.adv.gelu(a, b, 8, c), "Gelu {a} <- {b}, {c} count=8 tmp=768"),
        (
            lambda a, b, c: asc.adv.faster_gelu(a, b, 8, c),
            "FasterGelu {a} <- {b}, {c} count=8 tmp=768",
        ),
        (
            lambda a, b, c: asc.adv.sum(a, b, 4, 64, 50),
            "Sum {a} <- {b}, UB+3072:uint8[32] rows=4 columns=50 pitch=64 tmp=32",
        ),
        (
            lambda a, b, c: asc.adv.broadcast(a, b, (8, 16), (8, 1), c),
            "Broadcast {a} <- {b}, {c} dst_shape=(8, 16) src_shape=(8, 1) tmp=256",
        ),
        (
            lambda a, b, c: asc.adv.broadcast(a, b, [8, 12], [1, 12], c),
            "Broadcast {a} <- {b}, {c} dst_shape=(8, 12) src_shape=(1, 12) tmp=768",
        ),
        (
            lambda a, b, c: asc.adv.layernorm(a, b, b, c, c, c, 1e-5, 4, 64, c),
            "LayerNorm {a} <- {c}, {c}, {c}, {b}, {b}, {c} rows=4 columns=64 epsilon=1e-05 tmp=832",
        ),
        (
            lambda a, b, c: asc.adv.dequant(a, b.reinterpret_cast(asc.int32), 0.5, 4, 8, 7, c),
            "AscendDequant {a} <- UB+1024:int32[256]#1, {c} rows=4 columns=8 calc=7 scalar=0.5 tmp=128",
        ),
        (
            lambda a, b, c: asc.adv.dequant(a, b.reinterpret_cast(asc.int32), c, 4, 8, None, c),
            "AscendDequant {a} <- UB+1024:int32[256]#1, {c}, {c} rows=4 columns=8 calc=8 tmp=128",
        ),
        (
            lambda a, b, c: asc.adv.quant(a.reinterpret_cast(asc.int8), b, 2, 1, 64, c),
            "AscendQuant UB+0:int8[1024]#0 <- {b}, {c} count=64 scale=2.0 offset=1.0 tmp=512",
        ),
    ],
)
def test_calls(record: Record, call: Call, text: str) -> None:
    assert told(record, call) == f"V {text.format(a=A, b=B, c=C)}"


def test_half_needs_more(record: Record) -> None:
    found = told(record, lambda a, b, c: asc.adv.acos(a, b), asc.float16)
    assert found.endswith("UB+1536:uint8[1536] count=256 tmp=1536")
    found = told(record, asc.adv.power, asc.float16)
    assert found.endswith("tmp=2048")
    assert "tmp=512" in told(record, lambda a, b, c: asc.adv.floor(a, b), asc.float16)
    assert "tmp=256" in told(record, lambda a, b, c: asc.adv.round(a, b), asc.float16)


def test_integers(record: Record) -> None:
    found = told(record, lambda a, b, c: asc.adv.xor(a, b, c, 9), asc.int16)
    assert found.endswith(", UB+1536:uint8[256] count=9 tmp=256")
    found = told(record, lambda a, b, c: asc.adv.power(a, b, 3, 9, c), asc.int32)
    assert found.endswith("count=9 scalar=3 base=False tmp=1792")


def test_the_inference_series_rounds_with_a_buffer() -> None:
    kernel = kernel_of(lambda a, b, c: asc.adv.round(a, b))
    issued, _ = instructions(kernel, chip=chips.load("Ascend310P3"))
    assert [instr.params["tmp"] for instr in issued if instr.op == "Round"] == [256]


def softmax_on(a: Any, b: Any, c: Any, **more: Any) -> None:
    b.set_shape_info(asc.ShapeInfo((2, 2, 64), (2, 2, 60)))
    asc.adv.softmax(a, c, c[64], b, asc.adv.SoftmaxTiling(src_k=64), **more)


def test_softmax_takes_the_shape_of_its_source(record: Record) -> None:
    further = f"{C}, UB+2304:float32[192]#2"
    assert told(record, softmax_on) == (
        f"V SoftMax {A} <- {B}, {further}, UB+3072:uint8[544] rows=4 columns=60 pitch=64 tmp=544"
    )


def test_log_softmax(record: Record) -> None:
    def call(a: Any, b: Any, c: Any) -> None:
        b.set_shape_info(asc.ShapeInfo((4, 64)))
        asc.adv.log_softmax(a, c, c[64], b, asc.adv.SoftmaxTiling(), c[128])

    found = told(record, call)
    assert found.startswith(f"V LogSoftMax {A} <- {B}, {C}, ")
    assert found.endswith("rows=4 columns=64 pitch=64 tmp=544")


def test_rmsnorm_takes_the_shape_of_its_tiling(record: Record) -> None:
    def call(a: Any, b: Any, c: Any) -> None:
        tiling = asc.adv.RmsNormTiling(b_length=2, s_length=2, h_length=64, original_h_length=60)
        asc.adv.rmsnorm(a, b, c, 1e-3, tiling)

    assert told(record, call) == (
        f"V RmsNorm {A} <- {B}, {C}, UB+3072:uint8[288] rows=4 columns=60 pitch=64 epsilon=0.001 "
        "tmp=288"
    )


def test_quant_with_a_config(record: Record) -> None:
    config = asc.adv.QuantConfig(32, 0, 0, 512)
    assert config.work_local_size == 512
    found = told(
        record,
        lambda a, b, c: asc.adv.quant(a.reinterpret_cast(asc.int8), b, 0.5, 0, 32, config=config),
    )
    assert found.endswith("UB+3072:uint8[512] count=32 scale=0.5 offset=0.0 tmp=512")


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda a, b, c: asc.adv.softmax(a, b, c, a, asc.adv.SoftmaxTiling()), "LabError"),
        (lambda a, b, c: asc.adv.softmax(a, b, c, a, 1), "LabError"),
        (lambda a, b, c: softmax_on(a, b, c, data_format_nz=True), "NotModelled"),
        (lambda a, b, c: asc.adv.rmsnorm(a, b, c, 0.1, 1), "LabError"),
        (lambda a, b, c: asc.adv.power(a, 2, 3), "LabError"),
        (lambda a, b, c: asc.adv.quant(a, b, 1, 0, config=1), "LabError"),
        (lambda a, b, c: asc.adv.broadcast(a, b, (2, 2, 2), (1, 2, 2)), "NotModelled"),
    ],
)
def test_misuse(crashed: Callable[..., Crash], call: Call, kind: str) -> None:
    assert crashed(kernel_of(call)).kind == kind


def test_without_a_pipe_there_is_no_buffer_to_take() -> None:
    @asc.jit
    def kernel() -> None:
        a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 64)
        asc.adv.sigmoid(a, a)

    _, crash = instructions(kernel)
    assert crash is not None
    assert "TPipe" in crash.message


def test_automatic_tensors_leave_room_behind_them() -> None:
    @asc.jit
    def kernel() -> None:
        a = asc.LocalTensorAuto(asc.float32, 100)
        asc.adv.sigmoid(a, a)

    issued, _ = instructions(kernel)
    assert line(issued[-1]).endswith("UB+416:uint8[256] count=100 tmp=256")
