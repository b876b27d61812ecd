"""What a launch needed is gone with its result, without Python looking for garbage: a class of students is graded
in one process."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import Device
from ascend_lab.engine.core import Core
from ascend_lab.engine.run import Run


@asc.jit
def double(x: asc.GlobalAddress, tile: asc.ConstExpr[int], spoil: asc.ConstExpr[int]) -> None:
    gm = asc.GlobalTensor()
    gm.set_global_buffer(x + asc.get_block_idx() * tile, tile)
    pipe = asc.TPipe()
    queue_in, queue_out = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue_in, 1, tile * 4)
    pipe.init_buffer(queue_out, 1, tile * 4)
    local = queue_in.alloc_tensor(asc.float32)
    asc.data_copy(local, gm, tile)
    queue_in.enque(local)
    local = queue_in.deque(asc.float32)
    if spoil == 1:
        raise ValueError("no")
    if spoil == 2:
        queue_in.deque(asc.float32)  # for ever
    result = queue_out.alloc_tensor(asc.float32)
    asc.add(result, local, local, tile)
    queue_out.enque(result)
    asc.data_copy(gm, queue_out.deque(asc.float32), tile)
    queue_in.free_tensor(local)
    queue_out.free_tensor(result)


@pytest.fixture
def no_garbage_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_garbage_collection")
@pytest.mark.parametrize("schedule", ["realistic", "adversarial"])
@pytest.mark.parametrize("spoil", [0, 1, 2], ids=["right", "crashing", "stuck"])
def test_nothing_stays(schedule: str, spoil: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[weakref.ref[object]] = []

    def remember(kind: type, method: str) -> None:
        inner = getattr(kind, method)

        def wrapped(self: object, *args: object) -> object:
            kept.append(weakref.ref(self))
            return inner(self, *args)

        monkeypatch.setattr(kind, method, wrapped)

    remember(Run, "execute")
    remember(Core, "begin")
    result = Device(schedule=schedule, seed=3).launch(
        double, 2, np.ones(512, np.float32), 256, spoil
    )
    assert bool(result.findings) == bool(spoil)
    assert len(result.trace) > 0
    assert kept
    del result
    assert [ref() for ref in kept if ref() is not None] == []
