"""Classes of the three waves that no kernel of the Python door can have."""

from __future__ import annotations

from ascend_lab.exercise import Both
from grader.faults.fault import Absent

_CUBE = Both(
    zh="需要 Cube 核；Python 入口只运行 Vector 核的核函数。",
    en="Needs a cube core; the Python door runs kernels of the vector cores only.",
)
_MATRIX = Both(
    zh="属于 Matmul 高阶 API，尚未建模。",
    en="Belongs to the high-level Matmul API, which is not modelled.",
)
_HOST = Both(
    zh="在主机侧的 C/C++ 代码中（aclrtMemcpy、流同步），核函数里没有位置。",
    en="Lies in host code in C or C++ (aclrtMemcpy, stream synchronisation); a kernel has no place for it.",
)

ABSENT = (
    Absent("D14", 3, _CUBE),
    Absent("I10", 2, _MATRIX),
    Absent("I11", 3, _MATRIX),
    Absent("J4", 3, _HOST),
    Absent("J5", 3, _HOST),
)
