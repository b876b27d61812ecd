"""Which chip kernels are launched on. The choice belongs to the running context, not to the process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from typing import TYPE_CHECKING, Any

from ascend_lab.engine.errors import LabError

if TYPE_CHECKING:
    from ascend_lab.device import Device

_DEVICE: ContextVar[Device | None] = ContextVar("ascend_lab_device", default=None)
_NPU_IS_MODEL: ContextVar[bool] = ContextVar("ascend_lab_npu_is_model", default=False)
_RESULTS: ContextVar[list[Any] | None] = ContextVar("ascend_lab_results", default=None)
_MAKE: ContextVar[Callable[[str | None], Device] | None] = ContextVar(
    "ascend_lab_make_device", default=None
)
_REPORTING: ContextVar[bool] = ContextVar("ascend_lab_reporting", default=False)

#: Outcomes of a finding after which there is no result on the chip either.
_NO_RESULT = ("ABORT", "HANG", "COMPILE")


class Backend(Enum):
    """Where kernels run. Here there is only the model."""

    Model = "Model"
    NPU = "NPU"


class Platform(Enum):
    """Chips by name. Ascend310P3 is an addition to pyasc's list."""

    Ascend910B1 = "Ascend910B1"
    Ascend910B2 = "Ascend910B2"
    Ascend910B2C = "Ascend910B2C"
    Ascend910B3 = "Ascend910B3"
    Ascend910B4 = "Ascend910B4"
    Ascend910B4_1 = "Ascend910B4-1"
    Ascend910_9362 = "Ascend910_9362"
    Ascend910_9372 = "Ascend910_9372"
    Ascend910_9381 = "Ascend910_9381"
    Ascend910_9382 = "Ascend910_9382"
    Ascend910_9391 = "Ascend910_9391"
    Ascend910_9392 = "Ascend910_9392"
    Ascend310P3 = "Ascend310P3"


class KernelType(Enum):
    """Which cores a kernel is for."""

    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_HARD_SYNC = 2
    MIX_AIC_HARD_SYNC = 3
    MIX_AIV_1_0 = 4
    MIX_AIC_1_0 = 5
    MIX_AIC_1_1 = 6
    MIX_AIC_1_2 = 7


def set_platform(
    backend: Backend | str,
    soc_version: Platform | str | None = None,
    device_id: int | None = None,
    check: bool = True,
) -> None:
    """Launch kernels on a model of ``soc_version`` (default Ascend910B1) from now on.

    Raises LabError for the NPU backend, which this machine has not, unless NPU was said to mean the model;
    ChipError for a chip that is not modelled.
    """
    if Backend(backend) is Backend.NPU and not _NPU_IS_MODEL.get():
        raise LabError(
            "这里没有 NPU：本实验室用芯片模型运行核函数。请用 Backend.Model，"
            "或用 ascend-lab run --npu-is-model 运行这个脚本。",
            "there is no NPU here: the lab runs kernels on a model of the chip. Use Backend.Model, or run "
            "the script with ascend-lab run --npu-is-model.",
        )
    chip = Platform.Ascend910B1 if soc_version is None else soc_version
    _DEVICE.set(_device(chip.value if isinstance(chip, Platform) else chip))


def _device(chip: str | None = None) -> Device:
    make = _MAKE.get()
    if make is not None:
        return make(chip)
    # A launch loads engine and checks; importing asc does not.
    from ascend_lab.device import Device

    return Device() if chip is None else Device(chip=chip)


def current_device() -> Device:
    """The device that kernels are launched on; made with its defaults when none was chosen."""
    device = _DEVICE.get()
    if device is None:
        device = _device()
        _DEVICE.set(device)
    return device


@contextmanager
def using(device: Device) -> Iterator[Device]:
    """Launch kernels on ``device`` inside the ``with``."""
    token = _DEVICE.set(device)
    try:
        yield device
    finally:
        _DEVICE.reset(token)


@contextmanager
def making(make: Callable[[str | None], Device]) -> Iterator[None]:
    """Inside the ``with``, every device is made by ``make(chip)``; None when no chip was asked for.

    What was chosen before does not hold inside, and holds again afterwards.
    """
    token, chosen = _MAKE.set(make), _DEVICE.set(None)
    try:
        yield
    finally:
        _DEVICE.reset(chosen)
        _MAKE.reset(token)


@contextmanager
def npu_is_model() -> Iterator[None]:
    """Inside the ``with``, ``Backend.NPU`` means the model: for scripts written for a card."""
    token = _NPU_IS_MODEL.set(True)
    try:
        yield
    finally:
        _NPU_IS_MODEL.reset(token)


@contextmanager
def reporting() -> Iterator[None]:
    """Inside the ``with``, a launch raises only for findings that would end the kernel on the chip too.

    Whoever is `collecting` finds the others in the results.
    """
    token = _REPORTING.set(True)
    try:
        yield
    finally:
        _REPORTING.reset(token)


def raises(finding: Any) -> bool:
    """Whether a launch raises for ``finding``, of severity error: always, unless `reporting`."""
    if not _REPORTING.get() or finding.fatal:
        return True
    # Past the end of a tensor there is memory, mostly: the chip reads on. B3 is fatal where there is none.
    return finding.entry.outcome in _NO_RESULT and finding.id != "B3"


@contextmanager
def collecting() -> Iterator[list[Any]]:
    """The results of all launches made inside the ``with``, also of those that raised."""
    results: list[Any] = []
    token = _RESULTS.set(results)
    try:
        yield results
    finally:
        _RESULTS.reset(token)


def collect(result: Any) -> None:
    """Keep the result of a launch for whoever is collecting."""
    results = _RESULTS.get()
    if results is not None:
        results.append(result)
