"""What a student's typical mistakes look like: the error is on their own line, short, and speaks of their text alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ascend_lab.ascendc import CompileError, build
from ascend_lab.ascendc.building import compiler

RIGHT = """#include "kernel_operator.h"
#include "acl/acl.h"
using namespace AscendC;
class KernelScale {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t count)
    {
        length = count;
        xGm.SetGlobalBuffer((__gm__ half*)x, count);
        yGm.SetGlobalBuffer((__gm__ half*)y, count);
        pipe.InitBuffer(in, 1, count * sizeof(half));
        pipe.InitBuffer(out, 1, count * sizeof(half));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<half> a = in.AllocTensor<half>();
        DataCopy(a, xGm, length);
        in.EnQue(a);
        a = in.DeQue<half>();
        LocalTensor<half> b = out.AllocTensor<half>();
        Add(b, a, a, length);
        Muls(b, b, static_cast<half>(2.0), length);
        out.EnQue(b);
        in.FreeTensor(a);
        b = out.DeQue<half>();
        DataCopy(yGm, b, length);
        out.FreeTensor(b);
    }

private:
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    GlobalTensor<half> xGm, yGm;
    uint32_t length;
};
extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, uint32_t count)
{
    KernelScale op;
    op.Init(x, y, count);
    op.Process();
}
int main()
{
    uint8_t *x = nullptr, *y = nullptr;
    aclrtStream stream = nullptr;
    scale<<<1, nullptr, stream>>>(x, y, 64);
    return 0;
}
"""
#: Mistake -> what stands in the right source, what stands there instead, what the message must say, in Chinese too.
MISTAKES = {
    "no semicolon": (
        "in.EnQue(a);",
        "in.EnQue(a)",
        "expected ';'.*end of line 18",
        "缺少 ';'.*第 18 行",
    ),
    "another type": (
        "in.AllocTensor<half>();",
        "in.AllocTensor<float>();",
        "LocalTensor<half>",
        "变为 'LocalTensor<half>'",
    ),
    "not declared": (
        "Add(b, a, a, length);",
        "VectorAdd(b, a, a, length);",
        "'VectorAdd' was not",
        "没有声明 'VectorAdd'",
    ),
    "misspelt": (
        "DataCopy(yGm, b",
        "DataCoppy(yGm, b",
        "did you mean 'DataCopy'",
        "是否应为 'DataCopy'",
    ),
    "no include": (
        "kernel_operator.h",
        "kernel_operators.h",
        "kernel_operators.h",
        "找不到文件 kernel_operators.h",
    ),
    "literal": ("static_cast<half>(2.0)", "2.0h", "literal operator|suffix", "没有数字后缀 h"),
    "arguments": (
        "Add(b, a, a, length);",
        "Add(b, a, a);",
        "Add\\(LocalTensor<half>&.*possible: Add\\(.*const int32_t&\\)",
        "没有能这样调用的函数：Add.*可用：Add",
    ),
    "host function": (
        "in.EnQue(a);",
        "void* p; aclrtMalloc(&p, 64, ACL_MEM_MALLOC_HUGE_FIRST); in.EnQue(a);",
        "aclrtMalloc in a kernel",
        "核函数里不能用 aclrtMalloc",
    ),
    "container": (
        "in.EnQue(a);",
        "std::vector<int> values(8); in.EnQue(a);",
        "std::vector in a kernel",
        "核函数里不能用 std::vector",
    ),
    "launch": (
        "(x, y, 64);",
        "(x, y);",
        "the kernel takes \\(GM_ADDR, GM_ADDR, uint32_t\\)",
        "核函数的参数是",
    ),
    "launch type": ("(x, y, 64);", "(x, 64, y);", "'int' to 'GM_ADDR'", "'int' 变为 'GM_ADDR'"),
    "no gm": (
        "(__gm__ half*)x",
        "x",
        "SetGlobalBuffer.*possible: SetGlobalBuffer",
        "SetGlobalBuffer.*可用",
    ),
    "no return type": (
        "inline void Process",
        "inline Process",
        "'Process' with no type",
        "没有写返回类型",
    ),
    "member": (
        "in.EnQue(a);",
        "in.Enque(a);",
        "'Enque'; did you mean 'EnQue'",
        "没有成员 'Enque'；是否应为 'EnQue'",
    ),
}
GLUE = re.compile(r"\bal::|al_\w+|AL_HERE|ascend_lab/|required from|Registered|LaunchKernel|note:")


#: Mistakes that stand in one source together, each on its line.
TOGETHER = ("another type", "not declared", "literal", "no gm", "member", "launch", "misspelt")


def said(tmp_path: Path, *names: str) -> CompileError:
    text = RIGHT
    for name in names:
        old, new, *_ = MISTAKES[name]
        text = text.replace(old, new, 1)
    source = tmp_path / "scale.asc"
    source.write_text(text, "utf-8")
    with pytest.raises(CompileError) as raised:
        build([source])
    return raised.value


@pytest.mark.parametrize(
    "names", [TOGETHER, *((name,) for name in MISTAKES if name not in TOGETHER)], ids="+".join
)
def test_the_message_is_about_the_students_own_line(names: tuple[str, ...], tmp_path: Path) -> None:
    error = said(tmp_path, *names)
    words = "clang" not in compiler()  # whose words these are
    for lang in ("en", "zh"):
        text = error.message(lang)
        assert not GLUE.search(text), text
        assert len(text.splitlines()) <= 6 * len(names) + 4, text
        assert max(map(len, text.splitlines())) <= 200, text
        for name in names:
            line = RIGHT.count("\n", 0, RIGHT.index(MISTAKES[name][0])) + 1
            line += name == "no semicolon" and words  # g++ sees it where the next line begins
            found = re.search(
                rf"^scale\.asc:{line}: (?:(?!^scale\.asc).)*", text, re.DOTALL | re.MULTILINE
            )
            assert found is not None, text
            wanted = MISTAKES[name][2 if lang == "en" else 3]
            assert not words or re.search(wanted, found[0], re.DOTALL), found[0]


def test_the_right_source_has_nothing_to_say(tmp_path: Path) -> None:
    source = tmp_path / "scale.asc"
    source.write_text(RIGHT, "utf-8")
    assert build([source]).warnings == ""
