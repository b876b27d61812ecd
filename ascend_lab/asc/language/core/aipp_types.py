"""Parameters of image preprocessing: kept as they are given. Only `load_image_to_local` would use them."""

from __future__ import annotations

from dataclasses import dataclass

from ascend_lab.asc.language.core.dtype import DataType


@dataclass
class AippPaddingParams:
    """Padding around the image."""

    padding_mode: int = 0
    padding_value_ch0: float = 0
    padding_value_ch1: float = 0
    padding_value_ch2: float = 0
    padding_value_ch3: float = 0


@dataclass
class AippSwapParams:
    """Which channels change places."""

    is_swap_rb: bool = False
    is_swap_uv: bool = False
    is_swap_ax: bool = False


@dataclass
class AippSingleLineParams:
    """Whether one line is copied at a time."""

    is_single_line_copy: bool = False


@dataclass
class AippDataTypeConvParams:
    """Mean, minimum and reciprocal of the variance of the conversion to half or int8."""

    dtc_mean_ch0: int = 0
    dtc_mean_ch1: int = 0
    dtc_mean_ch2: int = 0
    dtc_min_ch0: float = 0.0
    dtc_min_ch1: float = 0.0
    dtc_min_ch2: float = 0.0
    dtc_var_ch0: float = 1.0
    dtc_var_ch1: float = 1.0
    dtc_var_ch2: float = 1.0
    dtc_round_mode: int = 0


@dataclass
class AippChannelPaddingParams:
    """What fills the channels an image lacks."""

    c_padding_mode: int = 0
    c_padding_value: float = 0


@dataclass
class AippColorSpaceConvParams:
    """Matrix and biases of the conversion between YUV and RGB."""

    is_enable_csc: bool = False
    csc_matrix_r0_c0: int = 0
    csc_matrix_r0_c1: int = 0
    csc_matrix_r0_c2: int = 0
    csc_matrix_r1_c0: int = 0
    csc_matrix_r1_c1: int = 0
    csc_matrix_r1_c2: int = 0
    csc_matrix_r2_c0: int = 0
    csc_matrix_r2_c1: int = 0
    csc_matrix_r2_c2: int = 0
    csc_bias_in_0: int = 0
    csc_bias_in_1: int = 0
    csc_bias_in_2: int = 0
    csc_bias_out_0: int = 0
    csc_bias_out_1: int = 0
    csc_bias_out_2: int = 0


@dataclass
class AippParams:
    """All of it; what is left out is as if it were not asked for.

    asc-devkit: docs/zh/api/SIMD-API/基础API/矩阵计算（ISASI）/矩阵搬入辅助配置接口/SetAippFunctions.md
    """

    dtype: DataType
    padding_params: AippPaddingParams | None = None
    swap_params: AippSwapParams | None = None
    single_line_params: AippSingleLineParams | None = None
    dtc_params: AippDataTypeConvParams | None = None
    c_padding_params: AippChannelPaddingParams | None = None
    csc_params: AippColorSpaceConvParams | None = None
