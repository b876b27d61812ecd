"""Strategies for forms, and an account of where they reach, one element at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import hypothesis.strategies as st
from hypothesis import settings

Mask = int | tuple[int, int]

#: For tests with many parameters: a quarter of the profile's examples each.
FEWER = settings(max_examples=max(settings.default.max_examples // 4, 1))

SEEDS = st.integers(0, 2**32 - 1)
COUNTS = st.one_of(st.integers(0, 70), st.integers(0, 700))
WORD = st.integers(0, 2**64 - 1)


class Strided(NamedTuple):
    """A mask form: the parameters of the instruction."""

    mask: Mask
    repeat: int
    blk: tuple[int, ...]
    rep: tuple[int, ...]

    def params(self) -> dict[str, Any]:
        return self._asdict()


def masks(lanes: int) -> st.SearchStrategy[Mask]:
    return st.one_of(
        st.just(lanes), st.integers(0, lanes + 8), st.tuples(WORD, WORD), st.just((2**64 - 1, 0))
    )


@st.composite
def strided(draw: st.DrawFn, lanes: int, operands: int) -> Strided:
    """A mask form of ``operands`` operands, dst first."""
    blk = [draw(st.integers(1, 3)), *(draw(st.integers(0, 3)) for _ in range(operands - 1))]
    rep = [draw(st.sampled_from([8, 8, 0, 3, 10])) for _ in range(operands)]
    return Strided(draw(masks(lanes)), draw(st.integers(0, 4)), tuple(blk), tuple(rep))


def enabled(mask: Mask, lane: int) -> bool:
    """Whether a mask lets ``lane`` take part."""
    if isinstance(mask, int):
        return lane < mask
    return bool(mask[lane // 64] >> (lane % 64) & 1)


def elements(form: Strided, operand: int, itemsize: int, lanes: int) -> list[int]:
    """Element indices of an operand in lane order, from the documentation's words."""
    per_block = 32 // itemsize
    found = []
    for iteration in range(form.repeat):
        for lane in range(lanes):
            if enabled(form.mask, lane):
                block, within = divmod(lane, per_block)
                blocks = iteration * form.rep[operand] + block * form.blk[operand]
                found.append(blocks * per_block + within)
    return found
