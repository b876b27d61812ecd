"""Which runtime the module's functions speak to. The choice belongs to the running context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.acl.runtime import Runtime
from ascend_lab.checks.finding import Findings
from ascend_lab.chips import DEFAULT

_CHIP: ContextVar[str] = ContextVar("ascend_lab_acl_chip", default=DEFAULT)
_RUNTIME: ContextVar[Runtime | None] = ContextVar("ascend_lab_acl_runtime", default=None)


def existing() -> Runtime | None:
    """The runtime in use, None before the first call."""
    return _RUNTIME.get()


def current() -> Runtime:
    """The runtime in use; made when there is none, on the chip of `default_chip`."""
    runtime = _RUNTIME.get()
    if runtime is None:
        runtime = Runtime(HostDevice(chip=_CHIP.get()))
        _RUNTIME.set(runtime)
    return runtime


def default_chip(name: str) -> None:
    """The chip of runtimes that `current` makes from now on."""
    _CHIP.set(name)


def ended() -> Findings:
    """The program that used the runtime has ended: what it did wrong. The next one starts afresh."""
    runtime = _RUNTIME.get()
    _RUNTIME.set(None)
    return runtime.close() if runtime is not None else Findings()


@contextmanager
def using(runtime: Runtime) -> Iterator[Runtime]:
    """Speak to ``runtime`` inside the ``with``; it is closed behind it."""
    token = _RUNTIME.set(runtime)
    try:
        yield runtime
    finally:
        runtime.close()
        _RUNTIME.reset(token)
