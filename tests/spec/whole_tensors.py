"""Random instructions of the library that take whole tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import hypothesis.strategies as st

from ascend_lab.engine.instruction import Instr, Pipe, Ref
from ascend_lab.engine.semantics import norms, reductions, reordering, softmaxes
from tests.spec.one_core import OneCore, ub

PLACES = tuple(range(16384, 57344, 4096))
TMP = 57344
WIDTH = 16


def whole(
    op: str,
    sources: list[tuple[str, int]],
    results: list[tuple[str, int]],
    tmp: bool = False,
    **params: Any,
) -> Instr:
    """An instruction on (type, count) of its sources and results, each at a place of its own."""
    places = iter(PLACES)
    refs = tuple(ub(next(places), dtype) for dtype, _ in (*sources, *results[1:]))
    params |= {"reads": tuple(n for _, n in sources), "writes": tuple(n for _, n in results)}
    if tmp:
        params["tmp"] = 64
        refs += (Ref("UB", TMP, "uint8")._replace(size=64),)
    return Instr(op, Pipe.V, ub(0, results[0][0]), refs, params)


@st.composite
def softmax(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    rows, columns = draw(st.integers(0, 3)), draw(st.integers(1, WIDTH))
    count, each, tmp = rows * WIDTH, rows * 8, draw(st.booleans())
    f = "float32"
    shape: dict[str, Any] = {"rows": rows, "columns": columns}
    if op in ("SoftMaxAlone", "SimpleSoftMax"):
        statistics = [(f, each)] * 2 if op == "SimpleSoftMax" else []
        return whole(op, [(f, count), *statistics], [(f, count)], tmp, **shape)
    if op == "SoftmaxGrad":
        front = draw(st.booleans())
        result = [(f, each if front else count)]
        return whole(op, [(f, count)] * 2, result, tmp, front=front, **shape)
    update, with_max = draw(st.booleans()), draw(st.booleans()) and op != "SoftmaxFlashV3"
    before = (3 if op == "SoftmaxFlashV3" else 2) if update else 0
    after = (3 if op == "SoftmaxFlashV3" else 2) + update + with_max
    shape |= {"update": update, "with_max": with_max, "divided": op == "SoftmaxFlash"}
    shape |= {"alpha": 0.5, "parts": 4, "loops": 2}
    sources, results = [(f, count), *[(f, each)] * before], [(f, count), *[(f, each)] * after]
    return whole(op, sources, results, tmp, **shape)


@st.composite
def norm(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    rows, columns, tmp = draw(st.integers(1, 3)), draw(st.integers(1, WIDTH)), draw(st.booleans())
    count, f = rows * WIDTH, "float32"
    shape: dict[str, Any] = {"rows": rows, "columns": columns, "epsilon": 0.5}
    row, each = (f, columns), (f, rows)
    if op == "DeepNorm":
        sources = [(f, count), (f, count), row, row]
        return whole(op, sources, [(f, count), each, each], tmp, alpha=2.0, **shape)
    if op in ("LayerNormRstd", "Normalize"):
        gamma, beta = draw(st.booleans()), draw(st.booleans())
        known = [each, each] if op == "Normalize" else []
        sources = [(f, count), *known, *[row] * (gamma + beta)]
        further = [each] * draw(st.sampled_from([0, 1 if op == "Normalize" else 2]))
        shape |= {"gamma": gamma, "beta": beta, "rstd": draw(st.booleans())}
        return whole(op, sources, [(f, count), *further], tmp, **shape)
    if op == "BatchNorm":
        shape["columns"] = rows
        return whole(op, [(f, count), each, each], [(f, count), *[(f, WIDTH)] * 2], tmp, **shape)
    if op == "GroupNorm":
        shape |= {"rows": 4 * rows, "groups": 2, "channels": 4}
        per = (f, 4)
        results = [(f, 4 * count), *[(f, 2 * rows)] * 2]
        return whole(op, [(f, 4 * count), per, per], results, tmp, **shape)
    if op == "WelfordUpdate":
        sources = [(draw(st.sampled_from(["float16", f])), WIDTH), (f, WIDTH), (f, WIDTH)]
        params = {"count_of": columns, "factor": 0.25}
        return whole(op, sources, [(f, WIDTH)] * 2, tmp, **params)
    counts = [("int32", WIDTH)] * draw(st.integers(0, 1))
    params = {"head": 3, "head_length": 10, "tail": 2, "tail_length": 6}
    params |= {"factor": 1 / 42, "lanes_factor": 1 / WIDTH}
    return whole(op, [(f, WIDTH), (f, WIDTH), *counts], [(f, 1)] * 2, tmp, **params)


@st.composite
def reduction(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    rows, columns, tmp = draw(st.integers(1, 3)), draw(st.integers(1, WIDTH)), draw(st.booleans())
    count, f = rows * WIDTH, "float32"
    shape: dict[str, Any] = {"rows": rows, "columns": columns}
    if op == "Arange":
        dtype = draw(st.sampled_from(["int32", "float16"]))
        return whole(op, [], [(dtype, columns)], False, **{"from": 3.0, "step": -2.0})
    if op == "ReduceXorSum":
        return whole(op, [("int16", count)] * 2, [("int16", 1)], tmp)
    if op == "CumSum":
        further = [(f, WIDTH)] * draw(st.integers(0, 1))
        results = [(f, count), *further]
        return whole(op, [(f, count)], results, tmp, first=draw(st.booleans()), **shape)
    if op == "DropOut":
        bits = draw(st.booleans())
        sources = [(f, rows * columns), ("uint8", rows * (2 if bits else WIDTH))]
        return whole(op, sources, [(f, rows * columns)], tmp, bits=bits, keep=0.5, **shape)
    if op == "SelectBytes":
        sources = [(f, rows * columns), ("uint8", rows * WIDTH)]
        choice = {"scalar": 2.0, "swapped": draw(st.booleans())}
        return whole(op, sources, [(f, rows * columns)], tmp, **choice, **shape)
    if op == "AscendAntiQuant":
        params = shape | {"columns": WIDTH, "groups": 1, "wide": WIDTH, "offset_at": 0}
        params |= {"scale_at": 1}
        half = ("float16", WIDTH)
        return whole(op, [("int8", count), half, half], [("float16", count)], tmp, **params)
    if op == "AscendQuantRows":
        offsets = [("float16", WIDTH)] * draw(st.integers(0, 1))
        sources = [("float16", count), ("float16", WIDTH), *offsets]
        return whole(op, sources, [("int8", count)], tmp, offset=1.0)
    first = draw(st.booleans())
    return whole(op, [(f, count)], [(f, WIDTH if first else rows)], tmp, first=first, **shape)


@st.composite
def reorder(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    src, params = ub(PLACES[0], "float16"), {}
    if op in ("Pad", "UnPad"):
        params = {"shape": (draw(st.integers(0, 3)), WIDTH), "right": draw(st.integers(0, 4))}
        params |= {
            "valid": draw(st.integers(1, WIDTH)),
            "left": draw(st.integers(0, 2)),
            "value": 7,
        }
    elif op == "TransData":
        kinds = ("NDC1HWC0", "FRACTAL_Z_3D")
        kind, turned = draw(st.sampled_from(kinds)), draw(st.booleans())
        shape = (draw(st.integers(1, 2)), draw(st.integers(1, 20)), 2, 2, 3)
        params = {"kind": f"{kind}>NCDHW" if turned else f"NCDHW>{kind}", "shape": shape}
        params["plane"] = WIDTH
    else:
        kinds7 = (
            *("NZ2ND_0213", "NZ2NZ_0213", "NZ2NZ_012_WITH_N", "NZ2ND_012_WITH_N"),
            *("NZ2ND_012_WITHOUT_N", "NZ2NZ_012_WITHOUT_N", "ND2ND_ONLY"),
        )
        kind = draw(st.sampled_from(kinds7))
        shape2 = (WIDTH, 2 * WIDTH) if kind == "ND2ND_ONLY" else (1, 2, WIDTH, WIDTH)
        params = {"type": f"TRANSPOSE_{kind}", "shape": shape2}
    srcs: tuple[Ref, ...] = (src,)
    if draw(st.booleans()):
        params["tmp"] = 64
        srcs += (Ref("UB", TMP, "uint8")._replace(size=64),)
    return Instr(op, Pipe.V, ub(0, "float16"), srcs, params)


WHOLE: dict[str, Callable[[OneCore], st.SearchStrategy[Instr]]] = {
    **{op: partial(softmax, op) for op in softmaxes.OPS},
    **{op: partial(norm, op) for op in norms.OPS},
    **{op: partial(reduction, op) for op in reductions.OPS},
    **{op: partial(reorder, op) for op in reordering.OPS},
}
