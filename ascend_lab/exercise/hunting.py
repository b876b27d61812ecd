"""The file of a lab's fault hunts, checked: for its author, before the course reads it."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec

from ascend_lab.checks.texts import catalogue
from ascend_lab.exercise import schema
from ascend_lab.exercise.errors import TaskError, unknown
from ascend_lab.exercise.task import Both


class HuntFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One fault: any of ``lines`` names its place; ``zh`` and ``en`` are told to who has found it."""

    id: str
    lines: tuple[int, ...]
    zh: str
    en: str


class HuntText(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kernel with faults. ``kernel`` is a path in the bank; ``extra`` ids are true but not asked for."""

    id: str
    kernel: str
    title: Both
    faults: tuple[HuntFault, ...]
    extra: tuple[str, ...] = ()
    extra_zh: str | None = None
    extra_en: str | None = None


class HuntFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """``exam_bank/hunts/<lab>.toml``."""

    hunts: tuple[HuntText, ...]


def read(data: bytes, file: str, bank: Path) -> HuntFile:
    """The hunts in the text of a TOML file. Raises TaskError that names ``file`` and the key.

    Kernels must be in ``bank``, be Python, and have the lines; ids must be classes of findings.
    """
    found = schema.convert(schema.parse(data, file), HuntFile, file)
    seen: set[str] = set()
    for index, hunt in enumerate(found.hunts):
        key = f"hunts[{index}]"
        if hunt.id in seen:
            raise TaskError(file, f"{key}.id", f"{hunt.id!r} occurs twice.", f"{hunt.id!r} 重复。")
        seen.add(hunt.id)
        _check(file, key, hunt, bank)
    return found


def _check(file: str, key: str, hunt: HuntText, bank: Path) -> None:
    length = _kernel_length(file, f"{key}.kernel", bank / hunt.kernel)
    if not hunt.faults:
        raise TaskError(file, f"{key}.faults", "there is no fault.", "没有错误。")
    for index, fault in enumerate(hunt.faults):
        place = f"{key}.faults[{index}]"
        if fault.id not in catalogue():
            raise unknown(file, f"{place}.id", fault.id, catalogue())
        if not fault.lines:
            raise TaskError(file, f"{place}.lines", "there is no line.", "没有行号。")
        for line in fault.lines:
            if not 1 <= line <= length:
                raise TaskError(
                    file,
                    f"{place}.lines",
                    f"{line} is no line of {hunt.kernel}: it has {length}.",
                    f"{hunt.kernel} 没有第 {line} 行：一共 {length} 行。",
                )
    for id in hunt.extra:
        if id not in catalogue():
            raise unknown(file, f"{key}.extra", id, catalogue())
    for part in ("extra_zh", "extra_en"):
        if hunt.extra and not getattr(hunt, part):
            raise TaskError(file, f"{key}.{part}", "is missing.", "缺少。")


def _kernel_length(file: str, key: str, path: Path) -> int:
    if not path.is_file():
        raise TaskError(file, key, f"there is no file {path.name!r}.", f"没有文件 {path.name!r}。")
    text = path.read_text(encoding="utf-8")
    try:
        if path.suffix == ".py":
            ast.parse(text)
    except SyntaxError as error:
        said = f"{path.name}:{error.lineno}: {error.msg}"
        raise TaskError(file, key, f"not Python: {said}.", f"不是 Python：{said}。") from None
    return len(text.splitlines())
