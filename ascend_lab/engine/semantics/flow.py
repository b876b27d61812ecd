"""Which destination bytes depend on which source bytes: what definedness is followed by.

``Semantic.flow`` answers with a tuple of `Flow`, `Span` and `Pad`; ``kind`` tells them apart. All flows of
one instruction read their sources first; then their destinations change in the order of the tuple, so that
a later one wins where two overlap. A repeated destination keeps its last value. Bytes no flow names keep
their state. An atomic store depends, besides, on the bytes it combines with: ``Issued.atomic`` tells.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.lanes import Interval

Addresses = NDArray[np.int64]


class Flow(NamedTuple):
    """Destination elements and what each depends on, as absolute byte addresses.

    ``itemsize`` is the size of a destination element; each source is (space, itemsize, addresses), where
    -1 marks "no source here".

    - "lanes": a source has the shape of ``dst``; element i depends on element i of every source. The
      sources are those of the instruction in order; more can follow: the old dst (Axpy and its kin), or
      the earlier rows of src0 (accumulate form).
    - "reduce": a source has shape (dst.size, n), n of its own; element i depends on the whole row i of
      every source.
    - "pack": shapes as "reduce", every source alike. ``dst`` are bytes of a bit mask, bit k is decided
      by column k. The state of a byte is coarser than its bits: it is bad only when every column is.
    - "select": shapes as "lanes"; ``srcs[0]`` is the mask byte that decides, the others are the
      alternatives. Element i is bad when its mask byte is, or when every alternative is.
    - "table": ``srcs[0]`` has the shape of ``dst`` and decides (an offset; -1 where nothing does), each of
      the others is one row of any length. Which of a row go where depends on values, so element i is bad
      when what decides it is, or when a whole row is.
    """

    kind: str
    space: str
    itemsize: int
    dst: Addresses
    srcs: tuple[tuple[str, int, Addresses], ...]


class Span(NamedTuple):
    """A contiguous run of ``size`` elements: element i depends on element i of every source.

    ``low`` is the first byte of the destination, ``itemsize`` the size of its elements. Each source is
    (space, itemsize, first byte). Without sources the run becomes defined (Duplicate, SetValue).
    Moves use elements of 1 B, so that the state of a whole copy is one slice copy.
    """

    space: str
    itemsize: int
    low: int
    size: int
    srcs: tuple[tuple[str, int, int], ...]
    kind: str = "span"

    def lanes(self) -> Flow:
        """The same as a "lanes" flow, for whoever needs addresses."""
        steps = np.arange(self.size, dtype=np.int64)
        srcs = tuple((space, width, low + steps * width) for space, width, low in self.srcs)
        return Flow("lanes", self.space, self.itemsize, self.low + steps * self.itemsize, srcs)


class Pad(NamedTuple):
    """Bytes [low, high) of ``parts`` that become padding: pads and dummy data of DataCopyPad."""

    space: str
    parts: tuple[Interval, ...]
    kind: str = "pad"


AnyFlow = Flow | Span | Pad
