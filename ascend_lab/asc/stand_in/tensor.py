"""The tensor of the stand-in for torch: a NumPy array with torch's methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ascend_lab.asc.stand_in.dtypes import OF_NUMPY, TYPES, dtype

Array = np.ndarray[Any, Any]


def array_of(value: Any) -> Any:
    """The array of a tensor; anything else as it is."""
    return value._array if isinstance(value, Tensor) else value


def _result(array: Any, *operands: Any) -> Tensor:
    """A tensor of a result; no float64 comes of operands that had none (torch's promotion)."""
    found = np.asarray(array)
    if found.dtype == np.float64 and not any(
        isinstance(o, np.ndarray) and o.dtype == np.float64 for o in operands
    ):
        found = found.astype(np.float32)
    return Tensor(found)


def _binary(ufunc: Callable[[Any, Any], Any]) -> Callable[[Tensor, Any], Tensor]:
    def method(self: Tensor, other: Any) -> Tensor:
        left, right = self._array, array_of(other)
        with np.errstate(all="ignore"):
            return _result(ufunc(left, right), left, right)

    return method


def _reflected(ufunc: Callable[[Any, Any], Any]) -> Callable[[Tensor, Any], Tensor]:
    def method(self: Tensor, other: Any) -> Tensor:
        left, right = array_of(other), self._array
        with np.errstate(all="ignore"):
            return _result(ufunc(left, right), left, right)

    return method


class Tensor:
    """Elements on the host. ``numpy()`` shares their memory."""

    device = "cpu"
    is_cpu = True
    is_npu = False
    requires_grad = False

    def __init__(self, array: Any) -> None:
        self._array: Array = np.asarray(array)

    # --- what it is ------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the dimensions."""
        return tuple(self._array.shape)

    @property
    def dtype(self) -> dtype:
        """The type of its elements."""
        return OF_NUMPY[self._array.dtype]

    @property
    def ndim(self) -> int:
        """How many dimensions."""
        return self._array.ndim

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return self._array.nbytes

    @property
    def T(self) -> Tensor:  # noqa: N802 - torch's name
        """Transposed."""
        return Tensor(self._array.T)

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the length of one dimension."""
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        """How many dimensions."""
        return self._array.ndim

    def numel(self) -> int:
        """How many elements."""
        return self._array.size

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._array.itemsize

    def data_ptr(self) -> int:
        """The address of the first element."""
        return int(self._array.__array_interface__["data"][0])

    def is_contiguous(self) -> bool:
        """Whether its elements lie one after the other."""
        return self._array.flags.c_contiguous

    def __len__(self) -> int:
        return len(self._array)

    def __iter__(self) -> Iterator[Tensor]:
        return map(Tensor, self._array)

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self._array, dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return f"tensor({np.array2string(self._array, separator=', ')}, dtype={self.dtype})"

    # --- parts and shapes ---------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Tensor:
        return Tensor(self._array[array_of(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array[array_of(key)] = array_of(value)

    def reshape(self, *shape: Any) -> Tensor:
        """The same elements in another shape."""
        return Tensor(self._array.reshape(*shape))

    def view(self, *shape: Any) -> Tensor:
        """The same elements in another shape, or the same bytes as another type."""
        if shape and isinstance(shape[0], dtype):
            return Tensor(self._array.view(shape[0].numpy))
        return self.reshape(*shape)

    def flatten(self) -> Tensor:
        """In one dimension."""
        return Tensor(self._array.reshape(-1))

    def ravel(self) -> Tensor:
        """In one dimension."""
        return self.flatten()

    def squeeze(self) -> Tensor:
        """Without dimensions of length 1."""
        return Tensor(np.squeeze(self._array))

    def unsqueeze(self, dim: int) -> Tensor:
        """With a dimension of length 1 more."""
        return Tensor(np.expand_dims(self._array, dim))

    def transpose(self, first: int, second: int) -> Tensor:
        """With two dimensions exchanged."""
        return Tensor(np.swapaxes(self._array, first, second))

    def permute(self, *dims: Any) -> Tensor:
        """With its dimensions in another order."""
        order = dims[0] if len(dims) == 1 and not isinstance(dims[0], int) else dims
        return Tensor(np.transpose(self._array, tuple(order)))

    def contiguous(self) -> Tensor:
        """With its elements one after the other."""
        return Tensor(np.ascontiguousarray(self._array))

    # --- copies and conversions -----------------------------------------------------------------

    def numpy(self) -> Array:
        """The array itself."""
        return self._array

    def item(self) -> Any:
        """The only element as a Python number."""
        return self._array.item()

    def tolist(self) -> Any:
        """Nested lists of Python numbers."""
        return self._array.tolist()

    def clone(self) -> Tensor:
        """A copy."""
        return Tensor(self._array.copy())

    def detach(self) -> Tensor:
        """Itself: there are no gradients."""
        return self

    def cpu(self) -> Tensor:
        """Itself: everything is on the host."""
        return self

    def npu(self, *where: Any) -> Tensor:
        """Itself: everything is on the host."""
        return self

    def to(self, *what: Any, **named: Any) -> Tensor:
        """As another type; devices are all the host."""
        kinds = [w for w in (*what, *named.values()) if isinstance(w, dtype)]
        return Tensor(self._array.astype(kinds[0].numpy)) if kinds else self

    type = to

    def float(self) -> Tensor:
        """As float32."""
        return self.to(TYPES["float32"])

    def half(self) -> Tensor:
        """As float16."""
        return self.to(TYPES["float16"])

    def int(self) -> Tensor:
        """As int32."""
        return self.to(TYPES["int32"])

    def copy_(self, other: Any) -> Tensor:
        """Take over the elements of another tensor."""
        self._array[...] = array_of(other)
        return self

    def fill_(self, value: Any) -> Tensor:
        """``value`` everywhere."""
        self._array[...] = value
        return self

    def zero_(self) -> Tensor:
        """0 everywhere."""
        return self.fill_(0)

    # --- arithmetic -------------------------------------------------------------------------------

    __add__ = _binary(np.add)
    __radd__ = _reflected(np.add)
    __sub__ = _binary(np.subtract)
    __rsub__ = _reflected(np.subtract)
    __mul__ = _binary(np.multiply)
    __rmul__ = _reflected(np.multiply)
    __truediv__ = _binary(np.true_divide)
    __rtruediv__ = _reflected(np.true_divide)
    __floordiv__ = _binary(np.floor_divide)
    __mod__ = _binary(np.remainder)
    __pow__ = _binary(np.power)
    __and__ = _binary(np.bitwise_and)
    __or__ = _binary(np.bitwise_or)
    __lt__ = _binary(np.less)
    __le__ = _binary(np.less_equal)
    __gt__ = _binary(np.greater)
    __ge__ = _binary(np.greater_equal)
    __eq__ = _binary(np.equal)  # type: ignore[assignment]
    __ne__ = _binary(np.not_equal)  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __matmul__(self, other: Any) -> Tensor:
        right = array_of(other)
        if self._array.dtype.kind == "f" and self._array.dtype.itemsize == 2:
            return Tensor((self._array.astype(np.float32) @ right).astype(self._array.dtype))
        return Tensor(self._array @ right)

    def __neg__(self) -> Tensor:
        return Tensor(-self._array)

    def __invert__(self) -> Tensor:
        return Tensor(~self._array)

    def __abs__(self) -> Tensor:
        return self.abs()

    def abs(self) -> Tensor:
        """The absolute values."""
        return Tensor(np.abs(self._array))

    def sum(self, dim: Any = None, keepdim: bool = False) -> Tensor:
        """The sum; integers are summed as int64."""
        return _result(self._array.sum(axis=dim, keepdims=keepdim), self._array)

    def mean(self, dim: Any = None, keepdim: bool = False) -> Tensor:
        """The mean."""
        return _result(self._array.mean(axis=dim, keepdims=keepdim), self._array)

    def max(self) -> Tensor:
        """The largest element."""
        return Tensor(self._array.max())

    def min(self) -> Tensor:
        """The smallest element."""
        return Tensor(self._array.min())

    def all(self) -> Tensor:
        """Whether all elements are true."""
        return Tensor(self._array.all())

    def any(self) -> Tensor:
        """Whether an element is true."""
        return Tensor(self._array.any())
