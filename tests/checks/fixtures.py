"""The smallest failing kernels and their fixes, and what each module says about itself."""

from __future__ import annotations

import importlib.util
import io
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from ascend_lab import Device, Result, checks

FILES = Path(__file__).parent / "files"
CHIPS = ("Ascend910B1", "Ascend910B3", "Ascend310P3")
SCHEDULES = ("realistic", "adversarial")


class Fixture(NamedTuple):
    """``id``_bad.py and ``id``_good.py. A module may narrow CHIPS and SCHEDULES, turn AUTO_SYNC off, ask
    for PERFORMANCE, name the class that LEADS (when its own is a sentence of that one), and say how many
    lines DIFF."""

    id: str
    bad: ModuleType
    good: ModuleType

    @property
    def lead(self) -> str:
        return str(getattr(self.bad, "LEADS", self.id))

    @property
    def chips(self) -> tuple[str, ...]:
        return tuple(getattr(self.bad, "CHIPS", CHIPS))

    @property
    def schedules(self) -> tuple[str, ...]:
        return tuple(getattr(self.bad, "SCHEDULES", SCHEDULES))

    @property
    def shown_by_output(self) -> bool:
        return checks.entry(self.id).shown_by == "output"

    def launch(self, kind: str, chip: str, schedule: str, seed: int = 0) -> Result:
        module: ModuleType = getattr(self, kind)
        auto_sync = getattr(module, "AUTO_SYNC", True)
        slow = getattr(module, "PERFORMANCE", False)
        device = Device(chip, schedule, seed, auto_sync, performance=slow)
        result: Result = module.launch(device)
        return result


def of_the_host() -> frozenset[str]:
    """Classes of host programs: no kernel has them, so they have no files here."""
    path = Path(checks.__file__).parent / "catalogue" / "host.toml"
    return frozenset(tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else ())


def all_ids() -> list[str]:
    """Ids that have a failing kernel, as the catalogue orders them."""
    there = {path.name.removesuffix("_bad.py") for path in FILES.glob("*_bad.py")}
    return [name for name in checks.catalogue() if name in there]


def load(class_id: str) -> Fixture:
    """The pair of modules of one class."""
    return Fixture(class_id, _module(f"{class_id}_bad"), _module(f"{class_id}_good"))


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"fixture_{name}", FILES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def source(class_id: str, kind: str) -> list[str]:
    """The lines of a module, without its docstring and comments."""
    text = (FILES / f"{class_id}_{kind}.py").read_text(encoding="utf-8")
    body = text.split('"""', 2)[2]
    return [line for line in _without_comments(body).split("\n") if line.strip()]


def fault_line(class_id: str) -> int:
    """The line marked FAULT; 0 for a class that has no line."""
    lines = (FILES / f"{class_id}_bad.py").read_text(encoding="utf-8").split("\n")
    return next((n for n, line in enumerate(lines, 1) if "# FAULT" in line), 0)


def _without_comments(text: str) -> str:
    lines = text.split("\n")
    for token in _comments(text):
        row, column = token.start
        lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines)


def _comments(text: str) -> Iterator[tokenize.TokenInfo]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token
