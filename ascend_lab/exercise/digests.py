"""Hashes of what a mark depends on."""

from __future__ import annotations

import hashlib
from pathlib import Path

import ascend_lab
from ascend_lab.chips import ChipSpec
from ascend_lab.exercise.remote import Answer


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def answer_digest(answer: Answer) -> str:
    """Hash of an answer's text; its name does not count."""
    return _hash("\0".join(cell.text for cell in answer.cells))


def chip_digest(spec: ChipSpec) -> str:
    """Hash of every figure of a chip."""
    return _hash(repr(spec))


def package_digest() -> str:
    """Hash of this package's code and data: the version of the lab to the letter."""
    root = Path(ascend_lab.__file__).parent
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".toml"):
            total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]
