"""What each instruction reads, computes and writes: the living definition of the instruction set.

``SEMANTICS[op]`` answers three questions about an instruction, each from its operands and its
resolved form alone: which bytes (`footprint`), which values (`evaluate`), which destination lane
depends on which source lanes (`flow`, for definedness). Where the bytes depend on values (`DYNAMIC`),
`footprint` names all that may be touched and `touched` says, when the instruction starts, which are.
"""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.engine.semantics import (
    cmpmask,
    compare,
    fill,
    fused,
    gather,
    gather_mask,
    gradients,
    int4,
    interpolate,
    lanewise,
    library,
    move,
    norms,
    quantise,
    reduce,
    reductions,
    reordering,
    rows,
    softmaxes,
    sorting,
    transpose,
)
from ascend_lab.engine.semantics.form import AnyFlow, Dynamic, Flow, Form, Pad, Semantic, Span

__all__ = ["DYNAMIC", "SEMANTICS", "AnyFlow", "Dynamic", "Flow", "Form", "Pad", "Semantic", "Span"]

#: Instructions whose bytes depend on values.
DYNAMIC: Mapping[str, Dynamic] = {
    **gather.OPS,
    **gather_mask.OPS,
    **interpolate.OPS,
    **sorting.DYNAMIC,
}

SEMANTICS: Mapping[str, Semantic] = {
    **lanewise.OPS,
    **int4.OPS,
    **compare.OPS,
    **cmpmask.OPS,
    **reduce.OPS,
    **move.OPS,
    **fill.OPS,
    **transpose.OPS,
    **fused.OPS,
    **sorting.OPS,
    **library.OPS,
    **rows.OPS,
    **gradients.OPS,
    **quantise.OPS,
    **softmaxes.OPS,
    **norms.OPS,
    **reductions.OPS,
    **reordering.OPS,
    **DYNAMIC,
}
