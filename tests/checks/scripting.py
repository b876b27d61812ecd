"""Programs of bare instructions, judged by all checks."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from ascend_lab import checks, chips
from ascend_lab.checks import Findings
from ascend_lab.engine.chip import Chip
from ascend_lab.engine.instruction import ITEMSIZE, Argument, Instr, Pipe, Ref
from ascend_lab.engine.memory import Allocation
from tests.engine import script

Program = Generator[Instr, Any, None]
Write = Callable[..., Program]
ARRAYS = {"x": (1024, "float32"), "z": (1024, "float32")}


class Arrays(dict[str, Allocation]):
    """The GM tensors of a launch by name; ``at("x", 8)`` is a Ref from element 8 on."""

    def at(self, name: str, element: int = 0) -> Ref:
        allocation = self[name]
        offset = element * ITEMSIZE[allocation.dtype]
        return Ref("GM", allocation.addr + offset, allocation.dtype)


def judge(
    program: Callable[[int, Arrays], Program],
    blocks: int = 1,
    chip: str = "Ascend910B1",
    arrays: dict[str, tuple[int, str]] | None = None,
    launches: int = 1,
    reserve: int = 0,
    **options: Any,
) -> Findings:
    """What the checks say of ``program(block, arrays)``; of the last launch when there are several.

    ``reserve``: bytes behind each tensor that are nobody else's.
    """
    device = Chip(chips.load(chip))
    for _ in range(launches):
        gm = script.new_gm()
        made = Arrays()
        arguments = []
        for name, (size, dtype) in (arrays or ARRAYS).items():
            made[name] = gm.alloc(name, size * ITEMSIZE[dtype], dtype, reserve)
            made[name].contents()[:] = 0
            if dtype == "float32" and name == "x":
                made[name].contents().view(np.float32)[:] = np.arange(size) + 1
            arguments.append(Argument(name, made[name].addr, dtype, size))
        observers = checks.all_checks(lambda file: [])
        run, _ = script.run(
            lambda block, made=made: program(block, made),
            blocks,
            gm,
            device,
            observers=observers,
            arguments=arguments,
            **options,
        )
    return checks.judge([(run, observers)])


def load(dst: Ref, src: Ref, count: int, where: int = 1) -> Program:
    """A load that V waits for."""
    yield script.load(dst, src, count, where)
    yield script.set_flag(Pipe.MTE2, Pipe.V)
    yield script.wait_flag(Pipe.MTE2, Pipe.V)


def store(dst: Ref, src: Ref, count: int, where: int = 2) -> Program:
    """A store that waits for V."""
    yield script.set_flag(Pipe.V, Pipe.MTE3)
    yield script.wait_flag(Pipe.V, Pipe.MTE3)
    yield script.store(dst, src, count, where)


def vector(op: str, dst: Ref, *srcs: Ref, where: int = 3, **params: Any) -> Instr:
    """A vector instruction."""
    return Instr(op, Pipe.V, dst, srcs, params, where)


def scalar(op: str, dst: Ref | None = None, where: int = 11, **params: Any) -> Instr:
    """A marker or mode setter."""
    return Instr(op, Pipe.S, dst, (), params, where)


def pad(dst: Ref, src: Ref, blocks: int, length: int, where: int = 1, **more: Any) -> Instr:
    """DataCopyPad without gaps."""
    params = {"block_count": blocks, "block_len": length, "src_stride": 0, "dst_stride": 0}
    pipe = Pipe.MTE2 if src.space == "GM" else Pipe.MTE3
    pads = {"is_pad": False, "left": 0, "right": 0, "pad_value": 0} if pipe == Pipe.MTE2 else {}
    return Instr("DataCopyPad", pipe, dst, (src,), {**params, **pads, **more}, where)


def loaded(ref: Ref) -> Program:
    """V waits for what MTE2 was given last."""
    yield script.set_flag(Pipe.MTE2, Pipe.V)
    yield script.wait_flag(Pipe.MTE2, Pipe.V)


def init_buffer(
    buf: int = 0, num: int = 1, size: int = 1024, addr: int = 0, queue: int = 0
) -> Instr:
    """A queue's InitBuffer."""
    return scalar(
        "InitBuffer",
        buf=buf,
        num=num,
        addr=addr,
        len=size,
        asked=size,
        pos="VECIN",
        kind="que",
        queue=queue,
        name=f"q{queue}",
        depth=1,
    )


def buffer(buf: int = 0, addr: int = 0, size: int = 256) -> Ref:
    """A tensor that fills a buffer of 1024 B."""
    return Ref("UB", addr, "float32", size, buf, "VECIN")


def queue(op: str, dst: Ref | None, where: int = 12, ident: int = 0, **more: Any) -> Instr:
    """A queue's marker."""
    return scalar(op, dst, where, queue=ident, name=f"q{ident}", num=1, **more)
