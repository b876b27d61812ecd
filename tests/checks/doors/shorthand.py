"""What many kernels of this folder begin with."""

from __future__ import annotations

import ascend_lab.asc as asc


def after(event: asc.HardEvent) -> None:
    """The second pipe of the event waits for the first."""
    asc.set_flag(event, 0)
    asc.wait_flag(event, 0)


def bound(*addresses: asc.GlobalAddress) -> list[asc.GlobalTensor]:
    """A tensor of GM for each."""
    tensors = [asc.GlobalTensor() for _ in addresses]
    for tensor, address in zip(tensors, addresses, strict=True):
        tensor.set_global_buffer(address)
    return tensors


def local(dtype: asc.DataType, address: int, count: int) -> asc.LocalTensor:
    """A tensor of UB."""
    return asc.LocalTensor(dtype, asc.TPosition.VECCALC, address, count)
