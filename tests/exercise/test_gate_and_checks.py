"""Every fault the checks know can be handed in: what the door sends passes wire and gate unchanged."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab import Device, Result
from ascend_lab.engine.instruction import Batch, Door
from ascend_lab.exercise import wire
from ascend_lab.exercise.admission import Gate
from tests.checks import fixtures


class Through:
    """A kernel whose instructions go over the wire and through the gate."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def open(self, *args: Any, **more: Any) -> GatedDoor:
        return GatedDoor(self._kernel.open(*args, **more))


class GatedDoor:
    """A door in this process, as if it stood in another."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._gate = Gate()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._door, name)

    def resume(self, block: int, answer: Any = None) -> Batch:
        batch = self._door.resume(block, answer)
        sent = wire.pack(wire.ran(batch, [tuple(place) for place in self._door.sources]))
        reply = wire.Parent.decode(sent)
        assert isinstance(reply, wire.Ran)
        self._gate.sources = len(reply.sources)
        return Batch([self._gate.admit(row) for row in reply.instrs], reply.state, batch.crash)


class Gated(Device):
    """A device that gets its instructions through the gate."""

    def launch(self, kernel: Any, blocks: int, *args: Any, **more: Any) -> Result:
        return super().launch(Through(kernel), blocks, *args, **more)


@pytest.mark.parametrize("kind", ["bad", "good"])
@pytest.mark.parametrize("id", fixtures.all_ids())
def test_the_same_findings_through_the_gate(id: str, kind: str) -> None:
    fixture = fixtures.load(id)
    module = getattr(fixture, kind)
    chip, auto_sync = fixture.chips[0], getattr(module, "AUTO_SYNC", True)
    schedule = fixture.schedules[0]
    plain: Result = module.launch(Device(chip, schedule, 0, auto_sync))
    gated: Result = module.launch(Gated(chip, schedule, 0, auto_sync))
    assert [f.as_dict() for f in gated.findings] == [f.as_dict() for f in plain.findings]
    assert gated.cycles == plain.cycles
