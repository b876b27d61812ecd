"""Every sentence of the catalogue that is not a class's first one is said by some program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ascend_lab import checks
from ascend_lab.checks import Findings
from ascend_lab.engine.instruction import Crash, Instr, Pipe, Ref
from tests.checks import fixtures
from tests.checks.scripting import (
    Arrays,
    Program,
    buffer,
    init_buffer,
    judge,
    load,
    loaded,
    pad,
    queue,
    scalar,
    store,
    vector,
)
from tests.engine import script
from tests.engine.script import get_value, set_flag, ub, wait_flag

Judged = Callable[[], Findings]
CASES: dict[tuple[str, str], Judged] = {}


def case(class_id: str, variant: str, **options: Any) -> Callable[[Any], Any]:
    """Register a program under the sentence it must produce."""

    def register(program: Any) -> Any:
        CASES[class_id, variant] = lambda: judge(program, **options)
        return program

    return register


@case("A2", "nopad", chip="Ascend310P3")
def a2_nopad(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 136)
    yield from store(a.at("z"), ub(0), 133)


@case("A2", "ub")
def a2_ub(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 136)
    yield vector("DataCopy", ub(4096), ub(0), count=133)


@case("A3", "end", arrays={"x": (136, "float32"), "z": (133, "float32")})
def a3_end(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 136)
    yield from store(a.at("z"), ub(0), 136)


@case("A3", "reserve", arrays={"x": (136, "float32"), "z": (133, "float32")}, reserve=12)
def a3_reserve(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 136)
    yield from store(a.at("z"), ub(0), 136)


@case("C1", "rest")
def c1_rest(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield vector("ReduceSum", ub(4096), ub(0), ub(8192), count=64)
    yield from store(a.at("z"), ub(4096), 8)


@case("A3", "overread", arrays={"x": (133, "float32"), "z": (133, "float32")})
def a3_overread(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 136)
    yield set_flag(Pipe.V, Pipe.MTE3)
    yield wait_flag(Pipe.V, Pipe.MTE3)
    yield pad(a.at("z"), ub(0), 1, 133 * 4, 2)


@case("A3", "pad", arrays={"x": (9, "float32"), "z": (16, "float32")}, outputs=frozenset("z"))
def a3_pad(block: int, a: Arrays) -> Program:
    yield pad(ub(0), a.at("x"), 1, 36)
    yield from loaded(ub(0))
    yield vector("Adds", ub(64), ub(0), count=16, scalar=1.0)
    yield from store(a.at("z"), ub(64), 16)


@case("E1", "input", blocks=4, arrays={"x": (256, "float32"), "z": (256, "float32")})
def e1_input(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield vector("Adds", ub(4096), ub(0), count=64, scalar=1.0)
    yield from store(a.at("z", 64 * block), ub(4096), 64)


@case("A8", "value", arrays={"x": (9, "int64"), "z": (16, "float32")})
def a8_value(block: int, a: Arrays) -> Program:
    yield pad(ub(0, "int64"), a.at("x"), 1, 72, is_pad=True, right=3, pad_value=7)


@case("B2", "end")
def b2_end(block: int, a: Arrays) -> Program:
    yield vector("Duplicate", ub(192 * 1024 - 32), count=16, scalar=0.0)


@case("B3", "nothing")
def b3_nothing(block: int, a: Arrays) -> Program:
    yield script.load(ub(0), a.at("z", 1 << 20), 64)


@case("B4", "nothing")
def b4_nothing(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield from store(a.at("z", 1 << 20), ub(0), 64)


@case("C1", "scalar")
def c1_scalar(block: int, a: Arrays) -> Program:
    yield get_value(ub(0))


@case("C1", "reduce")
def c1_reduce(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 32)
    yield vector("ReduceSum", ub(4096), ub(0), ub(8192), count=64)


@case("C1", "gm", outputs=frozenset("z"), undefined=frozenset("x"))
def c1_gm(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield vector("Adds", ub(4096), ub(0), count=64, scalar=1.0)
    yield from store(a.at("z"), ub(4096), 64)


@case("C6", "scalar")
def c6_scalar(block: int, a: Arrays) -> Program:
    yield pad(ub(0), a.at("x"), 1, 36)
    yield from loaded(ub(0))
    yield set_flag(Pipe.V, Pipe.S)
    yield wait_flag(Pipe.V, Pipe.S)
    yield get_value(ub(40))


@case("C7", "lost")
def c7_lost(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 128)
    yield scalar("SetMask", low=0xFF, high=0, mode="NORMAL", where=20)
    yield vector("Adds", ub(0), ub(0), count=128, scalar=1.0, where=21)
    yield vector(
        "Adds", ub(0), ub(0), mask=None, repeat=2, blk=(1, 1), rep=(8, 8), scalar=1.0, where=22
    )


@case("C3", "empty")
def c3_empty(block: int, a: Arrays) -> Program:
    yield init_buffer(num=0)


@case("C7", "kernel", launches=2)
def c7_kernel(block: int, a: Arrays) -> Program:
    yield vector("Adds", ub(0), ub(0), mask=None, repeat=2, blk=(1, 1), rep=(8, 8), scalar=1.0)
    yield scalar("SetMask", low=0xFF, high=0, mode="NORMAL")


@case("C8", "end")
def c8_end(block: int, a: Arrays) -> Program:
    yield scalar("SetAtomic", mode="add", dtype="float32")


@case("D7", "same")
def d7_same(block: int, a: Arrays) -> Program:
    yield script.load(ub(0), a.at("x"), 64, 1)
    yield script.load(ub(0), a.at("x", 64), 64, 2)


@case("D9", "cores", blocks=2)
def d9_cores(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 8)
    yield from store(a.at("z", block * 8), ub(0), 8)
    if block == 1:
        workspace = a.at("x")._replace(dtype="int32")
        yield Instr("IBWait", Pipe.S, None, (workspace, ub(256)), {"idx": 0, "event": 0}, 20)


@case("D11", "range")
def d11_range(block: int, a: Arrays) -> Program:
    yield set_flag(Pipe.MTE2, Pipe.V, 8)
    yield wait_flag(Pipe.MTE2, Pipe.V, 8)


@case("D11", "reserved")
def d11_reserved(block: int, a: Arrays) -> Program:
    yield set_flag(Pipe.MTE2, Pipe.V, 6)
    yield wait_flag(Pipe.MTE2, Pipe.V, 6)


@case("D11", "queue")
def d11_queue(block: int, a: Arrays) -> Program:
    flag = {"src": int(Pipe.MTE2), "dst": int(Pipe.V), "id": 0}
    yield Instr("SetFlag", Pipe.MTE2, params={**flag, "queue": 0}, where=30)
    yield set_flag(Pipe.MTE2, Pipe.V, 0)
    yield wait_flag(Pipe.MTE2, Pipe.V, 0)
    yield Instr("WaitFlag", Pipe.V, params={**flag, "queue": 0}, where=31)


@case("E2", "equal")
def e2_equal(block: int, a: Arrays) -> Program:
    yield vector("Duplicate", ub(0), count=64, scalar=5.0)
    yield from store(a.at("z", 32 * block), ub(0), 64)


CASES["E2", "equal"] = lambda: judge(e2_equal, blocks=2, arrays={"z": (96, "float32")})


@case("E3", "all", outputs=frozenset("z"))
def e3_all(block: int, a: Arrays) -> Program:
    yield scalar("BindGlobal", a.at("z"))


@case("F1", "end")
def f1_end(block: int, a: Arrays) -> Program:
    yield init_buffer()
    yield queue("AllocTensor", buffer())


@case("F4", "depth")
def f4_depth(block: int, a: Arrays) -> Program:
    yield init_buffer(num=2)
    yield queue("AllocTensor", buffer(0), 20)
    yield queue("AllocTensor", buffer(1, 1024), 21)
    yield queue("EnQue", buffer(0), 22)
    yield queue("EnQue", buffer(1, 1024), 23, full=True)
    yield queue("FreeTensor", buffer(0), 24)
    yield queue("FreeTensor", buffer(1, 1024), 25)


@case("F5", "enqued")
def f5_enqued(block: int, a: Arrays) -> Program:
    yield init_buffer()
    yield queue("AllocTensor", buffer(), 20)
    yield from load(buffer(), a.at("x"), 64)
    yield queue("EnQue", buffer(), 21)
    yield vector("Adds", buffer(), buffer(), count=64, scalar=1.0, where=22)
    yield queue("DeQue", buffer(), 23)
    yield queue("FreeTensor", buffer(), 24)


@case("F9", "pipe")
def f9_pipe(block: int, a: Arrays) -> Program:
    for number in range(65):
        one = init_buffer(buf=number, size=32, addr=32 * number, queue=number)
        yield Instr(one.op, one.pipe, params={**one.params, "kind": "buf"}, where=number)


@case("G1", "zero", arrays={"tiling": (4, "int32"), "z": (16, "float32")})
def g1_zero(block: int, a: Arrays) -> Program:
    tiles = yield get_value(a.at("tiling", 2))
    for _ in range(tiles):
        yield from store(a.at("z"), ub(0), 16)


@case("G7", "assert")
def g7_assert(block: int, a: Arrays) -> Program:
    params = {"block_count": 4096, "block_len": 0, "src_gap": 0, "dst_gap": 0}
    yield Instr("DataCopy", Pipe.MTE2, ub(0), (a.at("x"),), params, 5)


@case("H8", "api", chip="Ascend310P3")
def h8_api(block: int, a: Arrays) -> Program:
    yield pad(ub(0), a.at("x"), 1, 36)


@case("H8", "mixed")
def h8_mixed(block: int, a: Arrays) -> Program:
    yield vector("Duplicate", ub(0, "float16"), count=64, scalar=0)
    yield vector("Adds", ub(4096), ub(0, "float16"), count=64, scalar=1.0)


@case("H8", "pair")
def h8_pair(block: int, a: Arrays) -> Program:
    yield vector("Duplicate", ub(0, "int16"), count=64, scalar=0)
    yield vector("Cast", ub(4096, "int32"), ub(0, "int16"), count=64, round="CAST_NONE")


@case("H8", "mode")
def h8_mode(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield vector("Cast", ub(4096, "int32"), ub(0), count=64, round="CAST_NONE")


@case("I2", "bits")
def i2_bits(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 128)
    params = {"repeat": 1, "blk": (1, 1), "rep": (8, 8), "scalar": 1.0}
    yield vector("Adds", ub(0), ub(0), mask=(1, 1), **params)


@case("C2", "")
def c2_address(block: int, a: Arrays) -> Program:
    yield script.load(ub(0), Ref("GM", 64, "float32"), 64)


def _refused(en: str, zh: str) -> Findings:
    class Door(script.ScriptDoor):
        def resume(self, block: int, answer: Any = None) -> Any:
            return (
                super()
                .resume(block, answer)
                ._replace(state="crash", crash=Crash("LabError", en, 7, (zh, en)))
            )

    def program(block: int, a: Arrays) -> Program:
        yield scalar("Printf", text="")

    plain = script.ScriptDoor
    script.ScriptDoor = Door  # type: ignore[misc]
    try:
        return judge(program)
    finally:
        script.ScriptDoor = plain  # type: ignore[misc]


CASES["X1", "call"] = lambda: _refused("no such form", "没有这样的形式")


@case("A6", "bytes")
def a6_bytes(block: int, a: Arrays) -> Program:
    rows = ub(0)._replace(size=256)
    yield pad(rows, a.at("x"), 4, 32, dst_stride=32)
    yield from loaded(rows)


@case("A6", "elements")
def a6_elements(block: int, a: Arrays) -> Program:
    rows = ub(0)._replace(size=256)
    yield pad(rows, a.at("x"), 4, 32, dst_stride=24)
    yield from loaded(rows)


@case("A6", "far")
def a6_far(block: int, a: Arrays) -> Program:
    rows = ub(0)._replace(size=256)
    yield pad(rows, a.at("x"), 4, 32, src_stride=4096)
    yield from loaded(rows)


@case("B7", "stack")
def b7_stack(block: int, a: Arrays) -> Program:
    size = 196608 - 512
    yield init_buffer(size=size)
    whole = buffer(size=256)
    yield from load(whole, a.at("x"), 256)
    rest = Ref("UB", size, "uint8", 1024, -1, "VECCALC")
    yield vector("Sinh", whole, whole, rest, count=256, tmp=1024)


@case("C9", "dirty", blocks=2)
def c9_dirty(block: int, a: Arrays) -> Program:
    yield Instr("SyncAll", Pipe.S, None, (a.at("x"), ub(0)), {"soft": True, "used": 0}, 2)


def put(ref: Ref, value: float, where: int) -> Instr:
    """A scalar store to GM."""
    return Instr("SetValue", Pipe.S, ref, (), {"value": value, "index": 0, "size": -1}, where)


@case("E8", "copy", blocks=2)
def e8_copy(block: int, a: Arrays) -> Program:
    """The copy of block 1 is issued long after the scalar store of block 0."""
    if block == 0:
        yield put(a.at("z"), 1.0, 1)
        yield get_value(a.at("x", 512))
        yield from load(ub(0), a.at("x"), 1024)
        yield from load(ub(4096), a.at("x"), 1024)
    else:
        yield from load(ub(0), a.at("x"), 8)
        yield get_value(ub(0))
        yield from store(a.at("z", 8), ub(0), 8, 2)


@case("E9", "stale", blocks=2)
def e9_stale(block: int, a: Arrays) -> Program:
    if block == 0:
        yield get_value(a.at("z"))
    else:
        yield from load(ub(0), a.at("x"), 8)
    yield scalar("SyncAll", soft=False, used=0)
    if block == 1:
        yield from store(a.at("z"), ub(0), 8)
    yield scalar("SyncAll", soft=False, used=0)
    if block == 0:
        yield get_value(a.at("z"))


@case("E9", "over")
def e9_over(block: int, a: Arrays) -> Program:
    yield put(a.at("z"), 1.0, 1)
    yield from load(ub(0), a.at("x"), 8)
    yield from store(a.at("z", 8), ub(0), 8)


@case("I1", "dst")
def i1_dst(block: int, a: Arrays) -> Program:
    form = {"mask": 64, "repeat": 2, "blk": (1, 1), "rep": (4, 8)}
    yield from load(ub(0), a.at("x"), 128)
    yield vector("Exp", ub(4096), ub(0), **form)
    yield from store(a.at("z"), ub(4096), 96)


@case("I8", "beyond")
def i8_beyond(block: int, a: Arrays) -> Program:
    table = ub(0)._replace(size=64)
    offsets = ub(4096)._replace(dtype="uint32", size=8)
    yield from load(table, a.at("x"), 64)
    yield vector("Duplicate", offsets, scalar=256, count=8)
    yield vector("Gather", ub(8192)._replace(size=8), table, offsets, count=8, base=0)


#: Said through a door only: see files/ and tests/ascendc.
ELSEWHERE = {
    *(("A4", "store"), ("I5", "library"), ("I6", "ends"), ("I6", "dst")),  # doors
    *(("C2", "unbound"), ("D12", "leak"), ("X1", "native")),
    *(("K4", "rw"), ("K9", "many"), ("K10", "MTE3")),  # test_cost_variants
    ("K10", "MTE2"),  # files/K10_bad.py
    *(("K11", "split"), ("K12", "launches")),  # test_cost_variants, tests/acl/test_fusing
    ("K1", "gaps"),  # test_leading
}


@case("I5", "buffer")
def i5_buffer(block: int, a: Arrays) -> Program:
    yield from load(ub(0), a.at("x"), 64)
    yield vector("Sinh", ub(4096), ub(0), ub(4096 + 128, "uint8"), count=64, tmp=512)
    yield from store(a.at("z"), ub(4096), 64)


#: Told only where outputs are compared: tests/checks/test_outputs.py.
BY_OUTPUT = {
    *(("B2", "overlaid"), ("H1", "line"), ("H1", "wide"), ("H4", "line"), ("H11", "lost")),
    *(("G5", "again"), ("I6", "minus"), ("I6", "inverse")),
    *(("X4", name) for name in ("every", "tail", "rows", "columns", "period", "cores", "input")),
    ("X4", "loaded"),
}


@pytest.mark.parametrize(("class_id", "variant"), CASES)
def test_said(class_id: str, variant: str) -> None:
    findings = CASES[class_id, variant]()
    said = [(finding.id, finding.variant) for finding in findings.all]
    assert (class_id, variant) in said, findings
    for finding in findings.all:
        for lang in ("zh", "en"):
            assert "{" not in finding.message(lang)


def test_leads() -> None:
    """Each of these programs has one fault: what else is said folds under it."""
    mixed = {("C7", "lost"), ("A8", "value"), ("D11", "reserved")}
    for (class_id, variant), judged in CASES.items():
        if (class_id, variant) not in mixed:
            findings = judged()
            assert findings[0].id == class_id, f"{class_id}.{variant}: {findings}"


def test_all_sentences_are_said() -> None:
    entries = [e for e in checks.catalogue().values() if e.id not in fixtures.of_the_host()]
    there = {(e.id, variant) for e in entries for variant in e.variants}
    assert there == {key for key in CASES if key[1]} | ELSEWHERE | BY_OUTPUT


def test_a_lab_error_speaks_both_languages() -> None:
    finding = _refused("no such form", "没有这样的形式")[0]
    assert "no such form" in finding.message("en")
    assert "没有这样的形式" in finding.message("zh")
    assert "没有" not in finding.message("en")
