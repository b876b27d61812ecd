"""What a run would take if one thing were otherwise: a chip with one cost changed, or other waits.

A `Change` says how to make the chip and the kernel; whoever can launch runs it again and takes the time. The
outputs of such a run mean nothing (a dropped wait lets data be overwritten); its time does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ascend_lab.chips import ChipSpec
from ascend_lab.chips.spec import DmaCost
from ascend_lab.engine.instruction import Batch, Door, Instr, Pipe, Ref, Where

#: The pipes in the order in which a tile passes them: a flag against that order says that a buffer is free.
_WAY = {int(Pipe.MTE2): 0, int(Pipe.V): 1, int(Pipe.MTE3): 2}
#: Costs that come once for each instruction, whatever it moves or computes.
_LOADS = ("mte2_rate", "mte2_burst_rate", "hbm_rate", "l2_read_rate", "l2_core_rate")
_STORES = ("mte3_rate", "mte3_burst_rate", "l2_write_rate")
_SCALAR = ("issue", "dma_issue", "flag", "barrier", "marker", "mask", "atomic")


def _same(spec: ChipSpec) -> ChipSpec:
    return spec


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise. ``numbers`` go into the sentence about it.

    ``more_buffers``: every buffer is free one use earlier, as if there were one more of it.
    ``no_barriers``: PipeBarrier takes no effect. ``past``: [low, high) of GM that loads bring past L2.
    """

    name: str
    spec: Callable[[ChipSpec], ChipSpec] = _same
    more_buffers: bool = False
    no_barriers: bool = False
    past: tuple[tuple[int, int], ...] = ()
    numbers: Mapping[str, Any] | None = None

    @property
    def loses_data(self) -> bool:
        """Whether outputs are wrong with it."""
        return self.more_buffers or self.no_barriers

    def door(self, door: Door) -> Door:
        """``door`` with the instructions as the change has them."""
        if not (self.loses_data or self.past):
            return door
        return _ChangedDoor(door, self)


class _ChangedDoor:
    """A door that leaves out some of the waits of the kernel behind it, or hints first."""

    def __init__(self, door: Door, change: Change) -> None:
        self._door = door
        self._change = change
        self._dropped: set[tuple[int, ...]] = set()
        self._begun: set[int] = set()

    @property
    def sources(self) -> list[Where]:
        return self._door.sources

    @sources.setter
    def sources(self, found: list[Where]) -> None:
        self._door.sources = found

    def resume(self, block: int, answer: Any = None) -> Batch:
        batch = self._door.resume(block, answer)
        kept = [instr for instr in batch.instrs if self._stays(block, instr)]
        if block not in self._begun:
            self._begun.add(block)
            kept = [*map(_hint, self._change.past), *kept]
        return batch if kept == batch.instrs else batch._replace(instrs=kept)

    def close(self) -> None:
        self._door.close()

    def _stays(self, block: int, instr: Instr) -> bool:
        if instr.op == "PipeBarrier":
            return not self._change.no_barriers
        if instr.op == "SetL2CacheHint" and instr.dst is not None:
            return not any(low <= instr.dst.addr < high for low, high in self._change.past)
        if instr.op != "WaitFlag" or not self._change.more_buffers:
            return True
        params = instr.params
        src, dst = _WAY.get(params["src"], -1), _WAY.get(params["dst"], -1)
        if src <= dst or dst < 0:
            return True
        key = (block, src, dst, params["id"], params.get("queue", -1))
        if key in self._dropped:
            return True
        self._dropped.add(key)
        return False


def _hint(span: tuple[int, int]) -> Instr:
    low, high = span
    params = {"mode": "CACHE_MODE_DISABLE", "kind": "READ"}
    return Instr("SetL2CacheHint", Pipe.S, Ref("GM", low, "uint8", high - low), (), params)


# --- chips --------------------------------------------------------------------------------------------


def larger_tiles(factor: float) -> Callable[[ChipSpec], ChipSpec]:
    """Tiles ``factor`` times as large: what is paid once for each instruction is paid as often less."""

    def changed(spec: ChipSpec) -> ChipSpec:
        cost = spec.cost
        once = {name: getattr(cost.scalar, name) / factor for name in _SCALAR}
        dma = replace(
            cost.dma,
            mte2_latency_us=cost.dma.mte2_latency_us / factor,
            mte2_loaded_us=cost.dma.mte2_loaded_us / factor,
            restart_us=cost.dma.restart_us / factor,
            mte3_latency_us=cost.dma.mte3_latency_us / factor,
            l2_latency_us=cost.dma.l2_latency_us / factor,
            issue_interval_cycles=cost.dma.issue_interval_cycles / factor,
            window_bytes=max(int(cost.dma.window_bytes / factor), 1),
        )
        vector = replace(
            cost.vector,
            startup=cost.vector.startup / factor,
            after_barrier=cost.vector.after_barrier / factor,
            repeat={op: _start_less(row, factor) for op, row in cost.vector.repeat.items()},
        )
        scalar = replace(cost.scalar, **once)
        sync = replace(cost.sync, flag_hop=cost.sync.flag_hop / factor)
        return _with(spec, dma=dma, vector=vector, scalar=scalar, sync=sync)

    return changed


def _start_less(row: dict[str, float], factor: float) -> dict[str, float]:
    """A row of the table of repeats with less start-up, where it has one of its own."""
    return {**row, "startup": row["startup"] / factor} if "startup" in row else row


def without_conflicts(spec: ChipSpec) -> ChipSpec:
    """Banks that never collide."""
    vector = replace(
        spec.cost.vector, conflict_read_read=1.0, conflict_read_write=1.0, conflict_dma=0.0
    )
    return _with(spec, vector=vector)


def aligned(spec: ChipSpec) -> ChipSpec:
    """Every burst as good as one of 512 B on the grid."""
    dma = spec.cost.dma
    return _with(spec, dma=replace(dma, request_bytes=dma.line_bytes))


def own_addresses(spec: ChipSpec) -> ChipSpec:
    """No two cores at the same 512 B of GM."""
    return _with(spec, dma=replace(spec.cost.dma, same_address=1.0))


def merged_rows(rows: float) -> Callable[[ChipSpec], ChipSpec]:
    """``rows`` copies as one: a copy is started and issued as often less."""

    def changed(spec: ChipSpec) -> ChipSpec:
        dma, scalar = spec.cost.dma, spec.cost.scalar
        less = {
            name: getattr(dma, name) / rows
            for name in (
                "mte2_latency_us",
                "mte2_loaded_us",
                "l2_latency_us",
                "issue_interval_cycles",
            )
        }
        window = max(int(dma.window_bytes / rows), 1)
        return _with(
            spec,
            dma=replace(dma, window_bytes=window, **less),
            scalar=replace(scalar, dma=scalar.dma / rows, dma_issue=scalar.dma_issue / rows),
        )

    return changed


def longer_instructions(times: float) -> Callable[[ChipSpec], ChipSpec]:
    """``times`` vector instructions as one: one start-up and one issue for all of them."""

    def changed(spec: ChipSpec) -> ChipSpec:
        vector, scalar = spec.cost.vector, spec.cost.scalar
        repeat = {op: _start_less(row, times) for op, row in vector.repeat.items()}
        return _with(
            spec,
            vector=replace(
                vector, startup=vector.startup / times, drain=vector.drain / times, repeat=repeat
            ),
            scalar=replace(scalar, issue=scalar.issue / times),
        )

    return changed


def vectorised(spec: ChipSpec) -> ChipSpec:
    """Single elements at the speed of V: 4 of the 256 B it handles in a cycle."""
    scalar = spec.cost.scalar
    each = 4 / spec.limits.lanes_bytes
    return _with(spec, scalar=replace(scalar, get_value=each, set_value=each))


def faster(unit: str, factor: float = 2.0) -> Callable[[ChipSpec], ChipSpec]:
    """``unit`` ("MTE2", "MTE3", "V", "S") ``factor`` times as fast; "latency": what comes once an instruction."""

    def changed(spec: ChipSpec) -> ChipSpec:
        cost, dma = spec.cost, spec.cost.dma
        if unit == "MTE2":
            return _with(spec, dma=_rates(dma, factor, *_LOADS))
        if unit == "MTE3":
            return _with(spec, dma=_rates(dma, factor, *_STORES))
        if unit == "V":
            repeat = {
                op: {kind: cycles / factor for kind, cycles in row.items()}
                for op, row in cost.vector.repeat.items()
            }
            startup = cost.vector.startup / factor
            return _with(spec, vector=replace(cost.vector, repeat=repeat, startup=startup))
        if unit == "S":
            names = [field.name for field in fields(cost.scalar) if field.name != "dma_issue"]
            less = {name: getattr(cost.scalar, name) / factor for name in names}
            return _with(spec, scalar=replace(cost.scalar, **less))
        assert unit == "latency", unit
        return larger_tiles(factor)(spec)

    return changed


def _rates(dma: DmaCost, factor: float, *names: str) -> DmaCost:
    return replace(dma, **{name: getattr(dma, name) * factor for name in names})


def _with(spec: ChipSpec, **parts: Any) -> ChipSpec:
    return replace(spec, cost=replace(spec.cost, **parts))
