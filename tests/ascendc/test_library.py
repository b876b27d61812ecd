"""Functions of the library from C++: what they compute, and that one which is missing is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ascend_lab.ascendc import kernels
from ascend_lab.device import Device
from ascend_lab.engine.errors import NotModelled

SOURCE = Path(__file__).parent / "sources" / "library.asc"
ROWS = 6


def test_functions_of_the_library_compute_what_numpy_does() -> None:
    x = np.random.default_rng(3).uniform(-3, 3, 256).astype(np.float32)
    y = np.zeros((ROWS, 256), np.float32)
    result = Device().launch(kernels(SOURCE)["library"], 1, x, y, outputs=["y"])
    assert [finding.id for finding in result.findings] == []
    shifted = np.exp(x.reshape(4, 64) - x.reshape(4, 64).max(axis=1, keepdims=True))
    expected = [
        np.tanh(x),
        1 / (1 + np.exp(-x)),
        x**2,
        np.exp(x),
        np.tile(x[:8], 32),
        (shifted / shifted.sum(axis=1, keepdims=True)).reshape(-1),
    ]
    for row, values in zip(y, expected, strict=True):
        np.testing.assert_allclose(row, values, rtol=2e-6, atol=1e-6)


def test_a_function_that_is_not_modelled_is_named() -> None:
    with pytest.raises(NotModelled, match="Hypot"):
        Device().launch(kernels(SOURCE)["absent"], 1, np.zeros(64, np.float32))


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_int4b_t_lies_two_to_a_byte(schedule: str) -> None:
    known, device = kernels(SOURCE), Device(schedule=schedule)
    x = np.linspace(-9.3, 8.7, 256).astype(np.float16)
    packed, back = np.zeros(128, np.int8), np.zeros(256, np.float16)
    found = [
        device.launch(known["to_int4"], 1, x, packed, outputs=["y"]).findings,
        device.launch(known["from_int4"], 1, packed, back, outputs=["y"]).findings,
    ]
    assert [list(findings) for findings in found] == [[], []]
    whole = np.concatenate([np.rint(x[:128]), np.floor(x[128:])]).clip(-8, 7).astype(np.int8)
    np.testing.assert_array_equal(back, whole)
    np.testing.assert_array_equal(packed, (whole[::2] & 15 | whole[1::2] << 4).astype(np.int8))
