"""Kernels whose bound is known, and what they are with the change that the diagnosis names: promised beside gained.

``python -m tests.profile.bounds`` prints the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import ascend_lab.asc as asc
from ascend_lab import Device, Result, chips
from ascend_lab.chips import ChipSpec
from ascend_lab.device import Kernel
from ascend_lab.profile import Diagnosis, diagnose
from ascend_lab.profile.advising import Gain
from ascend_lab.profile.whatif import Change
from ascend_lab.tuning import Changed
from tests.checks import fixtures
from tests.profile import kernels

CHIP = "Ascend910B1"
Launch = Callable[[Device], Result]


@asc.jit
def steps(
    x: asc.GlobalAddress,
    z: asc.GlobalAddress,
    n: int,
    tile: asc.ConstExpr[int],
    buffers: asc.ConstExpr[int],
    loads: asc.ConstExpr[int],
    turns: asc.ConstExpr[int],
):
    """Tiles that are loaded (or made), worked on ``turns`` times, and stored."""
    own = n // asc.get_block_num()
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + own * asc.get_block_idx(), own)
    z_gm.set_global_buffer(z + own * asc.get_block_idx(), own)
    pipe = asc.TPipe()
    in_x = asc.TQue(asc.TPosition.VECIN, 1)
    out_z = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, buffers, tile * 4)
    pipe.init_buffer(out_z, buffers, tile * 4)
    for at in range(own // tile):
        z_local = out_z.alloc_tensor(z.dtype)
        if loads:
            x_local = in_x.alloc_tensor(x.dtype)
            asc.data_copy(x_local, x_gm[at * tile :], tile)
            in_x.enque(x_local)
            x_local = in_x.deque(x.dtype)
            asc.abs(z_local, x_local, tile)
            in_x.free_tensor(x_local)
        else:
            asc.duplicate(z_local, 1.0, tile)
        for _ in range(turns):
            asc.exp(z_local, z_local, tile)
        out_z.enque(z_local)
        z_local = out_z.deque(z.dtype)
        asc.data_copy(z_gm[at * tile :], z_local, tile)
        out_z.free_tensor(z_local)


def stepping(
    blocks: int, n: int, tile: int, buffers: int, loads: int = 1, turns: int = 0
) -> Launch:
    def launch(device: Device) -> Result:
        x, z = np.ones(n, np.float32), np.zeros(n, np.float32)
        return device.launch(steps, blocks, x, z, n, tile, buffers, loads, turns, outputs=["z"])

    return launch


def adding(blocks: int, **how: int) -> Launch:
    def launch(device: Device) -> Result:
        return device.launch(kernels.add, blocks, *kernels.arguments(**how), outputs=["z"])

    return launch


def fixture(class_id: str, kind: str) -> Launch:
    """A failing kernel of the checks, or its fix."""
    launch: Launch = getattr(fixtures.load(class_id), kind).launch
    return launch


@dataclass(frozen=True)
class Case:
    """A kernel, what it may be said to be bound by, and for the changes that may be named the kernel with them.

    ``daily``: it takes little time.
    """

    name: str
    bounds: tuple[str, ...]
    slow: Launch
    fast: Mapping[str, Callable[[Gain], Launch]]
    daily: bool = False


def to(launch: Launch) -> Callable[[Gain], Launch]:
    return lambda gain: launch


def _tile(blocks: int, n: int, tile: int, **how: int) -> Callable[[Gain], Launch]:
    return lambda gain: stepping(blocks, n, tile * gain.numbers["factor"], **how)


def _spread(n: int, tile: int, **how: int) -> Callable[[Gain], Launch]:
    def made(gain: Gain) -> Launch:
        cores = gain.numbers["best"]
        while n % cores or n // cores % 64:  # the kernel divides evenly
            cores -= 1
        return stepping(cores, n, min(tile, n // cores), **how)

    return made


def stepping_case(
    name: str, bounds: tuple[str, ...], blocks: int, n: int, tile: int, buffers: int, **how: int
) -> Case:
    """A case of `steps`: buffers, tile, cores can be changed."""
    return Case(
        name,
        bounds,
        stepping(blocks, n, tile, buffers, **how),
        {
            "buffers": to(stepping(blocks, n, tile, 2, **how)),
            "half_buffers": to(stepping(blocks, n, tile // 2, 2, **how)),
            "tile": _tile(blocks, n, tile, buffers=buffers, **how),
            "cores": _spread(n, tile, buffers=buffers, **how),
            "fewer": _spread(n, tile, buffers=buffers, **how),
        },
        daily=n * blocks <= 1 << 16,
    )


class Wider(Device):
    """A device that launches on another number of blocks."""

    def __init__(self, spec: ChipSpec, blocks: int) -> None:
        super().__init__(spec)
        self._blocks = blocks

    def launch(self, kernel: Kernel, blocks: int, *args: Any, **kwargs: Any) -> Result:
        return super().launch(kernel, self._blocks, *args, **kwargs)


def _wider(class_id: str, powers: bool = False) -> Callable[[Gain], Launch]:
    def made(gain: Gain) -> Launch:
        best = gain.numbers["best"]
        cores = 1 << (best.bit_length() - 1) if powers else best
        return lambda device: fixture(class_id, "bad")(Wider(device.spec, cores))

    return made


@asc.jit
def collide(x: asc.GlobalAddress, z: asc.GlobalAddress, second: asc.ConstExpr[int]):
    """A hundred additions of two tensors, the second one at an address of UB."""
    n = 4096
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + n * asc.get_block_idx(), n)
    z_gm.set_global_buffer(z + n * asc.get_block_idx(), n)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, n)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, second, n)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 0x20000, n)
    asc.data_copy(a, x_gm, n)
    asc.data_copy(b, x_gm, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for _ in range(60):
        asc.add(c, a, b, n)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, c, n)


def colliding(second: int) -> Launch:
    def launch(device: Device) -> Result:
        x, z = np.ones(16 * 4096, np.float32), np.zeros(16 * 4096, np.float32)
        return device.launch(collide, 16, x, z, second, outputs=["z"])

    return launch


#: Failing kernels that take little time.
_SHORT = ("K3", "K13", "K14")


def fixture_case(
    class_id: str,
    name: str,
    bounds: tuple[str, ...],
    change: str,
    cores: Callable[[Gain], Launch] | None = None,
) -> Case:
    """A failing kernel of the checks, which one change mends."""
    fast = {change: to(fixture(class_id, "good"))}
    more = {} if cores is None else {"cores": cores}
    return Case(name, bounds, fixture(class_id, "bad"), fast | more, class_id in _SHORT)


CASES = (
    stepping_case("MTE2, one buffer", ("launch",), 48, 48 << 13, 4096, 1),
    stepping_case("MTE2, nothing to gain", ("MTE2",), 48, 48 << 16, 8192, 2),
    stepping_case("MTE3, one buffer", ("MTE3", "latency"), 16, 1 << 19, 8192, 1, loads=0),
    stepping_case("V, one buffer", ("V",), 16, 1 << 18, 4096, 1, turns=6),
    stepping_case("V, two buffers", ("launch",), 40, 40 << 14, 4096, 2, turns=6),
    stepping_case("tile too small", ("latency", "S"), 4, 1 << 14, 256, 2),
    stepping_case("tile too small, V", ("latency", "V", "S"), 4, 1 << 16, 512, 1, turns=3),
    stepping_case("one core", ("imbalance",), 1, 1 << 19, 8192, 2),
    stepping_case("few cores, V", ("imbalance",), 3, 3 << 16, 4096, 2, turns=6),
    Case(
        "no overlap",
        ("latency", "MTE2"),
        adding(24, n=3 << 17, tile=4096, buffers=1),
        {
            "buffers": to(adding(24, n=3 << 17, tile=4096, buffers=2)),
            "tile": lambda gain: adding(
                24, n=3 << 17, tile=4096 * gain.numbers["factor"], buffers=1
            ),
        },
    ),
    fixture_case("K3", "S, elements one by one", ("S",), "scalar"),
    Case(
        "bank conflict",
        ("bank conflict",),
        colliding(0x10000),
        {"banks": to(colliding(0x10100))},
    ),
    fixture_case("K5", "bursts off the grid", ("MTE2", "imbalance"), "align", _wider("K5")),
    fixture_case("K6", "same address", ("MTE2",), "addresses"),
    fixture_case("K7", "imbalance", ("imbalance",), "balance"),
    fixture_case("K8", "barriers", ("imbalance",), "barriers", _wider("K8", powers=True)),
    fixture_case("K10", "rows one by one", ("imbalance",), "rows", _wider("K10")),
    fixture_case("K13", "blocks without work", ("launch",), "fewer"),
    fixture_case("K14", "many short instructions", ("latency", "V"), "merge"),
)


def diagnosed(case: Case, chip: str = CHIP) -> Diagnosis:
    """What the diagnosis says of the kernel."""
    spec = chips.shared(chip)
    result = case.slow(Device(spec))
    assert not result.findings, result.findings[0].message()

    def again(change: Change) -> float:
        return case.slow(Changed(spec, change)).time_us

    return diagnose(result.trace, spec, again)


def gained(case: Case, seen: Diagnosis, gain: Gain, chip: str = CHIP) -> float:
    """What a change saves, as a share, when it is made."""
    made = case.fast[gain.change](gain)
    return 1 - made(Device(chips.shared(chip))).time_us / seen.time_us


def table() -> str:
    """Promised beside gained, of each change that is named."""
    lines = [f"{'kernel':26}{'bound':15}{'us':>8}  change       promised  gained"]
    for case in CASES:
        seen = diagnosed(case)
        start = f"{case.name:26}{seen.bound:15}{seen.time_us:8.2f}"
        for gain in seen.gains:
            real = f"{gained(case, seen, gain):7.1%}" if gain.change in case.fast else "      ?"
            lines.append(f"{start}  {gain.change:12}{gain.gain:9.1%} {real}")
            start = " " * 49
        if not seen.gains:
            lines.append(f"{start}  -")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
