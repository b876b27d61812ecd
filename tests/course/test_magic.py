"""``%%ascendc`` in a notebook: one kernel of Jupyter runs all cells, the bad ones in the middle."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

MAIN = """%%ascendc{options}
#include "acl/acl.h"
#include <cstdio>
#include <cstdlib>
#include <vector>
{before}
int main() {{
    {body}
    return 0;
}}
"""
ADD = """%%ascendc -n add
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    GlobalTensor<float> xGm, yGm, zGm;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64, 64);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64, 64);
    zGm.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * 64, 64);
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, xGm, 64);
    in.EnQue(a);
    LocalTensor<float> b = in.AllocTensor<float>();
    DataCopy(b, yGm, 64);
    in.EnQue(b);
    LocalTensor<float> c = out.AllocTensor<float>();
    a = in.DeQue<float>();
    b = in.DeQue<float>();
    Add(c, a, b, 64);
    out.EnQue(c);
    in.FreeTensor(a);
    in.FreeTensor(b);
    c = out.DeQue<float>();
    DataCopy(zGm, c, 64);
    out.FreeTensor(c);
}
"""
WRONG = ADD.replace("-n add", "-n wrong --call 'show(wrong)' --timeline").replace(
    "GetBlockIdx() * 64", "0"
)
PYTHON = """
import numpy as np
from ascend_lab import Device
x, y, z = np.arange(128, dtype=np.float32), np.ones(128, np.float32), np.zeros(128, np.float32)
add[2](x, y, z)
print("sums right:", np.array_equal(z, x + y))
def show(kernel):
    return Device().launch(kernel, 2, x, y, z, outputs=["z"])
"""


def program(body: str, before: str = "", options: str = "") -> str:
    return MAIN.format(body=body, before=before, options=options)


CELLS = {
    "load": "%load_ext ascend_lab",
    "hello": program('printf("hello from main\\n");'),
    "broken": program("int a = missing_name;"),
    "segfault": program("int *p = nullptr; *(volatile int*)p = 1;"),
    "stack": program(
        'printf("%d\\n", deep(1));',
        "int deep(int n) { volatile char a[4096]; a[0] = n; return deep(n + 1) + a[0]; }",
    ),
    "exit": program('printf("before\\n"); fflush(stdout); exit(0);'),
    "throw": program("throw 7;"),
    "memory": program('std::vector<char> v(10ull << 30, 1); printf("%d\\n", v[5]);'),
    "flood": program('for (int i = 0; i < 200000; ++i) printf("line %d\\n", i);'),
    "add": ADD,
    "python": PYTHON,
    "wrong": WRONG,
    "usage": "%%ascendc --nonsense\nint main() {}",
    "alive": "print('still here')",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each cell shows, as text."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(text, id=name) for name, text in CELLS.items()]
    folder = tmp_path_factory.mktemp("en")
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    done = client.execute()
    return {cell.id: "\n".join(map(text_of, cell.outputs)) for cell in done.cells}


def text_of(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text)
    return str(output.get("data", {}).get("text/plain", ""))


def test_nothing_ends_the_notebook(outputs: dict[str, str]) -> None:
    assert outputs["alive"] == "still here\n"


def test_a_program_prints_and_ends(outputs: dict[str, str]) -> None:
    assert outputs["hello"].startswith("hello from main\n")
    assert "The program ended and returned 0" in outputs["hello"]


def test_a_compile_error_speaks_of_the_cell(outputs: dict[str, str]) -> None:
    assert "In[3]:8: error: 'missing_name' was not declared" in outputs["broken"]


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("segfault", "SIGSEGV, it touched memory that is not its own"),
        ("stack", "SIGSEGV"),
        ("throw", "SIGABRT, it aborted"),
        ("memory", "SIGABRT, it aborted"),
        ("exit", "The program ended and returned 0"),
    ],
)
def test_what_kills_a_program_is_told(outputs: dict[str, str], cell: str, told: str) -> None:
    assert told in outputs[cell]


def test_a_flood_is_cut(outputs: dict[str, str]) -> None:
    assert "only the first 32 KB" in outputs["flood"]
    assert len(outputs["flood"]) < 40_000


def test_a_kernel_is_called_from_python(outputs: dict[str, str]) -> None:
    assert "add[blocks](x, y, z)" in outputs["add"]
    assert outputs["python"] == "sums right: True\n"


def test_a_finding_stands_at_its_line_of_the_cell(outputs: dict[str, str]) -> None:
    line = WRONG.splitlines().index("    DataCopy(zGm, c, 64);") + 1
    assert re.search(rf"^E1  .*\n(.*\n)*?.*In\[12\]:{line}\b", outputs["wrong"], re.MULTILINE)


def test_the_magic_says_how_it_is_written(outputs: dict[str, str]) -> None:
    assert "cannot be read" in outputs["usage"]


def test_no_place_of_this_machine_is_shown(outputs: dict[str, str]) -> None:
    told = "\n".join(outputs.values())
    assert not re.search(r"/tmp|/home|/root|\.cache|\d+\.asc", told)
