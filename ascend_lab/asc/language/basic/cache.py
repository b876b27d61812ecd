"""Hints and orders to the caches. Of these only data_cache_clean_and_invalid changes what a kernel sees.

asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import current, emit
from ascend_lab.asc.errors import no_memory, no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.enums import CacheLine, DcciDst
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int64_of, plain_int
from ascend_lab.asc.language.core.tensor import BaseTensor, GlobalTensor
from ascend_lab.engine.instruction import Pipe

_DCCI = (
    "entire_type: CacheLine, dst: GlobalTensor",
    "entire_type: CacheLine, dcci_dst: DcciDst, dst: GlobalTensor",
)


def data_cache_clean_and_invalid(entire_type: CacheLine, *args: Any, **kwargs: Any) -> None:
    """``(entire_type, dst)`` or ``(entire_type, dcci_dst, dst)``: write back and drop cached lines of ``dst``.

    An address that is not 64 B aligned cleans from there to the end of its line.
    asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/DataCacheCleanAndInvalid.md
    """
    api = "asc.data_cache_clean_and_invalid"
    values = (*args, *kwargs.values())
    tensors = [value for value in values if isinstance(value, BaseTensor)]
    places = [value for value in map(ConstExpr.unwrap, values) if isinstance(value, DcciDst)]
    line = ConstExpr.unwrap(entire_type)
    fits = len(tensors) == 1 and len(tensors) + len(places) == len(values)
    if not isinstance(line, CacheLine) or not fits:
        raise no_overload(api, (entire_type, *values), _DCCI)
    if not tensors[0].ref.space:
        raise no_memory(api)
    params = {"lines": line.name, "to": places[0].name if places else ""}
    emit("DataCacheCleanAndInvalid", Pipe.S, None, (tensors[0].ref,), params)


def data_cache_preload(src: GlobalTensor, cache_offset: int) -> None:
    """Bring 64 B at byte ``cache_offset`` of ``src`` into the data cache.

    asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/DataCachePreload.md
    """
    api = "asc.data_cache_preload"
    if not isinstance(src, GlobalTensor):
        raise no_overload(api, (src, cache_offset), ("src: GlobalTensor, cache_offset: int",))
    if not src.ref.space:
        raise no_memory(api)
    params = {"offset": plain_int(api, "cache_offset", cache_offset)}
    emit("DataCachePreload", Pipe.S, None, (src.ref,), params)


def icache_preload(pre_fetch_len: int) -> None:
    """Bring instructions into the instruction cache, ``pre_fetch_len`` times 2 KB.

    asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/ICachePreLoad(ISASI).md
    """
    length = plain_int("asc.icache_preload", "pre_fetch_len", pre_fetch_len)
    emit("ICachePreLoad", Pipe.S, params={"length": length})


def get_icache_preload_status() -> RuntimeInt:
    """0: no preload is on its way.

    asc-devkit: docs/zh/api/SIMD-API/基础API/缓存控制/GetICachePreloadStatus(ISASI).md
    """
    current()
    return int64_of(0)
