"""Handing out memory: what TPipe and TBufPool share."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.fwk.buffer import Buffer
from ascend_lab.asc.language.fwk.queue import TQueBind
from ascend_lab.asc.language.fwk.tbuf import TBuf
from ascend_lab.engine.instruction import Pipe

BLOCK = 32
_MOST_BUFFERS = 256  # num is a uint8; what is too many for a TPipe is for the checks to say


def rounded(length: int) -> int:
    """``length`` bytes in whole blocks."""
    return -(-length // BLOCK) * BLOCK


class Request:
    """One call of init_buffer: whose buffers, how many, how long."""

    __slots__ = ("asked", "len", "num", "owner")

    def __init__(self, api: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.owner, num, length = _arguments(api, args, kwargs)
        self.asked = plain_int(api, "len", length)
        self.num = plain_int(api, "num", num)
        self.len = rounded(self.asked)

    @property
    def nbytes(self) -> int:
        """Bytes of all its buffers."""
        return min(max(self.num, 0), _MOST_BUFFERS) * self.len

    def place(self, pipe: Any, addr: int) -> list[Buffer]:
        """Its buffers from ``addr`` on, given to their queue or TBuf."""
        block, owner = current(), self.owner
        first = block.buffers
        emit(
            "InitBuffer",
            Pipe.S,
            params={
                "buf": first,
                "num": self.num,
                "addr": addr,
                "len": self.len,
                "asked": self.asked,
                "pos": owner.pos,
                "kind": owner.kind,
                "queue": owner.id,
                "name": owner.name,
                "depth": owner.depth,
            },
        )
        made = min(max(self.num, 0), _MOST_BUFFERS)
        steps = range(made)
        buffers = [Buffer(first + i, owner.space, addr + i * self.len, self.len) for i in steps]
        block.buffers += made
        owner.take(pipe, buffers, self.asked)
        return buffers


def _arguments(
    api: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[TQueBind, Any, Any]:
    """(queue or TBuf, number of buffers, bytes of each) of a call of init_buffer."""
    given = dict(kwargs)
    owner = args[0] if args else given.pop("que", None) or given.pop("buf", None)
    rest = args[1:]
    if isinstance(owner, TBuf):
        names: tuple[str, ...] = ("num",)
        if "len" in given:
            given["num"] = given.pop("len")
    else:
        names = ("num", "len")
    values = dict(zip(names, rest, strict=False))
    clash = len(rest) > len(names) or set(given) - set(names) or set(given) & set(values)
    if clash or not isinstance(owner, TQueBind):
        forms = ("que: TQue, num: int, len: int", "buf: TBuf, num: int")
        raise no_overload(api, (*args, *kwargs.values()), forms)
    values |= given
    if len(names) == 1:
        return owner, 1, values.get("num", 0)
    return owner, values.get("num", 0), values.get("len", 0)
