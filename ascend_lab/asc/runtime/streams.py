"""Launches on a stream of the host runtime: ``kernel[blocks, stream](pointer, ...)``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from ascend_lab.asc.runtime.config import collect
from ascend_lab.engine.errors import LabError
from ascend_lab.engine.instruction import ITEMSIZE, Argument

if TYPE_CHECKING:
    from ascend_lab.acl import Runtime
    from ascend_lab.asc.runtime.jit import JITFunction
    from ascend_lab.device import Result


def queue(kernel: JITFunction, blocks: int, stream: Any, args: tuple[Any, ...]) -> bool:
    """Queue a launch if one of ``args`` is a pointer of the host runtime in use; whether it was.

    Raises LabError for a number of arguments that the kernel does not take, and for a device pointer whose
    elements have no known type. What the launch finds is known when the stream has come to it.
    """
    runtime = _runtime()
    if runtime is None or not any(_is_pointer(runtime, value) for value in args):
        return False
    if len(args) != len(kernel.parameters):
        raise _count(runtime, kernel, len(args))
    pointers = _pointers(runtime, kernel, args)
    passed = _arguments(runtime, kernel, args)

    def run() -> Result:
        result = runtime.device.launch_in_place(kernel, blocks, passed)
        collect(result)
        print(result.stdout, end="")
        return result

    handle = stream if isinstance(stream, int) else 0
    runtime.kernels.launch(kernel.name, blocks, handle, pointers, run)
    return True


def _runtime() -> Runtime | None:
    """The host runtime in use; nobody has one who has not imported it."""
    module = sys.modules.get("ascend_lab.acl")
    found: Runtime | None = module.existing() if module is not None else None
    return found


def _is_pointer(runtime: Runtime, value: Any) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return runtime.session.ledger.find(value) is not None or bool(runtime.arrays.extent(value))


def _pointers(runtime: Runtime, kernel: JITFunction, args: tuple[Any, ...]) -> list[Any]:
    from ascend_lab.acl.kernels import Pointer

    pairs = zip(kernel.parameters, args, strict=True)
    return [Pointer(name, int(value)) for name, value in pairs if _is_pointer(runtime, value)]


def _arguments(runtime: Runtime, kernel: JITFunction, args: tuple[Any, ...]) -> list[Any]:
    """As ``kernel.open`` takes them: a device pointer with the type and number of its elements."""
    known = {_dtype(runtime, value) for value in args if _is_pointer(runtime, value)} - {""}
    common = known.pop() if len(known) == 1 else ""
    passed: list[Any] = []
    for name, value in zip(kernel.parameters, args, strict=True):
        block = runtime.session.ledger.find(value) if _is_pointer(runtime, value) else None
        if block is None:
            passed.append(value)
            continue
        dtype = _dtype(runtime, value) or common
        if not dtype:
            raise _untyped(kernel, name)
        if int(value) == block.addr:
            block.allocation.name = name
        passed.append(Argument(name, int(value), dtype, (block.end - value) // ITEMSIZE[dtype]))
    return passed


def _dtype(runtime: Runtime, value: Any) -> str:
    """What a pointer points to: as `acl.typed` said, or as the array that was copied there."""
    told: str = getattr(value, "dtype", "")
    block = runtime.session.ledger.find(value)
    return told or (block.dtype if block is not None else "")


def _count(runtime: Runtime, kernel: JITFunction, passed: int) -> LabError:
    session = runtime.session
    session.spot = session.line()
    numbers = {"kernel": kernel.name, "passed": passed, "declared": len(kernel.parameters)}
    session.report("J8", numbers, variant="count")
    finding = session.found[-1]
    return LabError(finding.message("zh"), finding.message("en"), finding=finding)


def _untyped(kernel: JITFunction, name: str) -> LabError:
    return LabError(
        f"启动 {kernel.name}：指针 {name} 没有元素类型。写成 acl.typed({name}, np.float16) 这样的形式。",
        f"launch of {kernel.name}: pointer {name} has no element type. Pass acl.typed({name}, np.float16) or the like.",
    )
