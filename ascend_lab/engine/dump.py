"""What DumpTensor prints.

asc-devkit: docs/zh/api/SIMD-API/基础API/调试接口/上板打印/{DumpTensor,DumpAccChkPoint}.md. Printed values are those
of the moment all pipes of the core are empty. The pages' line breaks within a row are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core

_MOST = 30 * 1024  # bytes of one call; more is not printed


def dumped(instr: Instr, core: Core) -> str:
    """The text of one DumpTensor: ``srcs`` = (tensor,), params ``desc``, ``count``, ``shape``."""
    ref, params = instr.srcs[0], instr.params
    count, shape = int(params["count"]), tuple(params.get("shape", ()))
    head = (
        f"DumpTensor: desc={params['desc']}, addr={ref.addr:#x}, data_type={ref.dtype}, "
        f"position={ref.space}, dump_size={count}\n"
    )
    if count * ITEMSIZE[ref.dtype] > _MOST:
        return f"{head}(more than 30 KB: not printed)\n"
    values = _values(ref, count, core)
    if not shape:
        return f"{head}[{', '.join(values)}]\n"
    return head + _note(shape, count) + _nested(values, shape) + "\n"


def _values(ref: Ref, count: int, core: Core) -> list[str]:
    if ref.space == "GM":
        found = core.gm.read(ref.addr, count * ITEMSIZE[ref.dtype]).view(DTYPES[ref.dtype])
    else:
        found = core.local(ref.space).contiguous(ref, count)
    if DTYPES[ref.dtype].kind in "iu":
        return [str(int(value)) for value in found]
    return [f"{float(value):.6f}" for value in found]


def _note(shape: Sequence[int], count: int) -> str:
    size = prod(shape)
    if size == count:
        return ""
    what = "data is not enough" if size > count else "dumpSize is greater than shapeSize"
    return f"shape is {list(shape)}, dumpSize is {count}, {what}.\n"


def _nested(values: Sequence[str], shape: Sequence[int]) -> str:
    """The values in the brackets of ``shape``, "-" where there are none."""
    wanted = prod(shape)
    row = [*values[:wanted], *("-" for _ in range(wanted - len(values)))]
    for size, separator in zip(reversed(shape), (",", *[",\n"] * len(shape)), strict=False):
        step = max(size, 1)
        parts = (row[i : i + step] for i in range(0, len(row), step))
        row = [f"[{separator.join(part)}]" for part in parts]
    return row[0] if row else "[]"
