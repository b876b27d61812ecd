"""Every failing kernel of the three waves, written in Ascend C: the same class, at its line, in the words of Ascend C."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ascend_lab import Device, Result
from ascend_lab.ascendc import NoCompiler
from ascend_lab.ascendc.building import compiler
from tests.checks import fixtures
from tests.checks.doors.table import compiled, fault_line
from tests.checks.table import WAVE_1, WAVE_2, WAVE_3

#: Classes of the waves that have no twin here, and why.
ABSENT = {
    **dict.fromkeys(("K1", "K3"), "performance: told by costs, not by checks of bytes"),
    **dict.fromkeys(("J4", "J5"), "host programs: tests/acl"),
    **dict.fromkeys(("I10", "I11", "D14"), "cube, or told as another class"),
    **dict.fromkeys(("E5", "E6", "D8"), "waits between cores: tests/ascendc/test_groups.py"),
}
#: In C++ an API is never spelt so.
_PYTHON = re.compile(
    r"\basc\.|\b(?:set_flag|wait_flag|data_copy|get_value|free_tensor|init_buffer|sync_all|pipe_barrier)\b"
)
_GROUPS = ("waves_memory", "waves_order")


class Other:
    """A device that launches the kernel of the other door with the arguments of a fixture."""

    def __init__(self, device: Device, kernel: Any) -> None:
        self._device = device
        self._kernel = kernel

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def launch(self, _: Any, *arguments: Any, **named: Any) -> Result:
        """The same launch of the C++ kernel."""
        return self._device.launch(self._kernel, *arguments, **named)


def _kernels() -> dict[str, tuple[str, Any]]:
    try:
        compiler()
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])
    return {name: (group, kernel) for group in _GROUPS for name, kernel in compiled(group).items()}


IDS = [
    name
    for name in fixtures.all_ids()
    if name in {*WAVE_1, *WAVE_2, *WAVE_3} and name not in ABSENT
]


@pytest.mark.parametrize("class_id", IDS)
def test_the_twin_is_told_the_same(class_id: str) -> None:
    group, kernel = _kernels()[class_id]
    fixture = fixtures.load(class_id)
    automatic = getattr(fixture.bad, "AUTO_SYNC", True)
    device = Device(fixture.chips[0], fixture.schedules[0], auto_sync=automatic)
    findings = fixture.bad.launch(Other(device, kernel)).findings
    if fixture.shown_by_output:
        assert not findings
        return
    assert findings.ids[:1] == (fixture.lead,), findings
    line = fault_line(class_id, "cpp", group)
    assert line in (0, findings[0].line), findings[0].message()
    for finding in findings.all:
        for lang in ("zh", "en"):
            assert not _PYTHON.search(finding.message(lang))


def test_every_class_has_a_twin() -> None:
    assert {*_kernels()} == {*IDS}
