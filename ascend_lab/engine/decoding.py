"""What can be known of an instruction before it is issued: worked out once, kept in ``instr.decoded``."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ascend_lab.engine.instruction import Instr, Pipe
from ascend_lab.engine.issued import Flag
from ascend_lab.engine.memory import Access
from ascend_lab.engine.semantics import DYNAMIC, SEMANTICS, Form, Semantic
from ascend_lab.engine.semantics.form import FULL, resolve


class Decoded(NamedTuple):
    """``semantic`` None: it only orders others, and ``flag`` is that of SetFlag and WaitFlag.

    ``uses`` are the buffers of its operands, ``loose``: one is local and in no buffer. ``form`` and the bytes
    are known beforehand when they do not hang on the mask register or on values: ``form`` is None otherwise.
    """

    semantic: Semantic | None = None
    flag: Flag | None = None
    uses: tuple[int, ...] = ()
    loose: bool = False
    form: Form | None = None
    reads: tuple[Access, ...] = ()
    writes: tuple[Access, ...] = ()
    special: Callable[..., None] | None = None


def decode(instr: Instr, special: Callable[..., None] | None) -> Decoded:
    """What ``instr`` is, whatever the core's state when it is issued. ``special``: what S does for it."""
    semantic = SEMANTICS.get(instr.op)
    params = instr.params
    if semantic is None:
        if instr.op in ("SetFlag", "WaitFlag"):
            flag = (params["src"], params["dst"], params["id"])
            return Decoded(flag=flag, special=special)
        return Decoded(special=special)
    uses, loose = _operands(instr)
    if instr.pipe != Pipe.V or "count" not in params or instr.op in DYNAMIC:
        return Decoded(semantic, None, uses, loose, special=special)
    form = resolve(instr, FULL)
    found = semantic.footprint(instr, form)
    return Decoded(semantic, None, uses, loose, form, found.reads, found.writes)


def _operands(instr: Instr) -> tuple[tuple[int, ...], bool]:
    uses: list[int] = []
    loose = False
    for ref in instr.srcs if instr.dst is None else (instr.dst, *instr.srcs):
        if ref.buf < 0:
            loose = loose or ref.space != "GM"
        elif ref.buf not in uses:
            uses.append(ref.buf)
    return tuple(uses), loose
