"""Whatever a kernel does, the checks have something to say or nothing, and never fail themselves."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ascend_lab.engine.instruction import Instr, Pipe, Ref
from tests.checks.scripting import Arrays, Program, judge, pad, scalar, vector
from tests.engine import script

DTYPES = ("float32", "float16", "int32", "uint8")
PIPES = (Pipe.S, Pipe.V, Pipe.MTE2, Pipe.MTE3)

addresses = st.integers(-64, 7000).map(lambda n: n * 32) | st.integers(0, 1 << 18)
local = st.builds(
    lambda addr, dtype, size: Ref("UB", addr, dtype, size),
    addresses,
    st.sampled_from(DTYPES),
    st.sampled_from((-1, 0, 7, 64, 4096)),
)
counts = st.sampled_from((0, 1, 7, 8, 64, 100, 1000))
elements = st.integers(-40, 2000)
lines = st.integers(1, 30)
strides = st.tuples(*[st.sampled_from((0, 1, 2, 8, 300))] * 3)


def moves(name: str, ref: Ref, element: int, count: int, where: int, out: bool) -> Any:
    def make(a: Arrays) -> Instr:
        ends = (a.at(name, element), ref) if out else (ref, a.at(name, element))
        return (script.store if out else script.load)(*ends, count, where)

    return make


def pads(ref: Ref, element: int, blocks: int, length: int, right: int, out: bool) -> Any:
    def make(a: Arrays) -> Instr:
        if out:
            return pad(a.at("z", element), ref, blocks, length)
        return pad(ref, a.at("x", element), blocks, length, right=right)

    return make


def plain(instr: Instr) -> Any:
    return lambda a: instr


steps = st.one_of(
    st.builds(moves, st.sampled_from("xz"), local, elements, counts, lines, st.booleans()),
    st.builds(
        pads,
        local,
        elements,
        st.integers(0, 4),
        st.sampled_from((0, 4, 18, 36, 64)),
        st.integers(0, 9),
        st.booleans(),
    ),
    st.builds(
        lambda op, a, b, c, n, w: plain(vector(op, a, b, c, count=n, scalar=1.0, where=w)),
        st.sampled_from(("Add", "Mul", "Max")),
        local,
        local,
        local,
        counts,
        lines,
    ),
    st.builds(
        lambda a, b, mask, n, blk, rep, w: plain(
            vector("Adds", a, b, mask=mask, repeat=n, blk=blk, rep=rep, scalar=1.0, where=w)
        ),
        local,
        local,
        st.sampled_from((None, 0, 1, 64, 128, (0xF0F0, 0), (1, 1))),
        st.sampled_from((0, 1, 3, 255, 256)),
        strides,
        strides,
        lines,
    ),
    st.builds(
        lambda op, a, b, c, n, w: plain(vector(op, a, b, c, count=n, where=w)),
        st.sampled_from(("ReduceSum", "ReduceMax")),
        local,
        local,
        local,
        counts.filter(bool),
        lines,
    ),
    st.builds(lambda a, w: plain(script.get_value(a, w)), local, lines),
    st.builds(lambda a, w: plain(script.set_value(a, 1.0, w)), local, lines),
    st.builds(
        lambda s, d, n: plain(script.set_flag(s, d, n)),
        st.sampled_from(PIPES),
        st.sampled_from(PIPES),
        st.integers(0, 9),
    ),
    st.builds(
        lambda s, d, n: plain(script.wait_flag(s, d, n)),
        st.sampled_from(PIPES[1:]),
        st.sampled_from(PIPES),
        st.integers(0, 2),
    ),
    st.sampled_from((*PIPES[1:], Pipe.ALL)).map(lambda pipe: plain(script.barrier(pipe))),
    st.sampled_from(("SetMaskCount", "SetMaskNorm", "ResetMask", "TPipe", "InitSocState")).map(
        lambda op: plain(scalar(op))
    ),
    st.sampled_from(("add", "none")).map(
        lambda mode: plain(scalar("SetAtomic", mode=mode, dtype="float32"))
    ),
    st.just(plain(script.sync_all())),
)


@given(
    st.lists(steps, max_size=25),
    st.integers(1, 3),
    st.sampled_from((None, Pipe.V, Pipe.MTE2, Pipe.MTE3, Pipe.S)),
    st.booleans(),
)
def test_any_program(made: list[Any], blocks: int, delayed: Pipe | None, auto: bool) -> None:
    def program(block: int, a: Arrays) -> Program:
        for make in made:
            yield make(a)

    findings = judge(
        program,
        blocks=blocks,
        delayed=delayed,
        auto_sync=auto,
        outputs=frozenset("z"),
        undefined=frozenset("x"),
    )
    for finding in findings.all:
        assert "{" not in finding.message("en") + finding.message("zh")
        finding.as_dict()


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from((8, 64, 256))), max_size=12
    ),
    st.sampled_from((None, Pipe.V, Pipe.MTE2, Pipe.MTE3)),
)
def test_a_program_with_a_barrier_after_every_step_is_clean(
    made: list[tuple[int, int, int]], delayed: Pipe | None
) -> None:
    """Loads, sums and stores of whole tensors, each complete before the next begins."""

    def program(block: int, a: Arrays) -> Program:
        for number in range(4):
            yield script.load(script.ub(number * 4096), a.at("x", 64 * number), 256)
        yield script.barrier(Pipe.ALL)
        for dst, src, count in made:
            yield vector(
                "Adds", script.ub(dst * 4096), script.ub(src * 4096), count=count, scalar=1.0
            )
            yield script.barrier(Pipe.ALL)
        yield script.store(a.at("z"), script.ub(0), 256)

    arrays = {"x": (512, "float32"), "z": (256, "float32")}
    assert not judge(
        program, arrays=arrays, delayed=delayed, auto_sync=False, outputs=frozenset("z")
    )
