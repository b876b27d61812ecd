"""What every instruction says it touches is what it touches, and all it depends on."""

from __future__ import annotations

from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ascend_lab.engine.instruction import Instr
from ascend_lab.engine.memory import Access, Write, commit
from ascend_lab.engine.semantics import SEMANTICS, AnyFlow, Flow, Pad, Span
from ascend_lab.engine.semantics.form import FULL, Footprint, MaskState, resolve
from ascend_lab.engine.semantics.scratch import scratch_of
from tests.spec.instructions import OPS, instructions
from tests.spec.one_core import Array, OneCore, execute, pending
from tests.spec.shapes import FEWER, SEEDS

MASKS = st.sampled_from([FULL, MaskState(True, 70, 0), MaskState(False, 0xF0F0, 3)])


def draw_one(data: st.DataObject, op: str, core: OneCore, mask: MaskState) -> Instr:
    """An instruction; in Counter mode a mask is a count, and a small one."""
    instr = data.draw(instructions(op, core))
    if mask.counter and "mask" in instr.params:
        instr.params = {**instr.params, "mask": data.draw(st.sampled_from([None, 0, 64, 130]))}
    return instr


class Shadow:
    """One flag for every byte of a core's memories."""

    def __init__(self, core: OneCore) -> None:
        self.core = core
        self.flags = {
            "UB": np.zeros(core.ub.nbytes, dtype=bool),
            "GM": np.zeros(core.array.data.size, dtype=bool),
        }

    def at(self, space: str, addresses: Array | slice) -> Array:
        return self.flags[space][addresses]

    def index(self, space: str, address: int) -> int:
        return address - self.core.array.addr if space == "GM" else address

    def mark(self, accesses: tuple[Access, ...]) -> Shadow:
        for access in accesses:
            for low, high in access.region.parts:
                start = self.index(access.space, low)
                self.flags[access.space][start : start + high - low] = True
        return self

    def differs(self, other: Shadow) -> bool:
        return any((self.flags[k] != other.flags[k]).any() for k in self.flags)


def memories(core: OneCore) -> dict[str, Array]:
    return {"UB": core.ub.data, "GM": core.array.data}


def flipped(core: OneCore, writes: list[Write]) -> Shadow:
    """The bytes that ``writes`` cover, found by writing the complement of what is there."""
    shadow = Shadow(core)
    before = {k: v.copy() for k, v in memories(core).items()}
    for write in writes:
        old = np.asarray(write.target[write.index])
        raw = np.ascontiguousarray(old).view(f"u{old.dtype.itemsize}")
        write.target[write.index] = (~raw).view(old.dtype)
        for space, data in memories(core).items():
            shadow.flags[space] |= data != before[space]
            data[:] = before[space]
    return shadow


@pytest.mark.parametrize("op", OPS)
@FEWER
@given(data=st.data(), seed=SEEDS, mask=MASKS)
def test_footprint_is_exact(op: str, data: st.DataObject, seed: int, mask: MaskState) -> None:
    core, other = OneCore(), OneCore()
    core.randomise(seed)
    instr = draw_one(data, op, core, mask)
    writes, found = pending(core, instr, mask)
    for access in (*found.reads, *found.writes):
        parts = access.region.parts
        assert all(low < high for low, high in parts)
        assert all(a[1] < b[0] for a, b in pairwise(parts))
    touched = flipped(core, writes)
    assert not touched.differs(Shadow(core).mark(found.writes))

    # A second memory that agrees on the bytes read and on nothing else gives the same results.
    read = Shadow(core).mark(found.reads)
    for space, values in memories(other).items():
        values[:] = np.where(read.flags[space], memories(core)[space], ~memories(core)[space])
    before = {k: v.copy() for k, v in memories(core).items()}
    commit(writes)
    execute(other, instr, mask)
    for space, values in memories(core).items():
        written = touched.flags[space]
        assert (values[written] == memories(other)[space][written]).all()
        assert (values[~written] == before[space][~written]).all()


# --- flows -----------------------------------------------------------------------------------------


def spread(shadow: Shadow, space: str, itemsize: int, addresses: Array) -> Array:
    """Whether each element at ``addresses`` has a marked byte; -1 has none."""
    index = np.where(addresses < 0, 0, addresses + shadow.index(space, 0))
    steps = np.arange(itemsize)
    hit = shadow.at(space, index[..., None] + steps).any(axis=-1)
    return np.asarray(hit & (addresses >= 0))


def outcome(shadow: Shadow, flow: AnyFlow) -> tuple[str, int, Array, Array]:
    """(space, itemsize, destinations, whether each depends on a marked byte)."""
    if isinstance(flow, Pad):
        where = np.concatenate([np.arange(low, high) for low, high in flow.parts])
        return flow.space, 1, where, np.zeros(where.size, dtype=bool)
    lanes = flow.lanes() if isinstance(flow, Span) else flow
    hit = np.zeros(lanes.dst.size, dtype=bool)
    for position, (space, itemsize, addresses) in enumerate(lanes.srcs):
        found = spread(shadow, space, itemsize, addresses)
        anywhere = found.ndim > 1 or (lanes.kind == "table" and position > 0)
        hit |= found.any(axis=-1) if anywhere else found
    return lanes.space, lanes.itemsize, lanes.dst, hit


def propagate(shadow: Shadow, flows: tuple[AnyFlow, ...]) -> Shadow:
    """The marks after an instruction: all sources first, then destinations in order."""
    results = [outcome(shadow, flow) for flow in flows]
    after = Shadow(shadow.core)
    after.flags = {k: v.copy() for k, v in shadow.flags.items()}
    for space, itemsize, dst, hit in results:
        index = dst + shadow.index(space, 0)
        for step in range(itemsize):
            after.flags[space][index + step] = hit
    return after


def destinations(core: OneCore, flows: tuple[AnyFlow, ...]) -> Shadow:
    covered = Shadow(core)
    for flow in flows:
        space, itemsize, dst, _ = outcome(covered, flow)
        for step in range(itemsize):
            covered.flags[space][dst + covered.index(space, 0) + step] = True
    return covered


def scratch_parts(instr: Instr) -> list[tuple[int, int]]:
    """The bytes of the temporary buffer, whose content is nobody's."""
    ref = scratch_of(instr)
    return [(ref.addr, ref.addr + ref.size)] if ref is not None else []


def flows_of(instr: Instr, mask: MaskState) -> tuple[tuple[AnyFlow, ...], Footprint]:
    form = resolve(instr, mask)
    semantic = SEMANTICS[instr.op]
    return semantic.flow(instr, form), semantic.footprint(instr, form)


@pytest.mark.parametrize("op", [op for op in OPS if op != "GetValue"])
@FEWER
@given(data=st.data(), mask=MASKS)
def test_flows_cover_what_is_written(op: str, data: st.DataObject, mask: MaskState) -> None:
    core = OneCore()
    instr = draw_one(data, op, core, mask)
    flows, found = flows_of(instr, mask)
    written = Shadow(core).mark(found.writes)
    for low, high in scratch_parts(instr):
        written.flags["UB"][low:high] = False
    assert not destinations(core, flows).differs(written)
    kinds = {"lanes", "reduce", "pack", "select", "span", "pad", "table"}
    assert {flow.kind for flow in flows} <= kinds


@pytest.mark.parametrize("op", [op for op in OPS if op != "GetValue"])
@FEWER
@given(data=st.data(), seed=SEEDS, mask=MASKS)
def test_a_byte_changes_only_what_flows_from_it(
    op: str, data: st.DataObject, seed: int, mask: MaskState
) -> None:
    core, other = OneCore(), OneCore()
    core.randomise(seed)
    instr = draw_one(data, op, core, mask)
    flows, found = flows_of(instr, mask)
    if instr.op == "Select" and instr.params["mode"] == 1:
        return  # the alternative to a scalar is left out on purpose
    # Another offset of a Scatter writes another place: its flow tells of those in dst alone.
    told = found.reads[:1] if op == "Scatter" else found.reads
    bytes_read = [
        (access.space, address)
        for access in told
        for low, high in access.region.parts
        for address in (low, high - 1, (low + high) // 2)
    ]
    if not bytes_read:
        return
    space, address = data.draw(st.sampled_from(bytes_read))
    for name, values in memories(other).items():
        values[:] = memories(core)[name]
    marked = Shadow(core)
    marked.flags[space][marked.index(space, address)] = True
    memories(other)[space][marked.index(space, address)] ^= 0x41
    execute(core, instr, mask)
    execute(other, instr, mask)
    after = propagate(marked, flows)
    scratch = Shadow(core)
    if (
        op.startswith("Reduce") and len(instr.srcs) > 1
    ):  # the temporary buffer's content is nobody's
        scratch.mark(tuple(a for a in found.writes[1:]))
    for low, high in scratch_parts(instr):
        scratch.flags["UB"][low:high] = True
    for name in memories(core):
        changed = memories(core)[name] != memories(other)[name]
        assert not (changed & ~after.flags[name] & ~scratch.flags[name]).any()


def test_flow_is_exported() -> None:
    assert Flow("lanes", "UB", 4, np.zeros(0, np.int64), ()).kind == "lanes"
