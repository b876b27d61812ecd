"""``%%ascendc`` in a notebook: one kernel of Jupyter runs all cells, the bad ones in the middle."""

from __future__ import annotations

import re
from pathlib import Path
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


DIES = """%%ascendc -n dies
#include "kernel_operator.h"
#include <cstdlib>
#include <stdexcept>
static volatile int sink = 0;
static int deep(int n) { volatile char a[4096]; a[0] = n; return deep(n + 1) + a[0]; }
extern "C" __global__ __aicore__ void dies(GM_ADDR x, int32_t how)
{
    switch (how) {
        case 0: *(volatile int*)8 = 1; break;
        case 1: sink = deep(0); break;
        case 2: std::exit(0);
        case 3: throw 7;
        case 4: throw std::runtime_error("out of reach");
        case 5: sink = (new volatile char[10ull << 30])[sink]; break;
        case 6: while (true) { sink = sink + 1; }
    }
}
"""
DEATHS = """
for how in {ways}:
    for finding in Device().launch(dies, 1, x, how).findings:
        print(how, finding.id, finding.part("text"))
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
    "dies": DIES,
    "deaths": DEATHS.format(ways="range(6)"),
    "usage": "%%ascendc --nonsense\nint main() {}",
    "alive": "print('still here')",
}


def executed(cells: dict[str, str], folder: Path) -> dict[str, str]:
    """What each cell shows, as text."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(text, id=name) for name, text in cells.items()]
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    done = client.execute()
    return {cell.id: "\n".join(map(text_of, cell.outputs)) for cell in done.cells}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return executed(CELLS, tmp_path_factory.mktemp("en"))


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
        ("stack", "SIGSEGV, its stack overflowed"),
        ("throw", "an exception that nobody caught: int"),
        ("memory", "more memory than it may have (std::bad_alloc)"),
        ("exit", "The program ended and returned 0"),
    ],
)
def test_what_kills_a_program_is_told(outputs: dict[str, str], cell: str, told: str) -> None:
    assert told in outputs[cell]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        (0, "address 0x8"),
        (1, "the kernel's stack overflowed"),
        (2, "exit(0): a kernel cannot end the process"),
        (3, "the kernel threw int"),
        (4, "the kernel threw std::runtime_error: out of reach"),
        (5, "(std::bad_alloc)"),
    ],
)
def test_what_kills_a_kernel_is_told(outputs: dict[str, str], how: int, told: str) -> None:
    (line,) = re.findall(f"^{how} X1 .*", outputs["deaths"], re.MULTILINE)
    assert told in line


@pytest.mark.nightly
def test_a_loop_without_end_is_ended_in_kernel_and_program(tmp_path: Path) -> None:
    cells = {
        "load": "%load_ext ascend_lab",
        "dies": DIES,
        "kernel": "import numpy as np\nfrom ascend_lab import Device\nx = np.zeros(8, np.float32)"
        + DEATHS.format(ways="[6]"),
        "program": program("volatile int n = 0; while (true) { n = n + 1; }"),
        "alive": "print('still here')",
    }
    outputs = executed(cells, tmp_path)
    assert "10 s of CPU without an instruction" in outputs["kernel"]
    ended = outputs["program"]  # by its CPU time, or by the clock where others have the CPU
    assert "it used more CPU time than it may" in ended or "made no progress" in ended
    assert outputs["alive"] == "still here\n"


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
