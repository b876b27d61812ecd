"""The kernels of the published samples, by the id of the case: what their sources say, in the vocabulary.

asc-devkit: examples/01_simd_cpp_api/05_best_practices (add.asc, data_copy_ub.h, bank_conflict_ub/config.h,
bank_conflict_nd2nz.asc, mmad_gelu.asc). Where a source does not tell a figure, the comment says why this one.
"""

from __future__ import annotations

from typing import Any

_ADD = [["add", "z", "x", "y"]]
_SINGLE = {"x": [0], "y": [32768], "z": [65536]}
_DOUBLE = {"x": [0, 98304], "y": [32768, 131072], "z": [65536, 163840]}
_SHIFTED = {"x": [0, 65536], "y": [32512, 98048], "z": [131072, 163584]}
_GELU = [
    ["mul", "z", "x", "x"],
    ["mul", "z", "z", "x"],
    ["muls", "z", "z", 0.044715],
    ["add", "z", "x", "z"],
    ["muls", "z", "z", -1.595769],
    ["exp", "z", "z"],
    ["adds", "z", "z", 1.0],
    ["div", "z", "x", "z"],
]


def _add(cores: int, tile: int, buffers: int, ub: Any, share: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": "elementwise", "shape": [8192, 8192], "cores": cores, "tile": tile,
        "buffers": buffers, "ub": ub, "ops": _ADD, "share": share, **more,
    }  # fmt: skip


def _copy(tile: list[int], share: int, columns: int = 12288, **more: Any) -> dict[str, Any]:
    return {
        "kind": "copy", "shape": [12288, columns], "cores": 48, "tile": tile, "share": share, **more,
    }  # fmt: skip


def _bank(x: int, y: int, z: int, src0: tuple[int, int] = (1, 8)) -> dict[str, Any]:
    return {
        "kind": "stream", "op": "add", "dtype": "float32", "count": 4096, "times": 1000,
        "ub": [x, y, z], "blk": [1, src0[0], 1], "rep": [8, src0[1], 8],
    }  # fmt: skip


def _nd2nz(stride: int) -> dict[str, Any]:
    return {
        "kind": "nd2nz", "shape": [8192, 8192], "cores": 48, "tile": [144, 128],
        "stride": stride, "split": [6, 8],
    }  # fmt: skip


#: What ``--quick`` simulates of the larger cases: 1/n.
QUICK = {
    "a2_add_c2": 2, "a2_add_c3": 2, "a2_add_c4": 2, "a2_add_c5": 2, "a2_add_c6": 2, "a2_dc_ub_s2": 4,
    "a2_dc_ub_s5": 2, "a2_dc_ub_s6": 2, "a2_nd2nz_s1": 4, "a2_nd2nz_s2": 4, "a2_mmgelu_gelu": 8,
}  # fmt: skip
_PAST = {"bypass": ["x", "y"]}
MODELS: dict[str, dict[str, Any]] = {
    "a2_add_c0": _add(1, 4096, 1, _SINGLE, 8192, scalar=True),
    "a2_add_c1": _add(1, 4096, 1, _SINGLE, 32),
    "a2_add_c2": _add(48, 4096, 1, _SINGLE, 1),
    "a2_add_c3": _add(48, 16384, 1, _SINGLE, 1),
    "a2_add_c4": _add(48, 16384, 2, _DOUBLE, 1),
    "a2_add_c5": _add(48, 16384, 2, _DOUBLE, 1, **_PAST),
    "a2_add_c6": _add(48, 16256, 2, _SHIFTED, 1, **_PAST),
    "a2_dc_ub_s1": _copy([1, 64], 32),
    "a2_dc_ub_s2": _copy([64, 64], 1),
    "a2_dc_ub_s3": _copy([64, 1024], 1),
    "a2_dc_ub_s4": _copy([64, 1024], 1, 12287),
    "a2_dc_ub_s5": _copy([64, 1024], 1, order="again"),
    "a2_dc_ub_s6": _copy([64, 1024], 1, order="quarters"),
    "a2_dc_ub_s7": _copy([128, 64], 1, shape=[6144, 512], order="same", bypass=True),
    "a2_dc_ub_s8": _copy([128, 64], 1, shape=[6144, 512], order="rotated", bypass=True),
    "a2_bank_ub_s1": _bank(0, 0x10100, 0x20000),
    "a2_bank_ub_s2": _bank(0, 0x4000, 0x10000),
    "a2_bank_ub_s3": _bank(0, 0x10000, 0x14100),
    "a2_bank_ub_s4": _bank(0, 0x10100, 0x4000),
    "a2_bank_ub_s5": _bank(0, 0x10100, 0x4020),
    "a2_bank_ub_s6": _bank(0, 0x10100, 0x10100),
    "a2_bank_ub_s7": _bank(0, 0x10100, 0x10100, (0, 1)),
    "a2_bank_ub_s8": _bank(0, 0x10100, 0x10100, (0, 8)),
    "a2_nd2nz_s1": _nd2nz(144),
    "a2_nd2nz_s2": _nd2nz(145),
    # The kernel is that of 02_reg_compute/gelu_high_performance (gelu.asc, scenario 0), with constants for 64 blocks:
    # tileLen = 2 * singleCoreN. 48 blocks of 6 x 8 parts have singleCoreN = 1024, so 2048 elements. V says so too: it is
    # busy for 20.0 cycles per repeat, of which the fused kernel (256 repeats a tile) shows 14 to be the operations;
    # the rest is start-up, eight times per tile.
    "a2_mmgelu_gelu": {
        "kind": "elementwise", "dtype": "float32", "shape": [8192, 8192], "cores": 48, "tile": 2048,
        "buffers": 2, "inputs": ["x"], "ops": _GELU, "share": 1,
    },
    **{
        f"a2_doc_empty_{kind}_{blocks}": {"kind": "empty", "cores": blocks}
        for kind in ("cub",)
        for blocks in (1, 4, 8, 12, 16, 20, 24)
    },
}  # fmt: skip
