"""Writes the files that an author starts from: complete, commented, right as they are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Literal

from grader.authoring.words import word

Kind = Literal["task", "theory", "hunt"]

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LAB = re.compile(r"\w+")
_COMMENT = re.compile(r"^#(?P<lang>zh|en) ")


class Refused(Exception):
    """The files cannot be written as asked; ``str()`` says why."""


def scaffold(kind: Kind, name: str, lab: str, bank: Path, lang: str) -> tuple[Path, ...]:
    """Write the files of a new task, topic or hunt; the one to edit first is the first.

    Comments are in ``lang``. Raises Refused, and writes nothing, when a name is bad or a file is there.
    """
    if not _NAME.fullmatch(name):
        raise Refused(word("bad_name", lang, name=name))
    if not _LAB.fullmatch(lab):
        raise Refused(word("bad_lab", lang, name=lab))
    files = _files(kind, name, lab, bank, lang)
    added = _added(kind, bank, lab)
    for path in files:
        if path.exists() and path != added:
            raise Refused(word("is_there", lang, path=path))
    if added is not None and added.exists() and f'"{lab}/{name}"' in added.read_text("utf-8"):
        raise Refused(word("hunt_is_there", lang, path=added, id=f"{lab}/{name}"))
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text((before + text).lstrip("\n"), encoding="utf-8")
    return tuple(files)


def _added(kind: Kind, bank: Path, lab: str) -> Path | None:
    """The file that several of a kind share: a new one is added at its end."""
    return bank / "hunts" / f"{lab}.toml" if kind == "hunt" else None


def _files(kind: Kind, name: str, lab: str, bank: Path, lang: str) -> dict[Path, str]:
    names = {"NAME": name, "LAB": lab, "IDENT": name.replace("-", "_")}
    text = _filled(_told(_read(f"{kind}.toml"), lang), names)
    kernels = tomllib.loads(_read("kernels.toml"))
    kernel = bank / "kernels" / lab
    match kind:
        case "task":
            return {
                bank / "tasks" / lab / f"{name}.toml": text,
                kernel / f"{names['IDENT']}.py": _filled(kernels["task"], names),
                kernel / f"{names['IDENT']}.start.py": _filled(kernels["start"], names),
            }
        case "theory":
            return {bank / "theory" / f"{name}.toml": text}
    return {
        bank / "hunts" / f"{lab}.toml": text,
        kernel / "hunts" / f"{names['IDENT']}.py": _filled(kernels["hunt"], names),
    }


def _read(name: str) -> str:
    folder = resources.files(__package__).joinpath("scaffolds")
    return folder.joinpath(name).read_text(encoding="utf-8")


def _told(text: str, lang: str) -> str:
    """Only the comments of one language."""
    kept = []
    for line in text.splitlines(keepends=True):
        found = _COMMENT.match(line)
        if found is None:
            kept.append(line)
        elif found["lang"] == lang:
            kept.append(f"# {line[found.end() :]}")
    return "".join(kept)


def _filled(text: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"@{name}@", value)
    return text
