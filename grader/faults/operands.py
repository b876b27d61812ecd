"""Where the operands of a vector instruction stand in its call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Operands(NamedTuple):
    """Positions of the tensors, destination first; ``form`` is where count or mask stands."""

    tensors: tuple[int, ...]
    form: int


_BINARY = Operands((0, 1, 2), 3)
_SCALAR = Operands((0, 1), 3)
_UNARY = Operands((0, 1), 2)

#: By pyasc's name.
OPERANDS: Mapping[str, Operands] = {
    **dict.fromkeys(("add", "sub", "mul", "div", "max", "min"), _BINARY),
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min"), _BINARY),
    **dict.fromkeys(("adds", "muls", "maxs", "mins", "axpy", "leaky_relu", "cast"), _SCALAR),
    **dict.fromkeys(("abs", "exp", "ln", "relu", "sqrt", "rsqrt", "reciprocal"), _UNARY),
    "duplicate": Operands((0,), 2),
    "compare": Operands((0, 1, 2), 4),
    "compare_scalar": Operands((0, 1), 4),
    "select": Operands((0, 1, 2), 5),
}

#: Lane by lane: destination, one or two sources, and nothing else.
LANEWISE = frozenset(
    ("add", "sub", "mul", "div", "max", "min", "adds", "muls", "maxs", "mins")
    + ("abs", "exp", "ln", "relu", "sqrt", "rsqrt", "reciprocal")
)
