"""What the kernels of odd.py and odd.asc are given, and what they must make of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.checks.doors.table import Arrays, Situation, floats, zeros


def _odd(name: str, given: Any, right: Any, **more: Any) -> Situation:
    return Situation(name, "", given, right, **more)


def _in_place(given: Arrays) -> Arrays:
    x = given["x"] * 2
    return {"z": np.concatenate([np.exp(x[64:] - x[:64]), x[64:]])}


def _over_again(given: Arrays) -> Arrays:
    return {"z": np.concatenate([given["x"][:32], given["x"]])}


def _to_and_fro(given: Arrays) -> Arrays:
    return {"z": given["x"] + 4}


def _painted_over(given: Arrays) -> Arrays:
    z = np.full((4, 64), -1, np.float32)
    z[1:, :32] = given["x"].reshape(4, 64)[1:, :32]
    return {"z": z.reshape(-1)}


def _infinite() -> Arrays:
    x = floats(64)
    x[5::3] = -np.inf
    return {"x": x, "z": zeros(64)}


def _softmax(given: Arrays) -> Arrays:
    e = np.exp(given["x"].astype(np.float64) - given["x"].max())
    return {"z": e / e.sum()}


def _passed_on(given: Arrays) -> Arrays:
    with np.errstate(all="ignore"):
        return {"z": np.log(given["x"].astype(np.float64) * 0)}


def _nan() -> Arrays:
    x = floats(64)
    x[3], x[4] = np.nan, np.inf
    return {"x": x, "z": zeros(64)}


def _logarithm(given: Arrays) -> Arrays:
    with np.errstate(all="ignore"):
        return {"z": np.maximum(np.log(given["x"].astype(np.float64)), -50)}


def _with_zeros() -> Arrays:
    x = floats(64)
    x[::7] = 0
    return {"x": x, "z": zeros(64)}


ODD = [
    _odd("in_place", lambda: {"x": floats(128) / 16, "z": zeros(128)}, _in_place),
    _odd("over_again", lambda: {"x": floats(64), "z": zeros(96)}, _over_again),
    _odd("single", lambda: {"x": floats(5), "z": zeros(5)}, lambda g: {"z": g["x"] + 1}),
    _odd(
        "nothing_left",
        lambda: {"x": floats(5), "z": zeros(5), "length": 5},
        lambda g: {"z": g["x"] + 1},
        blocks=8,
    ),
    _odd(
        "neighbours",
        lambda: {"x": floats(256), "z": zeros(256), "w": zeros(256)},
        lambda g: {"z": np.roll(g["x"], -64)},
        blocks=4,
        undefined=("w",),
    ),
    _odd(
        "all_add",
        lambda: {"x": np.arange(512, dtype=np.int32), "z": zeros(64, dtype=np.int32)},
        lambda g: {"z": g["x"].reshape(8, 64).sum(axis=0)},
        blocks=8,
    ),
    _odd(
        "to_and_fro",
        lambda: {"x": floats(256), "z": zeros(256), "w": zeros(512)},
        _to_and_fro,
        blocks=4,
        undefined=("w",),
    ),
    _odd("painted_over", lambda: {"x": floats(256), "z": zeros(256)}, _painted_over, blocks=4),
    _odd(
        "one_buffer",
        lambda: {"x": floats(64), "z": zeros(128)},
        lambda g: {"z": np.concatenate([g["x"], np.full(64, 2, np.float32)])},
    ),
    _odd("infinite", _infinite, _softmax),
    _odd("passed_on", _nan, _passed_on),
    _odd("updated", lambda: {"z": floats(128)}, lambda g: {"z": g["z"] + 1}),
    _odd(
        "odd_places",
        lambda: {"x": floats(13), "z": zeros(13)},
        lambda g: {"z": g["x"][::-1]},
        blocks=4,
    ),
    _odd(
        "first_four",
        lambda: {"x": floats(256), "z": zeros(4)},
        lambda g: {"z": g["x"].reshape(4, 64).sum(axis=1)},
    ),
    _odd("two_flags", lambda: {"x": floats(384), "z": zeros(384)}, lambda g: {"z": g["x"]}),
    _odd("by_hand", lambda: {"x": floats(64), "z": zeros(64)}, lambda g: {"z": g["x"][::-1]}),
    _odd("logarithm", _with_zeros, _logarithm),
]
