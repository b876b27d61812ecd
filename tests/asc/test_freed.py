"""A freed queue buffer holds poison once its last reader is done: the door says how long it is."""

from __future__ import annotations

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device

COUNT = 1024


@asc.jit
def look_back(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    come = asc.TQue(asc.TPosition.VECIN, 1)
    go = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(come, 1, COUNT * 4)
    pipe.init_buffer(go, 1, COUNT * 4)
    a = come.alloc_tensor(x.dtype)
    asc.data_copy(a, x_gm, COUNT)
    come.enque(a)
    a = come.deque(x.dtype)
    b = go.alloc_tensor(x.dtype)
    asc.adds(b, a, 1.0, COUNT)
    come.free_tensor(a)
    go.enque(b)
    b = go.deque(x.dtype)
    asc.data_copy(z_gm, b, COUNT)
    go.free_tensor(b)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.printf("%f", a.get_value(0))


@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
def test_the_last_reader_still_sees_the_data_and_nobody_after_it(schedule: str) -> None:
    x = np.full(COUNT, 2.0, np.float32)
    z = np.zeros_like(x)
    result = Device(schedule=schedule, checks=False).launch(look_back, 1, x, z)
    assert set(z.tolist()) == {3.0}
    assert "nan" in result.stdout
    found = Device(schedule=schedule).launch(look_back, 1, x, z).findings
    assert [finding.id for finding in found] == ["F5"]
