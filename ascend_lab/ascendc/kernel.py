"""A C++ kernel that Python launches: `Device.launch(kernel, blocks, x, y, z)`."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ascend_lab.ascendc.building import Build, Options, build
from ascend_lab.ascendc.door import CppDoor, core_type, parameters_of
from ascend_lab.ascendc.process import Described, Limits
from ascend_lab.chips import ChipSpec
from ascend_lab.device import Device, Result
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Argument, Where


class CppKernel:
    """One ``__global__`` function of a built program; each launch has a process of its own."""

    insert_sync = False
    tiling_key = 0  # what TILING_KEY_IS compares with

    def __init__(
        self,
        built: Build,
        number: int,
        described: Described,
        limits: Limits | None = None,
        auto_sync: bool = True,
    ) -> None:
        self.name, parameters, self.qualifiers, self.file, self.line, self.end, _ = described
        self._parameters = parameters_of(parameters)
        self.parameters = tuple(name for name, _, _ in self._parameters)
        self._built = built
        self._number = number
        self._limits = limits
        self._auto_sync = auto_sync

    @property
    def auto_sync(self) -> bool:
        """Whether the compiler's automatic synchronisation is left on."""
        return self._auto_sync

    def __repr__(self) -> str:
        return f"CppKernel({self.name!r}, {', '.join(self.parameters)})"

    def __getitem__(self, blocks: int) -> Launch:
        """``kernel[blocks]``: call the result with the arguments, as kernels of the Python door."""
        if blocks <= 0:
            raise LabError(
                f"{self.name}[...] 里应写 block 数，而且大于 0。",
                f"{self.name}[...] takes the number of blocks, more than 0.",
            )
        return Launch(self, blocks)

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> CppDoor:
        """Start a process for one launch. Raises LabError for an argument that does not fit."""
        kind = core_type(self.qualifiers)
        if kind != "vector":
            raise NotModelled(self.name, f"__{kind}__")
        process = self._built.start(Path(self.file).parent, self._limits)
        process.call()  # hello
        process.set_chip(chip)
        process.set_tiling_key(self.tiling_key)
        words = b"".join(
            _words(self.name, described, value)
            for described, value in zip(self._parameters, arguments, strict=True)
        )
        launch = process.open(self._number, blocks, words)
        places = Where(self.file, self.line, self.name), Where(self.file, self.end, self.name)
        given = [value for value in arguments if isinstance(value, Argument)]
        return _OwnDoor(process, launch, given, *places)


class Launch:
    """``kernel[blocks]``: call it with NumPy arrays and numbers."""

    def __init__(self, kernel: CppKernel, blocks: int) -> None:
        self.kernel = kernel
        self.blocks = blocks

    def __call__(self, *args: Any) -> Result:
        """Run the kernel on a device of its own; arrays are written back. Prints what it prints.

        Raises LabError with the leading finding when the kernel is at fault.
        """
        result = Device().launch(self.kernel, self.blocks, *args)
        print(result.stdout, end="")
        result.raise_for_findings()
        return result


class _OwnDoor(CppDoor):
    """A door that ends its process when it is closed."""

    def close(self) -> None:
        """Drop the launch and end the process."""
        super().close()
        self.process.close()


def kernels(
    source: Path | str | Sequence[Path | str],
    options: Options | None = None,
    limits: Limits | None = None,
) -> dict[str, CppKernel]:
    """Compile ``source`` and return its kernels by name, without templates.

    Raises CompileError, NoCompiler.
    """
    paths = [source] if isinstance(source, Path | str) else list(source)
    built = build(paths, options)
    with built.start(limits=limits) as process:
        process.call()
        described = process.kernels()
    return {
        one.name: CppKernel(built, number, one, limits)
        for number, one in enumerate(described)
        if one.is_callable
    }


def _words(kernel: str, described: tuple[str, str, int], value: Any) -> bytes:
    """An argument as the words that a kernel's parameter is read from."""
    name, kind, size = described
    if isinstance(value, Argument):
        if not kind.startswith("p"):
            raise _unfit(kernel, name, "an array")
        return struct.pack("<Q", value.addr)
    if kind.startswith("p"):
        if value is None:
            return bytes(8)
        if isinstance(value, int):
            return struct.pack("<Q", value)
        raise _unfit(kernel, name, f"a {type(value).__name__}")
    if kind == "s" and isinstance(value, Mapping):
        return _fields(kernel, name, size, value)
    if kind == "s":
        data = value if isinstance(value, bytes) else _struct_bytes(kernel, name, value)
        if len(data) != size:
            raise _unfit(kernel, name, f"{len(data)} bytes, not {size},")
        return data + bytes(-size % 8)
    data = _scalar(kernel, name, kind, size, value)
    return data + bytes(8 - len(data))


def _scalar(kernel: str, name: str, kind: str, size: int, value: Any) -> bytes:
    try:
        if kind == "h":
            return np.float16(value).tobytes()
        if kind in ("f4", "f8"):
            return struct.pack("<f" if kind == "f4" else "<d", value)
        return int(value).to_bytes(size, "little", signed=int(value) < 0)
    except (TypeError, ValueError, OverflowError, struct.error):
        raise _unfit(kernel, name, repr(value)) from None


def _struct_bytes(kernel: str, name: str, value: Any) -> bytes:
    try:
        return bytes(memoryview(value).cast("B"))
    except TypeError:
        raise _unfit(kernel, name, f"a {type(value).__name__}") from None


def _fields(kernel: str, name: str, size: int, values: Mapping[str, Any]) -> bytes:
    """A struct of fields that are all of one size, as tiling structures are."""
    each = size // len(values) if values else 0
    if each not in (4, 8) or each * len(values) != size:
        raise _unfit(
            kernel, name, f"a struct of {', '.join(values)} does not have {size} bytes: it"
        )
    parts = [
        _scalar(kernel, name, f"f{each}" if isinstance(value, float) else "i", each, value)
        for value in values.values()
    ]
    return b"".join(parts)


def _unfit(kernel: str, name: str, what: str) -> LabError:
    return LabError(
        f"核函数 {kernel} 的参数 {name} 与传入的值不符（{what}）。",
        f"{what} does not fit parameter {name} of kernel {kernel}.",
    )
