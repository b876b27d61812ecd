"""The temporary buffer of an instruction that the library builds from several.

``params["tmp"]`` is how many bytes it needs at least; when it is there, the last source is the buffer: the one
that was given, all of it, or the needed part of what TPipe has not handed out. What it holds afterwards
means nothing, so it is poison here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.memory import POISON, Access, Write
from ascend_lab.engine.semantics.gather import contiguous

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core


def scratch_of(instr: Instr) -> Ref | None:
    """The temporary buffer as bytes, None when the instruction has none."""
    if "tmp" not in instr.params:
        return None
    ref = instr.srcs[-1]
    return ref._replace(dtype="uint8", size=max(ref.size, 0) * ITEMSIZE[ref.dtype])


def scratch_access(instr: Instr) -> tuple[Access, ...]:
    """The bytes of the temporary buffer."""
    ref = scratch_of(instr)
    return contiguous(ref, ref.size) if ref is not None else ()


def scratch_write(core: Core, instr: Instr) -> list[Write]:
    """The pending write that leaves nothing meaningful in the temporary buffer."""
    ref = scratch_of(instr)
    if ref is None or ref.size == 0:
        return []
    return [core.local(ref.space).store_contiguous(ref, np.full(ref.size, POISON, dtype=np.uint8))]


def data_of(instr: Instr) -> tuple[Ref, ...]:
    """The sources without the temporary buffer."""
    return instr.srcs[:-1] if "tmp" in instr.params else instr.srcs
