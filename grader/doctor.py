"""``grader doctor``: what confines an answer's process on this machine, and what is missing and why."""

from __future__ import annotations

import json as jsons
import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ascend_lab.exercise import ChildFault, RemoteKernel, from_text, sandbox
from ascend_lab.exercise.launcher import launcher
from grader.marks import Exit
from grader.running import Lang, place_of
from grader.words import word

_KERNEL = "import ascend_lab.asc as asc\n\n\n@asc.jit\ndef probe(n: int):\n    asc.TPipe()\n"
#: Layers that keep other people's files out of reach; one of them is enough.
_FILES = ("bubblewrap", "landlock")


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer. ``reason``: why it is not in force, as the system says it; "" when it is."""

    name: str
    active: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Health:
    """What was found. ``compiler`` is the C++ compiler's path, "" when there is none."""

    system: str
    python: str
    user: str
    layers: tuple[Layer, ...]
    compiler: str
    fault: str

    @property
    def is_safe(self) -> bool:
        """Whether answers can neither read other people's files nor start processes."""
        active = {layer.name for layer in self.layers if layer.active}
        return bool(active & set(_FILES)) and {"limits", "no processes"} <= active


def examine() -> Health:
    """Start a child and ask which layers are in force; for the others, why they are not."""
    active, fault = _probe()
    layers = tuple(
        Layer(name, name in active, "" if name in active else _reason(name))
        for name in sandbox.LAYERS
    )
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return Health(
        system=f"{platform.system()} {platform.release()} {platform.machine()}",
        python=platform.python_version(),
        user="root" if root else "ordinary",
        layers=layers,
        compiler=_compiler(),
        fault=fault,
    )


def _probe() -> tuple[tuple[str, ...], str]:
    starts = launcher()
    try:
        kernel = RemoteKernel(starts, from_text(_KERNEL), "probe", ["n"])
        kernel.close()
        return kernel.record.layers, ""
    except ChildFault as error:
        return (), str(error)
    finally:
        starts.close()


def _reason(name: str) -> str:
    if name in sandbox.OPTIONAL:
        return sandbox.why_not(name)
    if name == "no rights" and not (hasattr(os, "geteuid") and os.geteuid() == 0):
        return "ordinary user"
    return sys.platform


def _compiler() -> str:
    from ascend_lab.ascendc.building import NoCompiler, compiler

    try:
        return compiler()
    except NoCompiler:
        return ""


def doctor(*, lang: Lang = "en", json: Path | None = None) -> Exit:
    """Show what confines answers on this machine, and what is missing and why.

    Exit codes: 0 answers are well confined, 1 they are not, 2 wrong usage, 3 no answer can be judged here.

    Parameters
    ----------
    lang
        Language of the console.
    json
        Where to write the same as JSON.
    """
    found = examine()
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(f"{found.system}, Python {found.python}", highlight=False)
    table = Table(show_edge=False, pad_edge=False)
    for key in ("layer", "state", "does"):
        table.add_column(word(f"doctor_{key}", lang), overflow="fold")
    for layer in found.layers:
        table.add_row(*map(Text, (layer.name, _state(layer, lang), _does(layer.name, lang))))
    console.print(table)
    for said in _conclusions(found, lang):
        console.print(said, highlight=False, markup=False, soft_wrap=True)
    if json is not None:
        data = asdict(found) | {"safe": found.is_safe}
        place_of(json).write_text(jsons.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if found.fault:
        return Exit.UNGRADED
    return Exit.PASSED if found.is_safe else Exit.LOST


def _state(layer: Layer, lang: Lang) -> str:
    if layer.active:
        return word("doctor_active", lang)
    if layer.reason == "ordinary user":
        return word("doctor_needless", lang)
    return word("doctor_missing", lang, reason=layer.reason)


def _does(name: str, lang: Lang) -> str:
    return word(f"layer_{name.replace(' ', '_')}", lang)


def _conclusions(found: Health, lang: Lang) -> list[str]:
    if found.fault:
        return [word("doctor_broken", lang, reason=found.fault)]
    key = "doctor_safe" if found.is_safe else "doctor_unsafe"
    said = [word(key, lang)]
    if not sys.platform.startswith("linux"):
        said.append(word("doctor_not_linux", lang, system=platform.system()))
    cpp = word("doctor_compiler", lang, path=found.compiler)
    said.append(cpp if found.compiler else word("doctor_no_compiler", lang))
    return said
