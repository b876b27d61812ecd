"""Runs a kernel again with one instruction written another way: if the outputs come right, that was the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ascend_lab.checks.texts import Say
from ascend_lab.engine.instruction import Batch, Door, Instr, Where

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

_SWAPS = frozenset(("Sub", "Div"))
_ROUNDS = ("CAST_RINT", "CAST_ROUND", "CAST_FLOOR", "CAST_CEIL", "CAST_TRUNC", "CAST_ODD")


class Change(NamedTuple):
    """Another way of writing the instruction ``op`` of line ``where``: ``class_id`` is then the fault.

    ``turned`` exchanges its two sources, ``exchanged`` two of its parameters, ``values`` replace some.
    """

    class_id: str
    variant: str
    where: int
    op: str
    numbers: Mapping[str, Any]
    turned: bool = False
    exchanged: tuple[str, ...] = ()
    values: Mapping[str, Any] = {}

    def applied(self, instr: Instr) -> Instr:
        """``instr`` so written, if it is the one."""
        if instr.where != self.where or instr.op != self.op:
            return instr
        srcs = instr.srcs[::-1] if self.turned else instr.srcs
        params = {**instr.params, **self.values}
        for name, other in zip(self.exchanged, self.exchanged[::-1], strict=True):
            params[name] = instr.params.get(other, 0)
        return Instr(instr.op, instr.pipe, instr.dst, srcs, params, instr.where)


class Altered:
    """A door whose kernel has the change."""

    def __init__(self, door: Door, change: Change) -> None:
        self._door = door
        self._change = change
        self.sources: list[Where] = door.sources

    def resume(self, block: int, answer: Any = None) -> Batch:
        """A batch of the door, changed."""
        batch = self._door.resume(block, answer)
        return batch._replace(instrs=[self._change.applied(instr) for instr in batch.instrs])

    def close(self) -> None:
        """End the door."""
        self._door.close()


#: Whether a launch with the change gives the right outputs.
Again = Callable[[Change], bool]


def changes(suspects: Mapping[tuple[int, str], Issued]) -> Iterator[Change]:
    """The other ways in which the instructions of a run might have been meant."""
    for (where, op), x in suspects.items():
        params = x.instr.params
        if op in _SWAPS and len(x.instr.srcs) == 2:
            yield Change("I6", "", where, op, {"op": op}, turned=True)
        elif op == "DataCopy" and "block_count" in params:
            yield from _of_copy(where, params)
        elif op == "Cast" and str(params.get("round", "")) in _ROUNDS:
            for mode in _ROUNDS:
                if mode != params["round"]:
                    values = {"round": mode}
                    yield Change("H4", "line", where, op, {"mode": mode}, values=values)


def _of_copy(where: int, params: Mapping[str, Any]) -> Iterator[Change]:
    """I7: two fields of DataCopyParams exchanged."""
    pairs = (
        (("block_count", "block_len"), Say("blockCount and blockLen", "blockCount 与 blockLen")),
        (("src_gap", "dst_gap"), Say("srcGap and dstGap", "srcGap 与 dstGap")),
    )
    given = ", ".join(
        str(params.get(name, 0)) for name in ("block_count", "block_len", "src_gap", "dst_gap")
    )
    for (one, other), what in pairs:
        if params.get(one, 0) != params.get(other, 0):
            numbers = {"fields": what, "given": given}
            yield Change("I7", "", where, "DataCopy", numbers, exchanged=(one, other))
