"""Loops: ``range`` counts at run time, ``static_range`` when the kernel is compiled."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from typing import Any

from ascend_lab.asc.errors import not_an_int
from ascend_lab.asc.language.core.ir_value import RuntimeInt, int32_of, plain_int


class range:
    """Counts like Python's ``range``; each value is a run-time int32."""

    def __init__(self, *args: Any) -> None:
        if not 1 <= len(args) <= 3:
            raise ValueError(f"range expects from 1 to 3 arguments, got {len(args)}")
        bounds = [plain_int("asc.range", "bound", value) for value in args]
        self.start = bounds[0] if len(bounds) > 1 else 0
        self.stop = bounds[0] if len(bounds) == 1 else bounds[1]
        self.step = bounds[2] if len(bounds) == 3 else 1
        if self.step == 0:
            raise ValueError("range step must not be zero")

    def __len__(self) -> int:
        return len(builtins.range(self.start, self.stop, self.step))

    def __iter__(self) -> Iterator[RuntimeInt]:
        return map(int32_of, builtins.range(self.start, self.stop, self.step))


class static_range:
    """Counts like Python's ``range``; the loop is unrolled, each value is a plain int."""

    def __init__(self, *args: Any) -> None:
        if not 1 <= len(args) <= 3:
            raise ValueError(f"range expects from 1 to 3 arguments, got {len(args)}")
        for value in args:
            if isinstance(value, RuntimeInt):
                raise not_an_int("asc.static_range", "bound", f"run-time {value}")
        self._range = builtins.range(*args)

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)
