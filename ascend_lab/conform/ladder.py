"""The list of samples: a table of Markdown, one row a sample, or what a folder of repositories holds."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_ROW = re.compile(r"^\|\s*(\d+)\s*\|")
_CODE = re.compile(r"`([^`]+)`")
#: Names in a row's column of APIs that only matrix kernels use.
_MATRIX = re.compile(
    r"\b(Mmad|MmadWithSparse|Fixpipe|LoadData\w*|Matmul|matmul|register_matmul|ascend_is_aic|Conv\w*)\b"
)
_FAULTY = re.compile(r"faulty|documented failure|illegal access", re.IGNORECASE)
_WRITEFILE = "%%writefile"


@dataclass(frozen=True, slots=True)
class Entry:
    """One sample: its number, its path ``owner+name/...``, and what the list says about it."""

    number: int
    path: str
    apis: str = ""
    launch: str = ""
    check: str = ""
    notes: str = ""

    @property
    def matrix(self) -> bool:
        """Whether it needs an API of the matrix unit."""
        return _MATRIX.search(self.apis) is not None

    @property
    def faulty(self) -> bool:
        """Whether the sample is wrong on purpose: a finding is what it must give."""
        return _FAULTY.search(f"{self.check} {self.notes}") is not None

    @property
    def repository(self) -> str:
        """``owner+name``."""
        return self.path.split("/", 1)[0]

    def plain(self) -> dict[str, Any]:
        """As JSON takes it."""
        return asdict(self)


def read(text: str) -> list[Entry]:
    """The entries of a list: rows whose first cell is a number and whose second names a path in backquotes."""
    found = []
    for line in text.splitlines():
        if _ROW.match(line) is None:
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        path = _CODE.search(cells[1]) if len(cells) > 1 else None
        if path is None:
            continue
        cells += [""] * (7 - len(cells))
        found.append(Entry(int(cells[0]), path[1].strip("/"), *(cells[k] for k in (3, 4, 5, 6))))
    return found


def discover(root: Path) -> list[Entry]:
    """Without a list: every folder with a CMakeLists.txt and an Ascend C source, every notebook that writes sources."""
    paths: set[str] = set()
    for repository in sorted(root.iterdir()):
        if not repository.is_dir():
            continue
        for found in sorted(repository.resolve().rglob("*")):
            inside = found.relative_to(repository.resolve())
            if found.suffix == ".asc" and (found.parent / "CMakeLists.txt").is_file():
                paths.add(str(repository.name / inside.parent))
            elif found.suffix == ".ipynb" and _WRITEFILE in found.read_text("utf-8", "replace"):
                paths.add(str(repository.name / inside))
    return [Entry(k, path) for k, path in enumerate(sorted(paths), 1)]
