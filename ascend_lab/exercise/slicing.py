"""Takes one kernel, and what it needs, out of a student's source. Runs in the child.

Of a file or notebook only the kernel's definition is executed and, transitively, the definitions of the
names it uses: functions, classes, constants, imports. A broken cell elsewhere, a plot, an unguarded script
body or a second task cannot spoil it. The kernel is found by name, never by position.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ascend_lab.exercise.wire import Cell

_PLAIN_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun")
_MAGIC = re.compile(r"^(?P<indent>\s*)(?:[%!].*|\S+\?{1,2}\s*)$")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Statement:
    """One top-level statement: the cell it stands in, and the names it binds and needs."""

    cell: int
    node: ast.stmt
    binds: frozenset[str]
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Slice:
    """What has to be executed: for each cell (by index) its statements, in order."""

    parts: tuple[tuple[int, tuple[ast.stmt, ...]], ...]
    defined_in: tuple[int, ...]  # cells that define the kernel
    empty: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed answer. ``errors`` are the cells that are no Python."""

    statements: tuple[Statement, ...]
    errors: tuple[tuple[int, SyntaxError], ...] = field(default=())


def parse(cells: Sequence[Cell]) -> Source:
    """Parse each cell for itself; a cell with a syntax error is put aside."""
    statements: list[Statement] = []
    errors: list[tuple[int, SyntaxError]] = []
    for index, cell in enumerate(cells):
        try:
            body = _body(cell.text)
        except SyntaxError as error:
            errors.append((index, error))
        except ValueError as error:  # null bytes, before Python 3.12
            errors.append((index, SyntaxError(str(error))))
        else:
            statements += (Statement(index, node, _binds(node), _needs(node)) for node in body)
    return Source(tuple(statements), tuple(errors))


def _body(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except SyntaxError:
        python = _without_magics(text)
        if python == text:
            raise
        return ast.parse(python).body


def _without_magics(text: str) -> str:
    """``text`` with IPython's lines replaced, all others at their line numbers."""
    lines = text.split("\n")
    first = lines[0].strip()
    if first.startswith("%%") and first.split()[0] not in _PLAIN_MAGICS:
        return ""
    return "\n".join(
        f"{found['indent']}pass" if (found := _MAGIC.match(line)) else line for line in lines
    )


def _binds(node: ast.stmt) -> frozenset[str]:
    return frozenset(_bound(node))


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in names)
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.ExceptHandler(name=str() as name):
            yield name
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _bound(child)


def _needs(node: ast.stmt) -> frozenset[str]:
    if not isinstance(node, _FUNCTIONS):
        return frozenset(_used(node))
    outside = [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]
    around = {name for part in outside for name in _used(part)}
    within = {name for part in node.body for name in _used(part)}
    return frozenset(around | (within - _locals(node)))


def _used(node: ast.AST) -> set[str]:
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            if not isinstance(inner.ctx, ast.Store) or isinstance(node, ast.AugAssign):
                found.add(inner.id)
        elif isinstance(inner, ast.arg | ast.AnnAssign) and inner.annotation is not None:
            found.update(_names_in_string(inner.annotation))
    return found


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """Its parameters and what it assigns: names that another cell may use for something else."""
    parameters = {inner.arg for inner in ast.walk(function.args) if isinstance(inner, ast.arg)}
    assigned = {name for part in function.body for name in _bound(part)}
    shared = (n for n in ast.walk(function) if isinstance(n, ast.Global))
    return (parameters | assigned) - {name for node in shared for name in node.names}


def _names_in_string(annotation: ast.expr) -> Iterable[str]:
    if not (isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)):
        return ()
    try:
        tree = ast.parse(annotation.value, mode="eval")
    except SyntaxError:
        return ()
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]


# --- choosing ------------------------------------------------------------------------------------


def functions(source: Source) -> tuple[str, ...]:
    """Names of all functions at top level, each once, in order."""
    names = [s.node.name for s in source.statements if isinstance(s.node, _FUNCTIONS)]
    return tuple(dict.fromkeys(names))


def choose(source: Source, kernel: str, live: bool) -> Slice | None:
    """The slice for ``kernel``; None when nothing defines it.

    Of several definitions the last that is not empty counts. Its names are taken as they stand after its
    cell has run; a name that does not exist by then is taken from a later cell. In a ``live`` session all
    cells have run, so the latest definition of every name counts.
    """
    definitions = [s for s in source.statements if kernel in s.binds]
    if not definitions:
        return None
    written = [s for s in definitions if not is_empty(s.node)]
    chosen = (written or definitions)[-1]
    roots = [chosen]
    if not isinstance(chosen.node, _FUNCTIONS):
        roots = [s for s in definitions if s.cell <= chosen.cell]
    last = max((s.cell for s in source.statements), default=0) if live else chosen.cell
    statements = [s for s in source.statements if s not in definitions or s in roots]
    picked = _closure(roots, statements, last)
    cells = sorted({s.cell for s in picked})
    parts = tuple((cell, tuple(s.node for s in picked if s.cell == cell)) for cell in cells)
    where = tuple(dict.fromkeys(s.cell for s in definitions))
    return Slice(parts, where, not written)


def _closure(
    roots: Sequence[Statement], statements: Sequence[Statement], last: int
) -> list[Statement]:
    picked = list(roots)
    seen: set[str] = set().union(*(s.binds for s in roots))
    todo = sorted(set().union(*(s.needs for s in roots)) - seen)
    while todo:
        name = todo.pop()
        seen.add(name)
        binding = [s for s in statements if name in s.binds and s.cell <= last]
        binding = binding or [s for s in statements if name in s.binds]
        if not binding and not hasattr(builtins, name):
            binding = [s for s in statements if "*" in s.binds]
        for statement in binding:
            if statement not in picked:
                picked.append(statement)
                todo += sorted(statement.needs - seen)
    cells = {s.cell for s in picked}
    picked += [s for s in statements if s.cell in cells and _is_future(s.node) and s not in picked]
    order = {id(s): index for index, s in enumerate(statements)}
    return sorted(picked, key=lambda s: order[id(s)])


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def is_empty(node: ast.stmt) -> bool:
    """Whether a definition has nothing in it but a docstring, ``pass``, ``...`` or NotImplementedError."""
    if not isinstance(node, _FUNCTIONS):
        return False
    return all(_is_nothing(statement) for statement in node.body)


def _is_nothing(node: ast.stmt) -> bool:
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Return(value=None):
            return True
        case ast.Raise(exc=ast.Name(id="NotImplementedError")):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError"))):
            return True
    return False


def same(slice: Slice, given: str, kernel: str) -> bool:
    """Whether the slice says what the source handed out says, comments and layout apart."""
    other = choose(parse([Cell("given", given)]), kernel, live=False)
    return other is not None and _dump(slice) == _dump(other)


def _dump(slice: Slice) -> list[str]:
    return [ast.dump(node) for _, nodes in slice.parts for node in nodes if not _is_future(node)]
