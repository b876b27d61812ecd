"""Activations. All but ``softmax`` are additions to pyasc, with Ascend C's meaning and order of arguments.

asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ascend_lab.asc.door import emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.adv.math import elementwise
from ascend_lab.asc.language.adv.scratch import flag, with_buffer
from ascend_lab.asc.language.adv.tiling import SoftmaxTiling
from ascend_lab.asc.language.basic.vector import local
from ascend_lab.asc.language.core.ir_value import plain_number
from ascend_lab.asc.language.core.tensor import LocalTensor
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Pipe

_BLOCK = 32
_BASIC = 64  # elements


def softmax(
    dst: LocalTensor,
    sum: LocalTensor,
    max: LocalTensor,
    src: LocalTensor,
    tiling: SoftmaxTiling,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    basic_block: bool = False,
    data_format_nz: bool = False,
) -> None:
    """exp(x - max) / sum over every row of ``src``; half, float.

    The shape is that of ``src.set_shape_info``. ``sum`` and ``max`` get one DataBlock a row.
    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/SoftMax接口/SoftMax.md
    """
    _rows_of_softmax("SoftMax", "asc.adv.softmax", (dst, sum, max, src), tiling, temp_buffer)
    if flag(data_format_nz):
        raise NotModelled("asc.adv.softmax", "data_format_nz=True")


def log_softmax(
    dst: LocalTensor,
    sum: LocalTensor,
    max: LocalTensor,
    src: LocalTensor,
    tiling: SoftmaxTiling,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """log10 of softmax over every row of ``src``; half, float. An addition to pyasc.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/LogSoftMax接口/LogSoftMax.md
    """
    tensors = (dst, sum, max, src)
    _rows_of_softmax("LogSoftMax", "asc.adv.log_softmax", tensors, tiling, temp_buffer)


def _rows_of_softmax(
    op: str, api: str, tensors: tuple[Any, Any, Any, Any], tiling: Any, temp_buffer: Any
) -> None:
    dst, sums, largest, src = tensors
    if not isinstance(tiling, SoftmaxTiling):
        raise no_overload(api, (tiling,), ("dst, sum, max, src, tiling: SoftmaxTiling, ...",))
    target = local(api, "dst", dst)
    sources = (local(api, "src", src), local(api, "sum", sums), local(api, "max", largest))
    rows, pitch, columns = matrix_of(api, src)
    each = _BLOCK // sums.dtype.sizeof()
    needed = (each + pitch + _BASIC) * 4
    shape = {"rows": rows, "columns": columns, "pitch": pitch}
    refs, params = with_buffer(api, sources, shape, temp_buffer, needed)
    emit(op, Pipe.V, target, refs, params)


def matrix_of(api: str, tensor: LocalTensor) -> tuple[int, int, int]:
    """(rows, elements from row to row, elements of a row that count) of a tensor's ShapeInfo."""
    info = tensor.get_shape_info()
    dims, original = info.dims, info.original_dims
    if not dims:
        raise LabError(
            f"{api}：不知道 src 的形状。请先调用 src.set_shape_info(asc.ShapeInfo((行数, 列数)))。",
            f"{api}: the shape of src is not known. Call src.set_shape_info(asc.ShapeInfo((rows, columns))) "
            "first.",
        )
    return prod(dims[:-1]), dims[-1], original[-1] if original else dims[-1]


def sigmoid(
    dst: LocalTensor,
    src: LocalTensor,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """1 / (1 + exp(-x)); half, float.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/Sigmoid接口/Sigmoid.md
    """
    elementwise("Sigmoid", dst, src, count, temp_buffer)


def silu(dst: LocalTensor, src: LocalTensor, count: int | None = None) -> None:
    """x / (1 + exp(-x)); half, float. Needs no temporary buffer.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/Silu接口/Silu.md
    """
    elementwise("Silu", dst, src, count, None)


def swish(dst: LocalTensor, src: LocalTensor, scalar: float, count: int | None = None) -> None:
    """x / (1 + exp(-scalar * x)); half, float. Needs no temporary buffer.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/Swish接口/Swish.md
    """
    number = plain_number("asc.adv.swish", "scalar", scalar, src.dtype)
    elementwise("Swish", dst, src, count, None, scalar=number)


def gelu(
    dst: LocalTensor,
    src: LocalTensor,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """x / (1 + exp(-1.5957691 * (x + 0.044715 x^3))); half, float.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/Gelu接口/Gelu.md
    """
    elementwise("Gelu", dst, src, count, temp_buffer)


def faster_gelu(
    dst: LocalTensor,
    src: LocalTensor,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """x / (1 + exp(-1.702 x)); half, float.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/Gelu接口/FasterGelu.md
    """
    elementwise("FasterGelu", dst, src, count, temp_buffer, name="faster_gelu")
