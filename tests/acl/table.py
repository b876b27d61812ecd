"""One host program in each door, and its faults: one line each."""

from __future__ import annotations

import importlib.util
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ascend_lab.acl as acl
from ascend_lab.engine.errors import LabError

FILES = Path(__file__).with_name("files")
GOOD = {"python": FILES / "program.py", "cpp": FILES / "program.asc"}
NAMES = {"python": "host_program.py", "cpp": "host_program.asc"}


@dataclass(frozen=True)
class Fault:
    """A line that is replaced, and what must be said."""

    row: dict[str, Any]

    @property
    def key(self) -> tuple[str, str]:
        return self.row["id"], self.row.get("variant", "")

    @property
    def severity(self) -> str:
        return str(self.row.get("severity", "error"))

    def in_door(self, door: str) -> bool:
        return door in self.row and door not in self.row.get("skip", ())

    def text(self, door: str) -> str:
        """The faulty program: one line differs."""
        lines = GOOD[door].read_text("utf-8").splitlines()
        old, new = self.row[door]
        places = [k for k, line in enumerate(lines) if line.strip() == old]
        assert len(places) == 1, f"{self.key}: {old!r} stands at {places}"
        lines[places[0]] = lines[places[0]].replace(old, new)
        return "\n".join(lines) + "\n"

    def line(self, door: str) -> int:
        """The line the finding must name."""
        wanted = self.row.get(f"{door}_at")
        if wanted is None:
            good = GOOD[door].read_text("utf-8").splitlines()
            return [line.strip() for line in good].index(self.row[door][0]) + 1
        lines = self.text(door).splitlines()
        places = [k + 1 for k, line in enumerate(lines) if line.strip() == wanted]
        assert places, f"{self.key}: no line {wanted!r}"
        return places[0]


def in_door(door: str) -> list[Fault]:
    """Every fault that a program of this door can have."""
    rows = tomllib.loads((FILES / "faults.toml").read_text("utf-8"))["fault"]
    return [fault for fault in map(Fault, rows) if fault.in_door(door)]


def name(fault: Fault) -> str:
    """What pytest calls it."""
    return "-".join(filter(None, fault.key))


def all_in_one() -> str:
    """Every faulty program of the C++ door as one source: its first argument says which; lines are kept."""
    good = GOOD["cpp"].read_text("utf-8").splitlines()
    start = good.index("int main()")
    parts, cases = good[:start], []
    for number, fault in enumerate(in_door("cpp")):
        parts += [f'#line {start + 1} "{NAMES["cpp"]}"', f"int main_{number}()"]
        parts += fault.text("cpp").splitlines()[start + 1 :]
        cases.append(f"    case {number}: return main_{number}();")
    switch = ["int main(int, char** argv)", "{", "    switch (std::atoi(argv[1])) {", *cases]
    return "\n".join([*parts, *switch, "    }", "    return 1;", "}", ""])


def run_python(text: str, folder: Path) -> tuple[acl.Runtime, LabError | None]:
    """Run a program of the Python door; what it raised."""
    path = folder / NAMES["python"]
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("host_program", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    raised = None
    with acl.using(acl.Runtime(environment={}, strict=True)) as runtime:
        try:
            module.main()
        except LabError as error:
            raised = error
    return runtime, raised
