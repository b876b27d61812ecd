"""How an instruction and the mask register become a form, and that no parameter exhausts the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_lab.engine.errors import NotModelled
from ascend_lab.engine.instruction import Instr, Pipe
from ascend_lab.engine.semantics import SEMANTICS
from ascend_lab.engine.semantics.form import (
    FULL,
    MOST,
    Form,
    MaskState,
    lanes_of,
    operand_parts,
    resolve,
)
from tests.spec.one_core import Issue, OneCore, execute, gm, ub, vector

A, B, C = ub(0, "float32"), ub(16384, "float32"), ub(32768, "float32")
HALF = ub(16384, "float16")


def add(**params: Any) -> Instr:
    return vector("Add", A, (B, C), **params)


def test_forms() -> None:
    register = MaskState(False, 0xFF, 0x1)
    assert resolve(add(count=7), register) == Form(count=7)
    assert resolve(add(count=-3), register) == Form(count=0)
    assert resolve(add(mask=5, repeat=2), register) == Form(-1, 5, 2, 0, 64)
    assert resolve(add(mask=[3, 4], repeat=2), register) == Form(-1, (3, 4), 2, 0, 64)
    assert resolve(add(mask=None, repeat=2), register) == Form(-1, (0xFF, 0x1), 2, 0, 64)


def test_counter_mode_takes_a_count_and_ignores_repeat() -> None:
    counter = MaskState(True, 130, 0)
    assert resolve(add(mask=None, repeat=1), counter) == Form(-1, 64, 2, 2, 64)
    assert resolve(add(mask=(200, 0), repeat=1), counter) == Form(-1, 64, 3, 8, 64)
    assert resolve(add(mask=64, repeat=9), counter) == Form(-1, 64, 1, 0, 64)


def test_counter_mode_of_copy_counts_per_iteration() -> None:
    instr = vector("Copy", A, (B,), mask=None, repeat=3, blk=(1, 1), rep=(8, 8))
    assert resolve(instr, MaskState(True, 20, 0)) == Form(-1, 20, 3, 0, 64)


def test_compare_knows_no_mask() -> None:
    instr = vector("Compare", ub(0, "uint8"), (B, C), mode="LT", mask=3, repeat=2)
    assert resolve(instr, MaskState(True, 5, 0)) == Form(-1, 64, 2, 0, 64)
    assert (
        resolve(vector("Compare", ub(0, "uint8"), (B, C), mode="LT", count=130), FULL).count == 128
    )


def test_lanes_follow_the_wider_operand() -> None:
    assert lanes_of(vector("Cast", A, (HALF,))) == 64
    assert lanes_of(vector("Add", HALF, (HALF, HALF))) == 128
    assert lanes_of(vector("Select", HALF, (ub(0, "uint64"), HALF, HALF))) == 128
    assert lanes_of(vector("WholeReduceMax", ub(0, "uint32"), (HALF,))) == 128


def test_a_repeat_is_kept_in_8_bits() -> None:
    assert resolve(add(mask=64, repeat=257), FULL).repeat == 1
    assert (
        resolve(vector("ReduceSum", A, (B, C), mask=64, repeat=300, rep=(8,)), FULL).repeat == 300
    )


def test_masked_off_elements_keep_the_old_value() -> None:
    core = OneCore()
    core.put(A, np.full(128, 9, np.float32))
    core.put(B, np.arange(128, dtype=np.float32))
    core.put(C, np.ones(128, np.float32))
    execute(core, add(mask=(0b101, 0), repeat=2, blk=(1, 1, 1), rep=(8, 8, 8)))
    found = core.elements(A, 128)
    assert found[[0, 2, 64, 66]].tolist() == [1, 3, 65, 67]
    assert (np.delete(found, [0, 2, 64, 66]) == 9).all()


HUGE: list[Instr] = [
    add(count=10**18),
    add(mask=64, repeat=10**9, blk=(10**12, 1, 1), rep=(2**40, 8, 8)),
    vector("Adds", A, (B,), count=2**31, scalar=10**400),
    vector("Duplicate", A, (), count=2**40, scalar=1),
    vector("Compare", ub(0, "uint8"), (B, C), count=2**31, mode="LT"),
    vector("Select", A, (ub(49152, "uint8"), B, C), count=2**31, mode=2),
    vector("ReduceSum", A, (B, C), count=2**31),
    vector("ReduceMax", A, (B, C), mask=64, repeat=2**31, rep=(8,), index=True),
    vector("WholeReduceSum", A, (B,), mask=64, repeat=2**31, src_rep=2**50, dst_rep=2**50),
    Instr("DataCopy", Pipe.MTE2, A, (gm(OneCore(), 0, "float32"),), {"count": 2**40}),
    Instr("DataCopy", Pipe.V, A, (B,), {"block_count": 2**30, "block_len": 2**30, "src_gap": 2**30}),
    Instr("DataCopyPad", Pipe.MTE2, A, (gm(OneCore(), 0, "float32"),),
          {"block_count": 2**30, "block_len": 2**31, "left": 5, "src_stride": 2**31}),
    Instr("DataCopyPad", Pipe.MTE3, gm(OneCore(), 0, "float32"), (A,),
          {"block_count": 4095, "block_len": 2**21 - 4, "dst_stride": 3}),
]  # fmt: skip


@pytest.mark.parametrize("instr", HUGE, ids=lambda instr: instr.op)
@pytest.mark.parametrize("mask", [FULL, MaskState(True, 2**64 - 1, 0)])
def test_no_parameter_exhausts_the_host(instr: Instr, mask: MaskState) -> None:
    core = OneCore()
    execute(core, instr, mask)
    form = resolve(instr, mask)
    semantic = SEMANTICS[instr.op]
    semantic.flow(instr, form)
    assert semantic.repeats(instr, form) >= 0
    assert form.count <= MOST


def test_operands_outside_memory_read_poison_and_write_nothing() -> None:
    core = OneCore()
    core.randomise(5)
    end = core.ub.nbytes
    before = core.ub.data.copy()
    instr = vector("Adds", ub(end - 32, "int32"), (ub(0, "int32"),), count=64, scalar=1)
    execute(core, instr)
    assert (core.ub.data[:-32] == before[:-32]).all()
    core.put(ub(end - 32, "int32"), np.arange(8, dtype=np.int32))
    execute(core, vector("Adds", ub(0, "int32"), (ub(end - 32, "int32"),), count=64, scalar=1))
    assert core.elements(ub(0, "int32"), 64).tolist() == [*range(1, 9), *([0] * 56)]
    execute(core, vector("Adds", ub(-32, "int32"), (ub(64, "int32"),), count=16, scalar=0))


def test_a_misaligned_operand_still_means_its_bytes() -> None:
    core = OneCore()
    values = np.arange(40, dtype=np.float32)
    core.ub.data[1026 : 1026 + 160] = values.view(np.uint8)
    execute(core, vector("Adds", ub(3, "float32"), (ub(1026, "float32"),), count=40, scalar=1))
    assert (core.ub.data[3 : 3 + 160].copy().view(np.float32) == values + 1).all()
    strided = {"mask": 3, "repeat": 2, "blk": (1, 1), "rep": (8, 1)}
    execute(core, vector("Adds", ub(3, "float32"), (ub(1026, "float32"),), scalar=5, **strided))
    found = core.ub.data[3 : 3 + 512].copy().view(np.float32)
    assert found[[0, 1, 2, 64, 65, 66]].tolist() == [5, 6, 7, 13, 14, 15]


def test_repeats_count_iterations() -> None:
    def spent(instr: Instr, mask: MaskState = FULL) -> float:
        return SEMANTICS[instr.op].repeats(instr, resolve(instr, mask))

    assert spent(add(count=65)) == 2
    assert spent(add(count=0)) == 0
    assert spent(add(mask=64, repeat=7)) == 7
    assert spent(add(mask=None), MaskState(True, 65, 0)) == 2
    assert spent(vector("Compare", ub(0, "uint8"), (B, C), count=130, mode="LT")) == 2
    assert spent(vector("Select", A, (HALF, B, C), count=65, mode=2)) == 2
    assert spent(vector("ReduceSum", A, (B, C), count=4096)) == 64
    assert spent(vector("ReduceSum", A, (B, C), mask=64, repeat=64, rep=(8,))) == 64 + 1
    assert spent(vector("ReduceSum", A, (B, C), mask=64, repeat=65, rep=(8,))) == 65 + 2 + 1
    assert spent(vector("ReduceMax", A, (B, C), count=4096)) == 64 + 2 + 1
    assert spent(vector("ReduceMax", A, (B, C), count=65)) == 1 + 2
    assert spent(vector("WholeReduceSum", A, (B,), mask=3, repeat=5)) == 5
    assert spent(Instr("DataCopy", Pipe.V, A, (B,), {"count": 4096})) == 64
    array = gm(OneCore(), 0, "float32")
    assert spent(Instr("DataCopy", Pipe.MTE2, A, (array,), {"count": 4096})) == 0


def test_a_form_made_by_hand_finds_its_lanes() -> None:
    instr = add(mask=5, repeat=1, blk=(1, 1, 1), rep=(8, 8, 8))
    assert operand_parts(instr, Form(mask=5, repeat=1), 0, A) == ((0, 20),)


def test_issue_is_enough_for_evaluate() -> None:
    core = OneCore()
    instr = vector("Duplicate", A, (), count=0, scalar=1)
    assert SEMANTICS["Duplicate"].evaluate(Issue(instr, Form(count=0)), core) == []  # type: ignore[arg-type]


def test_unknown_modes_are_not_modelled() -> None:
    core = OneCore()
    with pytest.raises(NotModelled, match="cmp_mode=ULT"):
        execute(core, vector("Compare", ub(0, "uint8"), (B, C), count=64, mode="ULT"))
    bits = ub(49152, "uint8")
    with pytest.raises(NotModelled, match="sel_mode=5"):
        execute(core, vector("Select", A, (bits, B, C), count=64, mode=5))
    with pytest.raises(NotModelled, match="sel_mode=1 with a tensor"):
        execute(core, vector("Select", A, (bits, B, C), count=64, mode=1))
    with pytest.raises(NotModelled, match="sel_mode=2 with a scalar"):
        execute(core, vector("Select", A, (bits, B), count=64, mode=2, scalar=1))


def test_repeats_of_a_chip_that_adds_by_trees() -> None:
    def spent(count: int) -> float:
        instr = vector("ReduceSum", A, (B, C), count=count, tree=True)
        return SEMANTICS["ReduceSum"].repeats(instr, resolve(instr, FULL))

    assert spent(64) == 1
    assert spent(64 * 3) == 3 + 1
    assert spent(64 * 3 + 5) == 3 + 1 + 2
    assert spent(5) == 1
