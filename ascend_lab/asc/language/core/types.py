"""Parameter structures of instructions, by pyasc's names, fields and defaults."""

from __future__ import annotations

from ascend_lab.asc.errors import no_overload
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.dtype import DataType
from ascend_lab.asc.language.core.ir_value import plain_number
from ascend_lab.asc.language.core.shape import ShapeInfo, get_shape_size
from ascend_lab.asc.language.core.vector_types import (
    BrcbRepeatParams,
    GatherMaskParams,
    GatherRepeatParams,
    MrgSort4Info,
    TransDataTo5HDParams,
    TransposeParamsExt,
    VdeqInfo,
)
from ascend_lab.asc.language.core.vector_types import int_field as _field
from ascend_lab.asc.not_modelled import not_modelled_class

__all__ = [
    "BinaryRepeatParams",
    "BrcbRepeatParams",
    "CheckLocalMemoryIAParam",
    "CopyRepeatParams",
    "DataCopyCO12DstParams",
    "DataCopyEnhancedParams",
    "DataCopyExtParams",
    "DataCopyPadExtParams",
    "DataCopyPadParams",
    "DataCopyParams",
    "FixpipeConfig",
    "FixpipeParamsV220",
    "GatherMaskParams",
    "GatherRepeatParams",
    "InitConstValueParams",
    "LoadData2DParams",
    "LoadData2DParamsV2",
    "LoadData2dTransposeParams",
    "LoadData2dTransposeParamsV2",
    "LoadData3DParamsV1",
    "LoadData3DParamsV2",
    "LoadData3DParamsV2Pro",
    "LoadDataRepeatParam",
    "LoadImageToLocalParams",
    "MmadParams",
    "MrgSort4Info",
    "Nd2NzParams",
    "Nz2NdParamsFull",
    "ShapeInfo",
    "SliceInfo",
    "TransDataTo5HDParams",
    "TransposeParamsExt",
    "UnaryRepeatParams",
    "VdeqInfo",
    "get_shape_size",
]


class BinaryRepeatParams:
    """Strides of an instruction with two sources, in 32 B.

    asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/BinaryRepeatParams.md
    """

    __slots__ = ("blk", "rep")

    def __init__(
        self,
        dst_blk_stride: int = 1,
        src0_blk_stride: int = 1,
        src1_blk_stride: int = 1,
        dst_rep_stride: int = 8,
        src0_rep_stride: int = 8,
        src1_rep_stride: int = 8,
    ) -> None:
        self.blk = (
            _field(self, "dst_blk_stride", dst_blk_stride),
            _field(self, "src0_blk_stride", src0_blk_stride),
            _field(self, "src1_blk_stride", src1_blk_stride),
        )
        self.rep = (
            _field(self, "dst_rep_stride", dst_rep_stride),
            _field(self, "src0_rep_stride", src0_rep_stride),
            _field(self, "src1_rep_stride", src1_rep_stride),
        )


class UnaryRepeatParams:
    """Strides of an instruction with one source, in 32 B.

    asc-devkit: docs/zh/api/SIMD-API/基础API/辅助数据结构/UnaryRepeatParams.md
    """

    __slots__ = ("blk", "rep")

    def __init__(
        self,
        dst_blk_stride: int = 1,
        src_blk_stride: int = 1,
        dst_rep_stride: int = 8,
        src_rep_stride: int = 8,
    ) -> None:
        self.blk = (
            _field(self, "dst_blk_stride", dst_blk_stride),
            _field(self, "src_blk_stride", src_blk_stride),
        )
        self.rep = (
            _field(self, "dst_rep_stride", dst_rep_stride),
            _field(self, "src_rep_stride", src_rep_stride),
        )


class CopyRepeatParams:
    """Strides of ``copy``, in 32 B: between the blocks of an iteration, and between iterations."""

    __slots__ = ("blk", "rep")

    def __init__(
        self,
        dst_stride: int = 0,
        src_stride: int = 0,
        dst_repeat_size: int = 0,
        src_repeat_size: int = 0,
    ) -> None:
        self.blk = (
            _field(self, "dst_stride", dst_stride),
            _field(self, "src_stride", src_stride),
        )
        self.rep = (
            _field(self, "dst_repeat_size", dst_repeat_size),
            _field(self, "src_repeat_size", src_repeat_size),
        )


class DataCopyParams:
    """Blocks of a transfer. ``data_copy``: lengths and gaps in 32 B; ``data_copy_pad``: length in bytes.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/DataCopy（GM与UB高维切分数据搬运）.md
    """

    __slots__ = ("block_count", "block_len", "dst_stride", "src_stride")

    def __init__(
        self,
        block_count: int = 1,
        block_len: int = 0,
        src_stride: int = 0,
        dst_stride: int = 0,
    ) -> None:
        self.block_count = _field(self, "block_count", block_count)
        self.block_len = _field(self, "block_len", block_len)
        self.src_stride = _field(self, "src_stride", src_stride)
        self.dst_stride = _field(self, "dst_stride", dst_stride)


class DataCopyExtParams:
    """Blocks of ``data_copy_pad``: length in bytes; gaps in bytes in GM, in 32 B in UB.

    asc-devkit: docs/zh/api/SIMD-API/基础API/Memory矢量计算/数据搬运/DataCopyPad（GMToUB非对齐数据搬运）.md
    """

    __slots__ = ("block_count", "block_len", "dst_stride", "rsv", "src_stride")

    def __init__(
        self,
        block_count: int = 1,
        block_len: int = 0,
        src_stride: int = 0,
        dst_stride: int = 0,
        rsv: int = 0,
    ) -> None:
        self.block_count = _field(self, "block_count", block_count)
        self.block_len = _field(self, "block_len", block_len)
        self.src_stride = _field(self, "src_stride", src_stride)
        self.dst_stride = _field(self, "dst_stride", dst_stride)
        self.rsv = _field(self, "rsv", rsv)


_PAD_FORM = (
    "dtype: DataType, is_pad: bool, left_padding: int, right_padding: int, padding_value: float"
)


class DataCopyPadExtParams:
    """What ``data_copy_pad`` adds to each block: elements of ``dtype`` left and right, and their value."""

    __slots__ = ("dtype", "is_pad", "left_padding", "padding_value", "right_padding")

    def __init__(
        self,
        dtype: DataType,
        is_pad: bool = False,
        left_padding: int = 0,
        right_padding: int = 0,
        padding_value: float = 0,
    ) -> None:
        if not isinstance(dtype, DataType):
            raise no_overload(
                "asc.DataCopyPadExtParams",
                (dtype, is_pad, left_padding, right_padding, padding_value),
                (_PAD_FORM,),
            )
        self.dtype = dtype
        self.is_pad = bool(ConstExpr.unwrap(is_pad))
        self.left_padding = _field(self, "left_padding", left_padding)
        self.right_padding = _field(self, "right_padding", right_padding)
        self.padding_value = plain_number(
            "asc.DataCopyPadExtParams", "padding_value", padding_value, dtype
        )


class DataCopyPadParams:
    """The older form: ``padding_value`` is the bits of the value, as an unsigned integer."""

    __slots__ = ("is_pad", "left_padding", "padding_value", "right_padding")

    def __init__(
        self,
        is_pad: bool = False,
        left_padding: int = 0,
        right_padding: int = 0,
        padding_value: int = 0,
    ) -> None:
        self.is_pad = bool(ConstExpr.unwrap(is_pad))
        self.left_padding = _field(self, "left_padding", left_padding)
        self.right_padding = _field(self, "right_padding", right_padding)
        self.padding_value = _field(self, "padding_value", padding_value)


CheckLocalMemoryIAParam = not_modelled_class("asc.CheckLocalMemoryIAParam")
DataCopyCO12DstParams = not_modelled_class("asc.DataCopyCO12DstParams")
DataCopyEnhancedParams = not_modelled_class("asc.DataCopyEnhancedParams")
FixpipeConfig = not_modelled_class("asc.FixpipeConfig")
FixpipeParamsV220 = not_modelled_class("asc.FixpipeParamsV220")
InitConstValueParams = not_modelled_class("asc.InitConstValueParams")
LoadData2DParams = not_modelled_class("asc.LoadData2DParams")
LoadData2DParamsV2 = not_modelled_class("asc.LoadData2DParamsV2")
LoadData2dTransposeParams = not_modelled_class("asc.LoadData2dTransposeParams")
LoadData2dTransposeParamsV2 = not_modelled_class("asc.LoadData2dTransposeParamsV2")
LoadData3DParamsV1 = not_modelled_class("asc.LoadData3DParamsV1")
LoadData3DParamsV2 = not_modelled_class("asc.LoadData3DParamsV2")
LoadData3DParamsV2Pro = not_modelled_class("asc.LoadData3DParamsV2Pro")
LoadDataRepeatParam = not_modelled_class("asc.LoadDataRepeatParam")
LoadImageToLocalParams = not_modelled_class("asc.LoadImageToLocalParams")
MmadParams = not_modelled_class("asc.MmadParams")
Nd2NzParams = not_modelled_class("asc.Nd2NzParams")
Nz2NdParamsFull = not_modelled_class("asc.Nz2NdParamsFull")
SliceInfo = not_modelled_class("asc.SliceInfo")
