"""What the kernels of silent.py and silent.asc are given, and the class of each."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.checks.doors.table import Arrays, Situation, floats, zeros


def _plus_one(given: Arrays) -> Arrays:
    return {"z": given["x"].reshape(-1) + 1}


def _same(given: Arrays) -> Arrays:
    return {"z": given["x"].copy()}


def _x_z(*shape: int, **more: Any) -> Any:
    return lambda: {"x": floats(*shape), "z": zeros(*shape), **more}


def _softmax(given: Arrays) -> Arrays:
    x = given["x"].astype(np.float64)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"z": e / e.sum(axis=1, keepdims=True)}


def _centred() -> Arrays:
    x = floats(64) - 3
    x[5] = x[40] = 0
    return {"x": x, "z": zeros(64)}


def _normed(given: Arrays) -> Arrays:
    x = given["x"].astype(np.float64)
    return {"z": x / np.sqrt(x * x + 1e-5)}


def _masked() -> Arrays:
    x, m = floats(64), np.ones(64, np.float32)
    x[7], x[9] = np.nan, np.inf
    m[7:12] = 0
    return {"x": x, "m": m, "z": zeros(64)}


def _logistic(given: Arrays) -> Arrays:
    return {"z": 1 / (1 + np.exp(-given["x"].astype(np.float64)))}


CLASSES = [
    Situation(
        "c5",
        "C5",
        lambda: {"x": floats(4, 128), "z": zeros(4, 64)},
        lambda g: {"z": g["x"][:, :64] + g["x"][:, 64:]},
    ),
    Situation("g2", "E3", _x_z(1000, length=1000), _plus_one, hint="G2"),
    Situation("g3", "E3", _x_z(1024, length=1024), _plus_one, hint="G3"),
    Situation("g4", "B4", _x_z(512), _same, hint="G4"),
    Situation("g5", "G5", _x_z(16 * 8192), _same),
    Situation("g8", "E3", _x_z(1024, tiles=8), _same, hint="G8"),
    Situation("g10", "E3", _x_z(64, key=2), _same),
    Situation(
        "g11",
        "G11",
        lambda: {"x": floats(6, 32), "z": zeros(6, 24)},
        lambda g: {"z": g["x"][:, :24] * 2},
    ),
    Situation(
        "g12",
        "G12",
        lambda: {"x": floats(16, 16), "y": floats(16, seed=2), "z": zeros(16, 16)},
        lambda g: {"z": g["x"] + g["y"][:, None]},
    ),
    Situation("g13", "E3", _x_z(5, length=5), _same, blocks=8, hint="G13"),
    Situation(
        "h1",
        "H1",
        lambda: {"x": np.linspace(-8, 12, 64).astype(np.float16), "z": zeros(64, dtype=np.float16)},
        _logistic,
    ),
    Situation("h2", "H2", lambda: {"x": floats(4, 64) * 12, "z": zeros(4, 64)}, _softmax),
    Situation("h7", "H7", _centred, _normed),
    Situation("h11", "H11", _masked, lambda g: {"z": np.where(g["m"] > 0, g["x"], 0)}),
    Situation(
        "h12",
        "H12",
        lambda: {"x": floats(16, 8), "s": floats(16, seed=3), "z": zeros(16, 8)},
        lambda g: {"z": g["x"] * g["s"][:, None]},
    ),
    Situation("i3", "C1", _x_z(512), _plus_one),
    Situation(
        "i6_order",
        "I6",
        lambda: {"x": floats(64), "y": floats(64, seed=2) * 2, "z": zeros(64)},
        lambda g: {"z": g["x"] - g["y"]},
    ),
    Situation("i6_ends", "I6", _x_z(64), _plus_one),
    Situation(
        "i6_dst",
        "I6",
        lambda: {"x": floats(64), "y": floats(64, seed=2), "z": zeros(64)},
        lambda g: {"z": g["x"] + g["y"]},
    ),
    Situation(
        "i7",
        "I7",
        lambda: {"x": floats(16, 128), "z": zeros(4, 64)},
        lambda g: {"z": g["x"][:4, :64]},
    ),
    Situation(
        "i7_gaps",
        "I7",
        lambda: {"x": floats(16, 128), "z": zeros(4, 64)},
        lambda g: {"z": g["x"][:4, :64]},
    ),
    Situation(
        "i9",
        "I9",
        lambda: {"x": floats(512), "z": zeros(8)},
        lambda g: {"z": np.full(8, g["x"].sum())},
    ),
    Situation(
        "i13",
        "I13",
        lambda: {
            "x": floats(256),
            "z": zeros(256),
            "t": np.array([4, 0, 0, 0, 0, 0, 0, 0], np.int32),
        },
        _same,
    ),
    Situation("i15", "C1", _x_z(64, length=64), _plus_one, hint="I15"),
    Situation("e12", "A3", _x_z(96), _plus_one, blocks=8),
    Situation(
        "c10",
        "C10",
        lambda: {"x": np.arange(64, dtype=np.int32), "z": zeros(64, dtype=np.float16)},
        lambda g: {"z": g["x"].astype(np.float16)},
    ),
    Situation("d14", "D9", _x_z(256), _same, blocks=4),
    Situation("f11", "X1", _x_z(64), _same, doors=("python",)),
]
