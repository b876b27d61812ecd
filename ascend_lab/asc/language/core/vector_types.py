"""Parameter structures of gathering, sorting, transposing and quantising instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.enums import TransposeType
from ascend_lab.asc.language.core.ir_value import plain_int, plain_number


def int_field(owner: object, name: str, value: Any) -> int:
    """A field of a parameter structure as a plain int. Raises LabError for anything else."""
    return plain_int(f"asc.{type(owner).__name__}", name, value)


def bool_field(value: Any) -> bool:
    """A flag of a parameter structure."""
    return bool(ConstExpr.unwrap(value))


class DestinationStrides:
    """Strides of a destination, in 32 B: between the blocks of an iteration, and between iterations."""

    __slots__ = ("blk", "rep")

    def __init__(self, dst_blk_stride: int = 1, dst_rep_stride: int = 8) -> None:
        self.blk = (int_field(self, "dst_blk_stride", dst_blk_stride),)
        self.rep = (int_field(self, "dst_rep_stride", dst_rep_stride),)


class BrcbRepeatParams(DestinationStrides):
    """Strides of ``brcb``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据填充/Brcb.md
    """

    __slots__ = ()


class GatherRepeatParams(DestinationStrides):
    """Strides of ``gatherb``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/离散与聚合/Gatherb(ISASI).md
    """

    __slots__ = ()


class GatherMaskParams:
    """Iterations of ``gather_mask``; strides in 32 B.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/比较与选择/GatherMask.md
    """

    __slots__ = ("src0_block_stride", "src0_repeat_stride", "src1_repeat_stride", "times")

    def __init__(
        self,
        src0_block_stride: int = 1,
        repeat_times: int = 1,
        src0_repeat_stride: int = 0,
        src1_repeat_stride: int = 0,
    ) -> None:
        self.src0_block_stride = int_field(self, "src0_block_stride", src0_block_stride)
        self.times = int_field(self, "repeat_times", repeat_times)
        self.src0_repeat_stride = int_field(self, "src0_repeat_stride", src0_repeat_stride)
        self.src1_repeat_stride = int_field(self, "src1_repeat_stride", src1_repeat_stride)


class MrgSort4Info:
    """Lengths of the lists that ``mrg_sort`` merges, and which of them take part.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/排序组合（ISASI）/MrgSort.md
    """

    __slots__ = ("lengths", "suspend", "times", "valid")

    def __init__(
        self,
        element_lengths: Sequence[int],
        if_exhausted_suspension: bool = False,
        valid_bit: int = 15,
        repeat_times: int = 1,
    ) -> None:
        self.lengths = tuple(int_field(self, "element_lengths", n) for n in element_lengths)
        self.suspend = bool_field(if_exhausted_suspension)
        self.valid = int_field(self, "valid_bit", valid_bit)
        self.times = int_field(self, "repeat_times", repeat_times)


class TransDataTo5HDParams:
    """Iterations of ``trans_data_to_5hd``; strides in 32 B; the halves matter to 8 bit types.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换/TransDataTo5HD.md
    """

    __slots__ = ("dst_high", "rep", "src_high", "times")

    def __init__(
        self,
        dst_high_half: bool = False,
        src_high_half: bool = False,
        repeat_times: int = 1,
        dst_rep_stride: int = 0,
        src_rep_stride: int = 0,
    ) -> None:
        self.dst_high = bool_field(dst_high_half)
        self.src_high = bool_field(src_high_half)
        self.times = int_field(self, "repeat_times", repeat_times)
        self.rep = (
            int_field(self, "dst_rep_stride", dst_rep_stride),
            int_field(self, "src_rep_stride", src_rep_stride),
        )


class TransposeParamsExt:
    """Shape and kind of the extended ``transpose``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据排布转换/Transpose.md
    """

    __slots__ = ("shape", "type")

    def __init__(
        self,
        n_size: int = 0,
        c_size: int = 0,
        h_size: int = 0,
        w_size: int = 0,
        transpose_type: TransposeType = TransposeType.TRANSPOSE_ND2ND_B16,
    ) -> None:
        self.shape = (
            int_field(self, "n_size", n_size),
            int_field(self, "c_size", c_size),
            int_field(self, "h_size", h_size),
            int_field(self, "w_size", w_size),
        )
        self.type = TransposeType(ConstExpr.unwrap(transpose_type)).name


class VdeqInfo:
    """Sixteen scales, offsets and signs of the vector form of ``set_deq_scale``.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/类型转换辅助配置接口/SetDeqScale.md
    """

    __slots__ = ("offset", "scale", "sign")

    def __init__(
        self, scale: Sequence[float], offset: Sequence[int], sign_mode: Sequence[bool]
    ) -> None:
        if not len(scale) == len(offset) == len(sign_mode) == 16:
            raise no_overload("asc.VdeqInfo", (scale, offset, sign_mode), ("16 of each",))
        real = KnownTypes.float32
        self.scale = tuple(
            float(plain_number("asc.VdeqInfo", "scale", value, real)) for value in scale
        )
        self.offset = tuple(int_field(self, "offset", value) for value in offset)
        self.sign = tuple(bool_field(value) for value in sign_mode)
