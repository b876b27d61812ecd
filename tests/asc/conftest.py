"""Fixtures: what block 0 of a kernel issued, or how it crashed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ascend_lab import chips
from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.engine.instruction import Crash
from tests.asc.driving import instructions, line, short


@pytest.fixture
def chip() -> chips.ChipSpec:
    return chips.load("Ascend910B1")


@pytest.fixture
def record() -> Callable[..., list[str]]:
    """``record(kernel, arguments, ...)``: the lines of what block 0 issued; fails when it crashed."""

    def run(kernel: JITFunction, arguments: Sequence[Any] = (), **more: Any) -> list[str]:
        issued, crash = instructions(kernel, arguments, **more)
        assert crash is None, crash
        return [line(instr) for instr in issued]

    return run


@pytest.fixture
def crashed() -> Callable[..., Crash]:
    """``crashed(kernel, arguments, ...)``: how block 0 crashed; fails when it did not."""

    def run(kernel: JITFunction, arguments: Sequence[Any] = (), **more: Any) -> Crash:
        _, crash = instructions(kernel, arguments, **more)
        assert crash is not None
        return crash

    return run


@pytest.fixture
def ops() -> Callable[..., list[str]]:
    """``ops(kernel, arguments, ...)``: only what was issued on which pipe."""

    def run(kernel: JITFunction, arguments: Sequence[Any] = (), **more: Any) -> list[str]:
        issued, crash = instructions(kernel, arguments, **more)
        assert crash is None, crash
        return [short(instr) for instr in issued]

    return run
