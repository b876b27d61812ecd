"""Functions of the library that take whole tensors and give whole tensors: the shape they share.

``srcs`` are what is read, then further results, then the temporary buffer; ``dst`` is the main result.
``reads`` and ``writes`` say how many elements of each count: those of the sources, those of ``dst`` and the
further results. Floating-point sources are computed in float and rounded once. What is computed: `norms`,
`softmaxes`, `reductions`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import DTYPES, ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import REPEAT
from ascend_lab.engine.memory import Access, Write
from ascend_lab.engine.semantics.casting import cast
from ascend_lab.engine.semantics.flow import AnyFlow, Flow
from ascend_lab.engine.semantics.form import Footprint, Form, peek
from ascend_lab.engine.semantics.gather import contiguous
from ascend_lab.engine.semantics.scratch import data_of, scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]
#: (sources, instruction) -> the main result and each further one, in any shape of the right size.
Compute = Callable[[list[Array], Instr], tuple[Array, ...]]
_MOST = 1 << 18  # elements; more fit into no local memory


class Composed:
    """See the module."""

    def __init__(self, compute: Compute) -> None:
        self.compute = compute

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        reads: tuple[Access, ...] = ()
        for ref, count in _inputs(instr):
            reads += contiguous(ref, count)
        writes: tuple[Access, ...] = ()
        for ref, count in _outputs(instr):
            writes += contiguous(ref, count)
        if not writes:
            return Footprint((), ())
        return Footprint(reads, writes + scratch_access(instr))

    @np.errstate(all="ignore")
    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        instr = x.instr
        outputs = _outputs(instr)
        if not any(count for _, count in outputs):
            return []
        sources = [_values(core, ref, count) for ref, count in _inputs(instr)]
        writes = scratch_write(core, instr)
        for (ref, count), values in zip(outputs, self.compute(sources, instr), strict=True):
            kept = np.ascontiguousarray(converted(values, ref.dtype).reshape(-1)[:count])
            writes.append(core.local(ref.space).store_contiguous(ref, kept))
        return writes

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        """A result as long as the first source follows its element; all are lost with a whole source."""
        tables = [(ref.space, ITEMSIZE[ref.dtype], _addresses(ref, n)) for ref, n in _inputs(instr)]
        flows = []
        for ref, count in _outputs(instr):
            if not count:
                continue
            space, size, addresses = tables[0] if tables else (ref.space, 1, np.zeros(0, np.int64))
            if addresses.size != count:
                addresses = np.full(count, -1, dtype=np.int64)
            srcs = ((space, size, addresses), *(table for table in tables if table[2].size))
            target = ITEMSIZE[ref.dtype]
            flows.append(Flow("table", ref.space, target, _addresses(ref, count), srcs))
        return tuple(flows)

    def repeats(self, instr: Instr, form: Form) -> float:
        """256 B iterations over the largest operand."""
        parts = (*_inputs(instr), *_outputs(instr))
        return max((-(-count * ITEMSIZE[ref.dtype] // REPEAT) for ref, count in parts), default=0)


def _counts(instr: Instr, name: str) -> tuple[int, ...]:
    return tuple(min(max(int(count), 0), _MOST) for count in instr.params[name])


def _inputs(instr: Instr) -> list[tuple[Ref, int]]:
    return list(zip(data_of(instr), _counts(instr, "reads"), strict=False))


def _outputs(instr: Instr) -> list[tuple[Ref, int]]:
    assert instr.dst is not None
    further = data_of(instr)[len(instr.params["reads"]) :]
    return list(zip((instr.dst, *further), _counts(instr, "writes"), strict=True))


def _addresses(ref: Ref, count: int) -> NDArray[np.int64]:
    return ref.addr + np.arange(count, dtype=np.int64) * ITEMSIZE[ref.dtype]


def _values(core: Core, ref: Ref, count: int) -> Array:
    values = peek(core.local(ref.space), ref, count)
    return values.astype(np.float32) if ref.dtype in ("float16", "bfloat16") else values.copy()


def converted(values: Array, dtype: str) -> Array:
    """``values`` as elements of ``dtype``; from float to integer by rounding, saturated."""
    target = DTYPES[dtype]
    if values.dtype == target:
        return values
    if target.kind in "iu" and values.dtype.kind == "f":
        return cast(values.astype(np.float32), target, "CAST_RINT")
    return values.astype(target)
