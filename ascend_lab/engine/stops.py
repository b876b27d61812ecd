"""Instructions at which the scalar unit stops: reading registers, waiting for blocks, caches, printing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ascend_lab.engine.crossing import DRAINED
from ascend_lab.engine.dump import dumped
from ascend_lab.engine.instruction import Pipe
from ascend_lab.engine.issued import Issued, Wait
from ascend_lab.engine.semantics.gather_mask import RSVD
from ascend_lab.engine.semantics.reduce_total import SUM
from ascend_lab.engine.semantics.sorting import MERGED
from ascend_lab.engine.state import l2_hint

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core

#: What is asked -> (who leaves it, in which register, what it is when nothing was left).
_REGISTERS: dict[str, tuple[str, str, Any]] = {
    "GetRsvdCnt": ("GatherMask", RSVD, 0),
    "GetMrgSortResult": ("MrgSort", MERGED, (0, 0, 0, 0)),
    "GetReduceRepeatSumSpr": ("ReduceSum", SUM, 0.0),
}


def _register(core: Core, x: Issued) -> None:
    """The last instruction that leaves the register something must be complete."""
    writer = _REGISTERS[x.instr.op][0]
    found = [y for y in core.outstanding() if y.instr.op == writer]
    if found:
        last = max(found, key=lambda y: y.serial)
        core.when_done(last, x, lambda x: _register(core, x), auto=False)
        return
    core.run.clock.at(core.s_time, lambda x: _read(core, x), x)
    core.s_wait = Wait(core.index, core.block, Pipe.S, "value", x)


def _read(core: Core, x: Issued) -> None:
    _, name, missing = _REGISTERS[x.instr.op]
    x.start = core.run.clock.now
    for watch in core.run.on_started:
        watch(core, x)
    x.end = x.start + core.run.issue_cost[x.instr.op]
    core.answer = core.registers.get(name, missing)
    core.finish_on_s(x)
    core.again(x.end)


def _cross(core: Core, x: Issued) -> None:
    reached = DRAINED[x.instr.op]
    core.drain_then(x, lambda x: reached(core.run.crossing, core, x))


def _cross_core_wait(core: Core, x: Issued) -> None:
    """What was issued before goes on; only the scalar unit stops."""
    core.run.clock.at(core.s_time, lambda x: core.run.crossing.wait_flag(core, x), x)
    core.s_wait = Wait(core.index, core.block, Pipe.S, "cross", x)


def _dump(core: Core, x: Issued) -> None:
    core.drain_then(x, lambda x: _print(core, x))


def _l2_hint(core: Core, x: Issued) -> None:
    """The first hint of a block that is not NORMAL reads from GM where the way past L2 lies."""
    l2_hint(core, x.instr)
    x.start = x.issue
    x.end = x.issue + core.run.issue_cost[x.instr.op]
    if x.instr.params["mode"] != "CACHE_MODE_NORMAL" and not core.knows_way_past_l2:
        core.knows_way_past_l2 = True
        x.end += core.run.hint_cycles
    core.s_time = x.end
    core.run.record(x)


def _print(core: Core, x: Issued) -> None:
    core.run.printed.append(dumped(x.instr, core))
    x.start = x.issue
    x.end = max(core.s_time, core.run.clock.now) + core.run.issue_cost["Printf"]
    x.done = True
    core.run.record(x)
    core.again(x.end)


def _clean(core: Core, x: Issued) -> None:
    """Write back and drop lines of the data cache, once the scalar stores before it are in them."""
    core.s_time = max(core.s_time, core.s_store_end)
    core.run.clock.at(core.s_time, lambda x: _cleaned(core, x), x)
    core.s_wait = Wait(core.index, core.block, Pipe.S, "value", x)


def _cleaned(core: Core, x: Issued) -> None:
    params = x.instr.params
    if params.get("to") != "CACHELINE_UB":
        if params.get("lines") == "ENTIRE_DATA_CACHE":
            core.dcache.clean_all()
        else:
            core.dcache.clean(x.instr.srcs[0].addr)
    x.start = core.run.clock.now
    x.end = x.start + core.run.issue_cost[x.instr.op]
    x.done = True
    core.run.record(x)
    core.again(x.end)


STOPS: dict[str, Callable[[Core, Issued], None]] = {
    **dict.fromkeys(_REGISTERS, _register),
    **dict.fromkeys(DRAINED, _cross),
    "CrossCoreWaitFlag": _cross_core_wait,
    "DumpTensor": _dump,
    "DataCacheCleanAndInvalid": _clean,
    "SetL2CacheHint": _l2_hint,
}
