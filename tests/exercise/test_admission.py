"""What a child may hand to the engine. Hostile instructions are refused or run; they never break us."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_lab.chips import ChipSpec
from ascend_lab.device import Device
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import DTYPES, Batch, Pipe, Ref, Where
from ascend_lab.exercise import admission
from ascend_lab.exercise.admission import PARAMETERS, SHAPES, Gate, Refused

UB = Ref("UB", 0, "float32", 64, 0, "VECCALC")
GM = Ref("GM", 4096, "float32", 64)
FORM = {"mask": 64, "repeat": 1, "blk": (1, 1, 1), "rep": (8, 8, 8)}


def admit(
    op: str,
    pipe: int,
    dst: Ref | None,
    srcs: tuple[Ref, ...],
    params: dict[str, Any],
    where: int = 0,
) -> None:
    Gate(sources=1).admit((op, pipe, dst, srcs, params, where))


@pytest.mark.parametrize(
    ("op", "pipe", "dst", "srcs", "params"),
    [
        ("Add", Pipe.V, UB, (UB, UB), {"count": 64}),
        ("Add", Pipe.V, UB._replace(addr=4, dtype="float16"), (UB, UB), {"count": 0}),
        ("Add", Pipe.V, UB, (UB, UB), FORM | {"repeat": 300}),
        ("Add", Pipe.V, UB._replace(addr=1 << 30), (UB, UB), {"count": 1 << 30}),
        ("DataCopy", Pipe.MTE2, UB._replace(addr=-8), (GM,), {"count": 7}),
        (
            "DataCopyPad",
            Pipe.MTE3,
            GM,
            (UB,),
            {"block_count": 1, "block_len": 3, "src_stride": 0, "dst_stride": 0},
        ),
        ("Duplicate", Pipe.V, UB, (), {"count": 8, "scalar": float("nan")}),
        ("SetFlag", Pipe.MTE2, None, (), {"src": 4, "dst": 1, "id": 9}),
        ("WaitFlag", Pipe.V, None, (), {"src": 4, "dst": 1, "id": 0, "queue": 2}),
        ("AllocTensor", Pipe.S, None, (), {"queue": 0, "name": "in_x", "num": 1}),
    ],
)
def test_faults_of_a_kernel_go_through(
    op: str, pipe: int, dst: Ref | None, srcs: tuple[Ref, ...], params: dict[str, Any]
) -> None:
    admit(op, pipe, dst, srcs, params)


@pytest.mark.parametrize(
    ("op", "pipe", "dst", "srcs", "params", "why"),
    [
        ("Format", Pipe.V, UB, (UB,), {"count": 1}, "instruction 'Format'"),
        ("Gather", Pipe.S, UB, (UB,), {"count": 1}, "Gather on pipe 0"),
        ("Gather", Pipe.V, UB, (UB, UB), {"x" * 300: 1}, "Gather with parameter"),
        ("Gather", Pipe.V, UB, (UB, UB), {"base": "x" * 300}, "Gather: base"),
        ("Add", Pipe.MTE2, UB, (UB, UB), {"count": 1}, "Add on pipe 4"),
        ("Add", 99, UB, (UB, UB), {"count": 1}, "Add on pipe 99"),
        ("Add", Pipe.V, None, (UB, UB), {"count": 1}, "Add without a destination"),
        ("Add", Pipe.V, UB, (UB,), {"count": 1}, "Add with 1 sources"),
        ("Add", Pipe.V, UB, (UB, UB), {}, "Add without count or repeat"),
        ("Add", Pipe.V, UB, (UB, UB), {"count": "8"}, "Add: count = '8'"),
        ("Add", Pipe.V, UB, (UB, UB), {"count": True}, "Add: count = True"),
        ("Add", Pipe.V, UB, (UB, UB), {"count": 1 << 60}, "Add: count = 1152921504606846976"),
        ("Add", Pipe.V, UB, (UB, UB), FORM | {"repeat": 1 << 20}, "Add: repeat = 1048576"),
        ("Add", Pipe.V, UB, (UB, UB), FORM | {"mask": (1, 2, 3)}, "Add: mask = (1, 2, 3)"),
        ("Add", Pipe.V, UB, (UB, UB), {"count": 1, "run": "x"}, "Add with parameter 'run'"),
        ("Add", Pipe.V, UB._replace(space="L9"), (UB, UB), {"count": 1}, "operand"),
        ("Add", Pipe.V, UB._replace(dtype="object"), (UB, UB), {"count": 1}, "operand"),
        ("Add", Pipe.V, UB._replace(addr=1 << 50), (UB, UB), {"count": 1}, "operand"),
        ("Add", Pipe.V, GM, (UB, UB), {"count": 1}, "Add on pipe V"),
        ("DataCopy", Pipe.MTE2, GM, (UB,), {"count": 1}, "DataCopy on pipe MTE2"),
        ("DataCopy", Pipe.MTE3, UB, (GM,), {"count": 1}, "DataCopy on pipe MTE3"),
        ("SetFlag", Pipe.M, None, (), {"src": 2, "dst": 1, "id": 0}, "SetFlag on pipe 2"),
        ("SetFlag", Pipe.V, None, (), {"src": 1, "dst": 7, "id": 0}, "SetFlag: dst = 7"),
        ("Printf", Pipe.S, None, (), {"text": "x" * 5000}, "Printf: text"),
        ("Select", Pipe.V, UB, (UB, UB), {"count": 8, "mode": 5}, "Select: mode = 5"),
        ("SetMask", Pipe.S, None, (), {"low": -1, "high": 0}, "SetMask: low = -1"),
    ],
)
def test_what_no_door_would_send(
    op: str, pipe: int, dst: Ref | None, srcs: tuple[Ref, ...], params: dict[str, Any], why: str
) -> None:
    with pytest.raises(Refused) as caught:
        admit(op, pipe, dst, srcs, params)
    assert str(caught.value).startswith(why)


def test_a_line_that_does_not_exist() -> None:
    with pytest.raises(Refused, match="source line"):
        admit("Add", Pipe.V, UB, (UB, UB), {"count": 1}, where=1)


# --- and what is let through cannot break the device --------------------------------------------------

#: Values that pass for each kind of parameter, extremes included; any value of another kind is drawn too.
SMALL = st.one_of(st.integers(-2, 300), st.integers(-65535, 65535))
LARGE = st.one_of(st.integers(-2, 300), st.integers(-(1 << 40), 1 << 40))
WORD = st.one_of(st.integers(0, 300), st.integers(0, (1 << 64) - 1))
NAMES = st.sampled_from(
    ["que", "buf", "add", "none", "max", "LT", "EQ", "CAST_RINT", "ORDER_ONLY_VALUE", "VECIN", ""]
)
KINDS = {
    admission._any_pipe: st.integers(0, 7),
    admission._dtype: st.sampled_from(sorted(DTYPES)),
    admission._large: LARGE,
    admission._mask: st.one_of(st.none(), WORD, st.tuples(WORD, WORD)),
    admission._mode: st.one_of(NAMES, st.integers(-1, 4)),
    admission._name: NAMES,
    admission._number: st.one_of(st.floats(), LARGE),
    admission._pipe: st.sampled_from([0, 1, 4, 5]),
    admission._small: SMALL,
    admission._strides: st.one_of(st.tuples(SMALL, SMALL, SMALL), st.tuples(SMALL)),
    admission._text: NAMES,
    admission._truth: st.booleans(),
    admission._word: WORD,
}
ODD = st.one_of(st.none(), st.floats(), NAMES, WORD, st.booleans())
REFS = st.builds(
    Ref,
    st.just("UB"),
    st.one_of(st.sampled_from([0, 32, 4096, 8192, 12288]), LARGE),
    st.sampled_from(sorted(DTYPES)),
    st.one_of(st.integers(-1, 4096), LARGE),
    st.integers(-1, 5),
    st.sampled_from(["VECIN", "VECOUT", "VECCALC", ""]),
)
OPS = st.sampled_from(sorted(SHAPES))
OPTIONAL = (
    "count blk rep mask round index left right is_pad src_stride dst_gap dst_rep order used soft dtype counter"
).split()


def value_of(draw: st.DrawFn, name: str) -> Any:
    """Mostly a value that passes as ``name``."""
    if draw(st.integers(0, 99)) == 0:
        return draw(ODD)
    return draw(KINDS.get(PARAMETERS[name], LARGE))


@st.composite
def rows(draw: st.DrawFn) -> Any:
    op = draw(OPS)
    shape = SHAPES[op]
    names = {draw(st.sampled_from(sorted(need))) for need in shape.needs}
    names |= {name for name in OPTIONAL if draw(st.integers(0, 9)) < 3}
    if names & {"repeat", "block_count"}:
        names -= {"count"}
    pipe = draw(st.sampled_from(shape.pipes))
    dst = draw(REFS) if shape.dst != "no" else None
    srcs = tuple(draw(REFS) for _ in range(draw(st.sampled_from(list(shape.srcs)))))
    if pipe == Pipe.MTE2:
        srcs = tuple(ref._replace(space="GM") for ref in srcs)
    if dst is not None and (pipe == Pipe.MTE3 or op == "BindGlobal"):
        dst = dst._replace(space="GM")
    if pipe == Pipe.S and draw(st.booleans()):
        srcs = tuple(ref._replace(space="GM") for ref in srcs)
    return op, int(pipe), dst, srcs, {name: value_of(draw, name) for name in sorted(names)}, 0


class Hostile:
    """A kernel that is its own door, and sends what it likes."""

    name = "hostile"
    parameters = ("x", "z")
    insert_sync = False
    auto_sync = True

    def __init__(self, sent: list[Any]) -> None:
        self.sent = sent
        self.sources = [Where("s.py", 1)]

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> Hostile:
        return self

    def resume(self, block: int, answer: Any = None) -> Batch:
        sent, self.sent = self.sent, []
        return Batch(sent, "done")

    def close(self) -> None: ...


@given(st.lists(rows(), min_size=1, max_size=6))
def test_nothing_that_is_let_through_breaks_the_device(sent: list[Any]) -> None:
    gate = Gate(sources=1)
    instrs = []
    for row in sent:
        try:
            instrs.append(gate.admit(row))
        except Refused:
            continue
    arrays = [np.zeros(64, np.float32), np.zeros(64, np.float32)]
    try:
        with np.errstate(all="ignore"):
            Device(limit=1000).launch(Hostile(instrs), 1, *arrays)
    except (LabError, NotModelled):
        return  # says what is wrong, and whose fault it is
