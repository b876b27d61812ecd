"""Our own data for an answer whose exercise has scripts for another operator: its kernel's name says the golden."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ascend_lab.conform.golden import Array, Golden, agrees, golden_of

_READS = re.compile(r'ReadFile\("\./(input/\w+\.bin)"')
_WRITES = re.compile(r'WriteFile\("\./(output/\w+\.bin)"')
_LAUNCH = re.compile(r"(\w+)\s*<\s*(float|half|int32_t)\s*>\s*<<<")
_COUNT = re.compile(r"\b\w*[nN]um\s*=\s*(\d+(?:\s*\*\s*\d+)*)\s*;")
_TYPES = {"float": np.float32, "half": np.float16, "int32_t": np.int32}
_SEED = 11


@dataclass(frozen=True, slots=True)
class OwnData:
    """Files a program reads, the one it writes, and what should be in it."""

    inputs: tuple[str, ...]
    output: str
    dtype: str
    count: int
    golden: Golden

    def generate(self, folder: Path) -> None:
        """Write the inputs."""
        for name, values in zip(self.inputs, self._values(), strict=True):
            values.tofile(folder / name)

    def wrong(self, folder: Path) -> str:
        """What is wrong with the output, "" when nothing is."""
        file = folder / self.output
        if not file.is_file():
            return f"there is no {self.output}"
        result = np.fromfile(file, dtype=_TYPES[self.dtype])[: self.count]
        right = result.size == self.count and agrees(result, self.golden(self._values(), {}))
        return "" if right else "the result is not that of our golden"

    def _values(self) -> list[Array]:
        return [
            np.random.default_rng(_SEED + k).uniform(-4, 4, self.count).astype(_TYPES[self.dtype])
            for k in range(len(self.inputs))
        ]


def for_program(source: Path) -> OwnData | None:
    """What the program in ``source`` reads and writes; None when its text does not say."""
    text = source.read_text("utf-8", "replace")
    launch, counted, written = _LAUNCH.search(text), _COUNT.search(text), _WRITES.search(text)
    inputs = tuple(_READS.findall(text))
    if launch is None or counted is None or written is None or not inputs:
        return None
    golden = golden_of(launch[1])
    if golden is None:
        return None
    count = math.prod(int(part) for part in counted[1].split("*"))
    return OwnData(inputs, written[1], launch[2], count, golden)
