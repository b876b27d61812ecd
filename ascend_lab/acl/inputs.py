"""Input files and the tensors filled from them: J12.

The runtime does not see the program read its files. It knows them by their bytes: what a copy takes to the device
begins like the file, and the sizes differ.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl.ledger import Spot
from ascend_lab.acl.session import OWN, Session

_FEW = 32  # fewer bytes say nothing
_RATIOS = (2, 4, 8)  # a file of another type
_FILES_MAX = 32


class InputFiles:
    """The ``input/*.bin`` of a program's folder."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder / "input" if folder is not None else None
        self._parts: list[tuple[Path, int, int, Spot]] = []

    def copied(self, session: Session, data: NDArray[np.uint8], spot: Spot) -> None:
        """A copy to the device has taken ``data``."""
        if self._folder is None or spot == OWN or data.size < _FEW or data.min() == data.max():
            return
        found = [(path, path.stat().st_size) for path in self._files()]
        like = [(path, size) for path, size in found if _same_start(path, size, data)]
        if any(size == data.size for _, size in like):
            return
        self._rest_is_read(found, data)
        for path, size in like:
            if any(size * ratio == data.size for ratio in _RATIOS):
                _tell(session, path, size, data.size, spot)
                return
            if any(size == data.size * ratio for ratio in _RATIOS):
                self._parts.append((path, size, data.size, spot))
                return

    def ended(self, session: Session) -> None:
        """The program has ended: a file of which only the first part was taken is too large."""
        for part in self._parts:
            _tell(session, *part)
        self._parts.clear()

    def _rest_is_read(self, found: list[tuple[Path, int]], data: NDArray[np.uint8]) -> None:
        """Forget files of which ``data`` is a later part: they hold several tensors."""
        sizes = dict(found)
        self._parts = [
            part
            for part in self._parts
            if part[0] not in sizes or not _holds(part[0], part[2], data)
        ]

    def _files(self) -> list[Path]:
        assert self._folder is not None
        return sorted(self._folder.glob("*.bin"))[:_FILES_MAX] if self._folder.is_dir() else []


def _tell(session: Session, path: Path, have: int, need: int, spot: Spot) -> None:
    session.report("J12", {"file": path.name, "have": have, "need": need}, spot=spot)


def _holds(path: Path, start: int, data: NDArray[np.uint8]) -> bool:
    """Whether the file has ``data`` at a multiple of its size, behind ``start``."""
    whole = path.read_bytes()
    return any(
        whole[at : at + data.size] == data.tobytes()
        for at in range(start, len(whole), max(data.size, 1))
    )


def _same_start(path: Path, size: int, data: NDArray[np.uint8]) -> bool:
    """Whether file and data are the same as far as both go, and that part says something."""
    common = min(size, data.size)
    if common < _FEW:
        return False
    with path.open("rb") as file:
        head = np.frombuffer(file.read(common), dtype=np.uint8)
    return bool(head.min() != head.max()) and np.array_equal(head, data[:common])
