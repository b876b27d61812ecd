"""Sorting: pairs of a score and an index, highest score first.

asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）. Region proposals, the eight numbers that
older chips sort, are not modelled.
"""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.door import ask, emit
from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.basic.vector import bind, local
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import RuntimeInt, known_type, plain_int, scalar_of
from ascend_lab.asc.language.core.tensor import LocalTensor, MrgSortSrcList
from ascend_lab.asc.language.core.vector_types import MrgSort4Info
from ascend_lab.asc.not_modelled import not_modelled
from ascend_lab.engine.instruction import Pipe

get_sort_len = not_modelled("asc.get_sort_len")
get_sort_offset = not_modelled("asc.get_sort_offset")
mrg_sort4 = not_modelled("asc.mrg_sort4")
proposal_concat = not_modelled("asc.proposal_concat")
proposal_extract = not_modelled("asc.proposal_extract")
rp_sort16 = not_modelled("asc.rp_sort16")
sort = not_modelled("asc.sort")

_LISTED = (
    "element_count_list",
    "sorted_num",
    "valid_bit",
    "repeat_time",
    "is_exhausted_suspension",
)
_FORMS = (
    "dst, sort_list: MrgSortSrcList, params: MrgSort4Info",
    "dst, sort_list: MrgSortSrcList, element_count_list: list[int], sorted_num: list[int], "
    "valid_bit: int, repeat_time: int, is_exhausted_suspension: bool = False",
)


def sort32(dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat_time: int) -> None:
    """32 scores (half, float) and indices (uint32) an iteration, sorted into pairs of 8 B.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/Sort32.md
    """
    api = "asc.sort32"
    sources = (local(api, "src0", src0), local(api, "src1", src1))
    params = {"times": plain_int(api, "repeat_time", repeat_time)}
    emit("Sort32", Pipe.V, local(api, "dst", dst), sources, params)


def mrg_sort(dst: LocalTensor, sort_list: MrgSortSrcList, *args: Any, **kwargs: Any) -> None:
    """Merge two to four sorted lists: ``params: MrgSort4Info``, or the lengths and the rest in a row.

    ``sorted_num`` is not filled, as in pyasc; `get_mrg_sort_result` tells what was taken from each list.
    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/MrgSort.md
    """
    api = "asc.mrg_sort"
    target, how = local(api, "dst", dst), _merging(args, kwargs)
    if how is None or not isinstance(sort_list, MrgSortSrcList):
        raise no_overload(api, (dst, sort_list, *args, *kwargs.values()), _FORMS)
    sources = tuple(local(api, f"src{k + 1}", part) for k, part in enumerate(sort_list.lists))
    lengths = how.lengths + (0,) * (4 - len(how.lengths))
    params = {
        "lengths": lengths,
        "valid": how.valid,
        "suspend": how.suspend,
        "times": how.times,
    }
    emit("MrgSort", Pipe.V, target, sources, params)


def _merging(args: tuple[Any, ...], kwargs: dict[str, Any]) -> MrgSort4Info | None:
    """How to merge, None when the arguments fit neither form."""
    told = bind(("params",), args, kwargs)
    if told and isinstance(told["params"], MrgSort4Info):
        found: MrgSort4Info = told["params"]
        return found
    given = bind(_LISTED, args, kwargs)
    if given is None or not set(_LISTED[:4]) <= given.keys():
        return None
    suspends = ConstExpr.unwrap(given.get("is_exhausted_suspension", False))
    return MrgSort4Info(
        given["element_count_list"], suspends, given["valid_bit"], given["repeat_time"]
    )


def get_mrg_sort_result() -> tuple[RuntimeInt, ...]:
    """How many pairs the last ``mrg_sort`` has taken from each of the four lists; waits for it.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/GetMrgSortResult.md
    """
    found = ask("GetMrgSortResult", (), {})
    return tuple(_uint16(count) for count in found)


def _uint16(value: int) -> RuntimeInt:
    number = scalar_of(value, known_type("uint16"))
    assert isinstance(number, RuntimeInt)
    return number
