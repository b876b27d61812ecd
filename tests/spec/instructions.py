"""Random instructions of every op, for properties that hold for all of them."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Pipe, Ref
from ascend_lab.engine.semantics import SEMANTICS
from tests.spec.one_core import OneCore, gm, ub
from tests.spec.rearranging import DRAWN, register_form
from tests.spec.shapes import masks, strided

SRC0, SRC1, BITS, TMP = 16384, 32768, 49152, 57344
BINARY = ("Add", "Sub", "Mul", "Max", "Min", "AddRelu", "SubRelu", "Div", "And", "Or",
          "MulAddDst", "FusedMulAdd", "MulAddRelu")  # fmt: skip
WITH_SCALAR = ("Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight", "Axpy")
BITWISE = ("And", "Or", "Not", "ShiftLeft", "ShiftRight")
CASTS = [("float32", "float16"), ("float16", "int32"), ("int32", "float32"), ("float16", "uint8")]
FUSED = {"AddReluCast": ("float32", "float16"), "SubReluCast": ("float16", "int8"),
         "MulCast": ("float16", "uint8"), "AddDeqRelu": ("int32", "float16")}  # fmt: skip
TOTAL = ("ReduceSum", "ReduceMax", "ReduceMin")
OPS = sorted(SEMANTICS)


@st.composite
def instructions(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    """One instruction ``op`` on the memories of ``core``."""
    if op in DRAWN:
        return draw(DRAWN[op](core))
    if op in ("Compare", "Select") and draw(st.integers(0, 3)) == 0:
        return draw(register_form(op, core))
    if op in ("DataCopy", "DataCopyPad"):
        return draw(copies(op, core))
    if op in ("LayerNormGrad", "LayerNormGradBeta"):
        return draw(gradients(op))
    if op == "GetValue":
        return Instr(
            op, Pipe.S, None, (draw(st.sampled_from([ub(68, "float32"), gm(core, 6, "int16")])),)
        )
    if op == "SetValue":  # in GM the core's data cache stands between: tests/engine/test_dcache.py
        ref = ub(68, "float32")
        return Instr(op, Pipe.S, ref, (), {"value": draw(st.integers(-5, 5))})
    if op in TOTAL:
        return draw(totals(op))
    if "Reduce" in op:
        return draw(groups(op))
    if op in ("Compare", "CompareScalar", "Select"):
        return draw(comparisons(op))
    return draw(lanewise(op))


@st.composite
def gradients(draw: st.DrawFn, op: str) -> Instr:
    """Small matrices whose rows have no gaps."""
    dtype = draw(st.sampled_from(["float16", "float32"]))
    places = (
        (8192, 16384, 24576) if op.endswith("Beta") else (8192, 16384, 24576, 25600, 26624, 32768)
    )
    columns = 16 * draw(st.integers(1, 3))
    params = {"rows": draw(st.integers(0, 4)), "columns": columns, "pitch": columns, "epsilon": 0.5}
    srcs = tuple(ub(place, dtype) for place in places)
    return Instr(op, Pipe.V, ub(0, dtype), srcs, params)


@st.composite
def forms(draw: st.DrawFn, itemsize: int, operands: int) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"count": draw(st.integers(0, 300))}
    return draw(strided(256 // itemsize, operands)).params()


@st.composite
def lanewise(draw: st.DrawFn, op: str) -> Instr:
    if op == "Cast":
        source, target = draw(st.sampled_from(CASTS))
    elif op in FUSED:
        source, target = FUSED[op]
    else:
        target = "int16" if op in BITWISE else draw(st.sampled_from(["float16", "float32"]))
        source = target
    sources = 2 if op in BINARY or op in FUSED else 0 if op == "Duplicate" else 1
    srcs: tuple[Ref, ...] = (ub(SRC0, source), ub(SRC1, source))[:sources]
    params = draw(forms(max(ITEMSIZE[source], ITEMSIZE[target]), 1 + sources))
    if op in WITH_SCALAR or op == "Duplicate":
        params["scalar"] = draw(st.sampled_from([1, 3, 0]))
    if op == "Cast":
        params["round"] = "CAST_RINT"
    if op == "AddDeqRelu":
        params["deq_scale"] = 0.25
    in_place = (
        draw(st.booleans()) and op not in ("Cast", *FUSED) and sources and "rep" not in params
    )
    if in_place:
        srcs = (ub(0, target), *srcs[1:])
    return Instr(op, Pipe.V, ub(0, target), srcs, params)


@st.composite
def comparisons(draw: st.DrawFn, op: str) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    params = draw(forms(ITEMSIZE[dtype], 3))
    a, b = ub(SRC0, dtype), ub(SRC1, dtype)
    if op == "Compare":
        return Instr(op, Pipe.V, ub(0, "uint8"), (a, b), params | {"mode": "LE"})
    if op == "CompareScalar":
        return Instr(op, Pipe.V, ub(0, "uint8"), (a,), params | {"mode": "GT", "scalar": 0.5})
    mode = draw(st.sampled_from([0, 1, 2]))
    bits = ub(BITS, draw(st.sampled_from(["uint8", "uint32"])))
    if mode == 1:
        return Instr(op, Pipe.V, ub(0, dtype), (bits, a), params | {"mode": 1, "scalar": 1})
    return Instr(op, Pipe.V, ub(0, dtype), (bits, a, b), params | {"mode": mode})


@st.composite
def groups(draw: st.DrawFn, op: str) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    params = {
        "mask": draw(masks(256 // DTYPES[dtype].itemsize)),
        "repeat": draw(st.integers(0, 4)),
        "dst_rep": draw(st.integers(0, 3)),
        "src_blk": draw(st.integers(0, 2)),
        "src_rep": draw(st.sampled_from([8, 0, 3, 10])),
    }
    if op in ("WholeReduceMax", "WholeReduceMin"):
        params["order"] = draw(st.integers(0, 3))
    return Instr(op, Pipe.V, ub(0, dtype), (ub(SRC0, dtype),), params)


@st.composite
def totals(draw: st.DrawFn, op: str) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    params: dict[str, Any] = {"index": draw(st.booleans())} if op != "ReduceSum" else {}
    if draw(st.booleans()):
        params["count"] = draw(st.integers(0, 1000))
        if op == "ReduceSum":
            params["tree"] = draw(st.booleans())
    else:
        params["mask"] = draw(masks(256 // DTYPES[dtype].itemsize))
        params["repeat"] = draw(st.sampled_from([0, 1, 2, 5, 70]))
        params["rep"] = (draw(st.sampled_from([8, 3])),)
    tmp = draw(st.sampled_from([ub(TMP, dtype), ub(0, dtype)]))
    return Instr(op, Pipe.V, ub(0, dtype), (ub(SRC0, dtype), tmp), params)


@st.composite
def copies(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["uint8", "float16", "float32"]))
    local, array = ub(64, dtype), gm(core, 64, dtype)
    pairs = [(local, array, Pipe.MTE2), (array, local, Pipe.MTE3)]
    if op == "DataCopy":
        pairs.append((ub(SRC0, dtype), local, Pipe.V))
    dst, src, pipe = draw(st.sampled_from(pairs))
    if op == "DataCopy" and draw(st.booleans()):
        return Instr(op, pipe, dst, (src,), {"count": draw(st.integers(0, 600))})
    params = {"block_count": draw(st.integers(0, 20)), "block_len": draw(st.integers(0, 4))}
    if op == "DataCopy":
        params |= {"src_gap": draw(st.integers(0, 2)), "dst_gap": draw(st.integers(0, 2))}
    else:
        most = 32 // ITEMSIZE[dtype]
        params["block_len"] = draw(st.integers(0, 70)) * ITEMSIZE[dtype]
        params |= {"src_stride": draw(st.integers(0, 3)), "dst_stride": draw(st.integers(0, 3))}
        params |= {"is_pad": draw(st.booleans()), "pad_value": 2}
        params |= {"left": draw(st.integers(0, most)), "right": draw(st.integers(0, most))}
    return Instr(op, pipe, dst, (src,), params)
