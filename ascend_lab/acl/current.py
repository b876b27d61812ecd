"""Which runtime the module's functions speak to. The choice belongs to the running context."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ascend_lab.acl.runtime import Runtime

_RUNTIME: ContextVar[Runtime | None] = ContextVar("ascend_lab_acl_runtime", default=None)


def existing() -> Runtime | None:
    """The runtime in use, None before the first call."""
    return _RUNTIME.get()


def current() -> Runtime:
    """The runtime in use; made on the default chip when there is none."""
    runtime = _RUNTIME.get()
    if runtime is None:
        runtime = Runtime()
        _RUNTIME.set(runtime)
    return runtime


@contextmanager
def using(runtime: Runtime) -> Iterator[Runtime]:
    """Speak to ``runtime`` inside the ``with``; it is closed behind it."""
    token = _RUNTIME.set(runtime)
    try:
        yield runtime
    finally:
        runtime.close()
        _RUNTIME.reset(token)
