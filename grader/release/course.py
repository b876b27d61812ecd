"""A course: a folder with ``course.toml`` and ``course.key``. The key never leaves the folder."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab.exercise import Bank, TaskError, schema
from grader.release.problem import Problem

FILE = "course.toml"
KEY = "course.key"
_KEY_BYTES = 32
_KEY = re.compile(r"[0-9a-f]{64}")


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``course.toml``: ``labs`` and ``papers`` name what is handed out; all labs when none is named."""

    id: str = ""
    labs: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    """One course. ``key`` and a student's id decide that student's variants; nothing of them is stored."""

    folder: Path
    id: str
    labs: tuple[str, ...]
    papers: tuple[str, ...]
    key: str

    def secret(self, student: str, what: str) -> str:
        """HMAC-SHA256(key, student, what): decides one task of one student and tells nothing of the key."""
        message = f"{len(student)}:{student}\0{what}".encode()
        return hmac.new(bytes.fromhex(self.key), message, hashlib.sha256).hexdigest()


def open_course(folder: Path, bank: Bank, *, make: bool = False) -> Course:
    """The course in ``folder``; with ``make`` a new one gets its files. Raises Problem and TaskError."""
    path = folder / FILE
    if not path.is_file():
        if not make:
            raise Problem("no_course", path=path)
        _write_new(folder, bank)
    try:
        said = schema.convert(schema.parse(path.read_bytes(), path.name), _File, path.name)
    except OSError as error:
        raise Problem("unreadable", path=path, reason=error.strerror or "") from None
    known = labs_of(bank)
    for lab in said.labs:
        if lab not in known:
            en, zh = f"there is no lab {lab!r}.", f"没有实验 {lab!r}。"
            raise TaskError(FILE, "labs", en, zh, list(known))
    name = said.id or folder.resolve().name
    return Course(folder, name, said.labs or known, said.papers, _key(folder / KEY, make))


def labs_of(bank: Bank) -> tuple[str, ...]:
    """Numbers of the labs that the bank has tasks, programs or hunts for: "01", "02", ..."""
    names = {id.partition("/")[0] for id in bank.ids()}
    names |= {path.stem for path in (bank.folder / "hunts").glob("*.toml")}
    names |= {path.name for path in (bank.folder / "programs").glob("*")}
    return tuple(sorted(name for name in names if name.isdigit()))


def _write_new(folder: Path, bank: Bank) -> None:
    labs = ", ".join(f'"{lab}"' for lab in labs_of(bank))
    text = f'id = "{folder.resolve().name}"\nlabs = [{labs}]\n# grader hunt\npapers = []\n'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Problem("unwritable", path=folder, reason=error.strerror or "") from None


def _key(path: Path, make: bool) -> str:
    """The key in ``path``; made when it is not there, readable by its owner alone."""
    if not path.exists():
        if not make:
            raise Problem("no_key", path=path)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(os.urandom(_KEY_BYTES).hex() + "\n")
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise Problem("bad_key", path=path) from None
    if not _KEY.fullmatch(text):
        raise Problem("bad_key", path=path)
    return text
