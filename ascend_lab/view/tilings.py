"""Tiling in numbers: how a vector is cut into cores and tiles, and whether its buffers fit into UB.

Source: asc-devkit: docs/zh/guide (tiling of element-wise operators: former and tail cores in 32 B blocks),
docs/zh/api/SIMD-API/基础API/资源管理/TPipe/InitBuffer.md (lengths are rounded up to 32 B).
"""

from __future__ import annotations

from dataclasses import dataclass

from ascend_lab.chips import ChipSpec
from ascend_lab.engine.instruction import ITEMSIZE

_BLOCK = 32
DTYPES = ("float32", "float16", "int32", "int16")


@dataclass(frozen=True, slots=True)
class Tiling:
    """What can be chosen: elements in all, cores, elements of a tile, buffers of a queue, type, tensors.

    ``operands`` counts the tensors of the operator: 2 (one in, one out) or 3 (two in, one out).
    """

    total: int
    cores: int
    tile: int
    buffers: int
    dtype: str
    operands: int

    @property
    def itemsize(self) -> int:
        return ITEMSIZE[self.dtype]

    @property
    def per_block(self) -> int:
        """Elements of 32 B."""
        return _BLOCK // self.itemsize


@dataclass(frozen=True, slots=True)
class Share:
    """The part of one core: elements [begin, begin + length), of which those beyond the end do not exist."""

    begin: int
    length: int
    tiles: int
    last: int
    former: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One buffer in the UB plan."""

    name: str
    index: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What follows from a tiling: the names are those of the tiling structures of Ascend C samples.

    ``pad``: the chip has DataCopyPad, so any number of elements can be moved.
    """

    tiling: Tiling
    former_num: int
    former_length: int
    tail_num: int
    tail_length: int
    shares: tuple[Share, ...]
    parts: tuple[Part, ...]
    usable: int
    pad: bool

    @property
    def planned(self) -> int:
        """Bytes of all buffers."""
        return sum(part.high - part.low for part in self.parts)

    @property
    def excess(self) -> int:
        """Bytes that do not fit; 0 when all do."""
        return max(self.planned - self.usable, 0)

    @property
    def largest_tile(self) -> int:
        """The most elements a tile could have with these buffers."""
        each = self.usable // max(len(self.parts), 1) // _BLOCK * _BLOCK
        return each // self.tiling.itemsize

    @property
    def tiles(self) -> int:
        """Tiles of all cores."""
        return sum(share.tiles for share in self.shares)

    @property
    def idle(self) -> int:
        """Cores without data."""
        return sum(share.length == 0 for share in self.shares)


def plan(tiling: Tiling, spec: ChipSpec) -> Plan:
    """Cut ``tiling.total`` into blocks of 32 B, give each core as many as the others or one more."""
    blocks = -(-tiling.total // tiling.per_block)
    base, more = divmod(blocks, tiling.cores)
    former = (base + bool(more)) * tiling.per_block
    tail = base * tiling.per_block
    former_num = more or tiling.cores
    shares = []
    begin = 0
    for core in range(tiling.cores):
        length = former if core < former_num else tail
        real = max(min(length, tiling.total - begin), 0)
        tiles = -(-real // tiling.tile)
        last = real - (tiles - 1) * tiling.tile if tiles else 0
        shares.append(Share(begin, real, tiles, last, core < former_num))
        begin += length
    tail_num = tiling.cores - former_num
    return Plan(
        tiling,
        former_num,
        former,
        tail_num,
        tail if tail_num else 0,
        tuple(shares),
        _parts(tiling),
        spec.memory.ub_usable_bytes,
        _has_pad(spec),
    )


def _has_pad(spec: ChipSpec) -> bool:
    """Whether the chip moves any number of bytes (DataCopyPad) or only multiples of 32."""
    return spec.apis["DataCopyPad"].supported


def _parts(tiling: Tiling) -> tuple[Part, ...]:
    """The buffers as InitBuffer hands them out: queue after queue, each length rounded up to 32 B."""
    length = -(-tiling.tile * tiling.itemsize // _BLOCK) * _BLOCK
    names = ("in_x", "in_y", "out_z") if tiling.operands == 3 else ("in_x", "out_z")
    found = []
    for k, name in enumerate(names):
        for index in range(tiling.buffers):
            low = (k * tiling.buffers + index) * length
            found.append(Part(name, index, low, low + length))
    return tuple(found)


def check(tiling: Tiling, spec: ChipSpec) -> list[tuple[str, dict[str, object]]]:
    """What is wrong with the values themselves: (key of the words, values); [] when nothing is."""
    found: list[tuple[str, dict[str, object]]] = []
    if tiling.dtype not in DTYPES:
        found.append(("tiling_dtype", {"dtype": tiling.dtype, "all": ", ".join(DTYPES)}))
    if tiling.total < 1 or tiling.tile < 1:
        found.append(("tiling_positive", {"total": tiling.total, "tile": tiling.tile}))
    if not 1 <= tiling.cores <= spec.vector_cores:
        found.append(("tiling_cores", {"cores": tiling.cores, "most": spec.vector_cores}))
    if tiling.buffers not in (1, 2) or tiling.operands not in (2, 3):
        found.append(("tiling_counts", {"buffers": tiling.buffers, "operands": tiling.operands}))
    if not found and not _has_pad(spec) and _is_ragged(tiling):
        found.append(("tiling_aligned", {"chip": spec.name, "n": tiling.per_block}))
    return found


def _is_ragged(tiling: Tiling) -> bool:
    return bool(tiling.total % tiling.per_block or tiling.tile % tiling.per_block)
