"""Enumerations of the matrix and image interfaces, by pyasc's names and values."""

from __future__ import annotations

from enum import IntEnum


class AippInputFormat(IntEnum):
    """Format of an input image."""

    YUV420SP_U8 = 0
    XRGB8888_U8 = 1
    RGB888_U8 = 4
    YUV400_U8 = 9


class BatchMode(IntEnum):
    """How batches of a Matmul fit L1."""

    NONE = 0
    BATCH_LESS_THAN_L1 = 1
    BATCH_LARGE_THAN_L1 = 2
    SINGLE_LARGE_THAN_L1 = 3


class BatchOutMode(IntEnum):
    """How many batches of a Matmul are written at once."""

    SINGLE_BATCH = 0
    MULTI_BATCH = 1
    DYNAMIC = 2


class BlockMode(IntEnum):
    """Block mode of an enhanced data_copy."""

    BLOCK_MODE_NORMAL = 0
    BLOCK_MODE_MATRIX = 1
    BLOCK_MODE_VECTOR = 2
    BLOCK_MODE_SMALL_CHANNEL = 3
    BLOCK_MODE_DEPTHWISE = 4


class CO2Layout(IntEnum):
    """Layout that Fixpipe writes."""

    NZ = 0
    ROW_MAJOR = 1
    COLUMN_MAJOR = 2


class CubeFormat(IntEnum):
    """Layout of a Matmul operand."""

    ND = 0
    NZ = 1


class IterateMode(IntEnum):
    """Which iterations a Matmul object supports."""

    ITERATE_MODE_NORMAL = 0b00000001
    ITERATE_MODE_ALL = 0b00000010
    ITERATE_MODE_BATCH = 0b00000100
    ITERATE_MODE_N_BATCH = 0b00001000
    ITERATE_MODE_DEFAULT = 0b11111111


class IterateOrder(IntEnum):
    """Which axis a Matmul walks first."""

    ORDER_M = 0
    ORDER_N = 1
    UNDEF = 2


class LayoutMode(IntEnum):
    """Layout of a batched Matmul."""

    NONE = 0
    NORMAL = 1
    BSNGD = 2
    SBNGD = 3
    BNGS1S2 = 4


class MatmulConfigMode(IntEnum):
    """Template of a Matmul."""

    CONFIG_NORM = 1
    CONFIG_MDL = 2
    CONFIG_SPECIALMDL = 3
    CONFIG_IBSHARE = 4


class MatmulPolicy(IntEnum):
    """Policy of a Matmul."""

    MatmulPolicy = 0
    TrianUpperMatmulPolicy = 1
    TrianLowerMatmulPolicy = 2
    NBuffer33MatmulPolicy = 3


class QuantModes(IntEnum):
    """Quantisation that Fixpipe does on its way."""

    NoQuant = 0
    F322F16 = 1
    F322BF16 = 2
    DEQF16 = 3
    VDEQF16 = 4
    QF322B8_PRE = 5
    VQF322B8_PRE = 6
    REQ8 = 7
    VREQ8 = 8


class ScheduleType(IntEnum):
    """Order of a Matmul's products."""

    INNER_PRODUCT = 0
    OUTER_PRODUCT = 1
