"""A new operator project: the template of this package under another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ascend_lab.ascendc.project.prototype import snake
from ascend_lab.engine.errors import LabError

_TEMPLATE = Path(__file__).with_name("template")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def create(name: str, folder: Path) -> list[Path]:
    """Write the project ``name`` ("SinhCustom" or "sinh_custom") into ``folder``; the files, relative to it.

    It has op_host, op_kernel, a program of aclnn calls and cases, and computes y = factor * x. Raises
    LabError for a name that is none in C++, and for a folder that is there already.
    """
    if _NAME.fullmatch(name) is None:
        raise LabError(
            f"{name} 不能作算子名：请用字母开头，只含字母、数字和下划线，如 SinhCustom。",
            f"{name} cannot name an operator: begin with a letter, and use letters, digits and _ only, "
            "as in SinhCustom.",
        )
    kernel, camel = spellings(name)
    root = folder / kernel
    if root.exists():
        raise LabError(
            f"{root} 已经存在，没有写入。", f"{root} is there already; nothing was written."
        )
    return list(_written(root, kernel, camel))


def spellings(name: str) -> tuple[str, str]:
    """("sinh_custom", "SinhCustom") of either."""
    camel = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return snake(camel), camel


def _written(root: Path, kernel: str, camel: str) -> Iterator[Path]:
    for source in sorted(_TEMPLATE.rglob("*")):
        if not source.is_file():
            continue
        inside = str(source.relative_to(_TEMPLATE)).replace("op_name", kernel)
        text = source.read_text("utf-8").replace("op_name", kernel).replace("OpName", camel)
        path = root / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("OP_NAME", kernel.upper()), "utf-8")
        yield path
