"""LaunchOptions: on how many blocks, and in which stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class LaunchOptions:
    """``kernel[core_num, stream]``. Launches finish before they return; the stream has no effect."""

    core_num: int = 0
    stream: Any = None
