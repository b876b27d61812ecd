"""What sticks to a core: mask register, mask mode, atomic mode, padding value; and who sets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ascend_lab.engine.dma import READ, WRITE, Hint
from ascend_lab.engine.instruction import ITEMSIZE, Instr
from ascend_lab.engine.semantics.form import FULL, MaskState

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core

_ALL = (1 << 64) - 1
_WAYS = {"READ": READ, "WRITE": WRITE, "RW": READ | WRITE}


def mask_after(instr: Instr, mask: MaskState) -> MaskState:
    """The mask register a vector call works with and leaves behind.

    A count form leaves it full and in Normal mode; a mask form leaves its mask set. Source:
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/掩码操作.
    """
    params = instr.params
    if "count" in params:
        return FULL
    given = params.get("mask")
    if given is None:
        return _left_behind(instr, mask)
    if isinstance(given, int):
        return MaskState(True, given, 0) if mask.counter else MaskState(False, *_leading(given))
    return MaskState(mask.counter, given[0], given[1])


def _left_behind(instr: Instr, mask: MaskState) -> MaskState:
    """Some set a mask of their own, and Normal mode; the others leave the register as it is."""
    if instr.op == "GatherMask":
        return MaskState(False, int(instr.params["elements"]) & _ALL, 0)
    if instr.op == "BilinearInterpolation":
        lanes = instr.params["lanes"]
        return MaskState(False, *(_leading(lanes) if isinstance(lanes, int) else lanes))
    return mask


def _leading(count: int) -> tuple[int, int]:
    """(low, high) words that enable the first ``count`` lanes."""
    count = min(max(count, 0), 128)
    return (1 << min(count, 64)) - 1, (1 << max(count - 64, 0)) - 1


def _mask_word(core: Core, instr: Instr) -> None:
    params = instr.params
    counter = params.get("counter", core.mask.counter)
    if "count" in params:
        count = params["count"]
        if counter:
            core.mask = MaskState(True, count, 0)
        else:
            core.mask = MaskState(False, *_leading(count))
    else:
        core.mask = MaskState(counter, params["low"], params["high"])


def _mask_counter(core: Core, instr: Instr) -> None:
    core.mask = MaskState(True, core.mask.low, core.mask.high)


def _mask_normal(core: Core, instr: Instr) -> None:
    core.mask = MaskState(False, core.mask.low, core.mask.high)


def _mask_reset(core: Core, instr: Instr) -> None:
    core.mask = MaskState(core.mask.counter, _ALL, _ALL)


def _atomic(core: Core, instr: Instr) -> None:
    mode = instr.params["mode"]
    core.atomic = "" if mode == "none" else mode
    core.atomic_dtype = instr.params.get("dtype", core.atomic_dtype)


def _init_soc(core: Core, instr: Instr) -> None:
    core.reset_state()


def _tpipe(core: Core, instr: Instr) -> None:
    core.reset_state()
    if not instr.params.get("reset"):  # TPipe::Reset gives buffers back, flags stay up
        core.flags.clear()


def _pad_value(core: Core, instr: Instr) -> None:
    core.pad_value = instr.params["value"]


def l2_hint(core: Core, instr: Instr) -> None:
    """Accesses of this core to the bytes of the tensor pass L2 by, or no longer do."""
    ref = instr.dst
    assert ref is not None
    high = ref.addr + ref.size * ITEMSIZE[ref.dtype]
    if ref.size < 0:
        found = core.gm.locate(ref.addr)
        high = ref.addr if found is None else found.end
    ways = _WAYS.get(instr.params["kind"], 0)  # a kind that there is not changes nothing
    kept = tuple(hint for hint in core.hints if (hint.low, hint.high) != (ref.addr, high))
    past = instr.params["mode"] == "CACHE_MODE_DISABLE"
    core.hints = (*kept, Hint(ref.addr, high, ways)) if past else kept


def _printf(core: Core, instr: Instr) -> None:
    core.run.printed.append(str(instr.params["text"]))


SETTERS: Mapping[str, Callable[[Core, Instr], None]] = {
    "SetMask": _mask_word,
    "SetMaskCount": _mask_counter,
    "SetMaskNorm": _mask_normal,
    "ResetMask": _mask_reset,
    "SetAtomic": _atomic,
    "InitSocState": _init_soc,
    "TPipe": _tpipe,
    "SetPadValue": _pad_value,
    "Printf": _printf,
}
