"""The log of the runtime, as plog writes it: under ASCEND_PROCESS_LOG_PATH, from ASCEND_GLOBAL_LOG_LEVEL on.

Times are simulated, and the process is number 1: two runs of a program write the same log.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from pathlib import Path


class Level(IntEnum):
    """ASCEND_GLOBAL_LOG_LEVEL."""

    DEBUG = 0
    INFO = 1
    WARNING = 2
    ERROR = 3
    NONE = 4


class Log:
    """Writes ``debug/plog/plog-1.log``, from the first line that is not below the level."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        folder = environment.get("ASCEND_PROCESS_LOG_PATH", "")
        self._path = Path(folder) / "debug" / "plog" / "plog-1.log" if folder else None
        self._stdout = environment.get("ASCEND_SLOG_PRINT_TO_STDOUT") == "1"
        told = environment.get("ASCEND_GLOBAL_LOG_LEVEL", "")
        self.level = Level(int(told)) if told in {"0", "1", "2", "3", "4"} else Level.ERROR
        self._started = False

    def write(self, level: Level, time_us: float, place: str, text: str) -> None:
        """Add a line."""
        if level < self.level or (self._path is None and not self._stdout):
            return
        line = f"[{level.name}] RUNTIME(1):{time_us / 1e6:.6f} [{place}] {text}"
        if self._stdout:
            print(line)
        if self._path is not None:
            self._append(self._path, line)

    def _append(self, path: Path, line: str) -> None:
        if not self._started:
            path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a" if self._started else "w", encoding="utf-8") as file:
            file.write(line + "\n")
        self._started = True
