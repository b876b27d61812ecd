"""Reads what a student hands in: ``answer.toml`` and the repaired kernel. Data only; nothing is executed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from ascend_lab.exercise import Answer, AnswerFault, TaskError, from_text, read, schema

ANSWER = "answer.toml"
REPAIRED = "repaired"
#: What the repaired kernel may end in, by door.
SUFFIXES = (".py", ".asc", ".cpp")
#: Largest answer form and largest Ascend C source that are read, in bytes.
_LIMIT, _SOURCE_LIMIT = 64 << 10, 1 << 20


class Found(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"class_id": "class"},
):
    """What the student says of one fault: class, line of the file handed out, letter of the reason."""

    class_id: str = ""
    line: int = 0
    why: str = ""
    note: str = ""


class _Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    paper: str
    fingerprint: str
    faults: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """A paper as it came back. ``repaired`` is None when there is no such file."""

    paper: str
    fingerprint: str
    faults: tuple[Found, ...]
    repaired: Answer | None


class AnswerError(ValueError):
    """The form cannot be read; `message` says why, in both languages."""

    def __init__(self, zh: str, en: str) -> None:
        super().__init__(en)
        self._texts = {"zh": zh, "en": en}

    def message(self, lang: str) -> str:
        """The text in ``lang``."""
        return self._texts[lang]


def read_answer(place: Path) -> Given:
    """The answer in a folder, or in an ``answer.toml`` with the repaired kernel beside it.

    Raises AnswerError for a form that cannot be read and AnswerFault for such a kernel.
    """
    path = place / ANSWER if place.is_dir() else place
    form = _form(path)
    names = (path.parent / f"{REPAIRED}{suffix}" for suffix in SUFFIXES)
    kernel = next((each for each in names if each.is_symlink() or each.exists()), None)
    repaired = None if kernel is None else _kernel(kernel)
    return Given(form.paper, form.fingerprint, form.faults, repaired)


def _kernel(path: Path) -> Answer:
    if path.suffix == ".py":
        return read(path)
    if path.is_symlink() or not path.is_file():
        raise AnswerFault("link" if path.is_symlink() else "not_a_file", path.name)
    if path.stat().st_size > _SOURCE_LIMIT:
        raise AnswerFault("too_large", path.name, size=path.stat().st_size >> 20, limit=1)
    try:
        return from_text(path.read_bytes().decode("utf-8-sig"), path.name)
    except UnicodeDecodeError as error:
        raise AnswerFault("not_utf8", path.name, detail=error.start + 1) from None


def _form(path: Path) -> _Form:
    try:
        if path.is_symlink() or path.stat().st_size > _LIMIT:
            raise AnswerError(f"{path.name} 不是答题表。", f"{path.name} is no answer form.")
        return schema.convert(schema.parse(path.read_bytes(), path.name), _Form, path.name)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise AnswerError(
            f"读不到 {path.name}：{reason}。", f"{path.name} cannot be read: {reason}."
        ) from None
    except TaskError as error:
        raise AnswerError(error.message("zh"), error.message("en")) from None
