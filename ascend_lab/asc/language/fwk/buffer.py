"""Buffers of InitBuffer, and the flags that queues raise for them."""

from __future__ import annotations

from ascend_lab.asc.door import emit
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.enums import HardEvent
from ascend_lab.asc.language.fwk.events import pipes_of
from ascend_lab.engine.instruction import Ref

NO_FLAG = -1  # no event id


class Buffer:
    """One buffer of InitBuffer: where it lies, whether it is free, which flags it has raised."""

    __slots__ = ("_refs", "addr", "enqued", "free", "freed", "freed_by", "id", "len", "space")

    def __init__(self, number: int, space: str, addr: int, length: int) -> None:
        self.id = number
        self.space = space
        self.addr = addr
        self.len = length
        self.free = True
        self.enqued = self.freed = NO_FLAG  # ids of flags raised and not waited for
        self.freed_by = HardEvent.V_MTE2
        self._refs: dict[tuple[str, str], Ref] = {}

    def ref(self, dtype: DataType, pos: str) -> Ref:
        """All of it, as ``dtype``."""
        key = (dtype.name, pos)
        found = self._refs.get(key)
        if found is None:
            size = self.len // dtype.sizeof()
            found = Ref(self.space, self.addr, dtype.name, size, self.id, pos)
            self._refs[key] = found
        return found

    def freed_flag(self) -> list[dict[str, int]]:
        """Params of the WaitFlag that a freed, not reallocated buffer still needs: one or none."""
        if not self.free or self.freed == NO_FLAG:
            return []
        params = flag_params(self.freed_by, self.freed, self.id)
        self.freed = NO_FLAG
        return [params]


def flag_params(event: HardEvent, number: int, buffer: int) -> dict[str, int]:
    """What SetFlag and WaitFlag of a queue carry: pipes, id, and the buffer they are for."""
    src, dst = pipes_of("asc.TQue", event)
    return {"src": int(src), "dst": int(dst), "id": number, "queue": buffer}


def set_flag(event: HardEvent, number: int, buffer: int) -> None:
    """Raise a queue's flag."""
    params = flag_params(event, number, buffer)
    emit("SetFlag", params["src"], params=params)


def wait_flag(event: HardEvent, number: int, buffer: int) -> None:
    """Wait for a queue's flag."""
    params = flag_params(event, number, buffer)
    emit("WaitFlag", params["dst"], params=params)
