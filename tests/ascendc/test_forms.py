"""Every documented form of the API compiles, runs, issues what it says, and no check has anything against it.

The forms are the rows of forms/*.toml. Each becomes a line of a kernel between two barriers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from ascend_lab.ascendc import kernels
from ascend_lab.device import Device
from ascend_lab.engine.errors import NotModelled

TABLES = Path(__file__).with_name("forms")
#: Tensors of a kernel: letter, type, what they are filled with; four of each (wide types: less).
TYPES = {
    "f": ("float", "Duplicate({0}, 1.5f, 512);"),
    "h": ("half", "Duplicate<half>({0}, 1.5, 1024);"),
    "i": ("int32_t", "Duplicate({0}, 3, 512);"),
    "s": ("int16_t", "Duplicate<int16_t>({0}, 3, 1024);"),
    "u": ("uint32_t", "CreateVecIndex({0}.ReinterpretCast<int32_t>(), 0, 512);"),
    "w": ("uint16_t", "Duplicate<uint16_t>({0}, 5, 1024);"),
    "b": ("int8_t", "Duplicate<int16_t>({0}.ReinterpretCast<int16_t>(), 0x0101, 1024);"),
    "c": ("uint8_t", "Duplicate<int16_t>({0}.ReinterpretCast<int16_t>(), 0x0101, 1024);"),
    "e": ("bfloat16_t", "Duplicate<bfloat16_t>({0}, bfloat16_t(1.5f), 1024);"),
    "l": ("int64_t", "Duplicate({0}.ReinterpretCast<int32_t>(), 0, 512);"),
    "ul": ("uint64_t", "Duplicate({0}.ReinterpretCast<int32_t>(), 0, 512);"),
}
BYTES, BUFFER = 2048, 24 * 1024
GLOBAL = {"gf": "float", "gh": "half", "gi": "int32_t", "gul": "uint64_t"}
HEAD = '#include "kernel_operator.h"\n#include "tiling/tiling_api.h"\nusing namespace AscendC;\n'
EACH, DAILY = 40, 72  # rows a kernel
#: What compiles and ends the kernel by its own name.
ABSENT = {
    "SetSaturationFlag": "SetSaturationFlag<SaturationMode::CAST>(true);",
    "GetAccVal": "(void)GetAccVal<float>();",
    "GetArchVersion": "uint32_t version = 0; GetArchVersion(version);",
    "CheckLocalMemoryIA": "CheckLocalMemoryIA({0, 1, 2, false, false, false, true, false, false, true});",
    "LocalTensor::Print": "f0.Print();",
    "LocalTensor::ToFile": '(void)f0.ToFile("f.bin");',
    "InitSpmBuffer": "pipe.InitSpmBuffer(1024);",
    "DataCopy": "DataCopy<half>(h0, gh, Nd2NzParams(1, 16, 16, 0, 16, 16, 1, 0));",
    "Mmad": "Mmad(f0, h0, h1, MmadParams());",
    "LoadData": "LoadData(h0, h1, LoadData2DParams());",
    "Fixpipe": "Fixpipe(go, f0, FixpipeParamsV220());",
    "Hypot": "Hypot(f2, f0, f1, 64);",
    "RpSort16": "RpSort16(h0, h1, 2);",
    "Interleave": "Interleave<half>(h0, h1, h2, h3, 64);",
    "IsNan": "IsNan(c0, f0, buf, 64);",
    "AscendDequant": "AscendDequant(f2, i0, f1, buf, 64);",
    "Clamp": "Clamp(f2, f0, 0.0f, 1.0f, 64);",
    "SyncAll": "SyncAll<false>();",
}


@dataclass(frozen=True)
class Row:
    api: str
    line: str
    op: str  # what must be issued there; "" for anything


def rows(name: str) -> list[Row]:
    """The forms of a table, a row for each line of each API."""
    forms = tomllib.loads((TABLES / f"{name}.toml").read_text("utf-8"))["form"]
    return [
        Row(api, line.replace("{api}", api), form.get("op", api))
        for form in forms
        for api in form["apis"]
        for line in form["lines"]
    ]


def prologue() -> Iterator[str]:
    yield "TPipe pipe; TBuf<> all;"
    tensors = [
        (f"{letter}{k}", kind, fill) for letter, (kind, fill) in TYPES.items() for k in range(4)
    ]
    yield f"pipe.InitBuffer(all, {len(tensors) * BYTES + BUFFER});"
    for at, (name, kind, fill) in enumerate(tensors):
        elements = f"{BYTES} / sizeof({kind})"
        yield f"auto {name} = all.GetWithOffset<{kind}>({elements}, {at * BYTES}); {fill.format(name)}"
    yield f"auto buf = all.GetWithOffset<uint8_t>({BUFFER}, {len(tensors) * BYTES});"
    yield f"Duplicate<int16_t>(buf.ReinterpretCast<int16_t>(), 0, {BUFFER // 2});"
    for name, step in (("u1", 4), ("u3", 32)):  # offsets in bytes: of floats, of DataBlocks
        yield f"Muls({name}.ReinterpretCast<int32_t>(), u0.ReinterpretCast<int32_t>(), {step}, 512);"
    for name, kind in GLOBAL.items():
        yield f"GlobalTensor<{kind}> {name}; {name}.SetGlobalBuffer((__gm__ {kind}*)x, 4096 / sizeof({kind}));"
    yield "GlobalTensor<float> go; go.SetGlobalBuffer((__gm__ float*)y, 512);"
    yield "GlobalTensor<int32_t> gw; gw.SetGlobalBuffer((__gm__ int32_t*)workspace, 512); auto iw = i3;"
    yield "uint64_t mask[2] = {~0ull, ~0ull}, mask4[2] = {~0ull, 0};"
    yield "float scales[16]; int16_t offsets[16]; bool signs[16];"
    yield "for (int k = 0; k < 16; ++k) { scales[k] = 1; offsets[k] = 0; signs[k] = false; }"
    yield "PipeBarrier<PIPE_ALL>();"


def source(chosen: list[Row]) -> tuple[str, dict[int, Row]]:
    """A kernel with a line for each row, and the rows by line."""
    text = HEAD + "__global__ __vector__ void forms(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)\n{\n"
    text += "".join(f"{line}\n" for line in prologue())
    at = text.count("\n") + 1
    found = {at + k: row for k, row in enumerate(chosen)}
    text += "".join(f"{{ {row.line} PipeBarrier<PIPE_ALL>(); ResetMask(); }}\n" for row in chosen)
    return text + "}\n", found


def problems(chosen: list[Row], folder: Path) -> list[str]:
    """What is wrong with these rows: each with its line."""
    text, by_line = source(chosen)
    file = folder / "forms.asc"
    file.write_text(text, "utf-8")
    arrays = [np.linspace(0.5, 1.5, 1024).astype(np.float32), np.zeros(512, np.float32)]
    result = Device().launch(kernels(file)["forms"], 1, *arrays, np.zeros(512, np.int32))
    wrong = []
    for finding in result.findings.errors:
        row = by_line.get(finding.line)
        wrong.append(f"{row.line if row else '?'}: {finding.id}")
    issued: dict[int, set[str]] = {}
    trace = result.trace
    for op, where in zip(trace.op, trace.where, strict=True):
        issued.setdefault(trace.sources[where].line, set()).add(trace.ops[op])
    for line, row in by_line.items():
        names = issued.get(line, set())
        if row.op and not any(name.startswith(row.op) for name in names):
            wrong.append(f"{row.line}: issues {sorted(names)}")
    return wrong


ALL = [(table, rows(table)) for table in ("basic", "library")]
PARTS = [
    pytest.param(chosen[start : start + EACH], id=f"{table}-{start}", marks=pytest.mark.nightly)
    for table, chosen in ALL
    for start in range(0, len(chosen), EACH)
]


@pytest.mark.parametrize("chosen", PARTS)
def test_every_documented_form_runs(chosen: list[Row], tmp_path: Path) -> None:
    assert problems(chosen, tmp_path) == []


@pytest.mark.parametrize("start", [0, DAILY])
def test_one_form_of_each_api_runs(start: int, tmp_path: Path) -> None:
    first = {row.api: row for row in reversed(ALL[0][1])}
    chosen = sorted(first.values(), key=lambda row: row.api)[start : start + DAILY]
    assert chosen
    assert len(first) <= 2 * DAILY
    assert problems(chosen, tmp_path) == []


@pytest.mark.nightly
@pytest.mark.parametrize("api", ABSENT)
def test_what_is_not_modelled_is_named(api: str, tmp_path: Path) -> None:
    with pytest.raises(NotModelled, match=re.escape(api.rpartition(".")[2].partition("<")[0])):
        problems([Row(api, ABSENT[api], "")], tmp_path)
