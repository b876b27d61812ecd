"""Random instructions that move, choose or sort elements, with their offsets and patterns in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import hypothesis.strategies as st
import numpy as np

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Pipe, Ref
from ascend_lab.engine.semantics import library, rows
from tests.spec.one_core import OneCore, ub
from tests.spec.shapes import masks
from tests.spec.whole_tensors import WHOLE

SRC, OTHER, THIRD, TMP = 16384, 32768, 40960, 57344
TABLE = 600  # elements of a tensor that offsets choose from


def sized(addr: int, dtype: str, size: int) -> Ref:
    """A tensor of declared length."""
    return ub(addr, dtype)._replace(size=size)


def put_offsets(core: OneCore, addr: int, count: int, most: int, step: int, seed: int) -> None:
    """``count`` offsets below ``most``, multiples of ``step``."""
    rng = np.random.default_rng(seed)
    offsets = rng.integers(0, most // step, count, dtype=np.uint32) * np.uint32(step)
    core.put(ub(addr, "uint32"), offsets)


@st.composite
def indexed(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["float16", "uint32"]))
    size = ITEMSIZE[dtype]
    put_offsets(core, OTHER, 1024, (TABLE - 4) * size, size, draw(st.integers(0, 9)))
    params: dict[str, Any] = {"base": draw(st.sampled_from([0, 2])) * size}
    if draw(st.booleans()):
        params["count"] = draw(st.integers(0, 300))
    else:
        stride = draw(st.sampled_from([8, 3, 10]))
        rep = (stride,) if op == "Gather" else (8, stride)
        params |= {"mask": draw(masks(256 // size)), "repeat": draw(st.integers(0, 4)), "rep": rep}
    moving = sized(SRC, dtype, TABLE)
    other = ub(0, dtype)
    dst, src = (other, moving) if op == "Gather" else (moving, other)
    return Instr(op, Pipe.V, dst, (src, sized(OTHER, "uint32", 1024)), params)


@st.composite
def gather_blocks(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["uint16", "uint32"]))
    put_offsets(core, OTHER, 64, 4096, 32, draw(st.integers(0, 9)))
    params = {
        "times": draw(st.integers(0, 4)),
        "blk": (draw(st.integers(0, 2)),),
        "rep": (draw(st.sampled_from([8, 3, 16])),),
    }
    src = sized(SRC, dtype, 4096 // ITEMSIZE[dtype])
    return Instr("Gatherb", Pipe.V, ub(0, dtype), (src, ub(OTHER, "uint32")), params)


@st.composite
def interpolation(draw: st.DrawFn, core: OneCore) -> Instr:
    put_offsets(core, OTHER, 128, 4096, 32, draw(st.integers(0, 9)))
    params = {
        "lanes": draw(masks(128)),
        "vertical": draw(st.integers(0, 3)),
        "horizontal": draw(st.integers(0, 3)),
        "per_block": draw(st.booleans()),
        "dst_blk": draw(st.integers(1, 2)),
        "offset": draw(st.sampled_from([128, 256, 300])),
        "tmp": 64,
    }
    srcs = (sized(SRC, "float16", 2048), ub(OTHER, "uint32"), ub(THIRD, "float16"))
    srcs += (sized(TMP, "uint8", 128),)
    return Instr("BilinearInterpolation", Pipe.V, ub(0, "float16"), srcs, params)


@st.composite
def gather_mask(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["float16", "int32"]))
    counter = draw(st.booleans())
    params = {
        "pattern": draw(st.integers(0, 7)),
        "counter": counter,
        "elements": draw(st.integers(1, 150)) if counter else 0,
        "total": counter and draw(st.booleans()),
        "times": draw(st.integers(0, 3)),
        "src_blk": draw(st.integers(0, 2)),
        "src_rep": draw(st.sampled_from([8, 0, 5])),
        "pattern_rep": draw(st.integers(0, 1)),
    }
    srcs: tuple[Ref, ...] = (ub(SRC, dtype),)
    if params["pattern"] == 0:
        srcs += (ub(OTHER, f"uint{ITEMSIZE[dtype] * 8}"),)
    return Instr("GatherMask", Pipe.V, sized(0, dtype, 1024), srcs, params)


@st.composite
def brcb(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["bfloat16", "int32"]))
    params = {
        "times": draw(st.integers(0, 3)),
        "blk": (draw(st.integers(0, 2)),),
        "rep": (draw(st.sampled_from([8, 16, 4])),),
    }
    return Instr("Brcb", Pipe.V, ub(0, dtype), (ub(SRC, dtype),), params)


@st.composite
def vec_index(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["int16", "float16", "float32"]))
    params: dict[str, Any] = {"scalar": draw(st.integers(-5, 500))}
    if draw(st.booleans()):
        params["count"] = draw(st.integers(0, 300))
    else:
        lanes = 256 // ITEMSIZE[dtype]
        params |= {"mask": draw(masks(lanes)), "repeat": draw(st.integers(0, 3))}
        params |= {"blk": (draw(st.integers(1, 2)),), "rep": (draw(st.sampled_from([8, 16])),)}
    return Instr("CreateVecIndex", Pipe.V, ub(0, dtype), (), params)


@st.composite
def transpose(draw: st.DrawFn, core: OneCore) -> Instr:
    kind = draw(st.sampled_from(["", "TRANSPOSE_NCHW2NHWC", "TRANSPOSE_NHWC2NCHW"]))
    params: dict[str, Any] = {"type": kind}
    srcs: tuple[Ref, ...] = (ub(SRC, "float16"),)
    if kind:
        params["shape"] = tuple(draw(st.integers(0, 5)) for _ in range(4))
    if draw(st.booleans()):
        params["tmp"] = 512
        srcs += (sized(TMP, "uint8", 512),)
    return Instr("Transpose", Pipe.V, ub(0, "float16"), srcs, params)


@st.composite
def trans_data(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["uint8", "float16", "float32"]))
    step = draw(st.sampled_from([32, 64]))
    params = {
        "dst_list": tuple(range(0, 16 * step, step)),
        "src_list": tuple(range(SRC, SRC + 16 * 96, 96)),
        "times": draw(st.integers(0, 3)),
        "rep": (draw(st.sampled_from([0, 16, 32])), draw(st.integers(0, 2))),
        "dst_high": draw(st.booleans()),
        "src_high": draw(st.booleans()),
    }
    return Instr("TransDataTo5HD", Pipe.V, ub(0, dtype), (ub(SRC, dtype),), params)


@st.composite
def sort32(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    srcs = (ub(SRC, dtype), ub(OTHER, "uint32"))
    return Instr("Sort32", Pipe.V, ub(0, dtype), srcs, {"times": draw(st.integers(0, 3))})


@st.composite
def mrg_sort(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    valid = draw(st.sampled_from([3, 7, 15]))
    times = draw(st.integers(0, 2)) if valid == 15 else 1
    lengths = (draw(st.integers(1, 20)),) * 4
    if times < 2:
        lengths = tuple(draw(st.integers(0, 20)) for _ in range(4))
    starts = np.cumsum([0, *lengths[:3]]) * 8 + SRC
    params = {
        "lengths": lengths,
        "valid": valid,
        "suspend": times < 2 and draw(st.booleans()),
        "times": times,
    }
    srcs = tuple(ub(int(start), dtype) for start in starts[: valid.bit_length()])
    return Instr("MrgSort", Pipe.V, ub(0, dtype), srcs, params)


@st.composite
def cast_dequant(draw: st.DrawFn, core: OneCore) -> Instr:
    source, target = draw(st.sampled_from([("int16", "int8"), ("int32", "float16")]))
    lanes = 256 // ITEMSIZE[source]
    params: dict[str, Any] = {"deq_scale": 0.5, "offset": 3, "half": draw(st.booleans())}
    srcs: tuple[Ref, ...] = (ub(SRC, source),)
    if source == "int16" and draw(st.booleans()):
        params["vector"] = True
        srcs += (ub(OTHER, "uint64"),)
    if draw(st.booleans()):
        params["count"] = draw(st.integers(0, 300))
    else:
        params |= {"mask": draw(masks(lanes)), "repeat": draw(st.integers(0, 3))}
        params |= {"blk": (1, draw(st.integers(0, 2))), "rep": (8, draw(st.sampled_from([8, 3])))}
    return Instr("CastDequant", Pipe.V, ub(0, target), srcs, params)


def cmp_mask(op: str) -> st.SearchStrategy[Instr]:
    if op == "GetCmpMask":
        return st.just(Instr(op, Pipe.V, ub(0, "uint8")))
    return st.just(Instr(op, Pipe.V, None, (ub(SRC, "uint8"),)))


@st.composite
def register_form(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    """Compare into the register, Select out of it."""
    dtype = draw(st.sampled_from(["float16", "float32"]))
    mask = draw(masks(256 // DTYPES[dtype].itemsize))
    blk, rep = (1, draw(st.integers(0, 2)), 1), (8, 8, draw(st.sampled_from([8, 0])))
    params: dict[str, Any] = {"mask": mask, "blk": blk, "rep": rep}
    srcs = (ub(SRC, dtype), ub(OTHER, dtype))
    if op == "Compare":
        return Instr(op, Pipe.V, None, srcs, params | {"mode": "LE"})
    params |= {"repeat": draw(st.integers(0, 3)), "mode": 0, "cmpmask": True}
    return Instr(op, Pipe.V, ub(0, dtype), srcs, params)


_WITH_SCALAR = ("Swish", "AxpyLibrary", "ClampMax", "ClampMin", "SwiGLU")
_OF_TWO = ("Xor", "GeGLU", "ReGlu", "SwiGLU", "Fmod")
LIBRARY = sorted(library.OPS)
ROWS = sorted(rows.OPS)


@st.composite
def library_call(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    """An element-wise function of the library."""
    dtype = "int16" if op == "Xor" else draw(st.sampled_from(["float16", "float32"]))
    scalar = op in _WITH_SCALAR or (op == "Power" and draw(st.booleans()))
    sources = 2 if op in _OF_TWO or (op == "Power" and not scalar) else 1
    params: dict[str, Any] = {"count": draw(st.integers(0, 100))}
    if scalar:
        params["scalar"] = 1.5
    srcs: tuple[Ref, ...] = (ub(SRC, dtype), ub(OTHER, dtype))[:sources]
    if draw(st.booleans()):
        params["tmp"] = 256
        srcs += (sized(TMP, "uint8", 256),)
    return Instr(op, Pipe.V, ub(0, dtype), srcs, params)


@st.composite
def row_wise(draw: st.DrawFn, op: str, core: OneCore) -> Instr:
    """A function of the library on rows."""
    dtype = draw(st.sampled_from(["float16", "float32"]))
    results = rows.OPS[op].results  # type: ignore[attr-defined]
    columns = draw(st.integers(0, 40))
    params: dict[str, Any] = {"rows": draw(st.integers(0, 5)), "columns": columns, "epsilon": 0.1}
    if draw(st.booleans()):
        params["pitch"] = columns + draw(st.integers(0, 8))
    places = iter((OTHER, THIRD, 45056, 49152))
    extra = tuple(ub(next(places), dtype) for _ in range(results.vectors + results.further))
    srcs = (ub(SRC, dtype), *extra)
    if draw(st.booleans()):
        params["tmp"] = 256
        srcs += (sized(TMP, "uint8", 256),)
    return Instr(op, Pipe.V, ub(0, dtype), srcs, params)


@st.composite
def quant(draw: st.DrawFn, core: OneCore) -> Instr:
    dtype = draw(st.sampled_from(["float16", "float32"]))
    params = {"count": draw(st.integers(0, 100)), "scale": 2.0, "offset": 0.5, "tmp": 512}
    srcs = (ub(SRC, dtype), sized(TMP, "uint8", 512))
    return Instr("AscendQuant", Pipe.V, ub(0, "int8"), srcs, params)


@st.composite
def dequant(draw: st.DrawFn, core: OneCore) -> Instr:
    columns = draw(st.integers(1, 20))
    params: dict[str, Any] = {"rows": draw(st.integers(0, 4)), "columns": columns}
    params["calc"] = draw(st.integers(0, columns))
    srcs: tuple[Ref, ...] = (ub(SRC, "int32"),)
    if draw(st.booleans()):
        srcs += (ub(OTHER, "float32"),)
    else:
        params["scalar"] = 0.5
    return Instr(
        "AscendDequant", Pipe.V, ub(0, draw(st.sampled_from(["float16", "float32"]))), srcs, params
    )


@st.composite
def broadcast(draw: st.DrawFn, core: OneCore) -> Instr:
    shape = tuple(draw(st.lists(st.integers(1, 12), min_size=1, max_size=2)))
    axis = draw(st.integers(0, len(shape) - 1))
    source = tuple(1 if k == axis else size for k, size in enumerate(shape))
    params = {"dst_shape": shape, "src_shape": source}
    return Instr("Broadcast", Pipe.V, ub(0, "float16"), (ub(SRC, "float16"),), params)


DRAWN: dict[str, Callable[[OneCore], st.SearchStrategy[Instr]]] = {
    "Gather": lambda core: indexed("Gather", core),
    "Scatter": lambda core: indexed("Scatter", core),
    "Gatherb": gather_blocks,
    "BilinearInterpolation": interpolation,
    "GatherMask": gather_mask,
    "Brcb": brcb,
    "CreateVecIndex": vec_index,
    "Transpose": transpose,
    "TransDataTo5HD": trans_data,
    "Sort32": sort32,
    "MrgSort": mrg_sort,
    "CastDequant": cast_dequant,
    "GetCmpMask": lambda core: cmp_mask("GetCmpMask"),
    "SetCmpMask": lambda core: cmp_mask("SetCmpMask"),
    "AscendQuant": quant,
    "AscendDequant": dequant,
    "Broadcast": broadcast,
    **WHOLE,
    **{op: partial(library_call, op) for op in LIBRARY},
    **{op: partial(row_wise, op) for op in ROWS},
}
