"""A right answer to the small task, to be changed by the tests."""

from __future__ import annotations

ADD = """\
import ascend_lab.asc as asc

TILE = 128


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    y_gm.set_global_buffer(y, n)
    z_gm.set_global_buffer(z, n)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    in_y = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(in_y, 1, TILE * x.dtype.sizeof())
    pipe.init_buffer(out_z, 1, TILE * x.dtype.sizeof())
    # here
    for tile in range(asc.get_block_idx(), n // TILE, asc.get_block_num()):
        start = tile * TILE
        x_local = in_x.alloc_tensor(x.dtype)
        y_local = in_y.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[start:], TILE)
        asc.data_copy(y_local, y_gm[start:], TILE)
        in_x.enque(x_local)
        in_y.enque(y_local)
        x_local = in_x.deque(x.dtype)
        y_local = in_y.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, TILE)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        in_y.free_tensor(y_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[start:], z_local, TILE)
        out_z.free_tensor(z_local)
"""


def changed(old: str = "", new: str = "") -> str:
    """`ADD` with one part replaced; the part has to be there."""
    if not old:
        return ADD
    assert old in ADD, old
    return ADD.replace(old, new, 1)


def at_start(*lines: str) -> str:
    """`ADD` with ``lines`` before the loop."""
    return changed("    # here\n", "".join(f"    {line}\n" for line in lines))
