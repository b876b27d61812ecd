"""Changing the places of elements.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import bind, local
from ascend_lab.asc.language.core.ir_value import plain_int
from ascend_lab.asc.language.core.tensor import LocalTensor, value_at
from ascend_lab.asc.language.core.vector_types import TransDataTo5HDParams, TransposeParamsExt
from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Pipe, Ref

_LIST = 16
_TRANSPOSE = ("dst, src", "dst, src, shared_tmp_buffer: LocalTensor, params: TransposeParamsExt")
_TO_5HD = (
    "dst_list: list[LocalTensor], src_list: list[LocalTensor], params: TransDataTo5HDParams",
    "dst_list: list[int], src_list: list[int], params: TransDataTo5HDParams",
    "dst: LocalTensor, src: LocalTensor, params: TransDataTo5HDParams",
)


def transpose(dst: LocalTensor, src: LocalTensor, *args: Any, **kwargs: Any) -> None:
    """16 x 16 elements of 16 bits; with ``shared_tmp_buffer, params`` also NCHW and NHWC.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换/Transpose.md
    """
    api = "asc.transpose"
    target, source = local(api, "dst", dst), local(api, "src", src)
    if not args and not kwargs:
        emit("Transpose", Pipe.V, target, (source,), {"type": ""})
        return
    given = bind(("shared_tmp_buffer", "params"), args, kwargs) or {}
    how = given.get("params")
    if not isinstance(how, TransposeParamsExt):
        raise no_overload(api, (dst, src, *args, *kwargs.values()), _TRANSPOSE)
    spare = local(api, "shared_tmp_buffer", given.get("shared_tmp_buffer"))
    params: dict[str, Any] = {"type": how.type, "shape": how.shape}
    needed = _buffer_size(how, src.dtype.sizeof())
    if not needed:
        emit("Transpose", Pipe.V, target, (source,), params)
        return
    emit("Transpose", Pipe.V, target, (source, spare), params | {"tmp": needed})


def _buffer_size(how: TransposeParamsExt, size: int) -> int:
    """Bytes of the temporary buffer: rows of ``c`` tiles of 16 (8 bit types: 32) by 32 B."""
    channels = how.shape[1]
    tiles = {"TRANSPOSE_NCHW2NHWC": channels + 2, "TRANSPOSE_NHWC2NCHW": channels * 2 + 1}
    return tiles.get(how.type, 0) * (32 if size == 1 else 16) * 32


def trans_data_to_5hd(
    dst_or_list: LocalTensor | Sequence[Any],
    src_or_list: LocalTensor | Sequence[Any],
    params: TransDataTo5HDParams,
) -> None:
    """16 blocks of the source list become 16 columns of the destination list: NCHW to NC1HWC0.

    Lists of 16 tensors, lists of 16 addresses, or two uint64 tensors that hold 16 addresses each. Addresses
    have no type: it is that of the tensor which told them (``get_phy_addr``).
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换/TransDataTo5HD.md
    """
    api = "asc.trans_data_to_5hd"
    if not isinstance(params, TransDataTo5HDParams):
        raise no_overload(api, (dst_or_list, src_or_list, params), _TO_5HD)
    to, target = _sixteen(api, dst_or_list)
    origin, source = _sixteen(api, src_or_list)
    more = {
        "dst_list": to,
        "src_list": origin,
        "times": params.times,
        "rep": params.rep,
        "dst_high": params.dst_high,
        "src_high": params.src_high,
    }
    emit("TransDataTo5HD", Pipe.V, target, (source,), more)


def _sixteen(api: str, given: Any) -> tuple[tuple[int, ...], Ref]:
    """The addresses of one side, and its first block."""
    if isinstance(given, LocalTensor):
        ref = local(api, "the list of addresses", given)
        return _typed(api, [value_at(ref, k) for k in range(_LIST)])
    if not isinstance(given, Sequence) or len(given) != _LIST:
        raise no_overload(api, (given,), _TO_5HD)
    if not isinstance(given[0], LocalTensor):
        return _typed(api, [plain_int(api, "address", item) for item in given])
    refs = [local(api, f"tensor {k} of a list", item) for k, item in enumerate(given)]
    return tuple(ref.addr for ref in refs), refs[0]


def _typed(api: str, addresses: list[int]) -> tuple[tuple[int, ...], Ref]:
    dtype = current().told.get(addresses[0])
    if dtype is None:
        raise NotModelled(api, "an address that no tensor's get_phy_addr has told")
    return tuple(addresses), Ref("UB", addresses[0], dtype, -1, -1, "VECCALC")
