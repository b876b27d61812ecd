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
    Absent(
        "D14",
        3,
        Both(zh="核间标志不匹配（AIC/AIV）", en="Cross-core flags do not match (AIC/AIV)"),
        _CUBE,
    ),
    Absent("I10", 2, Both(zh="Matmul 对象使用不当", en="Matmul object misused"), _MATRIX),
    Absent("I11", 3, Both(zh="ND/NZ/ZN 格式不匹配", en="ND/NZ/ZN format mismatch"), _MATRIX),
    Absent("J4", 3, Both(zh="拷贝大小用了元素数", en="Size of a copy in elements"), _HOST),
    Absent("J5", 3, Both(zh="没有同步就读取结果", en="Host reads before synchronise"), _HOST),
)
