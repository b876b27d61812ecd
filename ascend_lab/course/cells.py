"""The notebook that is running: the text of its cells, what they are called, where output goes.

IPython is asked only when it is there; outside a notebook everything here says "nothing".
"""

from __future__ import annotations

import linecache
import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from ascend_lab.checks.finding import Finding
from ascend_lab.engine.shown import cell_numbers, compiler

#: Attributes under which a kernel keeps the function it was made of.
_WRAPPED = ("__wrapped__", "fn", "function", "program")


def shell() -> Any:
    """IPython's shell, None outside of a notebook."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def namespace() -> Mapping[str, object]:
    """The notebook's variables."""
    found: Mapping[str, object] = getattr(shell(), "user_ns", {})
    return found


def show(card: object) -> None:
    """Put ``card`` into the cell's output, or print it where there is no notebook."""
    if shell() is None:
        print(card)
        return
    from IPython.display import display

    display(card)  # type: ignore[no-untyped-call]


def names() -> Mapping[str, str]:
    """Base name of the file a cell was compiled as, in either language -> what people call it ("In[5]")."""
    found = {}
    for file, number in cell_numbers().items():
        found[Path(file).name] = found[cpp_name(file)] = f"In[{number}]"
    return found


def cpp_name(file: str) -> str:
    """What a cell that Python knows as ``file`` is called as an Ascend C source."""
    return f"{Path(file).stem}.asc"


def running() -> str:
    """The file as which Python knows the cell that is running, "" when there is none."""
    known = getattr(compiler(), "_filename_map", {})
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename not in known:
        frame = frame.f_back
    return "" if frame is None else frame.f_code.co_filename


def as_written(file: str, text: str) -> None:
    """Show the cell ``file`` as the student wrote it, not as the call of a magic."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


def texts() -> dict[str, str]:
    """ "In[5]" -> the text of that cell, in the order in which they ran."""
    found = {}
    for file, number in sorted(cell_numbers().items(), key=lambda item: item[1]):
        lines = linecache.getlines(file)
        if lines:
            found[f"In[{number}]"] = "".join(lines)
    return found


def source_of(given: Any) -> tuple[str, str] | None:
    """Name and text of the cell or file that defines the function or kernel ``given``."""
    code = _code(given)
    if code is None:
        return None
    lines = linecache.getlines(code.co_filename)
    name = Path(code.co_filename).name
    return (names().get(name, name), "".join(lines)) if lines else None


def session(kernel: str, name: str, text: str) -> list[tuple[str, str]]:
    """The cells that have run, (name, text), with the one that defines ``kernel`` last.

    Others that define it are earlier attempts and left out. Outside a notebook it is the one text alone.
    """
    attempt = re.compile(rf"^def {re.escape(kernel)}\(", re.MULTILINE)
    earlier = [
        (other, body)
        for other, body in texts().items()
        if other != name and not attempt.search(body)
    ]
    return [*earlier, (name, text)]


def renamed(finding: Finding) -> Finding:
    """``finding`` with its places in cells called "In[5]"."""
    known = names()
    return replace(
        finding,
        file=known.get(finding.file, finding.file),
        related=tuple(p._replace(file=known.get(p.file, p.file)) for p in finding.related),
        consequences=tuple(renamed(other) for other in finding.consequences),
    )


def _code(given: Any) -> CodeType | None:
    for candidate in (given, *(getattr(given, name, None) for name in _WRAPPED)):
        code = getattr(candidate, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None
