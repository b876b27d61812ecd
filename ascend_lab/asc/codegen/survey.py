"""What the source around kernels says: which functions are kernels, and what their outside names are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Def = ast.FunctionDef | ast.AsyncFunctionDef

_DOORS = ("asc", "ascend_lab.asc")
_MAGIC = re.compile(r"^(\s*)(?:[%!].*|\S+\?{1,2}\s*)$")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A function marked ``@asc.jit``: where it stands, and the names of functions around it."""

    node: Def
    file: str
    around: frozenset[str]
    in_class: bool
    future: bool  # whether annotations of its file are strings


@dataclass(slots=True)
class Survey:
    """The cells of one answer or file, read together."""

    kernels: dict[str, list[Kernel]] = field(default_factory=dict)
    doors: set[str] = field(default_factory=set)  # names of asc and its modules
    from_asc: dict[str, str] = field(default_factory=dict)  # name -> its name there
    modules: dict[str, str] = field(default_factory=dict)  # name -> module that is not asc's
    imported: dict[str, str] = field(default_factory=dict)  # name -> module it was taken from
    functions: set[str] = field(default_factory=set)  # plain functions at top level
    classes: set[str] = field(default_factory=set)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)  # everything bound at top level
    host_uses: set[str] = field(default_factory=set)
    launches: list[ast.Call] = field(default_factory=list)
    broken: list[tuple[str, SyntaxError]] = field(default_factory=list)

    def is_jit(self, decorator: ast.expr) -> bool:
        """Whether a decorator is ``@asc.jit`` or ``@asc.jit(...)``."""
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(target, ast.Name):
            return self.from_asc.get(target.id) == "jit"
        return (
            isinstance(target, ast.Attribute)
            and target.attr == "jit"
            and isinstance(target.value, ast.Name)
            and target.value.id in self.doors
        )


def survey(cells: Sequence[tuple[str, str]]) -> Survey:
    """Read ``(name, text)`` cells; one that is no Python is put aside in ``broken``."""
    found = Survey()
    trees: list[tuple[str, ast.Module]] = []
    for name, text in cells:
        try:
            trees.append((name, parse(text)))
        except RecursionError:
            found.broken.append((name, SyntaxError("nested too deeply")))
        except SyntaxError as error:
            found.broken.append((name, error))
    for _, tree in trees:
        for statement in tree.body:
            _outside(found, statement)
    if not found.doors and not found.from_asc:
        found.doors.add("asc")  # the import stands in a cell that is not here
    for name, tree in trees:
        future = any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
        )
        _Kernels(found, name, future).visit(tree)
    return found


def parse(text: str) -> ast.Module:
    """``text`` as Python, IPython's own lines left out. Raises SyntaxError."""
    try:
        return ast.parse(text)
    except SyntaxError:
        lines = text.split("\n")
        python = [f"{match[1]}pass" if (match := _MAGIC.match(line)) else line for line in lines]
        if python == lines:
            raise
        return ast.parse("\n".join(python))
    except ValueError as error:  # null bytes, before Python 3.12
        raise SyntaxError(str(error)) from None


def _outside(found: Survey, node: ast.stmt) -> None:
    """Note what a top-level statement binds."""
    match node:
        case ast.Import(names=names):
            for alias in names:
                _bind_module(found, alias)
        case ast.ImportFrom(module=str() as module, names=names):
            for alias in names:
                _bind_from(found, module, alias)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            found.bound.add(name)
            found.functions.add(name)
        case ast.ClassDef(name=name):
            found.bound.add(name)
            found.classes.add(name)
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                found.bound.update(names_stored(target))
                if isinstance(target, ast.Name):
                    found.constants[target.id] = value
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            found.bound.add(name)
            if value is not None:
                found.constants[name] = value
        case _:
            found.bound.update(names_stored(node))
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    _outside(found, child)


def _bind_module(found: Survey, alias: ast.alias) -> None:
    name = alias.asname or alias.name.partition(".")[0]
    found.bound.add(name)
    if _is_door(alias.name) and (alias.asname or alias.name.partition(".")[0] == "asc"):
        found.doors.add(name)
    else:
        found.modules[name] = alias.name if alias.asname else name


def _bind_from(found: Survey, module: str, alias: ast.alias) -> None:
    name = alias.asname or alias.name
    found.bound.add(name)
    if _is_door(f"{module}.{alias.name}") and f"{module}.{alias.name}" in _DOORS:
        found.doors.add(name)
    elif _is_door(module):
        found.from_asc[name] = alias.name
    else:
        found.imported[name] = module


def _is_door(module: str) -> bool:
    return any(module == door or module.startswith(f"{door}.") for door in _DOORS)


class _Kernels(ast.NodeVisitor):
    """Finds the kernel functions of a cell, and what its host code uses."""

    def __init__(self, found: Survey, file: str, future: bool) -> None:
        self.found = found
        self.file = file
        self.future = future
        self.around: list[frozenset[str]] = []
        self.in_class = False

    def _function(self, node: Def) -> None:
        jit = any(self.found.is_jit(decorator) for decorator in node.decorator_list)
        if jit:
            around = frozenset().union(*self.around)
            kernel = Kernel(node, self.file, around, self.in_class, self.future)
            self.found.kernels.setdefault(node.name, []).append(kernel)
            self.found.functions.discard(node.name)
            return
        before, self.in_class = self.in_class, False
        self.around.append(frozenset(local_names(node)))
        self.generic_visit(node)
        self.around.pop()
        self.in_class = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        before, self.in_class = self.in_class, True
        self.generic_visit(node)
        self.in_class = before

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.found.host_uses.add(node.id)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Subscript) and isinstance(node.func.value, ast.Name):
            self.found.launches.append(node)
        self.generic_visit(node)


def local_names(node: Def) -> Iterator[str]:
    """Parameters of a function and the names its body binds."""
    yield from (argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg))
    for statement in node.body:
        yield from names_stored(statement)


def names_stored(node: ast.AST) -> Iterator[str]:
    """Names that ``node`` binds, not counting what functions and classes in it bind."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.ExceptHandler(name=str() as name):
            yield name
        case ast.Lambda():
            return
    for child in ast.iter_child_nodes(node):
        yield from names_stored(child)


def names_loaded(node: ast.AST) -> Iterator[str]:
    """Names that ``node`` reads."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
            yield inner.id
