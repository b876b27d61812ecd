"""Drives a kernel by hand, as an engine would, and writes down what it issued."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ascend_lab import chips
from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.engine.instruction import Argument, Crash, Instr, Pipe, Ref

GM = 0x1000


def array(name: str = "x", dtype: str = "float32", size: int = 1024, addr: int = GM) -> Argument:
    """An array argument as the engine passes it."""
    return Argument(name, addr, dtype, size)


def instructions(
    kernel: JITFunction,
    arguments: Sequence[Any] = (),
    *,
    block: int = 0,
    blocks: int = 1,
    chip: chips.ChipSpec | None = None,
    answers: Sequence[Any] = (),
) -> tuple[list[Instr], Crash | None]:
    """Everything one block issues, its scalar questions answered from ``answers`` (then it is left)."""
    door = kernel.open(list(arguments), blocks, chip or chips.load("Ascend910B1"))
    waiting = list(answers)
    issued: list[Instr] = []
    answer = None
    while True:
        batch = door.resume(block, answer)
        issued += batch.instrs
        if batch.state == "ask" and waiting:
            answer = waiting.pop(0)
        elif batch.state != "more":
            break
        else:
            answer = None
    door.close()
    return issued, batch.crash


def operand(ref: Ref | None) -> str:
    """``UB+64:float16[32]#1``: memory, address, type, elements, buffer."""
    if ref is None:
        return "-"
    buffer = f"#{ref.buf}" if ref.buf >= 0 else ""
    return f"{ref.space}+{ref.addr}:{ref.dtype}[{ref.size}]{buffer}"


def line(instr: Instr) -> str:
    """One instruction as one line."""
    words = [Pipe(instr.pipe).name, instr.op]
    if instr.dst is not None:
        words.append(operand(instr.dst))
    if instr.srcs:
        words += ["<-", ", ".join(map(operand, instr.srcs))]
    words += [f"{name}={value!r}" for name, value in instr.params.items()]
    return " ".join(words)


def short(instr: Instr) -> str:
    params = instr.params
    if instr.op in ("SetFlag", "WaitFlag"):
        event = f"{Pipe(params['src']).name}_{Pipe(params['dst']).name}"
        return f"{instr.op} {event} {params['id']}"
    if instr.op == "PipeBarrier":
        return f"PipeBarrier {Pipe(params['pipe']).name}"
    return instr.op if instr.dst is None else f"{instr.op} {operand(instr.dst)}"
