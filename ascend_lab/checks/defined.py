"""Which bytes mean something, followed through every instruction in program order.

C1 never written, C6 padding in a reduction, A4 rows in slots read as packed, A3 padding in an output, G1 a
scalar of memory nobody filled. Reading such bytes is no fault: lane-wise instructions carry the state on,
and it is told when it reaches an output, a scalar, or a reduction whose result it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ascend_lab.checks.conflicts import Conflicts
from ascend_lab.checks.meaning import Meaning
from ascend_lab.checks.padding import Reductions
from ascend_lab.checks.reports import Check, Reports
from ascend_lab.checks.results import OPS, Results
from ascend_lab.checks.shadow import (
    UNWRITTEN,
    Origin,
    Origins,
    Shadow,
    Slots,
    States,
    grouped,
    worst,
)
from ascend_lab.engine.instruction import ITEMSIZE, Pipe
from ascend_lab.engine.memory import Access, Allocation
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.flow import AnyFlow, Flow, Pad, Span

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run

_S = int(Pipe.S)
_FEW = 8  # up to so many intervals, slices; beyond, addresses


class Defined(Check):
    """One shadow of UB per block, one per GM tensor that holds bytes without meaning."""

    def __init__(self, reports: Reports, conflicts: Conflicts) -> None:
        super().__init__(reports)
        self._conflicts = conflicts
        self._origins = Origins()
        self._blocks: dict[int, Shadow] = {}
        self._tensors: dict[int, Shadow] = {}
        self._zeros: dict[int, bytes] = {}
        self._nothing: dict[int, bytes] = {}
        self._told = Meaning(reports)
        self._reductions = Reductions(reports, self._origins, self._told)
        self._undefined: set[int] = set()
        self._results = Results()

    def launched(self, run: Run) -> None:
        self.gm = run.gm
        self.ub_bytes = run.spec.memory.ub_bytes
        for allocation in run.gm.allocations:
            if self.reports.is_among(allocation, run.undefined):
                self._tensors[allocation.addr] = Shadow(
                    allocation.nbytes, UNWRITTEN, allocation.addr
                )
                self._undefined.add(allocation.addr)

    # --- the fast path --------------------------------------------------------------------------------

    def wants(self, op: str) -> bool:
        return op in SEMANTICS or op in ("AllocTensor", "InitBuffer")

    def issued(self, core: Core, x: Issued) -> None:
        reads, writes = x.reads, x.writes
        if not reads and not writes:
            if x.instr.op in ("AllocTensor", "InitBuffer"):
                self._forget(x)
            elif x.instr.dst is not None and x.instr.params.get("count") == 0:
                self._told.idle[x.block, x.instr.dst.addr] = x
            return
        if x.instr.op in OPS:
            self._results.remember(x)
        shadow = self._shadow(x.block)
        data = shadow.data
        zeros = self._zeros
        clean = x.instr.op != "DataCopyPad" or not self._pads(x)
        for access in reads:
            if access.space == "GM":
                if self._tensors or clean:
                    clean = self._gm_clean(access) and clean
                continue
            for low, high in access.region.parts:
                zero = zeros.get(high - low) or self._zero(high - low)
                if data[low:high] != zero:
                    clean = False
                    break
        if clean:
            for access in writes:
                if access.space == "GM":
                    if self._tensors and not x.atomic:
                        self._gm_written(access)
                    continue
                for low, high in access.region.parts:
                    if low >= 0 and high <= self.ub_bytes:  # a stray SetValue is B5, not ours
                        data[low:high] = zeros.get(high - low) or self._zero(high - low)
        else:
            self._follow(core, x, shadow)

    def started(self, core: Core, x: Issued) -> None:
        if self._reductions.pending:
            self._reductions.started(core, x)

    def never_written(self, block: int, low: int, high: int) -> bool:
        """Whether no byte of [low, high) of UB has been written since it was handed out."""
        states = self._shadow(block).slice(low, high)
        return bool(states.size) and bool((states == UNWRITTEN).all())

    def all_written(self, block: int, low: int, high: int) -> bool:
        """Whether every byte of [low, high) of UB has been written and means something."""
        states = self._shadow(block).slice(low, high)
        return bool(states.size) and not states.any()

    def _shadow(self, block: int) -> Shadow:
        found = self._blocks.get(block)
        if found is None:
            found = self._blocks[block] = Shadow(self.ub_bytes, UNWRITTEN)
        return found

    def _zero(self, nbytes: int) -> bytes:
        found = self._zeros[nbytes] = bytes(max(nbytes, 0))
        return found

    def _pads(self, x: Issued) -> bool:
        """Whether a load leaves filler in UB."""
        params, dst = x.instr.params, x.instr.dst
        if dst is None or dst.space == "GM":
            return False
        return bool(params["block_len"] % 32 or params.get("left") or params.get("right"))

    def _gm_clean(self, access: Access) -> bool:
        """Whether all bytes exist and mean something."""
        low, high = access.region.low, access.region.high
        found = self.gm.locate(low)
        if found is None or high > found.end:
            return False
        shadow = self._tensors.get(found.addr)
        return shadow is None or not any(shadow.slice(a, b).any() for a, b in access.region.parts)

    def _gm_written(self, access: Access) -> None:
        found = self.gm.locate(access.region.low)
        shadow = self._tensors.get(found.addr) if found is not None else None
        if shadow is not None:
            for low, high in access.region.parts:
                shadow.slice(low, high)[:] = 0

    def _forget(self, x: Issued) -> None:
        """AllocTensor and InitBuffer hand out bytes that mean nothing."""
        shadow = self._shadow(x.block)
        if x.instr.op == "InitBuffer":
            params = x.instr.params
            spans = [(params["addr"], params["addr"] + params["num"] * params["len"])]
        else:
            ref = x.instr.dst
            buffer = self.reports.buffer(x.block, ref) if ref is not None else None
            spans = [(buffer.low, buffer.high)] if buffer is not None else []
        for low, high in spans:
            end = min(high, self.ub_bytes)
            self._results.forget(x.block, low, end)
            if 0 <= low < end:  # InitBuffer takes negative numbers too
                nothing = self._nothing.get(end - low)
                if nothing is None:
                    nothing = self._nothing[end - low] = b"\x01" * (end - low)
                shadow.data[low:end] = nothing

    # --- the slow path -----------------------------------------------------------------------------------

    def _follow(self, core: Core, x: Issued, shadow: Shadow) -> None:
        """States of the sources become states of the destinations."""
        if x.pipe == _S:
            self._scalar(x, shadow)
            return
        flows = SEMANTICS[x.instr.op].flow(x.instr, x.form)
        results = [self._result(x, flow, shadow) for flow in flows]
        for flow, states in zip(flows, results, strict=True):
            self._apply(x, flow, states, shadow)

    def _result(self, x: Issued, flow: AnyFlow, shadow: Shadow) -> States:
        if isinstance(flow, Pad):
            return np.full(1, self._pad_code(x), dtype=np.uint8)
        if isinstance(flow, Span):
            return self._span(x, flow, shadow)
        found = [
            self._consumed(x, position, self._memory(space, shadow, addresses), addresses, size)
            for position, (space, size, addresses) in enumerate(flow.srcs, 1)
        ]
        if flow.kind == "reduce":
            self._reductions.meet(x, flow, found)
            return np.zeros(flow.dst.size, dtype=np.uint8)
        if flow.kind == "pack":
            # A byte holds eight lanes: it is bad only when all of them are.
            states = worst(found)
            result: States = np.where((states != 0).all(axis=-1), states.max(axis=-1), 0)
            return result.astype(np.uint8)
        if flow.kind == "select":
            rest = found[1]
            for more in found[2:]:
                rest = np.where((rest != 0) & (more != 0), rest, 0)
            return worst([found[0], rest.astype(np.uint8)])
        if flow.kind == "table":
            whole = [row.max(initial=0) if row.all() else 0 for row in found[1:]]
            return np.maximum(found[0], np.uint8(max(whole, default=0)))
        return worst(found) if found else np.zeros(flow.dst.size, dtype=np.uint8)

    def _span(self, x: Issued, flow: Span, shadow: Shadow) -> States:
        elements = flow.size
        if not flow.srcs:
            return np.zeros(elements, dtype=np.uint8)
        found = []
        for position, (space, size, low) in enumerate(flow.srcs, 1):
            high = low + elements * size
            memory = self._memory(space, shadow, low)
            states = np.zeros(elements, dtype=np.uint8)
            if memory is not None:
                part = grouped(memory.slice(low, high), size)
                states[: part.size] = part
            if space == "GM":
                self._beyond(x, low, states, size)
            found.append(self._named(x, position, memory, low, high, states, size))
        return worst(found)

    def _consumed(
        self, x: Issued, position: int, memory: Shadow | None, addresses: Any, size: int
    ) -> States:
        if memory is None:
            return np.zeros(addresses.shape, dtype=np.uint8)
        states = memory.at(addresses, size)
        flat = addresses[addresses >= 0]
        low = int(flat.min()) if flat.size else 0
        high = int(flat.max()) + size if flat.size else 0
        return self._named(x, position, memory, low, high, states, size)

    def _memory(self, space: str, shadow: Shadow, addresses: Any) -> Shadow | None:
        if space != "GM":
            return shadow
        low = int(np.min(addresses)) if not isinstance(addresses, int) else addresses
        found = self.gm.locate(low)
        return self._tensors.get(found.addr) if found is not None else None

    def _beyond(self, x: Issued, low: int, states: States, size: int) -> None:
        """Elements of a load that lie past the end of the tensor."""
        found = self.gm.locate(low)
        end = found.end if found is not None else low
        first = max((end - low) // size, 0)
        if first < states.size:
            states[first:] = self._origins.code(Origin("beyond", x.instr.where, x))

    def _named(
        self,
        x: Issued,
        position: int,
        memory: Shadow | None,
        low: int,
        high: int,
        states: States,
        size: int,
    ) -> States:
        """Give bytes the origin that the first instruction to use them makes it."""
        if not states.any():
            return states
        bare = states == UNWRITTEN
        if bare.any():
            nbytes = int(bare.sum()) * size
            in_gm = memory is not None and memory.base in self._undefined
            rest = self._results.beside(x, low, bare, size)
            kind = "gm" if in_gm else "rest" if rest else "unwritten"
            if not (in_gm and x.instr.op in ("DataCopy", "DataCopyPad")):
                origin = Origin(kind, x.instr.where, x, position, nbytes=nbytes)
            else:
                origin = Origin("gm", x.instr.where, x, 1, nbytes=nbytes)
            states = np.where(bare, np.uint8(self._origins.code(origin)), states)
        return self._packed(x, position, memory, low, high, states)

    def _packed(
        self, x: Issued, position: int, memory: Shadow | None, low: int, high: int, states: States
    ) -> States:
        """Rows in slots that are read in one run as long as the rows without their gaps."""
        for code in np.unique(states).tolist():
            origin = self._origins[code]
            if origin is None or origin.slots is None or origin.kind not in ("pad", "fill"):
                continue
            slots = origin.slots
            short = slots.packed <= high - low <= -(-slots.packed // 32) * 32
            if slots.rows < 2 or not short or memory is None or memory.base:
                continue
            first_gap = memory.slice(low + slots.row, low + slots.row + 1)
            if first_gap.size and first_gap[0] == code:
                packed = Origin("packed", x.instr.where, x, position, slots, origin.where)
                states = np.where(states == code, np.uint8(self._origins.code(packed)), states)
        return states

    def _pad_code(self, x: Issued) -> int:
        params, dst = x.instr.params, x.instr.dst
        assert dst is not None
        size = ITEMSIZE[dst.dtype]
        left, right = params.get("left", 0) * size, params.get("right", 0) * size
        length = params["block_len"]
        slots = Slots(params["block_count"], length, -(-(left + length + right) // 32) * 32)
        chosen = bool(left or right) and (params.get("is_pad") or x.pad_value is not None)
        kind = "fill" if chosen else "pad"
        return self._origins.code(Origin(kind, x.instr.where, x, slots=slots))

    # --- results -----------------------------------------------------------------------------------------

    def _apply(self, x: Issued, flow: AnyFlow, states: States, shadow: Shadow) -> None:
        if isinstance(flow, Pad):
            for low, high in flow.parts:
                shadow.slice(low, high)[:] = states[0]
            return
        target = shadow
        if flow.space == "GM":
            found = self._output(flow, states)
            if found is None:
                return
            target = found
        if isinstance(flow, Span):
            part = target.slice(flow.low, flow.low + states.size * flow.itemsize)
            spread = states if flow.itemsize == 1 else np.repeat(states, flow.itemsize)
            self._store(x, part, spread[: part.size])
        else:
            target.put(flow.dst, flow.itemsize, states)

    def _store(self, x: Issued, part: States, states: States) -> None:
        if x.atomic:
            np.maximum(part, states, out=part)
        else:
            part[:] = states

    def _output(self, flow: Span | Flow, states: States) -> Shadow | None:
        """The shadow of the tensor that is stored to; none is made for clean bytes."""
        low = flow.low if isinstance(flow, Span) else int(flow.dst.min())
        found = self.gm.locate(low)
        if found is None:
            return None
        shadow = self._tensors.get(found.addr)
        if shadow is None and states.any():
            shadow = self._tensors[found.addr] = Shadow(found.nbytes, 0, found.addr)
        return shadow

    def _scalar(self, x: Issued, shadow: Shadow) -> None:
        """GetValue: the scalar unit decides by what it reads."""
        if not x.reads:
            return
        access = x.reads[0]
        low, high = access.region.low, access.region.high
        memory = self._memory(access.space, shadow, low)
        if memory is None:
            return
        code = int(memory.slice(low, high).max(initial=0))
        if code == UNWRITTEN and access.space == "GM":
            self._told.tiling(x, low)
        elif code:
            self._told.scalar(x, self._origins[code])

    # --- the end -------------------------------------------------------------------------------------------

    def finished(self, run: Run) -> None:
        """What is left in the outputs."""
        for allocation in run.gm.allocations:
            shadow = self._tensors.get(allocation.addr)
            if shadow is None or not shadow.array.any():
                continue
            declared = self.reports.is_among(allocation, run.outputs or ())
            if declared or (run.outputs is None and not self._is_workspace(allocation)):
                self._reached(allocation, shadow, declared)

    def _is_workspace(self, allocation: Allocation) -> bool:
        """The kernel reads back what it wrote: what is in there is not what anybody looks at."""
        tensor = self._conflicts.tensors.get(allocation.addr)
        return tensor is None or not tensor.written or tensor.read_back

    def _reached(self, allocation: Allocation, shadow: Shadow, declared: bool) -> None:
        name = self.reports.array_name(allocation)
        for code in np.unique(shadow.array).tolist():
            origin = self._origins[code]
            if origin is None:
                continue
            if origin.kind == "packed":
                self._told.packed(origin, name)
            elif origin.kind == "rest" and not declared:
                self._told.rest(origin, name)
            elif origin.kind in ("unwritten", "gm", "rest"):
                self._told.unwritten(origin, name)
            elif origin.kind in ("pad", "beyond") and declared:
                index = np.flatnonzero(shadow.array == code)
                store = self._last_store(allocation, allocation.addr + int(index[0]))
                first = int(index[0]) // ITEMSIZE[allocation.dtype]
                self._told.padding(origin, store or origin.x, name, int(index.size), first)

    def _last_store(self, allocation: Allocation, addr: int) -> Issued | None:
        tensor = self._conflicts.tensors.get(allocation.addr)
        return None if tensor is None else tensor.last_writer(addr)
