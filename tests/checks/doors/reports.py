"""The public reports whose causes are in reported.py and reported.asc: address, and what is given to each kernel."""

from __future__ import annotations

import numpy as np

from tests.checks.doors.table import Arrays, Situation, floats, zeros


def _silu(given: Arrays) -> Arrays:
    x = given["x"].astype(np.float64)
    return {"z": x / (1 + np.exp(-x))}


def _numbers(count: int) -> Arrays:
    return {"z": np.zeros(count, np.int32)}


def _sums(given: Arrays) -> Arrays:
    return {"z": given["x"].reshape(8, 64).sum(axis=1)}


def _guarded() -> Arrays:
    x = floats(64)
    x[48:] = np.nan
    return {"x": x, "z": zeros(1), "length": 64}


def _running(given: Arrays) -> Arrays:
    x = np.maximum(given["x"].astype(np.float64).reshape(2, 64), -1e30)
    return {"z": np.exp(x - x.max(axis=0)).sum(axis=0)}


def _masked() -> Arrays:
    x = floats(2, 64)
    x[0, 3] = x[0, 9] = -np.inf  # masked in the first tile only
    return {"x": x, "z": zeros(64)}


REPORTS = [
    # github.com/tile-ai/tilelang-ascend/issues/1658, pull/1822: Silu with one buffer for both operands
    Situation("p01", "I5", lambda: {"x": floats(64) - 3, "z": zeros(64)}, _silu),
    # github.com/tile-ai/tilelang-ascend/issues/1641, pull/1777: a column of M floats by a two-dimensional copy
    Situation("p02", "A4", lambda: {"x": floats(16), "z": zeros(16)}, lambda g: {"z": g["x"] + 1}),
    # github.com/tile-ai/tilelang-ascend/issues/1682: sums of rows stored as M blocks of 4 B
    Situation("p03", "A4", lambda: {"x": floats(8, 64), "z": zeros(8)}, _sums),
    # github.com/tile-ai/tilelang-ascend/pull/1453, pull/1537: half rows of 9 elements
    Situation(
        "p04",
        "A4",
        lambda: {
            "x": floats(18).astype(np.float16),
            "y": floats(18, seed=2).astype(np.float16),
            "z": zeros(18, dtype=np.float16),
        },
        lambda g: {"z": g["x"] + g["y"]},
    ),
    # github.com/tile-ai/tilelang-ascend/pull/1118: a stride in UB that is no whole number of blocks is cut
    Situation(
        "p05",
        "C1",
        lambda: {"x": floats(4, 16), "z": zeros(4, 16)},
        lambda g: {"z": g["x"]},
    ),
    # github.com/tile-ai/tilelang-ascend/issues/1717: Not over rows of 100 B counts the bytes without the filler
    Situation(
        "p06",
        "C1",
        lambda: {"x": np.arange(400, dtype=np.int16), "z": zeros(400, dtype=np.int16)},
        lambda g: {"z": ~g["x"]},
    ),
    # github.com/tile-ai/tilelang-ascend/issues/1824: the barrier of V stands in a branch that is not taken
    Situation(
        "p07",
        "D7",
        lambda: {"x": floats(64), "z": zeros(64), "n": 0},
        lambda g: {"z": g["x"] + 1},
        auto_sync=False,
    ),
    # github.com/hw-native-sys/PTOAS/issues/719, issues/194: no barrier between dependent vector instructions
    Situation(
        "p08",
        "D7",
        lambda: {"x": floats(64), "z": zeros(64)},
        lambda g: {"z": np.exp(g["x"] - np.maximum(g["x"], 3))},
        auto_sync=False,
    ),
    # github.com/hw-native-sys/PTOAS/issues/823: one event for two waits that overlap
    Situation(
        "p09", "D11", lambda: {"x": floats(128), "z": zeros(128)}, lambda g: {"z": g["x"] + 1}
    ),
    # github.com/hw-native-sys/PTOAS/issues/1026, pull/1128: a barrier of a pipe that a vector core has not
    Situation("p10", "X1", lambda: {"x": floats(64), "z": zeros(64)}, lambda g: {"z": g["x"]}),
    # github.com/hw-native-sys/PTOAS/issues/1149: the wait is hoisted out of the branch, what it waits for stays in
    Situation(
        "p11",
        "D9",
        lambda: {"x": floats(128), "z": zeros(128), "tiles": 2},
        lambda g: {"z": g["x"]},
    ),
    # github.com/vllm-project/vllm-ascend/pull/5924, pull/6351: rows are stored longer than their pitch
    Situation(
        "p12",
        "E2",
        lambda: {"x": floats(4, 64), "z": zeros(4 * 48)},
        lambda g: {"z": g["x"][:, :48].reshape(-1)},
        blocks=4,
    ),
    # github.com/vllm-project/vllm-ascend/pull/8902: a stride in UB in bytes
    Situation(
        "p13",
        "A6",
        lambda: {"x": floats(4, 128), "z": zeros(4, 64)},
        lambda g: {"z": g["x"][:, :64]},
    ),
    # github.com/flashserve/flash-linear-attention-npu/pull/34: the first offset is never written
    Situation(
        "p14",
        "G1",
        lambda: {"x": floats(256), "z": zeros(256), "w": zeros(8, dtype=np.int32)},
        lambda g: {"z": g["x"]},
        undefined=("w",),
    ),
    # github.com/flashserve/flash-linear-attention-npu/issues/242: the last chunk is read up to a whole fractal
    Situation("p15", "X4", _guarded, lambda g: {"z": np.array([g["x"][:48].sum()])}),
    # github.com/sgl-project/sgl-kernel-npu/issues/709: the batch is always 0
    Situation(
        "p16",
        "E1",
        lambda: {"x": floats(8, 64), "z": zeros(8, 64), "heads": 2},
        lambda g: {"z": g["x"]},
        blocks=4,
    ),
    # github.com/tile-ai/tilelang-ascend/pull/1011: more indices than the buffer holds
    Situation("p17", "B2", lambda: _numbers(32), lambda g: {"z": np.arange(32)}),
    # github.com/flagos-ai/FlagGems/pull/5354: a scan from an element inside a block
    Situation(
        "p18", "A5", lambda: {"x": floats(64), "z": zeros(32)}, lambda g: {"z": g["x"][8:40] * 2}
    ),
    # github.com/vllm-project/vllm-ascend/pull/11513: zeros from an element inside a block on
    Situation(
        "p19",
        "A5",
        lambda: {"x": floats(64), "z": zeros(64), "valid": 50},
        lambda g: {"z": np.where(np.arange(64) < 50, g["x"], 0)},
    ),
    # github.com/vllm-project/vllm-ascend/pull/6465: more rows than the output has
    Situation(
        "p20",
        "B4",
        lambda: {"x": floats(8, 64), "z": zeros(6, 64), "rows": 8, "limit": 6},
        lambda g: {"z": g["x"][:6]},
    ),
    # github.com/tile-ai/tilelang-ascend/issues/1031: sums are added to a workspace that nobody has cleared
    Situation(
        "p21",
        "C1",
        lambda: {"x": floats(2, 64), "z": zeros(64), "w": np.full(64, 7, np.float32)},
        lambda g: {"z": g["x"].sum(axis=0)},
        undefined=("w",),
    ),
    # github.com/tile-ai/tilelang-ascend/pull/1753: rows of 10 summed as rows of 16
    Situation(
        "p22",
        "C6",
        lambda: {"x": floats(2, 10), "z": zeros(2)},
        lambda g: {"z": g["x"].sum(axis=1)},
    ),
    # github.com/vllm-project/vllm-ascend/pull/11244: the signal is given before the work is done
    Situation(
        "p23",
        "E7",
        lambda: {
            "x": floats(64),
            "z": zeros(64),
            "w": zeros(64),
            "s": zeros(64, dtype=np.int32),
        },
        lambda g: {"z": g["x"]},
        blocks=2,
    ),
    # github.com/flagos-ai/FlagGems/pull/330: a running maximum that is still -inf
    Situation("p24", "H11", _masked, _running),
    # github.com/tile-ai/tilelang-ascend/issues/1182: the next buffer lies in the second half of the mask
    Situation(
        "p25",
        "B2",
        lambda: {"x": floats(512) / 8, "z": zeros(512)},
        lambda g: {"z": np.where(g["x"] > 2, g["x"], -1)},
    ),
]
