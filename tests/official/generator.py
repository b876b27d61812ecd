"""pyasc's own code generator on a stand-in for its compiled part: which kernels does it take?

Run as a program: ``python generator.py PYASC_ROOT < cases``; cases and answers are JSON. A case is (source, kernel); the
answer "" when the generator goes through the whole kernel, else its last line of complaint. The stand-in builds nothing:
a value is its type, so what only a verifier of the compiler would refuse is not seen.
"""

from __future__ import annotations

import inspect
import json
import linecache
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock


class Type:
    """A type by its Python name ("int32")."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get_py_name(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Value:
    """A value, or an operation with results."""

    def __init__(self, kind: Type | str, results: list[Type] | None = None) -> None:
        self.kind = kind if isinstance(kind, Type) else Type(kind)
        self.results = results

    def get_type(self) -> Type:
        return self.kind

    def get_result(self, index: int) -> Value:
        return Value(self.results[index]) if self.results else Value(self.kind)

    def get_induction_var(self) -> Value:
        return Value(self.kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: Block()


class Block:
    """A block: whatever is asked of it is a block again."""

    def add_argument(self, kind: Type) -> Value:
        return Value(kind)

    def get_arguments(self) -> list[Value]:
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **kwargs: Block()


class Function:
    """A function with parameters of known types."""

    def __init__(self, parameters: list[Type]) -> None:
        self.parameters = parameters

    def get_arg(self, index: int) -> Value:
        return Value(self.parameters[index])

    def add_entry_block(self) -> Any:
        return MagicMock(has_terminator=lambda: True)

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


class Module:
    """Knows the names of its functions."""

    def __init__(self) -> None:
        self.functions: set[str] = set()

    def get_body(self) -> None:
        return None

    def has_function(self, name: str) -> bool:
        return name in self.functions


class Builder:
    """Answers every ``create_...`` with a value of a fitting type."""

    def __init__(self, context: object) -> None:
        self.module = Module()

    def create_ModuleOp(self) -> Module:
        return self.module

    def get_function_type(self, inputs: list[Type], results: Any = ()) -> list[Type]:
        return list(inputs)

    def create_func_FuncOp(self, name: str, kind: list[Type]) -> Function:
        self.module.functions.add(name)
        return Function(kind)

    def create_func_CallOp(self, name: str, operands: Any, results: list[Type]) -> Value:
        return Value("void", list(results))

    def create_scf_IfOp(self, condition: Any, results: list[Type], **more: Any) -> Value:
        return Value("void", list(results))

    def create_scf_ForOp(self, start: Value, stop: Any, step: Any, inits: list[Value]) -> Value:
        return Value(start.get_type(), [value.get_type() for value in inits])

    def create_scf_WhileOp(self, results: list[Type], inits: Any) -> Value:
        return Value("void", list(results))

    def create_block(self, *args: Any) -> Block:
        return Block()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        scalar = re.fullmatch(r"get_(ui|i|f)(\d+)(_type)?", name)
        if scalar:
            kind = {"ui": "uint", "i": "int", "f": "float"}[scalar[1]] + scalar[2]
            return lambda *args: Type(kind) if scalar[3] else Value(kind)
        if name.startswith("get_"):
            return lambda *args, **kwargs: Type("int32")
        if name.startswith("create_arith_Cmp"):
            return lambda *args: Value("int1")
        if name.startswith("create_"):
            return self._create
        return lambda *args, **kwargs: None

    def _create(self, *args: Any, **kwargs: Any) -> Value:
        types = [value for value in args if isinstance(value, Type)]
        types += [value.get_type() for value in args if isinstance(value, Value)]
        return Value(types[0] if types else "int32")


def install(root: Path) -> None:
    """Make ``import asc`` find pyasc, with the stand-in where its compiled part would be."""
    sys.path.insert(0, str(root / "python"))
    ir = MagicMock(name="ir")
    ir.Builder, ir.Block, ir.Value, ir.Type, ir.ModuleOp = Builder, Block, Value, Type, Module
    ir.get_element_type = lambda kind: Type("float32")
    ir.get_memref_type = lambda *args: Type("float32")
    compiled = ModuleType("asc._C")
    compiled.ir, compiled.passes, compiled.translation = ir, MagicMock(), MagicMock()  # type: ignore[attr-defined]
    sys.modules["asc._C"] = compiled
    for name in ("asc.lib", "asc.lib.runtime", "asc.lib.host", "asc.lib.utils"):
        module = ModuleType(name)
        module.__path__ = []
        module.__getattr__ = lambda attribute: MagicMock()  # type: ignore[method-assign]
        sys.modules[name] = module


def generate(source: str, kernel: str) -> None:
    """Run the generator over one kernel; raises whatever it raises."""
    from asc.codegen.function_visitor import (  # type: ignore[import-not-found]
        CodegenOptions,
        FunctionVisitor,
    )
    from asc.codegen.specialization import (  # type: ignore[import-not-found]
        PlainArgType,
        PointerArgType,
        Specialization,
    )
    from asc.language.core.constexpr import ConstExpr  # type: ignore[import-not-found]
    from asc.language.core.dtype import float32, int32  # type: ignore[import-not-found]
    from asc.language.core.utils import global_builder  # type: ignore[import-not-found]

    file = f"<case {len(linecache.cache)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"__name__": "case"}
    exec(compile(source, file, "exec", dont_inherit=True), names)
    function = names[kernel]
    arguments, constants = {}, {}
    for name, parameter in inspect.signature(function.fn).parameters.items():
        said = str(parameter.annotation)
        if "ConstExpr" in said:
            constants[name] = ConstExpr(4)
        else:
            arguments[name] = (
                PointerArgType(float32) if "GlobalAddress" in said else PlainArgType(int32)
            )
    global_builder.set_ir_builder(None)
    try:
        assert function.cache_key
        specialization = Specialization(arguments, constants)
        visitor = FunctionVisitor(
            function.src, specialization, function.fn.__globals__, function.location,
            CodegenOptions(), is_kernel=True,
        )  # fmt: skip
        visitor.visit(function.node)
    finally:
        global_builder.teardown()


def verdict(source: str, kernel: str) -> str:
    """ "" when the generator takes the kernel, else what it says."""
    try:
        generate(source, kernel)
    except Exception as error:
        return (str(error).strip() or type(error).__name__).splitlines()[-1]
    return ""


if __name__ == "__main__":
    install(Path(sys.argv[1]))
    print(json.dumps([verdict(source, kernel) for source, kernel in json.load(sys.stdin)]))
