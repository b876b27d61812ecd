"""Which runtime the module's functions speak to. The choice belongs to the running context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.acl.runtime import Runtime
from ascend_lab.checks.finding import Finding, Findings
from ascend_lab.chips import DEFAULT

_CHIP: ContextVar[str] = ContextVar("ascend_lab_acl_chip", default=DEFAULT)
_RUNTIME: ContextVar[Runtime | None] = ContextVar("ascend_lab_acl_runtime", default=None)
_MAKE: ContextVar[Callable[[str], HostDevice] | None] = ContextVar(
    "ascend_lab_acl_make", default=None
)


def existing() -> Runtime | None:
    """The runtime in use, None before the first call."""
    return _RUNTIME.get()


def current() -> Runtime:
    """The runtime in use; made when there is none, on the chip of `default_chip`."""
    runtime = _RUNTIME.get()
    if runtime is None:
        make = _MAKE.get() or HostDevice
        runtime = Runtime(make(_CHIP.get()))
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
def making(make: Callable[[str], HostDevice]) -> Iterator[list[Finding]]:
    """Inside the ``with``, a program's runtime is made afresh on ``make(chip)``; behind it, the program has ended.

    What it did wrong is then in the list.
    """
    found: list[Finding] = []
    token, kept = _MAKE.set(make), _RUNTIME.set(None)
    try:
        yield found
        found.extend(ended())
    finally:
        _RUNTIME.reset(kept)
        _MAKE.reset(token)


@contextmanager
def using(runtime: Runtime) -> Iterator[Runtime]:
    """Speak to ``runtime`` inside the ``with``; it is closed behind it."""
    token = _RUNTIME.set(runtime)
    try:
        yield runtime
    finally:
        runtime.close()
        _RUNTIME.reset(token)
