"""A little of torch on NumPy: what scripts about kernels use to make data and to compare results.

Every function answers as torch's does for the arguments it takes; what is not here raises AttributeError.
Random numbers are NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from ascend_lab.asc.stand_in.dtypes import ALIASES, TYPES, dtype
from ascend_lab.asc.stand_in.tensor import Tensor, array_of

_FLOAT32, _INT64, _BOOL = TYPES["float32"], TYPES["int64"], TYPES["bool"]


class _Random:
    """The generator that ``manual_seed`` seeds."""

    def __init__(self) -> None:
        self.generator = np.random.default_rng(0)


def _shape(size: Sequence[Any]) -> tuple[int, ...]:
    if len(size) == 1 and isinstance(size[0], Sequence | Tensor):
        size = tuple(size[0])
    return tuple(int(part) for part in size)


def _numpy(kind: dtype | None, default: dtype = _FLOAT32) -> np.dtype[Any]:
    return (kind or default).numpy


def tensor(data: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """A tensor with a copy of ``data``; Python floats become float32."""
    found = np.array(array_of(data), dtype=dtype.numpy if dtype else None)
    if dtype is None and found.dtype == np.float64 and not isinstance(data, np.ndarray):
        found = found.astype(np.float32)
    return Tensor(found)


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares memory with ``array``."""
    return Tensor(array)


def zeros(*size: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Zeros."""
    return Tensor(np.zeros(_shape(size), _numpy(dtype)))


def ones(*size: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Ones."""
    return Tensor(np.ones(_shape(size), _numpy(dtype)))


def empty(*size: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Zeros, so that runs repeat."""
    return zeros(*size, dtype=dtype)


def full(size: Any, fill_value: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """``fill_value`` everywhere."""
    kind = dtype or _default_of(fill_value)
    return Tensor(np.full(_shape((size,)), fill_value, _numpy(kind)))


def _default_of(value: Any) -> dtype:
    if isinstance(value, bool):
        return _BOOL
    return _INT64 if isinstance(value, int) else _FLOAT32


def zeros_like(other: Tensor, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Zeros in the shape of ``other``."""
    return Tensor(np.zeros(other.shape, _numpy(dtype, other.dtype)))


def ones_like(other: Tensor, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Ones in the shape of ``other``."""
    return Tensor(np.ones(other.shape, _numpy(dtype, other.dtype)))


def empty_like(other: Tensor, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Zeros in the shape of ``other``, so that runs repeat."""
    return zeros_like(other, dtype)


def full_like(other: Tensor, fill_value: Any, dtype: dtype | None = None) -> Tensor:
    """``fill_value`` in the shape of ``other``."""
    return Tensor(np.full(other.shape, fill_value, _numpy(dtype, other.dtype)))


def arange(*bounds: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """Numbers at equal distances."""
    found = np.arange(*bounds)
    kind = dtype or (_INT64 if found.dtype.kind == "i" else _FLOAT32)
    return Tensor(found.astype(kind.numpy))


def linspace(start: Any, end: Any, steps: Any, dtype: dtype | None = None) -> Tensor:
    """``steps`` numbers from ``start`` to ``end``."""
    return Tensor(np.linspace(start, end, steps).astype(_numpy(dtype)))


def eye(n: int, dtype: dtype | None = None, device: Any = None) -> Tensor:
    """The unit matrix."""
    return Tensor(np.eye(n, dtype=_numpy(dtype)))


def allclose(
    left: Tensor,
    right: Tensor,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> bool:
    """Whether all elements agree within ``atol + rtol * |right|``."""
    a, b = (np.asarray(array_of(x), np.float64) for x in (left, right))
    return bool(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def equal(left: Tensor, right: Tensor) -> bool:
    """Whether shape and all elements are the same."""
    return bool(np.array_equal(array_of(left), array_of(right)))


def matmul(left: Tensor, right: Tensor) -> Tensor:
    """The matrix product."""
    return left.__matmul__(right)


def where(condition: Tensor, left: Any, right: Any) -> Tensor:
    """``left`` where the condition holds, else ``right``."""
    return Tensor(np.where(array_of(condition), array_of(left), array_of(right)))


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors one after the other."""
    return Tensor(np.concatenate([array_of(t) for t in tensors], axis=dim))


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors along a new dimension."""
    return Tensor(np.stack([array_of(t) for t in tensors], axis=dim))


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors as rows below each other."""
    return Tensor(np.vstack([array_of(t) for t in tensors]))


def permute(value: Tensor, dims: Sequence[int]) -> Tensor:
    """With its dimensions in another order."""
    return value.permute(dims)


def bitwise_and(left: Tensor, right: Any) -> Tensor:
    """Bit by bit."""
    return Tensor(np.bitwise_and(array_of(left), array_of(right)))


def clamp(value: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Elements kept between ``min`` and ``max``."""
    return Tensor(np.clip(array_of(value), min, max).astype(value.numpy().dtype))


def _elementwise(ufunc: Callable[..., Any]) -> Callable[[Tensor], Tensor]:
    def apply(value: Tensor) -> Tensor:
        array = array_of(value)
        with np.errstate(all="ignore"):
            return Tensor(np.asarray(ufunc(array), dtype=array.dtype))

    apply.__doc__ = f"As numpy.{getattr(ufunc, '__name__', 'function')}, element by element."
    return apply


abs = _elementwise(np.abs)
exp = _elementwise(np.exp)
log = _elementwise(np.log)
sqrt = _elementwise(np.sqrt)
rsqrt = _elementwise(lambda x: 1 / np.sqrt(x))
reciprocal = _elementwise(np.reciprocal)
sigmoid = _elementwise(lambda x: 1 / (1 + np.exp(-x)))
tanh = _elementwise(np.tanh)
relu = _elementwise(lambda x: np.maximum(x, 0))
floor = _elementwise(np.floor)
ceil = _elementwise(np.ceil)
round = _elementwise(np.round)
trunc = _elementwise(np.trunc)


def isnan(value: Tensor) -> Tensor:
    """Which elements are NaN."""
    return Tensor(np.isnan(array_of(value)))


def maximum(left: Tensor, right: Tensor) -> Tensor:
    """The larger of two, element by element."""
    return Tensor(np.maximum(array_of(left), array_of(right)))


def minimum(left: Tensor, right: Tensor) -> Tensor:
    """The smaller of two, element by element."""
    return Tensor(np.minimum(array_of(left), array_of(right)))


def sum(value: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """The sum."""
    return value.sum(dim, keepdim)


def as_module() -> ModuleType:
    """A fresh module called ``torch``, with a random generator of its own."""
    module = ModuleType("torch", __doc__)
    random = _Random()

    def manual_seed(seed: int) -> None:
        """Start the random numbers again."""
        random.generator = np.random.default_rng(seed)

    def rand(*size: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
        """Uniform in [0, 1)."""
        return Tensor(random.generator.random(_shape(size)).astype(_numpy(dtype)))

    def randn(*size: Any, dtype: dtype | None = None, device: Any = None) -> Tensor:
        """Normally distributed."""
        return Tensor(np.asarray(random.generator.standard_normal(_shape(size)), _numpy(dtype)))

    def randint(*args: Any, dtype: dtype | None = None, device: Any = None, **named: Any) -> Tensor:
        """Integers: ``randint(high, size)`` or ``randint(low, high, size)``."""
        size = named.get("size", args[-1])
        bounds = args if "size" in named else args[:-1]
        low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
        drawn = random.generator.integers(low, high, _shape((size,)))
        return Tensor(np.asarray(drawn, _numpy(dtype, _INT64)))

    made = {f.__name__: f for f in (manual_seed, rand, randn, randint)}
    public = {name: globals()[name] for name in _PUBLIC}
    aliases = {alias: TYPES[name] for alias, name in ALIASES.items()}
    vars(module).update(public, **made, **TYPES, **aliases)
    vars(module).update(Tensor=Tensor, dtype=dtype, is_stand_in=True, __version__="stand-in")
    return module


_PUBLIC = (
    *("tensor", "from_numpy", "zeros", "ones", "empty", "full", "zeros_like", "ones_like"),
    *("empty_like", "full_like", "arange", "linspace", "eye", "allclose", "equal", "matmul"),
    *(
        "where",
        "cat",
        "stack",
        "vstack",
        "permute",
        "bitwise_and",
        "clamp",
        "abs",
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "reciprocal",
    ),
    *("sigmoid", "tanh", "relu", "floor", "ceil", "round", "trunc", "isnan", "maximum"),
    *("minimum", "sum"),
)
