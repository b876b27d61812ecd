"""Tiling of high-level interfaces, by pyasc's fields. Those of matrix interfaces are not modelled."""

from __future__ import annotations

from typing import Any

from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.struct import Field, Struct
from ascend_lab.asc.not_modelled import not_modelled_class


def _int() -> Any:
    return Field(dtype=KnownTypes.int32, default=0)


class SoftmaxTiling(Struct):
    """How ``softmax`` splits its work. The model computes the same whatever it says.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/激活函数/SoftMax接口/SoftMax-SimpleSoftMax-Tiling.md
    """

    src_m = _int()
    src_k = _int()
    src_size = _int()
    out_max_m = _int()
    out_max_k = _int()
    out_max_size = _int()
    split_m = _int()
    split_k = _int()
    split_size = _int()
    reduce_m = _int()
    reduce_k = _int()
    reduce_size = _int()
    range_m = _int()
    tail_m = _int()
    tail_split_size = _int()
    tail_reduce_size = _int()


class RmsNormTiling(Struct):
    """The shape [b_length, s_length, h_length] of ``rmsnorm``; ``original_h_length`` elements of a row count.

    asc-devkit: docs/zh/api/SIMD-API/高阶API/归一化操作/RmsNorm-Tiling.md
    """

    b_length = _int()
    s_length = _int()
    h_length = _int()
    original_h_length = _int()
    reciprocal_of_h_length = Field(dtype=KnownTypes.float32, default=0.0)
    main_bsh_length = _int()
    main_bs_length = _int()
    main_bs_length_align = _int()
    loop_round = _int()
    input_tail_pos = _int()
    tail_bsh_length = _int()
    tail_bs_length = _int()


MatmulApiStaticTiling = not_modelled_class("asc.adv.MatmulApiStaticTiling")
TCubeTiling = not_modelled_class("asc.adv.TCubeTiling")
