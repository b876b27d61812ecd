"""Kernels as the device and the host see them: options, arguments, launching."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.asc.language.core.dtype import KnownTypes
from ascend_lab.asc.language.core.struct import Field, Struct, StructField
from ascend_lab.asc.runtime import config
from ascend_lab.asc.runtime.jit import JITFunction
from ascend_lab.engine.errors import LabError, NotModelled
from tests.asc.driving import array, instructions

TILE = asc.ConstExpr(8)


class Inner(Struct):
    length = Field(dtype=KnownTypes.int32, default=4)


class Tiling(Struct):
    inner = StructField(Inner)
    total = Field(dtype=KnownTypes.int64, default=0)
    scale = Field(dtype=KnownTypes.float32)


def called_with(*arguments: Any, **options: Any) -> Any:
    """What a kernel of one parameter gets for each argument."""
    seen = []

    @asc.jit(**options)
    def kernel(value: Any) -> None:
        seen.append(value)

    for argument in arguments:
        _, crash = instructions(kernel, [argument])
        assert crash is None
    return seen[0] if len(seen) == 1 else seen


def test_a_kernel_says_who_it_is() -> None:
    @asc.jit
    def scale(x: asc.GlobalAddress, n: int = 3, *, k: asc.ConstExpr[int] = 2) -> None:
        """Doc."""

    assert (scale.name, scale.parameters) == ("scale", ("x", "n", "k"))
    assert scale.__doc__ == "Doc."
    assert scale.file == __file__
    assert scale.line == scale.fn.__code__.co_firstlineno + 1
    assert (scale.insert_sync, scale.auto_sync) == (False, True)
    assert scale.bind((1,), {"k": 5}) == [1, 3, 5]


@asc.jit
def automatic_part() -> None:
    asc.LocalTensorAuto(asc.half, 16)


@asc.jit
def automatic_inside() -> None:
    automatic_part()


def test_automatic_tensors_ask_for_synchronisation() -> None:
    assert automatic_part.insert_sync
    assert automatic_inside.insert_sync
    assert not automatic_part.with_options(insert_sync=False).insert_sync
    assert asc.jit(lambda: None).insert_sync is False
    assert asc.jit(insert_sync=True)(lambda: None).insert_sync


def test_arguments_become_run_time_values() -> None:
    address = called_with(array("x", "float16", 10, 64))
    assert (address.addr, address.dtype, (address + 3).addr) == (64, asc.half, 70)
    for value, dtype in (
        (7, KnownTypes.int32),
        (2.5, KnownTypes.float32),
        (np.int64(1 << 40), KnownTypes.int64),
    ):
        found = called_with(value)
        assert (found, found.dtype) == (value, dtype)
    assert called_with(0.1) == float(np.float32(0.1))
    assert called_with(True) is True


def test_constants_stay_plain() -> None:
    seen = []

    @asc.jit
    def kernel(n: asc.ConstExpr[int], s: asc.ConstExpr) -> None:  # type: ignore[type-arg]
        seen.append((type(n), n / 2, s, TILE))

    instructions(kernel, [asc.ConstExpr(7), "text"])
    assert seen == [(int, 3.5, "text", 8)]  # module constants are unwrapped too


def test_loops_count_in_run_time_int32() -> None:
    seen: list[Any] = []

    @asc.jit
    def kernel(n: int) -> None:
        seen.append([i / 2 for i in range(n)])
        seen.append([i / 2 for i in asc.range(1, n, 2)])
        seen.append([i / 2 for i in asc.static_range(n + 0 and 4)])
        seen.append(len(asc.range(n)))

    instructions(kernel, [4])
    assert seen == [[0, 0, 1, 1], [0, 1], [0.0, 0.5, 1.0, 1.5], 4]


@asc.jit
def half_of(n: int, exact: asc.ConstExpr[int], out: list[Any]) -> None:
    out.append((n / 2, exact / 2))


def test_a_kernel_calls_another_directly() -> None:
    out: list[Any] = []

    @asc.jit
    def kernel() -> None:
        half_of(7, 7, out)
        half_of(7, exact=7, out=out)

    instructions(kernel)
    assert out == [(3, 3.5), (3, 3.5)]


def test_structs_are_copied_for_every_block() -> None:
    seen = []

    @asc.jit
    def kernel(tiling: Tiling) -> None:
        tiling.total = tiling.total + asc.get_block_idx()
        seen.append((tiling.total, tiling.inner.length / 3, tiling.scale, tiling.total.dtype))

    tiling = Tiling(scale=0.1, total=1 << 40)
    tiling.inner = Inner(length=7)
    door = kernel.open([tiling], 2, chips.load("Ascend910B1"))
    assert [door.resume(block).state for block in (0, 1)] == ["done", "done"]
    base, tenth = 1 << 40, float(np.float32(0.1))
    assert seen == [(base, 2, tenth, KnownTypes.int64), (base + 1, 2, tenth, KnownTypes.int64)]
    assert (tiling.total, tiling.inner.length) == (base, 7)
    again = pickle.loads(pickle.dumps(tiling))
    assert (again.total, again.inner.length) == (base, 7)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: asc.jit(3), "@asc.jit is for functions"),
        (lambda: asc.jit(fast=True)(lambda: None), "has no options fast"),
        (lambda: asc.jit(lambda debug: None), "have names of @asc.jit options: debug"),
        (lambda: automatic_part[0], "must be greater than 0"),
        (lambda: automatic_part["8"], "takes the number of blocks"),
        (lambda: automatic_part[1](2), "the arguments do not fit automatic_part()"),
        (automatic_part, "launch kernel automatic_part with"),
        (asc.get_block_idx, "launch the kernel with kernel[blocks]"),
        (lambda: called_with(1 << 40), "does not fit int32"),
        (lambda: called_with("text"), "is a str, which cannot be passed"),
        (
            lambda: half_of.open([1, 1.5, None], 1, chips.load("Ascend910B1")),
            "compile-time constant exact must be int, it is float",
        ),
    ],
)
def test_misuse_is_explained(make: Any, text: str) -> None:
    with pytest.raises(LabError) as caught:
        make()
    assert text in caught.value.message("en")
    assert caught.value.message("zh") != caught.value.message("en")


@pytest.mark.parametrize(
    "options",
    [{"kernel_type": config.KernelType.MIX_AIC_1_2}, {"matmul_cube_only": True}],
)
def test_cube_kernels_are_not_modelled(options: dict[str, Any]) -> None:
    with pytest.raises(NotModelled, match="kernel_type"):
        called_with(1, **options)


@dataclass(frozen=True)
class Fault:
    """A finding that says ``text``."""

    text: str
    severity: str = "error"
    fatal: bool = False

    def message(self, lang: str) -> str:
        return self.text


class Recorder:
    """A device that only remembers what was launched on it."""

    def __init__(self, *findings: Fault) -> None:
        self.launches: list[tuple[JITFunction, int, tuple[Any, ...]]] = []
        self.findings = findings
        self.stdout = "printed\n"

    def launch(self, kernel: JITFunction, blocks: int, *args: Any) -> Recorder:
        self.launches.append((kernel, blocks, args))
        return self


def test_a_launch_goes_to_the_current_device(capsys: pytest.CaptureFixture[str]) -> None:
    data = np.zeros(4, np.float32)
    device: Any = Recorder()
    with config.using(device), config.collecting() as results:
        half_of[8, None](data, exact=3, out=7)
        half_of[np.int64(2)](data, 3, 7, auto_sync=False)
    assert results == [device, device]
    (kernel, blocks, args), (other, _, _) = device.launches
    assert (kernel, blocks, args) == (half_of, 8, (data, 3, 7))
    assert args[0] is data
    assert (other.name, other.auto_sync, half_of.auto_sync) == ("half_of", False, True)
    assert capsys.readouterr().out == "printed\n" * 2


def test_a_fault_is_raised_where_the_kernel_was_launched() -> None:
    device: Any = Recorder(Fault("a note", "note"), Fault("wrong"))
    with (
        config.using(device),
        config.collecting() as results,
        pytest.raises(LabError, match="wrong"),
    ):
        half_of[1](1, 2, 3)
    assert results == [device]


def test_there_is_no_npu_unless_it_means_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(config, "_device", lambda chip=None: made.append(chip) or Recorder())
    with pytest.raises(LabError, match="--npu-is-model"):
        config.set_platform(config.Backend.NPU)
    with config.using(Recorder()):  # type: ignore[arg-type]
        config.set_platform("Model")
        config.set_platform(config.Backend.Model, config.Platform.Ascend910B3)
        with config.npu_is_model():
            config.set_platform(config.Backend.NPU, "Ascend310P3")
    assert made == ["Ascend910B1", "Ascend910B3", "Ascend310P3"]
