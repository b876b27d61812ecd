"""What each instruction reads, computes and writes: the living definition of the instruction set.

``SEMANTICS[op]`` answers three questions about an instruction, each from its operands and its
resolved form alone: which bytes (`footprint`), which values (`evaluate`), which destination lane
depends on which source lanes (`flow`, for definedness).
"""

from __future__ import annotations

from collections.abc import Mapping

from ascend_lab.engine.semantics import compare, lanewise, move, reduce
from ascend_lab.engine.semantics.form import AnyFlow, Flow, Form, Pad, Semantic, Span

__all__ = ["SEMANTICS", "AnyFlow", "Flow", "Form", "Pad", "Semantic", "Span"]

SEMANTICS: Mapping[str, Semantic] = {
    **lanewise.OPS,
    **compare.OPS,
    **reduce.OPS,
    **move.OPS,
}
