"""How the operands of a lane-wise vector instruction walk through UB, in DataBlocks."""

from __future__ import annotations

from ascend_lab.engine.banks import ROW, Walk, Walks
from ascend_lab.engine.instruction import ITEMSIZE, Instr, Ref
from ascend_lab.engine.lanes import REPEAT, params_of
from ascend_lab.engine.semantics.form import FIELD, Form, complete, widest


def walks(instr: Instr, form: Form, reads_dst: bool) -> tuple[Walks, Walks]:
    """What it reads and what it writes; ``reads_dst``: the old destination too."""
    lanes = REPEAT // widest(instr)
    repeats, active = _repeats(instr, form, lanes)
    found = []
    for operand, ref in enumerate((instr.dst, *instr.srcs)):
        assert ref is not None
        found.append(_walk(instr, form, operand, ref, lanes, repeats, active))
    writes = (found[0],)
    reads = tuple(w for w, ref in zip(found[1:], instr.srcs, strict=True) if ref.space != "GM")
    return (reads + writes if reads_dst else reads), writes


def _walk(
    instr: Instr, form: Form, operand: int, ref: Ref, lanes: int, repeats: int, active: int
) -> Walk:
    width = ITEMSIZE[ref.dtype]
    blocks = max(-(-active * width // ROW), 1)
    if form.count >= 0:
        return Walk(ref.addr, 1, lanes * width // ROW, repeats, blocks)
    blk, rep = params_of(instr, operand)
    return Walk(ref.addr, blk & FIELD, rep & FIELD, repeats, blocks)


def _repeats(instr: Instr, form: Form, lanes: int) -> tuple[int, int]:
    """The repeats, and how many leading lanes may be active in one."""
    if form.count >= 0:
        return -(-form.count // lanes), min(form.count, lanes)
    form = complete(instr, form)
    mask = form.mask
    active = mask if isinstance(mask, int) else (mask[1] << 64 | mask[0]).bit_length()
    if instr.op == "Copy" and active > lanes:
        lanes = active
    return form.repeat + (1 if form.tail else 0), max(min(active, lanes), 1)
