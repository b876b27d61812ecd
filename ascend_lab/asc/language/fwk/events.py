"""Which flags a queue raises, and who hands out the ids.

asc-devkit: docs/zh/api/SIMD-API/基础API/同步控制/核内同步/关键特性说明.md (tables 1 and 2);
impl/basic_api/kernel_event.h (which pair belongs to which memories).
"""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.enums import HardEvent, TPosition
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Pipe

Pair = tuple[HardEvent, HardEvent]

_E = HardEvent
#: (memory a buffer is filled from, memory it is emptied into) -> (event of EnQue, event of FreeTensor)
_SPLIT: Mapping[tuple[str, str], Pair] = {
    ("GM", "UB"): (_E.MTE2_V, _E.V_MTE2),
    ("GM", "L1"): (_E.MTE2_MTE1, _E.MTE1_MTE2),
    ("GM", "L0A"): (_E.MTE2_M, _E.M_MTE2),
    ("GM", "L0B"): (_E.MTE2_M, _E.M_MTE2),
    ("UB", "GM"): (_E.V_MTE3, _E.MTE3_V),
    ("UB", "L1"): (_E.MTE3_MTE1, _E.MTE1_MTE3),
    ("UB", "UB"): (_E.MTE2_MTE3, _E.MTE3_MTE2),
    ("L1", "UB"): (_E.MTE1_V, _E.V_MTE1),
    ("L1", "L0A"): (_E.MTE1_M, _E.M_MTE1),
    ("L1", "L0B"): (_E.MTE1_M, _E.M_MTE1),
    ("L1", "BT"): (_E.MTE1_M, _E.M_MTE1),
    ("L0C", "GM"): (_E.M_FIX, _E.FIX_M),
}
_FUSED: Mapping[tuple[str, str], Pair] = {
    **_SPLIT,
    ("L0C", "UB"): (_E.M_V, _E.V_M),
}

#: TPosition of a TQue -> the two positions of the TQueBind that it is
ENDS: Mapping[int, tuple[TPosition, TPosition]] = {
    TPosition.VECIN: (TPosition.GM, TPosition.VECIN),
    TPosition.VECOUT: (TPosition.VECOUT, TPosition.GM),
    TPosition.VECCALC: (TPosition.VECCALC, TPosition.VECCALC),
    TPosition.A1: (TPosition.GM, TPosition.A1),
    TPosition.B1: (TPosition.GM, TPosition.B1),
    TPosition.C1: (TPosition.GM, TPosition.C1),
    TPosition.A2: (TPosition.A1, TPosition.A2),
    TPosition.B2: (TPosition.B1, TPosition.B2),
    TPosition.C2: (TPosition.C1, TPosition.C2),
    TPosition.CO1: (TPosition.CO1, TPosition.CO2),
    TPosition.CO2: (TPosition.CO2, TPosition.GM),
}

_PIPES: Mapping[str, Pipe] = {pipe.name: pipe for pipe in Pipe}
_ENDS_OF_EVENT: Mapping[int, tuple[Pipe, Pipe]] = {
    event: (_PIPES[event.name.split("_")[0]], _PIPES[event.name.split("_")[1]])
    for event in HardEvent
}
_MODELLED = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)


def queue_events(src: str, dst: str, fused: bool) -> Pair:
    """The events of a queue between two memories. Raises LabError where there is no such path."""
    found = (_FUSED if fused else _SPLIT).get((src, dst))
    if found is None:
        raise LabError(
            f"没有从 {src} 到 {dst} 的队列通路。", f"there is no queue path from {src} to {dst}."
        )
    return found


def pipes_of(api: str, event: HardEvent) -> tuple[Pipe, Pipe]:
    """(source pipe, destination pipe) of an event. Raises NotModelled for units not modelled."""
    if event.__class__ is not HardEvent:
        raise no_overload(api, (event,), ("event: HardEvent, event_id: int",))
    ends = _ENDS_OF_EVENT[event]
    if ends[0] not in _MODELLED or ends[1] not in _MODELLED:
        raise NotModelled(api, f"HardEvent.{event.name}")
    return ends


class EventIds:
    """The ids of one TPipe: per event, the lowest free one. The hardware has 8; nothing here stops at 8."""

    def __init__(self) -> None:
        self._taken: dict[int, int] = {}  # by the plain number: an enum's own hash is slow

    def fetch(self, event: HardEvent) -> int:
        """The id that the next ``alloc`` would give; it stays free."""
        taken = self._taken.get(int(event), 0)
        return (~taken & (taken + 1)).bit_length() - 1

    def alloc(self, event: HardEvent) -> int:
        """Take the lowest free id."""
        found = self.fetch(event)
        self._taken[int(event)] = self._taken.get(int(event), 0) | (1 << found)
        return found

    def release(self, event: HardEvent, number: int) -> None:
        """Give an id back."""
        if number >= 0:
            self._taken[int(event)] = self._taken.get(int(event), 0) & ~(1 << number)
