"""The state of every byte: 0 defined, 1 never written, above that an index into a table of origins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ascend_lab.engine.issued import Issued

DEFINED, UNWRITTEN = 0, 1
_LAST = 255

States = NDArray[np.uint8]
Addresses = NDArray[np.int64]


class Slots(NamedTuple):
    """How a load laid its blocks out in UB: ``rows`` of ``row`` bytes, each in ``slot`` bytes."""

    rows: int
    row: int
    slot: int

    @property
    def packed(self) -> int:
        """Bytes of the rows without the gaps."""
        return self.rows * self.row


class Origin(NamedTuple):
    """Where bytes without meaning come from.

    ``kind``: "unwritten" (consumed by ``x``), "rest" (stored by ``x`` beside the result of a reduction),
    "gm" (GM that nothing wrote), "pad" (filler of load ``x``),
    "fill" (padding with a value the student chose), "beyond" (read past a tensor), "packed" (rows in slots
    read by ``x`` as if packed). ``where`` is the line that explains it; ``position`` the operand of ``x``.
    """

    kind: str
    where: int
    x: Issued
    position: int = 0
    slots: Slots | None = None
    load: int = -1
    nbytes: int = 0


class Origins:
    """The table: one entry per kind and place, so that few are enough."""

    def __init__(self) -> None:
        self._table: list[Origin | None] = [None, None]
        self._codes: dict[tuple[object, ...], int] = {}

    def __getitem__(self, code: int) -> Origin | None:
        return self._table[code]

    def code(self, origin: Origin) -> int:
        """The code of ``origin``; when all are taken the last one stands for the rest."""
        key = (origin.kind, origin.where, origin.position, origin.slots, origin.load)
        found = self._codes.get(key)
        if found is None:
            if len(self._table) > _LAST:
                return _LAST
            found = self._codes[key] = len(self._table)
            self._table.append(origin)
        return found


class Shadow:
    """The state of one memory, as bytes (for slices) and as an array (for addresses)."""

    __slots__ = ("array", "base", "data")

    def __init__(self, nbytes: int, state: int, base: int = 0) -> None:
        self.data = bytearray([state]) * nbytes
        self.array: States = np.frombuffer(self.data, dtype=np.uint8)
        self.base = base

    def slice(self, low: int, high: int) -> States:
        """A live view of the states of [low, high); clipped to the memory."""
        return self.array[max(low - self.base, 0) : max(high - self.base, 0)]

    def at(self, addresses: Addresses, itemsize: int) -> States:
        """The worst state among the bytes of each element; -1 and what lies outside is defined."""
        index = (addresses - self.base)[..., None] + np.arange(itemsize)
        outside = (index < 0) | (index >= self.array.size) | (addresses < 0)[..., None]
        states: States = self.array[np.where(outside, 0, index)]
        return np.asarray(np.where(outside, np.uint8(DEFINED), states).max(axis=-1))

    def put(self, addresses: Addresses, itemsize: int, states: States) -> None:
        """Give every byte of each element its state."""
        index = (addresses - self.base)[..., None] + np.arange(itemsize)
        inside = (index >= 0) & (index < self.array.size)
        spread = np.broadcast_to(states[..., None], index.shape)
        self.array[index[inside]] = spread[inside]


def worst(states: list[States]) -> States:
    """Element-wise: bad when any is."""
    result = states[0]
    for more in states[1:]:
        result = np.maximum(result, more)
    return result


def grouped(states: States, itemsize: int) -> States:
    """The worst state among the bytes of each element of a contiguous run."""
    if itemsize == 1:
        return states.copy()
    whole = states.size - states.size % itemsize
    return np.asarray(states[:whole].reshape(-1, itemsize).max(axis=1))
