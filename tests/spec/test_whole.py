"""Functions of the library on whole tensors: each against a line of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Instr, Pipe
from tests.spec.one_core import Array, OneCore, execute, ub
from tests.spec.whole_tensors import PLACES, whole

F = "float32"
RNG = np.random.default_rng(11)
X, G = (RNG.standard_normal((4, 16)).astype(np.float32) for _ in range(2))
ROW, SECOND = (RNG.uniform(0.5, 2, 16).astype(np.float32) for _ in range(2))
SHAPE = {"rows": 4, "columns": 13}
V = X[:, :13]


def call(
    op: str, sources: list[Array], results: list[tuple[str, int]], **params: Any
) -> list[Array]:
    """The results of one instruction."""
    core = OneCore()
    instr = whole(op, [(s.dtype.name, s.size) for s in sources], results, **params)
    for ref, values in zip(instr.srcs, sources, strict=False):
        core.put(ref, values)
    execute(core, instr)
    refs = (instr.dst, *instr.srcs[len(sources) :])
    return [
        core.elements(ref, n) for ref, (_, n) in zip(refs, results, strict=True) if ref is not None
    ]


def close(found: Array, expected: Any, rtol: float = 2e-6) -> None:
    np.testing.assert_allclose(found.reshape(np.shape(expected)), expected, rtol=rtol, atol=1e-6)


def spread(values: Array) -> Array:
    """One value a row as a DataBlock has it."""
    return np.repeat(values.reshape(-1), 8)


def test_softmax_flash_v2_and_its_update() -> None:
    stats = [(F, 64), (F, 32), (F, 32)]
    common: dict[str, Any] = SHAPE | {"with_max": False, "divided": False}
    y, total, largest = call("SoftmaxFlashV2", [X.ravel()], stats, update=False, **common)
    most = V.max(axis=1, keepdims=True)
    close(y.reshape(4, 16)[:, :13], np.exp(V - most))
    close(total, spread(np.exp(V - most).sum(axis=1)))
    close(largest, spread(most))
    before, past = spread(ROW[:4]), spread(SECOND[:4])
    y, total, largest, factor = call(
        "SoftmaxFlashV2", [X.ravel(), before, past], [*stats, (F, 32)], update=True, **common
    )
    both = np.maximum(most[:, 0], SECOND[:4])
    close(factor, spread(np.exp(SECOND[:4] - both)))
    expected = np.exp(SECOND[:4] - both) * ROW[:4] + np.exp(V - both[:, None]).sum(axis=1)
    close(total, spread(expected))
    close(largest, spread(both))
    divided = call(
        "SoftmaxFlash", [X.ravel(), before, past], [*stats, (F, 32)], update=True, **SHAPE,
        with_max=False, divided=True,
    )  # fmt: skip
    close(divided[0].reshape(4, 16)[:, :13], np.exp(V - both[:, None]) / expected[:, None])
    close(divided[3], spread(np.exp(SECOND[:4] - both) * ROW[:4] / expected))


def test_softmax_flash_v2_gives_the_maximum_of_x_too() -> None:
    results = [(F, 64), (F, 32), (F, 32), (F, 32), (F, 32)]
    sources = [X.ravel(), spread(ROW[:4]), spread(ROW[:4] + 9)]
    params: dict[str, Any] = {"update": True, "with_max": True, "divided": False}
    *_, of_x = call("SoftmaxFlashV2", sources, results, **SHAPE, **params)
    close(of_x, spread(V.max(axis=1)))


def test_softmax_flash_v3_shifts_by_parts() -> None:
    params: dict[str, Any] = {"update": False, "alpha": 0.5, "parts": 4, "loops": 1}
    y, mean, total, largest = call(
        "SoftmaxFlashV3", [X.ravel()], [(F, 64), *[(F, 32)] * 3], rows=4, **params
    )
    local = np.repeat(X.reshape(4, 4, 4).mean(axis=2), 4, axis=1)
    moved = X - (X.mean(axis=1, keepdims=True) - local)
    close(y, np.exp(moved - moved.max(axis=1, keepdims=True)))
    close(mean, spread(X.mean(axis=1)), 1e-4)
    close(largest, spread(moved.max(axis=1)))
    close(total, spread(np.exp(moved - moved.max(axis=1, keepdims=True)).sum(axis=1)))


def test_the_other_softmaxes() -> None:
    most = V.max(axis=1, keepdims=True)
    total = np.exp(V - most).sum(axis=1, keepdims=True)
    (y,) = call("SoftMaxAlone", [X.ravel()], [(F, 64)], **SHAPE)
    close(y.reshape(4, 16)[:, :13], np.exp(V - most) / total)
    (y,) = call("SimpleSoftMax", [X.ravel(), spread(total), spread(most)], [(F, 64)], **SHAPE)
    close(y, np.exp(X - most) / total)
    product = (V * G[:, :13]).sum(axis=1, keepdims=True)
    (y,) = call("SoftmaxGrad", [G.ravel(), X.ravel()], [(F, 64)], **SHAPE, front=False)
    close(y, (G - product) * X, 1e-5)
    (y,) = call("SoftmaxGrad", [G.ravel(), X.ravel()], [(F, 32)], **SHAPE, front=True)
    close(y, spread(product), 1e-5)


def moments(matrix: Array) -> tuple[Array, Array]:
    return matrix.mean(axis=1, keepdims=True), matrix.var(axis=1, keepdims=True)


def test_norms_of_rows() -> None:
    gamma, beta = ROW[:13], SECOND[:13]
    mean, variance = moments(V)
    expected = (V - mean) / np.sqrt(variance + 0.5) * gamma + beta
    shape: dict[str, Any] = SHAPE | {"epsilon": 0.5}
    results = [(F, 64), (F, 4), (F, 4)]
    factors: dict[str, Any] = {"gamma": True, "beta": True, "rstd": True}
    y, m, rstd = call("LayerNormRstd", [X.ravel(), gamma, beta], results, **shape, **factors)
    close(y.reshape(4, 16)[:, :13], expected, 1e-5)
    close(m, mean.ravel(), 1e-5)
    close(rstd, 1 / np.sqrt(variance.ravel() + 0.5), 1e-5)
    known = [X.ravel(), mean.ravel(), variance.ravel(), gamma, beta]
    y, rstd = call("Normalize", known, results[:2], **shape, **factors)
    close(y.reshape(4, 16)[:, :13], expected, 1e-5)
    close(rstd, 1 / np.sqrt(variance.ravel() + 0.5), 1e-5)
    deep = 2 * X + G
    mean, variance = moments(deep[:, :13])
    sources = [X.ravel(), G.ravel(), beta, gamma]
    y, m, v = call("DeepNorm", sources, results, alpha=2.0, **shape)
    close(y.reshape(4, 16)[:, :13], (deep[:, :13] - mean) / np.sqrt(variance + 0.5) * gamma + beta, 1e-5)  # fmt: skip
    close(v, variance.ravel(), 1e-5)
    close(m, mean.ravel(), 1e-5)


def test_norms_over_batches_and_groups() -> None:
    mean, variance = X.mean(axis=0), X.var(axis=0)
    sources = [X.ravel(), ROW[:4], SECOND[:4]]
    results = [(F, 64), (F, 16), (F, 16)]
    y, m, v = call("BatchNorm", sources, results, rows=4, columns=4, epsilon=0.5)
    close(y, (X - mean) / np.sqrt(variance + 0.5) * ROW[:4, None] + SECOND[:4, None], 1e-5)
    close(m, mean, 1e-5)
    close(v, variance, 1e-5)
    shape: dict[str, Any] = SHAPE | {"groups": 2, "channels": 4, "epsilon": 0.5}
    y, m, v = call("GroupNorm", sources, [(F, 64), (F, 2), (F, 2)], **shape)
    groups = V.reshape(2, 26)
    close(m, groups.mean(axis=1), 1e-5)
    close(v, groups.var(axis=1), 1e-5)
    centred = (groups - m[:, None]) / np.sqrt(v[:, None] + 0.5)
    expected = centred.reshape(4, 13) * ROW[:4, None] + SECOND[:4, None]
    close(y.reshape(4, 16)[:, :13], expected, 1e-5)


def test_welford_is_mean_and_variance() -> None:
    mean, spread_ = np.zeros(16, np.float32), np.zeros(16, np.float32)
    for k, block in enumerate(X, 1):
        mean, spread_ = call(
            "WelfordUpdate", [block, mean, spread_], [(F, 16)] * 2, count_of=16, factor=1 / k
        )
    close(mean, X.mean(axis=0), 1e-5)
    numbers = {"head": 4, "head_length": 16, "tail": 0, "tail_length": 0}
    m, v = call(
        "WelfordFinalize", [mean, spread_], [(F, 1)] * 2, factor=1 / 64, lanes_factor=1 / 16, **numbers
    )  # fmt: skip
    close(m, [X.mean()], 1e-5)
    close(v, [X.var()], 1e-5)
    counts = np.full(16, 4, np.int32)
    again = call(
        "WelfordFinalize", [mean, spread_, counts], [(F, 1)] * 2, factor=1 / 64, lanes_factor=0.0, **numbers
    )  # fmt: skip
    close(again[0], m, 1e-5)
    close(again[1], v, 1e-5)


@pytest.mark.parametrize(
    ("op", "function"),
    [
        ("ReduceSumRows", np.sum), ("ReduceMaxRows", np.max), ("ReduceMinRows", np.min),
        ("ReduceMeanRows", np.mean), ("ReduceProdRows", np.prod),
    ],
)  # fmt: skip
def test_one_axis_is_reduced(op: str, function: Any) -> None:
    (rows,) = call(op, [X.ravel()], [(F, 4)], first=False, **SHAPE)
    close(rows, function(V, axis=1), 1e-5)
    (columns,) = call(op, [X.ravel()], [(F, 16)], first=True, **SHAPE)
    close(columns, function(X, axis=0), 1e-5)


def test_any_and_all() -> None:
    bits = (RNG.random((4, 32)) < 0.9).astype(np.uint8)
    bits[1] = 0
    bits[2] = 1
    for op, function in (("ReduceAnyRows", np.any), ("ReduceAllRows", np.all)):
        (found,) = call(op, [bits.ravel()], [("uint8", 4)], first=False, rows=4, columns=30)
        np.testing.assert_array_equal(found, function(bits[:, :30], axis=1))


def test_sums_and_numbering() -> None:
    a, b = (RNG.integers(-300, 300, 40).astype(np.int16) for _ in range(2))
    (found,) = call("ReduceXorSum", [a, b], [("int16", 1)])
    assert found[0] == np.clip((a ^ b).astype(int).sum(), -32768, 32767)
    (found,) = call("ReduceXorSum", [np.full(9, 0x7FFF, np.int16), np.zeros(9, np.int16)], [("int16", 1)])  # fmt: skip
    assert found[0] == 32767
    y, last = call("CumSum", [X.ravel()], [(F, 64), (F, 16)], rows=4, first=True)
    close(y, np.cumsum(X, axis=0), 1e-5)
    close(last, X.sum(axis=0), 1e-5)
    (y,) = call("CumSum", [X.ravel()], [(F, 64)], rows=4, first=False)
    close(y, np.cumsum(X, axis=1), 1e-5)
    (y,) = call("Arange", [], [("int32", 9)], **{"from": 5.0, "step": -3.0})
    np.testing.assert_array_equal(y, 5 - 3 * np.arange(9))


def test_masks_of_bytes_and_bits() -> None:
    mask = (RNG.random((4, 32)) < 0.5).astype(np.uint8)
    (y,) = call("DropOut", [V.ravel(), mask.ravel()], [(F, 52)], bits=False, keep=0.8, **SHAPE)
    close(y, np.where(mask[:, :13], V / np.float32(0.8), 0))
    packed = np.packbits(mask[:, :16], axis=1, bitorder="little")
    (y,) = call("DropOut", [V.ravel(), packed.ravel()], [(F, 52)], bits=True, keep=0.8, **SHAPE)
    close(y, np.where(mask[:, :13], V / np.float32(0.8), 0))
    for swapped in (False, True):
        sources: list[Array] = [V.ravel(), mask.ravel()]
        choice: dict[str, Any] = {"scalar": 9.0, "swapped": swapped}
        (y,) = call("SelectBytes", sources, [(F, 52)], **SHAPE, **choice)
        close(y, np.where((mask[:, :13] == 0) != swapped, V, 9.0))


def test_antiquantisation() -> None:
    x = RNG.integers(-100, 100, (4, 16)).astype(np.int8)
    half = x.astype(np.float16)
    scale, offset = (values.astype(np.float16) for values in (ROW, SECOND))
    shape: dict[str, Any] = {"rows": 4, "columns": 16}
    at = {"offset_at": 0, "scale_at": 1}
    params = shape | at | {"groups": 1, "wide": 16}
    whole_row: list[Array] = [x.ravel(), offset, scale]
    (y,) = call("AscendAntiQuant", whole_row, [("float16", 64)], **params)
    np.testing.assert_array_equal(y.reshape(4, 16), (half + offset) * scale)
    params = shape | at | {"groups": 4, "wide": 2}
    tables = [scale[:8].reshape(4, 2), offset[:8].reshape(4, 2)]
    sources: list[Array] = [x.ravel(), tables[1].ravel(), tables[0].ravel()]
    (y,) = call("AscendAntiQuant", sources, [("float16", 64)], **params)
    wide = [np.repeat(table, 8, axis=1) for table in tables]
    np.testing.assert_array_equal(y.reshape(4, 16), (half + wide[1]) * wide[0])
    (y,) = call("AscendAntiQuant", [x.ravel()], [("bfloat16", 64)], offset=1.5, scale=2.0, **shape)
    np.testing.assert_array_equal(y.reshape(4, 16), ((half.astype(np.float32) + 1.5) * 2).astype(y.dtype))  # fmt: skip


def test_quantisation_by_rows() -> None:
    half, scale, offset = (values.astype(np.float16) for values in (X, ROW, SECOND))
    sources = [half.ravel(), scale, offset]
    for given in (sources, sources[:2]):
        (y,) = call("AscendQuantRows", given, [("int8", 64)], offset=1.0)
        moved_by = half * scale + (offset if len(given) > 2 else np.float16(1))
        np.testing.assert_array_equal(y.reshape(4, 16), np.rint(moved_by).astype(np.int8))


def moved(op: str, values: Array, count: int, **params: Any) -> Array:
    core = OneCore()
    src = ub(PLACES[0], values.dtype.name)
    core.put(src, values)
    execute(core, Instr(op, Pipe.V, ub(0, values.dtype.name), (src,), params))
    return core.elements(ub(0, values.dtype.name), count)


def test_pad_and_unpad() -> None:
    x = np.arange(64, dtype=np.int16).reshape(4, 16)
    found = moved("Pad", x, 64, shape=(4, 16), valid=13, left=1, right=2, value=-7)
    np.testing.assert_array_equal(
        found.reshape(4, 16), np.pad(x[:, :13], ((0, 0), (1, 2)), constant_values=-7)
    )
    found = moved("UnPad", x, 52, shape=(4, 16), right=3)
    np.testing.assert_array_equal(found.reshape(4, 13), x[:, :13])


def test_trans_data_there_and_back() -> None:
    n, c, d, h, w = 2, 16, 2, 2, 3
    x = np.zeros((n, c, d, 16), np.int16)
    x[..., :6] = np.arange(n * c * d * 6, dtype=np.int16).reshape(n, c, d, 6)
    shape = {"shape": (n, c, d, h, w), "plane": 16}
    blocked = moved("TransData", x, n * d * 6 * 16, kind="NCDHW>NDC1HWC0", **shape)
    expected = x[..., :6].reshape(n, 1, 16, d, 6).transpose(0, 3, 1, 4, 2)
    np.testing.assert_array_equal(blocked, expected.ravel())
    back = moved("TransData", blocked, x.size, kind="NDC1HWC0>NCDHW", **shape)
    np.testing.assert_array_equal(back.reshape(x.shape), x)
    fractal = moved("TransData", x, d * 6 * 16 * 16, kind="NCDHW>FRACTAL_Z_3D", **shape)
    assert fractal.reshape(d, 1, 6, 1, 16, 16)[1, 0, 4, 0, 1, 5] == x[1, 5, 1, 4]
    back = moved("TransData", fractal, x.size, kind="FRACTAL_Z_3D>NCDHW", **shape)
    np.testing.assert_array_equal(back.reshape(x.shape), x)
    with pytest.raises(NotModelled):
        moved("TransData", x, 1, kind="", **shape)


def nz(plain: Array) -> Array:
    """ND -> NZ of the last two axes."""
    *outer, rows, columns = plain.shape
    return plain.reshape(*outer, rows // 16, 16, columns // 16, 16).swapaxes(-4, -2).swapaxes(-4, -3).swapaxes(-3, -4)  # fmt: skip


def test_transposes_of_the_library() -> None:
    b, n, s, part = 1, 2, 16, 32
    plain = np.arange(b * n * s * part, dtype=np.int16).reshape(b, n, s, part)
    split = {"shape": (b, n, s, part)}
    turned = plain.transpose(0, 2, 1, 3)
    stored = np.ascontiguousarray(nz(plain))
    found = moved("ConfusionTranspose", stored, plain.size, type="TRANSPOSE_NZ2ND_0213", **split)
    np.testing.assert_array_equal(found.reshape(b, s, n, part), turned)
    joined = turned.reshape(b, s, n * part)
    found = moved("ConfusionTranspose", stored, plain.size, type="TRANSPOSE_NZ2ND_012_WITHOUT_N", **split)  # fmt: skip
    np.testing.assert_array_equal(found.reshape(b, s, n * part), joined)
    found = moved("ConfusionTranspose", stored, plain.size, type="TRANSPOSE_NZ2NZ_012_WITHOUT_N", **split)  # fmt: skip
    np.testing.assert_array_equal(found, nz(joined).ravel())
    whole_row = np.ascontiguousarray(nz(joined))
    found = moved("ConfusionTranspose", whole_row, plain.size, type="TRANSPOSE_NZ2ND_012_WITH_N", **split)  # fmt: skip
    np.testing.assert_array_equal(found.reshape(plain.shape), plain)
    found = moved("ConfusionTranspose", whole_row, plain.size, type="TRANSPOSE_NZ2NZ_012_WITH_N", **split)  # fmt: skip
    np.testing.assert_array_equal(found, stored.ravel())
    flat = plain.reshape(32, 32)
    found = moved("ConfusionTranspose", flat, flat.size, type="TRANSPOSE_ND2ND_ONLY", shape=(32, 32))  # fmt: skip
    np.testing.assert_array_equal(found.reshape(32, 32), flat.T)
