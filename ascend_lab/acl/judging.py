"""What the copies and kernels of a block, taken together, say: J4, J8."""

from __future__ import annotations

from ascend_lab.acl.ledger import Block, Spot, extent
from ascend_lab.acl.session import Session

_SIZES = (2, 4, 8)  # bytes per element


def block_ends(session: Session, block: Block) -> None:
    """A block is freed, or the program ends: was its result copied out with a count in elements?"""
    if block.judged:
        return
    block.judged = True
    written = extent(block.touched("kernel"))
    copies = block.touched("d2h")
    copied = extent(copies)
    if copied and copied < written and _looks_like_elements(copied, written):
        _tell(session, block, copied, written, len(copies) - 1, "d2h")


def inputs_ready(session: Session, block: Block, read: int) -> None:
    """A kernel has read ``read`` bytes of a block: were fewer copied in, as if counted in elements?"""
    filled = block.touched("h2d", "d2d", "memset")
    if not filled or block.touched("kernel"):
        return
    covered = extent(filled)
    if covered < min(read, block.asked) and _looks_like_elements(covered, block.asked):
        what = filled[-1].what
        _tell(session, block, covered, block.asked, len(block.touched(what)) - 1, what)


def result_read(session: Session, block: Block, spot: Spot) -> None:
    """A result goes to the host: did the kernel write it, or one of the inputs instead?"""
    if block.touched("h2d", "d2d", "memset", "kernel"):
        return
    passed = block.touched("passed")
    if not passed:
        return
    launch = passed[-1].spot
    overwritten = [
        other
        for other in session.ledger.living()
        if other is not block
        and other.touched("h2d")
        and any(touch.spot == launch for touch in other.touched("kernel"))
    ]
    for other in overwritten[:1]:
        numbers = {"name": block.said, "other": other.said}
        related = ((spot, "copies"),)
        session.report("J8", numbers, spot=launch, related=related)


def _looks_like_elements(part: int, whole: int) -> bool:
    return any(part * size == whole for size in _SIZES)


def _tell(session: Session, block: Block, part: int, whole: int, which: int, what: str) -> None:
    touch = block.touched(what)[which]
    numbers = {"part": part, "whole": whole, "name": block.said, "size": whole // part}
    session.report("J4", numbers, spot=touch.spot)
