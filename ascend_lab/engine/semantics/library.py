"""Element-wise functions of the high-level library: each call is one instruction.

Sources: asc-devkit: docs/zh/api/SIMD-API/高阶API/{数学计算,激活函数}/*.md. half is computed in float and rounded once,
as the pages describe. They promise no last bits; here the functions are NumPy's and `math`'s.
The temporary buffer is what `scratch` says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.instruction import Instr
from ascend_lab.engine.memory import Write
from ascend_lab.engine.semantics import arithmetic as lane
from ascend_lab.engine.semantics.flow import AnyFlow
from ascend_lab.engine.semantics.form import Footprint, Form, Semantic
from ascend_lab.engine.semantics.lanewise import Lanewise
from ascend_lab.engine.semantics.scratch import data_of, scratch_access, scratch_write

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued

Array = NDArray[Any]


class Bare:
    """An issued instruction as the inner semantic sees it: without the temporary buffer."""

    def __init__(self, instr: Instr, form: Form) -> None:
        self.instr = instr
        self.form = form


class WithScratch:
    """``inner``, which also spoils a temporary buffer."""

    def __init__(self, inner: Semantic) -> None:
        self.inner = inner

    def footprint(self, instr: Instr, form: Form) -> Footprint:
        found = self.inner.footprint(without_scratch(instr), form)
        return Footprint(found.reads, found.writes + scratch_access(instr))

    def evaluate(self, x: Issued, core: Core) -> list[Write]:
        bare: Any = Bare(without_scratch(x.instr), x.form)
        return [*scratch_write(core, x.instr), *self.inner.evaluate(bare, core)]

    def flow(self, instr: Instr, form: Form) -> tuple[AnyFlow, ...]:
        return self.inner.flow(without_scratch(instr), form)

    def repeats(self, instr: Instr, form: Form) -> float:
        return self.inner.repeats(without_scratch(instr), form)


def without_scratch(instr: Instr) -> Instr:
    """The instruction with its data alone."""
    if "tmp" not in instr.params:
        return instr
    params = {name: value for name, value in instr.params.items() if name != "tmp"}
    return Instr(instr.op, instr.pipe, instr.dst, data_of(instr), params, instr.where)


# --- functions that NumPy has not ------------------------------------------------------------------


def _mapped(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """``function`` of `math`, element by element; NaN where it has no value."""

    def guarded(value: float) -> float:
        try:
            return function(value)
        except (ValueError, OverflowError):
            return math.inf if math.isinf(value) or value != value // 1 or value > 0 else math.nan

    ufunc = np.frompyfunc(guarded, 1, 1)

    def compute(source: Array) -> Array:
        return np.asarray(ufunc(source.astype(np.float64)), dtype=np.float64).astype(source.dtype)

    return compute


def _log_gamma(value: float) -> float:
    """ln |gamma(x)|; infinite at 0 and the negative integers."""
    return math.inf if value <= 0 and value == value // 1 else math.lgamma(value)


def _digamma(value: float) -> float:
    """The derivative of ln gamma: the recurrence up to 8, then its asymptotic series."""
    if value <= 0 and value == value // 1:
        return math.nan
    if value < 0:
        return _digamma(1 - value) - math.pi / math.tan(math.pi * value)
    result = 0.0
    while value < 8:
        result -= 1 / value
        value += 1
    inverse = 1 / (value * value)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    return result + math.log(value) - 0.5 / value - series


def _sigmoid(sources: list[Array], instr: Instr) -> Array:
    """1 / (1 + exp(-x)), each step in the type of x.

    cann-learning-hub: tutorials/ascendc_operator_development_light/02_AscendC_basic/src/02.08/scripts compares the
    half that a card gives with those steps, exactly.
    """
    return np.asarray(1 / (1 + np.exp(-sources[0])))


def _gelu(source: Array) -> Array:
    """x / (1 + exp(-1.5957691 * (x + 0.044715 x**3))), the page's simplified form."""
    cubic = source + source.dtype.type(0.044715) * source**3
    return np.asarray(source / (1 + np.exp(source.dtype.type(-1.5957691) * cubic)))


def _faster_gelu(source: Array) -> Array:
    """x / (1 + exp(-1.702 x)), the page's simplified form."""
    return np.asarray(source / (1 + np.exp(source.dtype.type(-1.702) * source)))


def _glu(gate: Callable[[Array], Array]) -> Callable[[Array, Array], Array]:
    """The first source times ``gate`` of the second."""
    return lambda first, second: np.asarray(first * gate(second))


def _relu(source: Array) -> Array:
    return np.asarray(np.maximum(source, source.dtype.type(0)))


def _swiglu(sources: list[Array], instr: Instr) -> Array:
    """src0 * src1 / (1 + exp(-beta src1))."""
    beta = np.float32(instr.params["scalar"])
    return lane.elementwise(_glu(lambda second: _swish(second, beta)))(sources, instr)


def _silu(source: Array) -> Array:
    return np.asarray(source / (1 + np.exp(-source)))


def _swish(source: Array, beta: Any) -> Array:
    """x / (1 + exp(-beta x))."""
    return np.asarray(source / (1 + np.exp(-beta * source)))


def _frac(source: Array) -> Array:
    return np.asarray(source - np.trunc(source))


def _axpy(sources: list[Array], instr: Instr) -> Array:
    """dst + src * scalar, half and mixed in float."""
    source, dst = (values.astype(np.float32) for values in sources)
    scalar = lane.as_scalar(instr.params["scalar"], sources[0].dtype)
    return np.asarray(dst + source * np.float32(scalar)).astype(sources[1].dtype)


def _power(sources: list[Array], instr: Instr) -> Array:
    """src0 ** src1; either may be ``scalar`` (``base``: it is src0). Integers wrap; a negative power is 0."""
    if "scalar" in instr.params:
        (tensor,) = sources
        scalar = np.asarray(lane.as_scalar(instr.params["scalar"], tensor.dtype))
        left, right = (scalar, tensor) if instr.params.get("base") else (tensor, scalar)
    else:
        left, right = sources
    dtype = sources[0].dtype
    if dtype.kind == "i":
        return _integer_power(left, right, dtype)
    wide = np.float32 if dtype.itemsize == 2 else dtype
    return np.asarray(np.power(left.astype(wide), right.astype(wide))).astype(dtype)


def _integer_power(left: Array, right: Array, dtype: np.dtype[Any]) -> Array:
    left, right = np.broadcast_arrays(left, right)
    raised = np.power(left, np.maximum(right, 0), dtype=dtype)
    kept = np.where(np.abs(left) == 1, np.where(right % 2 == 0, 1, left), 0)
    return np.asarray(np.where(right >= 0, raised, kept)).astype(dtype)


def _map(ufunc: Callable[..., Any]) -> WithScratch:
    return WithScratch(Lanewise(lane.elementwise(ufunc)))


OPS: Mapping[str, Semantic] = {
    "Acos": _map(np.arccos),
    "Acosh": _map(np.arccosh),
    "Asin": _map(np.arcsin),
    "Asinh": _map(np.arcsinh),
    "Atan": _map(np.arctan),
    "Atanh": _map(np.arctanh),
    "Ceil": _map(np.ceil),
    "Cos": _map(np.cos),
    "Cosh": _map(np.cosh),
    "Digamma": _map(_mapped(_digamma)),
    "Erf": _map(_mapped(math.erf)),
    "Erfc": _map(_mapped(math.erfc)),
    "ExpLibrary": _map(np.exp),
    "Floor": _map(np.floor),
    "Frac": _map(_frac),
    "Lgamma": _map(_mapped(_log_gamma)),
    "Log": _map(np.log),
    "Round": _map(np.rint),
    "Sign": _map(np.sign),
    "Sin": _map(np.sin),
    "Sinh": _map(np.sinh),
    "Tan": _map(np.tan),
    "Tanh": _map(np.tanh),
    "Trunc": _map(np.trunc),
    "Xor": _map(np.bitwise_xor),
    "Power": WithScratch(Lanewise(_power)),
    "AxpyLibrary": WithScratch(Lanewise(_axpy, reads_dst=True)),
    "Sigmoid": WithScratch(Lanewise(_sigmoid)),
    "Silu": _map(_silu),
    "Swish": WithScratch(Lanewise(lane.with_scalar(_swish))),
    "Gelu": _map(_gelu),
    "FasterGelu": _map(_faster_gelu),
    "FasterGeluV2": _map(_faster_gelu),
    "GeGLU": _map(_glu(_gelu)),
    "ReGlu": _map(_glu(_relu)),
    "SwiGLU": WithScratch(Lanewise(_swiglu)),
    "ClampMax": WithScratch(Lanewise(lane.with_scalar(np.minimum))),
    "ClampMin": WithScratch(Lanewise(lane.with_scalar(np.maximum))),
    "Fmod": _map(np.fmod),
    "Log2": _map(np.log2),
    "Log10": _map(np.log10),
}
