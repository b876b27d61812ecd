"""Sort32 and MrgSort: (score, index) pairs of 8 B in descending order of score.

Sources: asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/{Sort32,MrgSort,
GetMrgSortResult}.md. A score lies in the low bytes of its pair, the index in the high four; with half the two
bytes between them are reserved and 0 here. Of equal scores the one with the smaller position comes first.

Not documented, chosen here: NaN counts as larger than every number; with ifExhaustedSuspension MrgSort
stops as soon as one list is used up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.memory import Access, Region, Write
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import (
    Dynamic,
    Footprint,
    Form,
    Semantic,
    accesses,
    peek,
)
from ascend_lab.engine.semantics.gather import Offsets, contiguous

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
PAIR = 8  # bytes of a (score, index) pair
_EACH = 32  # pairs of one iteration of Sort32
_LISTS = 4
MERGED = "mrgsort"


@np.errstate(invalid="ignore")  # a signalling NaN
def descending(scores: Array) -> NDArray[np.int64]:
    """The order that sorts rows of scores from large to small; equal ones keep their order."""
    keys = -scores.astype(np.float64)
    return np.asarray(np.argsort(np.where(np.isnan(keys), -np.inf, keys), axis=-1, kind="stable"))


class Sort32:
    """``times`` iterations of 32: srcs = (scores, indices); each is sorted by itself."""

    def _count(self, instr: Instr) -> int:
        return (int(instr.params["times"]) & 0xFF) * _EACH

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        dst, (scores, indices) = instr.dst, instr.srcs
        assert dst is not None
        count = self._count(instr)
        reads = contiguous(scores, count) + contiguous(indices, count)
        return Footprint(reads, contiguous(dst._replace(dtype="uint64"), count))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst, (scores, indices) = x.instr.dst, x.instr.srcs
        assert dst is not None
        count = self._count(x.instr)
        if count == 0:
            return []
        keys = peek(core.local(scores.space), scores, count).reshape(-1, _EACH)
        number = indices._replace(dtype="uint32")
        values = peek(core.local(indices.space), number, count).reshape(-1, _EACH)
        order = descending(keys)
        pairs = np.zeros((count, 2), dtype=np.uint32)
        sorted_keys = np.take_along_axis(keys, order, axis=1).reshape(-1)
        pairs[:, 0] = sorted_keys.view(f"u{keys.dtype.itemsize}")
        pairs[:, 1] = np.take_along_axis(values, order, axis=1).reshape(-1)
        raw = pairs.reshape(-1).view(np.uint8)
        return [core.local(dst.space).store_contiguous(dst._replace(dtype="uint8"), raw)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """Within an iteration any pair may end anywhere."""
        dst, (scores, indices) = instr.dst, instr.srcs
        assert dst is not None
        flows = []
        for first in range(0, self._count(instr), _EACH):
            steps = np.arange(first, first + _EACH, dtype=np.int64)
            nothing = np.full(_EACH, -1, dtype=np.int64)
            size = ITEMSIZE[scores.dtype]
            tables = (
                (scores.space, size, scores.addr + steps * size),
                (indices.space, 4, indices.addr + steps * 4),
            )
            target = dst.addr + steps * PAIR
            flows.append(
                Flow("table", dst.space, PAIR, target, ((dst.space, PAIR, nothing), *tables))
            )
        return tuple(flows)

    def repeats(self, instr: Instr, form: Form) -> float:
        return int(instr.params["times"]) & 0xFF


class MrgSort:
    """Merges up to four sorted lists (``srcs``, as many as there are).

    ``lengths``: pairs of each list; ``valid``: bit k set: list k takes part; ``suspend``: stop when one is used
    up; ``times``: iterations over lists that lie one behind the other, each all four lists further.
    The pairs taken from each list are left in a register that GetMrgSortResult asks for.
    """

    def _lists(self, instr: Instr) -> list[tuple[int, Ref, int]]:
        """(number, list, pairs of it) of the lists that take part."""
        valid = int(instr.params["valid"])
        lengths = instr.params["lengths"]
        return [
            (k, ref._replace(dtype="uint64"), int(lengths[k]) & 0xFFFF)
            for k, ref in enumerate(instr.srcs[:_LISTS])
            if valid >> k & 1
        ]

    def _times(self, instr: Instr) -> int:
        return int(instr.params["times"]) & 0xFF

    def _total(self, instr: Instr) -> int:
        """Pairs of one iteration."""
        return sum(length for _, _, length in self._lists(instr))

    def _suspends(self, instr: Instr) -> bool:
        return bool(instr.params.get("suspend"))

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        times, total = self._times(instr), self._total(instr)
        return self._footprint(instr, [length for *_, length in self._lists(instr)], times * total)

    def _footprint(self, instr: Instr, lengths: list[int], count: int) -> Footprint:
        dst = instr.dst
        assert dst is not None
        if count == 0:
            return Footprint((), ())
        step = self._total(instr) * PAIR
        reads: tuple[Access, ...] = ()
        for (_, ref, _), length in zip(self._lists(instr), lengths, strict=True):
            low = [ref.addr + i * step for i in range(self._times(instr))]
            parts = merged([(at, at + length * PAIR) for at in low if length])
            reads += accesses(ref.space, parts)
        write = Region(((dst.addr, dst.addr + count * PAIR),))
        return Footprint(reads, (Access(dst.space, write),))

    def touched(self, instr: Instr, form: Form, core: Core) -> Footprint:
        """With suspension fewer pairs are written; what is compared may be one pair more than is taken."""
        found = self.footprint(instr, form)
        if not self._suspends(instr) or not found.writes:
            return found
        dst = instr.dst
        assert dst is not None
        taken = len(self._merge(instr, core)[0])
        return Footprint(found.reads, contiguous(dst._replace(dtype="uint64"), taken))

    def _merge(self, instr: Instr, core: Core) -> tuple[Array, list[int]]:
        """(pairs in their order, pairs taken from each of the four lists)."""
        taken = [0] * _LISTS
        parts = []
        step = self._total(instr) * PAIR
        for iteration in range(self._times(instr)):
            pairs, counts = self._one(instr, core, iteration * step)
            parts.append(pairs)
            taken = [have + count for have, count in zip(taken, counts, strict=True)]
        return (np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)), taken

    def _one(self, instr: Instr, core: Core, offset: int) -> tuple[Array, list[int]]:
        lists = self._lists(instr)
        runs = [
            peek(core.local(ref.space), ref._replace(addr=ref.addr + offset), length)
            for _, ref, length in lists
        ]
        origin = np.repeat([number for number, *_ in lists], [run.size for run in runs])
        pairs = np.concatenate(runs) if runs else np.zeros(0, dtype=np.uint64)
        order = merge_order([scores_of(run, instr.srcs[0].dtype) for run in runs])
        if self._suspends(instr) and order.size:
            order = order[: _until_one_is_empty(origin[order], [r.size for r in runs], lists)]
        counts = np.bincount(origin[order], minlength=_LISTS) if order.size else [0] * _LISTS
        return pairs[order], [int(count) for count in counts]

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        dst = x.instr.dst
        assert dst is not None
        pairs, taken = self._merge(x.instr, core)
        core.registers[MERGED] = tuple(taken)
        if pairs.size == 0:
            return []
        return [core.local(dst.space).store_contiguous(dst._replace(dtype="uint64"), pairs)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """Within an iteration any pair may end anywhere."""
        dst = instr.dst
        assert dst is not None
        total = self._total(instr)
        flows = []
        for iteration in range(self._times(instr) if total else 0):
            offset = iteration * total * PAIR
            tables = tuple(
                (ref.space, PAIR, ref.addr + offset + np.arange(length, dtype=np.int64) * PAIR)
                for _, ref, length in self._lists(instr)
                if length
            )
            target: Offsets = dst.addr + offset + np.arange(total, dtype=np.int64) * PAIR
            old = ((dst.space, PAIR, target),) if self._suspends(instr) else ()
            nothing = (dst.space, PAIR, np.full(total, -1, dtype=np.int64))
            flows.append(Flow("table", dst.space, PAIR, target, (nothing, *tables, *old)))
        return tuple(flows)

    def repeats(self, instr: Instr, form: Form) -> float:
        """Units of 32 pairs: the page gives pairs a cycle."""
        return self._times(instr) * self._total(instr) / _EACH


def scores_of(pairs: Array, dtype: str) -> Array:
    """The scores of (score, index) pairs."""
    kind = DTYPES[dtype]
    words = pairs.astype(np.uint64) & np.uint64((1 << kind.itemsize * 8) - 1)
    return np.asarray(words.astype(f"u{kind.itemsize}").view(kind))


def merge_order(runs: list[Array]) -> NDArray[np.int64]:
    """The order in which a merge takes the elements of ``runs`` laid one behind the other.

    Always the largest head, of equal ones that of the earlier run. Runs that are not sorted are merged as
    they stand, as the instruction does.
    """
    if not runs or not sum(run.size for run in runs):
        return np.zeros(0, dtype=np.int64)
    # A head holds back what is behind it: in a merge an element counts as the smallest so far of its run.
    keys = [
        np.minimum.accumulate(_comparable(run)) if run.size else _comparable(run) for run in runs
    ]
    flat = np.concatenate(keys)
    return np.asarray(np.argsort(-flat, kind="stable"))


@np.errstate(invalid="ignore")
def _comparable(scores: Array) -> NDArray[np.float64]:
    wide = scores.astype(np.float64)
    return np.where(np.isnan(wide), np.inf, wide)


def _until_one_is_empty(origin: Array, sizes: list[int], lists: list[tuple[int, Ref, int]]) -> int:
    """How many pairs are taken until one of the lists is used up."""
    ends = [
        int(np.flatnonzero(origin == number)[-1]) + 1 if size else 0
        for (number, *_), size in zip(lists, sizes, strict=True)
    ]
    return min(ends, default=0)


def merged(parts: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Sorted intervals without those that touch."""
    result: list[tuple[int, int]] = []
    for low, high in sorted(parts):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return tuple(result)


OPS: Mapping[str, Semantic] = {"Sort32": Sort32()}
DYNAMIC: Mapping[str, Dynamic] = {"MrgSort": MrgSort()}
