"""One instruction on one core's memories, without clock or pipes: what the spec tests run."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.dcache import DCache
from ascend_lab.engine.instruction import DTYPES, Instr, Pipe, Ref
from ascend_lab.engine.memory import Access, GlobalMemory, LocalMemory, Write, commit
from ascend_lab.engine.semantics import DYNAMIC, SEMANTICS
from ascend_lab.engine.semantics.form import FULL, Footprint, Form, MaskState, resolve

Array = NDArray[Any]
UB_BYTES = 1 << 16
GM_BYTES = 1 << 14
BF16 = np.dtype(ml_dtypes.bfloat16)


class OneCore:
    """A small UB and one GM allocation."""

    def __init__(self) -> None:
        self.ub = LocalMemory("UB", UB_BYTES)
        self.gm = GlobalMemory(1 << 20)
        self.array = self.gm.alloc("x", GM_BYTES)
        self.registers: dict[str, Any] = {}
        self.dcache = DCache(self.gm)

    def local(self, space: str) -> LocalMemory:
        assert space == "UB"
        return self.ub

    def elements(self, ref: Ref, count: int) -> Array:
        """A copy of ``count`` elements from ``ref`` on."""
        nbytes = count * DTYPES[ref.dtype].itemsize
        if ref.space == "GM":
            return self.gm.read(ref.addr, nbytes).view(DTYPES[ref.dtype])
        return self.ub.data[ref.addr : ref.addr + nbytes].copy().view(DTYPES[ref.dtype])

    def put(self, ref: Ref, values: Array) -> None:
        """Place ``values`` (of the type of ``ref``) in memory."""
        raw = np.ascontiguousarray(values, dtype=DTYPES[ref.dtype]).view(np.uint8).reshape(-1)
        target = self.array.data if ref.space == "GM" else self.ub.data
        base = self.array.addr if ref.space == "GM" else 0
        target[ref.addr - base : ref.addr - base + raw.size] = raw

    def randomise(self, seed: int) -> None:
        """Random bytes everywhere."""
        rng = np.random.default_rng(seed)
        self.ub.data[:] = rng.integers(0, 256, self.ub.nbytes, dtype=np.uint8)
        self.array.data[:] = rng.integers(0, 256, self.array.data.size, dtype=np.uint8)


class Issue:
    """What evaluate needs of an Issued."""

    def __init__(
        self, instr: Instr, form: Form, atomic: str = "", dtype: str = "", pad: Any = None
    ) -> None:
        self.instr = instr
        self.form = form
        self.atomic = atomic
        self.atomic_dtype = dtype
        self.pad_value = pad
        self.reads: tuple[Access, ...] = ()
        self.writes: tuple[Access, ...] = ()


def ub(addr: int, dtype: str) -> Ref:
    return Ref("UB", addr, dtype)


def gm(core: OneCore, offset: int, dtype: str) -> Ref:
    return Ref("GM", core.array.addr + offset, dtype)


def vector(op: str, dst: Ref, srcs: tuple[Ref, ...], **params: Any) -> Instr:
    return Instr(op, Pipe.V, dst, srcs, params)


def pending(
    core: OneCore, instr: Instr, mask: MaskState = FULL, **issue: Any
) -> tuple[list[Write], Footprint]:
    """(the writes to come, the footprint)."""
    form = resolve(instr, mask)
    semantic = SEMANTICS[instr.op]
    found = semantic.footprint(instr, form)
    if instr.op in DYNAMIC:
        found = DYNAMIC[instr.op].touched(instr, form, core)  # type: ignore[arg-type]
    x = Issue(instr, form, **issue)
    x.reads, x.writes = found.reads, found.writes
    return semantic.evaluate(x, core), found  # type: ignore[arg-type]


def execute(core: OneCore, instr: Instr, mask: MaskState = FULL, **issue: Any) -> Footprint:
    """Evaluate and commit; returns the footprint."""
    writes, found = pending(core, instr, mask, **issue)
    commit(writes)
    return found


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, np.inf, -np.inf, np.nan, 65504.0, -65504.0, 1e-7, 3e38]


def numbers(seed: int, count: int, dtype: str, special: float = 0.1) -> Array:
    """Random elements of ``dtype``; a share of the floats are special values."""
    rng = np.random.default_rng(seed)
    kind = DTYPES[dtype]
    if kind.kind in "iu":
        info = np.iinfo(kind)
        wide = rng.integers(info.min, info.max, count, dtype=kind, endpoint=True)
        near = rng.integers(0, 10, count).astype(kind)
        return np.where(rng.random(count) < 0.5, wide, near)
    values = rng.standard_normal(count) * 10.0 ** rng.integers(-3, 4, count)
    chosen = rng.random(count) < special
    values[chosen] = rng.choice(SPECIAL, int(chosen.sum()))
    with np.errstate(all="ignore"):
        return values.astype(kind)


def same(a: Array, b: Array) -> bool:
    """Equal bits, but one NaN is as good as another."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "iu":
        return bool((a == b).all())
    with np.errstate(invalid="ignore"):  # a signalling NaN
        nan_a, nan_b = np.isnan(a.astype(np.float64)), np.isnan(b.astype(np.float64))
    word = f"u{a.dtype.itemsize}"
    return bool(((a.view(word) == b.view(word)) | (nan_a & nan_b)).all())
