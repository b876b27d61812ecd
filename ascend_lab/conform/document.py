"""How a sample is to be driven, out of its own document: a README's command lines, or the cells of a notebook."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(
    r"^[ \t]*```[ \t]*(?:bash|shell|sh|console)[ \t]*\n(.*?)^[ \t]*```", re.M | re.S
)
_WRITE = re.compile(r"^%%writefile[ \t]+(-a[ \t]+)?(\S+)[^\n]*\n", re.M)
_BUILDS = re.compile(r"(?m)^\s*(?:cmake|bisheng)\b|&&\s*cmake\b")
_RUNS = re.compile(r"(?m)^\s*(?:(?:msprof|mssanitizer|msopprof)\s+)?\./\w+")


@dataclass(frozen=True, slots=True)
class Write:
    """Write or append ``text`` to ``path``."""

    path: str
    text: str
    append: bool


@dataclass(frozen=True, slots=True)
class Call:
    """Lines for a shell, in a folder of their own: each starts where the document lies."""

    text: str


def of_readme(folder: Path) -> list[Call]:
    """The first block of a README that builds and runs; [] when there is none."""
    file = folder / "README.md"
    if not file.is_file():
        return []
    blocks = _BLOCK.findall(file.read_text("utf-8", "replace"))
    for block in blocks:
        if _BUILDS.search(block) and _RUNS.search(block):
            return [Call(block)]
    return []


def of_script(folder: Path) -> list[Call]:
    """The sample's own run.sh; [] when there is none."""
    file = folder / "run.sh"
    return [Call(file.read_text("utf-8", "replace"))] if file.is_file() else []


def of_notebook(file: Path) -> list[Write | Call]:
    """What a notebook's code cells write and call, in order."""
    steps: list[Write | Call] = []
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        text = "".join(cell["source"])
        written = _WRITE.search(text)
        if written is not None:
            steps.append(Write(written[2], text[written.end() :], bool(written[1])))
        else:
            steps += [Call(line) for line in _shell_lines(text)]
    return steps


def _shell_lines(text: str) -> list[str]:
    joined = re.sub(r"\\\n", " ", text)
    return [line[1:] for line in joined.splitlines() if line.startswith("!")]
