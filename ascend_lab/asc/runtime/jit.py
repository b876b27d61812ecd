"""``@asc.jit``: marks a Python function as a kernel, and launches it.

The function stays plain Python: it is run, once per block, by a `PyDoor`.
"""

from __future__ import annotations

import functools
import inspect
import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from types import CodeType, FunctionType
from typing import Any, get_args, get_origin, overload

import numpy as np

from ascend_lab.asc.codegen.function_visitor import CodegenOptions
from ascend_lab.asc.door import PyDoor, current, inside_kernel
from ascend_lab.asc.language.core.constexpr import ConstExpr
from ascend_lab.asc.language.core.ir_value import (
    GlobalAddress,
    float32_of,
    int32_of,
    known_type,
    scalar_of,
)
from ascend_lab.asc.language.core.range import range as kernel_range
from ascend_lab.asc.language.core.struct import Struct
from ascend_lab.asc.runtime import streams
from ascend_lab.asc.runtime.compiler import CompileOptions
from ascend_lab.asc.runtime.config import KernelType, collect, current_device, raises
from ascend_lab.asc.runtime.launcher import LaunchOptions
from ascend_lab.asc.runtime.memory_handle import as_argument
from ascend_lab.chips import ChipSpec
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Argument

_OPTIONS = frozenset(
    option.name
    for kind in (CodegenOptions, CompileOptions, LaunchOptions)
    for option in fields(kind)
)
_VECTOR_KERNELS = (
    None,
    KernelType.AIV_ONLY,
    KernelType.MIX_AIV_1_0,
    KernelType.MIX_AIV_HARD_SYNC,
)
_INT32 = (-(1 << 31), (1 << 31) - 1)


class JITFunction:
    """A kernel. ``kernel[blocks, stream](*args)`` launches it; inside a kernel it is called directly.

    ``name``, ``parameters``, ``file``, ``line`` say which function it is; ``open`` runs it for an engine.
    """

    def __init__(self, fn: FunctionType, **options: Any) -> None:
        if not isinstance(fn, FunctionType):
            raise LabError(
                f"@asc.jit 只能用于函数，得到的是 {type(fn).__name__}。",
                f"@asc.jit is for functions, this is a {type(fn).__name__}.",
            )
        functools.update_wrapper(self, fn)
        self.fn = fn
        self.name: str = fn.__name__
        self.signature = inspect.signature(fn)
        self.parameters: tuple[str, ...] = tuple(self.signature.parameters)
        self.file: str = fn.__code__.co_filename
        self.line: int = _def_line(fn.__code__)
        self.options: dict[str, Any] = options
        self._constant = _constant_parameters(fn, self.parameters)
        self._refuse_options(options)

    def _refuse_options(self, options: Mapping[str, Any]) -> None:
        unknown = sorted(set(options) - _OPTIONS)
        if unknown:
            names = ", ".join(unknown)
            raise LabError(f"@asc.jit 没有这些选项：{names}。", f"@asc.jit has no options {names}.")
        clash = [name for name in self.parameters if name in _OPTIONS]
        if clash:
            names = ", ".join(clash)
            raise LabError(
                f"核函数 {self.name} 的参数名与 @asc.jit 的选项重名：{names}。",
                f"parameters of kernel {self.name} have names of @asc.jit options: {names}.",
            )

    @property
    def insert_sync(self) -> bool:
        """Whether the compiler inserts all synchronisation: as told, else when LocalTensorAuto is used."""
        told = self.options.get("insert_sync")
        return bool(told) if told is not None else uses_automatic_tensors(self)

    @insert_sync.setter
    def insert_sync(self, told: bool | None) -> None:
        self.options = {**self.options, "insert_sync": told}

    @property
    def auto_sync(self) -> bool:
        """Whether the compiler's automatic synchronisation is left on."""
        return bool(self.options.get("auto_sync", True))

    # --- on the host ---------------------------------------------------------------------------

    def __getitem__(self, launch: int | tuple[Any, ...]) -> Launch:
        """``kernel[blocks]`` or ``kernel[blocks, stream]``: call the result with the arguments."""
        blocks, *rest = launch if isinstance(launch, tuple) else (launch,)
        if not isinstance(blocks, int | np.integer) or len(rest) > 1:
            raise LabError(
                f"{self.name}[...] 里应写 block 数，或 block 数和 stream。",
                f"{self.name}[...] takes the number of blocks, or that and a stream.",
            )
        if blocks <= 0 and not (
            rest and isinstance(rest[0], int)
        ):  # a stream's launch returns a code
            raise LabError(
                f"{self.name}[{blocks}]：block 数必须大于 0。",
                f"{self.name}[{blocks}]: the number of blocks must be greater than 0.",
            )
        return Launch(self, int(blocks), rest[0] if rest else None)

    def bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
        """The arguments in the order of ``parameters``. Raises LabError when they do not fit."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise LabError(
                f"启动 {self.name} 的参数不符：{error}。参数应为 {self.signature}。",
                f"the arguments do not fit {self.name}{self.signature}: {error}.",
            ) from None
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.parameters]

    def with_options(self, **options: Any) -> JITFunction:
        """The same kernel with other options."""
        return JITFunction(self.fn, **{**self.options, **options})

    # --- in a kernel ------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it from a kernel. Raises LabError outside one."""
        if not inside_kernel():
            raise LabError(
                f"核函数 {self.name} 要这样启动：{self.name}[核数](参数)。直接调用只能写在核函数里。",
                f"launch kernel {self.name} with {self.name}[blocks](arguments); "
                "only a kernel may call it directly.",
            )
        program = current().door.program(self.fn)
        constant = self._constant
        values = [
            value if name in constant else _at_run_time(value)
            for name, value in zip(self.parameters, args, strict=False)
        ]
        named = {k: v if k in constant else _at_run_time(v) for k, v in kwargs.items()}
        return program(*values, *args[len(values) :], **named)

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> PyDoor:
        """The kernel as the engine runs it, each block with its own copy of struct arguments.

        ``arguments`` are in the order of ``parameters``: an `Argument` for an array, else the value.
        Raises NotModelled for a kernel of cube cores, LabError for an argument no kernel can take.
        """
        kernel_type = self.options.get("kernel_type")
        if kernel_type not in _VECTOR_KERNELS or self.options.get("matmul_cube_only"):
            what = getattr(kernel_type, "name", "matmul_cube_only")
            raise NotModelled("asc.jit", f"kernel_type={what}")
        pairs = zip(self.parameters, arguments, strict=True)
        prepared = [self._in_kernel(name, value) for name, value in pairs]

        def arguments_of(block: int) -> tuple[Any, ...]:
            return tuple(v.create_local() if isinstance(v, Struct) else v for v in prepared)

        return PyDoor(self.fn, arguments_of, blocks, chip, batch_limit, kernel_function)

    def _in_kernel(self, name: str, value: Any) -> Any:
        """An argument as the kernel sees it."""
        if name in self._constant:
            return _constant(name, value, self._constant[name])
        if isinstance(value, Argument):
            return GlobalAddress(value.addr, known_type(value.dtype), value.name)
        if isinstance(value, bool | Struct):
            return value
        if isinstance(value, np.generic):
            return scalar_of(value.item(), known_type(str(value.dtype)))
        if isinstance(value, int):
            if not _INT32[0] <= value <= _INT32[1]:
                raise _too_large(name, value)
            return int32_of(value)
        if isinstance(value, float):
            return float32_of(value)
        raise LabError(
            f"核函数参数 {name} 的类型 {type(value).__name__} 不能传给核函数；"
            "可用的有数组、整数、浮点数、Struct，编译期常量请标注 asc.ConstExpr。",
            f"kernel argument {name} is a {type(value).__name__}, which cannot be passed; arrays, integers, "
            "floats and Structs can, and compile-time constants are annotated asc.ConstExpr.",
        )


class Launch:
    """``kernel[blocks]`` or ``kernel[blocks, stream]``: call it with the kernel's arguments."""

    def __init__(self, kernel: JITFunction, blocks: int, stream: Any = None) -> None:
        self.kernel = kernel
        self.blocks = blocks
        self.stream = stream

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Run the kernel on the current device; arrays are written back. With device pointers: queue it.

        Raises LabError with the leading finding when the kernel is at fault; `config.reporting` changes
        for which.
        """
        options = {k: v for k, v in kwargs.items() if k in _OPTIONS}
        kernel = self.kernel.with_options(**options) if options else self.kernel
        named = {k: v for k, v in kwargs.items() if k not in _OPTIONS}
        if not named and streams.queue(kernel, self.blocks, self.stream, args):
            return
        arguments = [as_argument(value) for value in kernel.bind(args, named)]
        result = current_device().launch(kernel, self.blocks, *arguments)
        collect(result)
        print(result.stdout, end="")
        _raise_for_findings(result.findings)


def _raise_for_findings(findings: Iterable[Any]) -> None:
    for finding in findings:
        if finding.severity == "error" and raises(finding):
            raise LabError(finding.message("zh"), finding.message("en"), finding=finding)


@overload
def jit(fn: Callable[..., Any]) -> JITFunction: ...


@overload
def jit(**options: Any) -> Callable[[Callable[..., Any]], JITFunction]: ...


def jit(fn: Any = None, **options: Any) -> Any:
    """Make a kernel of a function: ``@asc.jit`` or ``@asc.jit(kernel_type=..., insert_sync=True)``."""
    if fn is None:
        return functools.partial(JITFunction, **options)
    return JITFunction(fn, **options)


def kernel_function(function: FunctionType) -> Callable[..., Any]:
    """``function`` as it runs in a kernel: ``range`` counts in run-time int32, ConstExpr are unwrapped."""
    names = {
        name: value.value if isinstance(value, ConstExpr) else value
        for name, value in function.__globals__.items()
    }
    names.setdefault("range", kernel_range)
    found = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    found.__kwdefaults__ = function.__kwdefaults__
    return found


def uses_automatic_tensors(kernel: JITFunction) -> bool:
    """Whether a kernel, or a kernel function it calls, names LocalTensorAuto."""
    seen: set[int] = set()
    waiting = [kernel.fn]
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        names = list(_names(function.__code__))
        if "LocalTensorAuto" in names:
            return True
        called = (function.__globals__.get(name) for name in names)
        waiting += [other.fn for other in called if isinstance(other, JITFunction)]
    return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _at_run_time(value: Any) -> Any:
    """A plain number as the run-time scalar that a kernel function's parameter makes of it."""
    kind = type(value)
    if kind is int and _INT32[0] <= value <= _INT32[1]:
        return int32_of(value)
    return float32_of(value) if kind is float else value


def _def_line(code: CodeType) -> int:
    """The line of ``def``: the code object starts at the first decorator."""
    line = code.co_firstlineno
    for candidate in range(line, line + 40):
        if linecache.getline(code.co_filename, candidate).lstrip().startswith("def "):
            return candidate
    return line


def _constant_parameters(fn: FunctionType, parameters: tuple[str, ...]) -> dict[str, Any]:
    """Parameters annotated ConstExpr -> the type inside the brackets, or object."""
    try:
        annotations = inspect.get_annotations(fn, eval_str=True)
    except Exception:  # a name the annotation uses may not exist at run time
        annotations = inspect.get_annotations(fn)
    found = {}
    for name in parameters:
        annotation = annotations.get(name)
        if isinstance(annotation, str):
            if "ConstExpr" in annotation:
                found[name] = object
        elif annotation is ConstExpr or get_origin(annotation) is ConstExpr:
            found[name] = next(iter(get_args(annotation)), object)
    return found


def _constant(name: str, value: Any, wanted: Any) -> Any:
    plain = ConstExpr.unwrap(value)
    if isinstance(plain, np.generic):
        plain = plain.item()
    if isinstance(wanted, type) and not isinstance(plain, wanted):
        raise LabError(
            f"编译期常量 {name} 应为 {wanted.__name__}，得到的是 {type(plain).__name__}。",
            f"compile-time constant {name} must be {wanted.__name__}, it is {type(plain).__name__}.",
        )
    return plain


def _too_large(name: str, value: int) -> LabError:
    return LabError(
        f"核函数参数 {name} = {value} 超出 int32 的范围，而整数参数是 int32；更大的整数请放进 Struct。",
        f"kernel argument {name} = {value} does not fit int32, which integer arguments are; "
        "put larger integers into a Struct.",
    )
