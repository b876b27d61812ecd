"""Gathering, spreading, transposing and sorting against NumPy, and against the pages' reference code."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Ref
from ascend_lab.engine.semantics.sorting import merge_order
from tests.spec.one_core import Array, OneCore, execute, numbers, same, ub, vector
from tests.spec.rearranging import sized
from tests.spec.shapes import COUNTS, FEWER, SEEDS, Strided, elements, masks

DST, SRC, OTHER = 0, 16384, 40960
WIDE = ("int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32")


def placed(core: OneCore, addr: int, values: Array, dtype: str) -> Ref:
    """``values`` in memory, as a tensor of declared length."""
    ref = sized(addr, dtype, values.size)
    core.put(ref, values)
    return ref


# --- gather, scatter -------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", WIDE)
@FEWER
@given(count=COUNTS, base=st.integers(0, 5), seed=SEEDS)
def test_gather(dtype: str, count: int, base: int, seed: int) -> None:
    core, size = OneCore(), ITEMSIZE[dtype]
    source = numbers(seed, 512, dtype)
    index = np.random.default_rng(seed).integers(0, 500, count, dtype=np.uint32)
    src = placed(core, SRC, source, dtype)
    offsets = placed(core, OTHER, index * np.uint32(size), "uint32")
    execute(core, vector("Gather", ub(DST, dtype), (src, offsets), count=count, base=base * size))
    assert same(core.elements(ub(DST, dtype), count), source[index + base])


@FEWER
@given(mask=masks(64), repeat=st.integers(0, 4), rep=st.sampled_from([8, 10]), seed=SEEDS)
def test_gather_under_a_mask(mask: Any, repeat: int, rep: int, seed: int) -> None:
    core = OneCore()
    source = numbers(seed, 512, "float32")
    index = np.random.default_rng(seed).integers(0, 512, 256, dtype=np.uint32)
    srcs = (placed(core, SRC, source, "float32"), placed(core, OTHER, index * 4, "uint32"))
    before = core.elements(ub(DST, "float32"), 1024)
    execute(core, vector("Gather", ub(DST, "float32"), srcs, mask=mask, repeat=repeat, rep=(rep,)))
    form = Strided(mask, repeat, (1, 1), (rep, 8))
    before[elements(form, 0, 4, 64)] = source[index[elements(form, 1, 4, 64)]]
    assert same(core.elements(ub(DST, "float32"), 1024), before)


@pytest.mark.parametrize("dtype", ["uint16", "float16", "uint32", "float32"])
@FEWER
@given(count=st.integers(0, 500), seed=SEEDS)
def test_scatter(dtype: str, count: int, seed: int) -> None:
    core, size = OneCore(), ITEMSIZE[dtype]
    index = np.random.default_rng(seed).permutation(512)[:count].astype(np.uint32)
    source = numbers(seed, count, dtype)
    dst = sized(DST, dtype, 512)
    expected = core.elements(dst, 512)
    srcs = (placed(core, SRC, source, dtype), placed(core, OTHER, index * size, "uint32"))
    execute(core, vector("Scatter", dst, srcs, count=count))
    expected[index] = source
    assert same(core.elements(dst, 512), expected)


@FEWER
@given(times=st.integers(0, 6), blk=st.integers(0, 2), rep=st.integers(16, 20), seed=SEEDS)
def test_gatherb(times: int, blk: int, rep: int, seed: int) -> None:
    core = OneCore()
    source = numbers(seed, 1024, "uint16").reshape(64, 16)
    index = np.random.default_rng(seed).integers(0, 64, times * 8, dtype=np.uint32)
    srcs = (placed(core, SRC, source, "uint16"), placed(core, OTHER, index * 32, "uint32"))
    dst = ub(DST, "uint16")
    expected = core.elements(dst, 4096).reshape(-1, 16)
    execute(core, vector("Gatherb", dst, srcs, times=times, blk=(blk,), rep=(rep,)))
    for i in range(times):
        for j in range(8):
            expected[i * rep + j * (blk or 1)] = source[index[i * 8 + j]]
    assert same(core.elements(dst, 4096), expected.reshape(-1))


@FEWER
@given(
    vertical=st.integers(1, 3),
    horizontal=st.integers(1, 3),
    per_block=st.booleans(),
    lanes=st.integers(1, 128),
    seed=SEEDS,
)
def test_bilinear_interpolation(
    vertical: int, horizontal: int, per_block: bool, lanes: int, seed: int
) -> None:
    core, steps = OneCore(), vertical * horizontal
    source = numbers(seed, 1024, "float16", special=0).reshape(64, 16)
    weights = numbers(seed + 1, steps * 8, "float16", special=0)
    index = np.random.default_rng(seed).integers(0, 64, steps * 8, dtype=np.uint32)
    src0, offsets = placed(core, SRC, source, "float16"), placed(core, OTHER, index * 32, "uint32")
    src1, tmp = placed(core, OTHER + 4096, weights, "float16"), sized(OTHER + 8192, "uint8", 64)
    params = {"vertical": vertical, "horizontal": horizontal, "per_block": per_block}
    params |= {"lanes": lanes, "dst_blk": 1, "offset": 128, "tmp": 64}
    dst = ub(DST, "float16")
    expected = core.elements(dst, vertical * 128).reshape(vertical, 128)
    execute(core, vector("BilinearInterpolation", dst, (src0, offsets, src1, tmp), **params))
    each = weights.reshape(steps, 8) if per_block else weights[:steps, None]
    with np.errstate(all="ignore"):
        products = source[index].reshape(steps, 8, 16) * each[..., None]
        rows = products.reshape(vertical, horizontal, 128)
        total = rows[:, 0]
        for column in range(1, horizontal):
            total = total + rows[:, column]
    expected[:, :lanes] = total[:, :lanes]
    assert same(core.elements(dst, vertical * 128), expected.reshape(-1))


KEPT = {1: (0, 2), 2: (1, 2), 3: (0, 4), 4: (1, 4), 5: (2, 4), 6: (3, 4), 7: (0, 1)}


@pytest.mark.parametrize("dtype", WIDE)
@FEWER
@given(pattern=st.integers(1, 7), times=st.integers(0, 5), seed=SEEDS)
def test_gather_mask_fixed_pattern(dtype: str, pattern: int, times: int, seed: int) -> None:
    core = OneCore()
    source = numbers(seed, times * 256 // ITEMSIZE[dtype], dtype)
    src = placed(core, SRC, source, dtype)
    strides = {"src_blk": 1, "src_rep": 8, "pattern_rep": 0}
    execute(
        core,
        vector("GatherMask", ub(DST, dtype), (src,), pattern=pattern, counter=False, elements=0,
               times=times, **strides),
    )  # fmt: skip
    first, step = KEPT[pattern]
    expected = source[first::step]
    assert core.registers["rsvd"] == expected.size
    assert same(core.elements(ub(DST, dtype), expected.size), expected)


@pytest.mark.parametrize("total", [False, True])
@FEWER
@given(each=st.integers(1, 150), times=st.integers(1, 3), seed=SEEDS)
def test_gather_mask_by_bits(total: bool, each: int, times: int, seed: int) -> None:
    """Counter mode; every iteration starts 8 DataBlocks further in src, 1 in the pattern."""
    core = OneCore()
    source = numbers(seed, 2048, "uint32")
    words = numbers(seed + 1, 256, "uint32")
    srcs = (placed(core, SRC, source, "uint32"), placed(core, OTHER, words, "uint32"))
    execute(
        core,
        vector("GatherMask", sized(DST, "uint32", 2048), srcs, pattern=0, counter=True,
               elements=each, total=total, times=times, src_blk=1, src_rep=8, pattern_rep=1),
    )  # fmt: skip
    bits = np.unpackbits(words.view(np.uint8), bitorder="little").astype(bool).reshape(-1, 256)
    rows = [(i, min(64, each - 64 * i)) for i in range(-(-each // 64))] if total else [
        (i, each) for i in range(times)
    ]  # fmt: skip
    expected = np.concatenate([source[64 * i : 64 * i + n][bits[i][:n]] for i, n in rows])
    assert core.registers["rsvd"] == expected.size
    assert same(core.elements(ub(DST, "uint32"), expected.size), expected)


def test_gather_mask_has_seven_patterns() -> None:
    params = {"counter": False, "elements": 0, "times": 1, "src_blk": 1, "src_rep": 8}
    with pytest.raises(NotModelled, match="src1Pattern=8"):
        execute(
            OneCore(),
            vector("GatherMask", ub(DST, "half".replace("half", "float16")),
                   (ub(SRC, "float16"),), pattern=8, pattern_rep=0, **params),
        )  # fmt: skip


# --- filling -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", WIDE)
@FEWER
@given(times=st.integers(0, 6), blk=st.integers(1, 2), seed=SEEDS)
def test_brcb(dtype: str, times: int, blk: int, seed: int) -> None:
    core = OneCore()
    source = numbers(seed, times * 8, dtype)
    src = placed(core, SRC, source, dtype)
    execute(core, vector("Brcb", ub(DST, dtype), (src,), times=times, blk=(blk,), rep=(8 * blk,)))
    each = 32 // ITEMSIZE[dtype]
    found = core.elements(ub(DST, dtype), times * 8 * blk * each).reshape(-1, blk, each)
    assert same(found[:, 0].reshape(-1), np.repeat(source, each))


@pytest.mark.parametrize("dtype", ["int16", "float16", "int32", "float32"])
@FEWER
@given(count=COUNTS, first=st.integers(-100, 1000))
def test_create_vec_index(dtype: str, count: int, first: int) -> None:
    core = OneCore()
    execute(core, vector("CreateVecIndex", ub(DST, dtype), (), count=count, scalar=first))
    expected = np.arange(first, first + count).astype(DTYPES[dtype])
    assert same(core.elements(ub(DST, dtype), count), expected)


@FEWER
@given(mask=masks(64), repeat=st.integers(0, 3))
def test_create_vec_index_counts_all_lanes(mask: Any, repeat: int) -> None:
    core = OneCore()
    form = Strided(mask, repeat, (1,), (8,))
    params = form.params() | {"scalar": 7}
    execute(core, vector("CreateVecIndex", ub(DST, "float32"), (), **params))
    where = elements(form, 0, 4, 64)
    found = core.elements(ub(DST, "float32"), 256)
    assert same(found[where], (7 + np.array(where, dtype=int)).astype(np.float32))


# --- transposing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int16", "uint16", "float16"])
@FEWER
@given(seed=SEEDS, in_place=st.booleans())
def test_transpose_16_by_16(dtype: str, seed: int, in_place: bool) -> None:
    core = OneCore()
    source = numbers(seed, 256, dtype)
    src = placed(core, DST if in_place else SRC, source, dtype)
    execute(core, vector("Transpose", ub(DST, dtype), (src,)))
    assert same(core.elements(ub(DST, dtype), 256), source.reshape(16, 16).T.ravel())


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float32"])
@FEWER
@given(shape=st.tuples(*[st.integers(1, 5)] * 4), seed=SEEDS)
def test_transpose_of_axes(dtype: str, shape: tuple[int, int, int, int], seed: int) -> None:
    n, c, h, w = shape
    core = OneCore()
    source = numbers(seed, n * c * h * w, dtype)
    src = placed(core, SRC, source, dtype)
    tmp = sized(50000, "uint8", 256)
    for kind, before, axes in (
        ("TRANSPOSE_NCHW2NHWC", (n, c, h, w), (0, 2, 3, 1)),
        ("TRANSPOSE_NHWC2NCHW", (n, h, w, c), (0, 3, 1, 2)),
    ):
        instr = vector("Transpose", ub(DST, dtype), (src, tmp), type=kind, shape=shape, tmp=256)
        execute(core, instr)
        expected = source.reshape(before).transpose(axes).ravel()
        assert same(core.elements(ub(DST, dtype), source.size), expected)
        assert (core.elements(tmp, 256) == 0xFF).all()


def test_transpose_names_the_types_it_has_not() -> None:
    core = OneCore()
    execute(core, vector("Transpose", ub(DST, "float16"), (ub(SRC, "float16"),),
                         type="TRANSPOSE_TYPE_NONE"))  # fmt: skip
    with pytest.raises(NotModelled, match="TRANSPOSE_NZ2ND_0213"):
        execute(core, vector("Transpose", ub(DST, "float16"), (ub(SRC, "float16"),),
                             type="TRANSPOSE_NZ2ND_0213"))  # fmt: skip


def address_lists(dst: int, src: int) -> dict[str, Any]:
    """16 DataBlocks one behind the other on either side."""
    return {
        "dst_list": tuple(range(dst, dst + 512, 32)),
        "src_list": tuple(range(src, src + 512, 32)),
    }


@pytest.mark.parametrize("dtype", ["int16", "float16", "int32", "float32"])
@FEWER
@given(times=st.integers(1, 4), seed=SEEDS)
def test_trans_data_to_5hd(dtype: str, times: int, seed: int) -> None:
    """Every iteration transposes 16 DataBlocks."""
    core = OneCore()
    each = 32 // ITEMSIZE[dtype]
    source = numbers(seed, times * 16 * each, dtype)
    params = address_lists(DST, SRC) | {"times": times, "rep": (16, 16) if times > 1 else (0, 0)}
    src = placed(core, SRC, source, dtype)
    execute(core, vector("TransDataTo5HD", ub(DST, dtype), (src,), **params))
    expected = source.reshape(times, 16, each).transpose(0, 2, 1).ravel()
    assert same(core.elements(ub(DST, dtype), source.size), expected)


@FEWER
@given(high=st.tuples(st.booleans(), st.booleans()), seed=SEEDS)
def test_trans_data_to_5hd_of_bytes_takes_halves(high: tuple[bool, bool], seed: int) -> None:
    core = OneCore()
    source = numbers(seed, 512, "uint8")
    params = address_lists(DST, SRC) | {"dst_high": high[0], "src_high": high[1]}
    before = core.elements(ub(DST, "uint8"), 512).reshape(16, 32)
    src = placed(core, SRC, source, "uint8")
    execute(core, vector("TransDataTo5HD", ub(DST, "uint8"), (src,), times=1, rep=(0, 0), **params))
    half = source.reshape(16, 2, 16)[:, int(high[1])]
    before.reshape(16, 2, 16)[:, int(high[0])] = half.T
    assert same(core.elements(ub(DST, "uint8"), 512), before.ravel())


def test_one_iteration_alone_starts_a_stride_further() -> None:
    core = OneCore()
    source = np.arange(512, dtype=np.int16)
    src = placed(core, SRC, source, "int16")
    params = address_lists(DST, SRC) | {"times": 1, "rep": (0, 16)}
    execute(core, vector("TransDataTo5HD", ub(DST, "int16"), (src,), **params))
    assert (core.elements(ub(DST, "int16"), 256) == source[256:].reshape(16, 16).T.ravel()).all()


# --- sorting -----------------------------------------------------------------------------------------------


def pairs(core: OneCore, ref: Ref, count: int, dtype: str) -> tuple[Array, Array]:
    """(scores, indices) of ``count`` pairs."""
    words = core.elements(ref._replace(dtype="uint32"), count * 2).reshape(-1, 2)
    scores = np.ascontiguousarray(words[:, 0]).view(DTYPES[dtype])[:: 4 // ITEMSIZE[dtype]]
    return scores, words[:, 1]


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@FEWER
@given(times=st.integers(0, 4), seed=SEEDS)
def test_sort32(dtype: str, times: int, seed: int) -> None:
    core = OneCore()
    scores = np.random.default_rng(seed).integers(-9, 9, times * 32).astype(DTYPES[dtype])
    index = numbers(seed, times * 32, "uint32")
    srcs = (placed(core, SRC, scores, dtype), placed(core, OTHER, index, "uint32"))
    execute(core, vector("Sort32", ub(DST, dtype), srcs, times=times))
    order = np.argsort(-scores.reshape(-1, 32), axis=1, kind="stable")
    found, labels = pairs(core, ub(DST, dtype), times * 32, dtype)
    assert same(found, np.take_along_axis(scores.reshape(-1, 32), order, 1).ravel())
    assert (labels == np.take_along_axis(index.reshape(-1, 32), order, 1).ravel()).all()


def sorted_lists(core: OneCore, lengths: list[int], seed: int, dtype: str) -> list[Ref]:
    """Sorted lists one behind the other in SRC; the index says which list and position."""
    rng = np.random.default_rng(seed)
    refs, at = [], SRC
    for number, length in enumerate(lengths):
        scores = np.sort(rng.integers(-9, 9, length).astype(DTYPES[dtype]))[::-1]
        words = np.zeros((length, 2), dtype=np.uint32)
        words[:, 0] = np.ascontiguousarray(scores).view(f"u{ITEMSIZE[dtype]}")
        words[:, 1] = number * 1000 + np.arange(length)
        core.put(ub(at, "uint32"), words)
        refs.append(ub(at, dtype))
        at += length * 8
    return refs


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@FEWER
@given(lengths=st.lists(st.integers(1, 40), min_size=4, max_size=4), valid=st.sampled_from([3, 7, 15]),
       suspend=st.booleans(), seed=SEEDS)  # fmt: skip
def test_mrg_sort(dtype: str, lengths: list[int], valid: int, suspend: bool, seed: int) -> None:
    core = OneCore()
    refs = sorted_lists(core, lengths, seed, dtype)
    used = [lengths[k] if valid >> k & 1 else 0 for k in range(4)]
    everything = [pairs(core, refs[k], used[k], dtype) for k in range(4)]
    instr = vector("MrgSort", ub(DST, dtype), tuple(refs), lengths=tuple(lengths), valid=valid,
                   suspend=suspend, times=1)  # fmt: skip
    execute(core, instr)
    scores = np.concatenate([s for s, _ in everything])
    labels = np.concatenate([label for _, label in everything])
    order = np.argsort(-scores, kind="stable")
    if suspend:
        lists = labels[order] // 1000
        ends = [np.flatnonzero(lists == k)[-1] + 1 for k in range(4) if used[k]]
        order = order[: min(ends)]
    taken = core.registers["mrgsort"]
    assert taken == tuple(int((labels[order] // 1000 == k).sum()) for k in range(4))
    found, marks = pairs(core, ub(DST, dtype), order.size, dtype)
    assert same(found, scores[order])
    assert (marks == labels[order]).all()


def test_mrg_sort_goes_on_to_the_next_four_lists() -> None:
    core = OneCore()
    refs = sorted_lists(core, [32] * 8, 5, "float32")
    instr = vector("MrgSort", ub(DST, "float32"), tuple(refs[:4]), lengths=(32,) * 4, valid=15,
                   suspend=False, times=2)  # fmt: skip
    execute(core, instr)
    found, _ = pairs(core, ub(DST, "float32"), 256, "float32")
    assert (np.diff(found.reshape(2, 128), axis=1) <= 0).all()


@FEWER
@given(runs=st.lists(st.lists(st.integers(0, 4), max_size=6), min_size=1, max_size=4))
def test_merging_always_takes_the_largest_head(runs: list[list[int]]) -> None:
    """Also of lists that are not sorted: what a chip does with a forgotten sort."""
    heads, expected, starts = [0] * len(runs), [], np.cumsum([0, *map(len, runs)])
    for _ in range(sum(map(len, runs))):
        live = [k for k in range(len(runs)) if heads[k] < len(runs[k])]
        best = max(live, key=lambda k: (runs[k][heads[k]], -k))
        expected.append(int(starts[best]) + heads[best])
        heads[best] += 1
    assert merge_order([np.array(run, dtype=np.float32) for run in runs]).tolist() == expected
