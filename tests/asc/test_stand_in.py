"""The stand-in for torch answers as torch does, for what scripts about kernels use."""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from ascend_lab.asc.runtime.memory_handle import as_argument
from ascend_lab.asc.stand_in import torch_stand_in


@pytest.fixture
def torch() -> Any:
    return torch_stand_in.as_module()


def test_making_tensors(torch: Any) -> None:
    assert torch.zeros((2, 3)).shape == torch.zeros(2, 3).shape == (2, 3)
    assert torch.rand(4, dtype=torch.float16, device="npu").dtype is torch.float16
    assert torch.randn(()).item() == pytest.approx(0, abs=10)
    drawn = torch.randint(-5, 5, (100,), dtype=torch.int16)
    assert (drawn.dtype, drawn.numel(), int(drawn.min()) >= -5, int(drawn.max()) < 5) == (
        torch.int16,
        100,
        True,
        True,
    )
    assert torch.full((2,), 1.5).tolist() == [1.5, 1.5]
    assert torch.full((2,), 3).dtype is torch.int64
    assert torch.arange(3).dtype is torch.int64
    assert torch.tensor([1.0, 2.0]).dtype is torch.float32
    assert torch.zeros_like(drawn).dtype is torch.int16
    assert torch.empty(3, dtype=torch.bfloat16).numpy().dtype == ml_dtypes.bfloat16


def test_random_numbers_repeat(torch: Any) -> None:
    torch.manual_seed(7)
    first = torch.rand(5)
    torch.manual_seed(7)
    assert torch.equal(first, torch.rand(5))
    assert torch.equal(torch_stand_in.as_module().rand(5), torch_stand_in.as_module().rand(5))


def test_arithmetic_keeps_torchs_types(torch: Any) -> None:
    whole, small = torch.tensor([4, 9], dtype=torch.int16), torch.ones(2, dtype=torch.float16)
    assert (whole + 1).dtype is torch.int16
    assert (whole / 2).dtype is torch.float32
    assert (whole * 0.5).dtype is torch.float32
    assert (small * 2.5).dtype is torch.float16
    assert (2 - small).tolist() == [1.0, 1.0]
    assert torch.sqrt(small * 4).tolist() == [2.0, 2.0]
    assert torch.where(whole > 5, whole, 0).tolist() == [0, 9]
    assert torch.isnan(small).dtype is torch.bool
    left = torch.arange(6).reshape(2, 3)
    assert torch.matmul(left, left.T).tolist() == [[5, 14], [14, 50]]
    assert torch.allclose(small, small + 1e-3, rtol=1e-2)
    assert not torch.allclose(small, small + 1)


def test_shapes_and_parts(torch: Any) -> None:
    value = torch.arange(24).reshape(2, 3, 4)
    assert (value.size(), value.size(1), value.dim(), value.nbytes) == ((2, 3, 4), 3, 3, 192)
    assert value.permute(2, 0, 1).shape == value.permute((2, 0, 1)).shape == (4, 2, 3)
    assert value.transpose(0, 2).shape == (4, 3, 2)
    assert value.view(6, 4).flatten().shape == (24,)
    part = value[0]
    part[0] = 7
    assert value[0, 0].tolist() == [7, 7, 7, 7]
    assert value.clone().fill_(1).sum().item() == 24
    assert value.to(torch.float16).dtype.itemsize == 2
    assert value.float().dtype is torch.float32
    assert np.asarray(value).shape == (2, 3, 4)


def test_a_tensor_is_passed_as_the_array_that_shares_its_memory(
    torch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)
    value = torch.zeros(4)
    array = as_argument(value)
    assert isinstance(array, np.ndarray)
    array[:] = 1
    assert value.tolist() == [1.0] * 4
    assert as_argument(array) is array
    assert as_argument(3) == 3


def test_what_it_has_not_is_an_attribute_error(torch: Any) -> None:
    with pytest.raises(AttributeError):
        _ = torch.nn
