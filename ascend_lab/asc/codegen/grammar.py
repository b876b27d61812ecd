"""Syntax that pyasc's code generator has no visitor for, or refuses whatever the values are."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from ascend_lab.asc.codegen.survey import Def
from ascend_lab.checks.texts import Say

Report = Callable[..., None]

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Break: "break",
    ast.Continue: "continue",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.Raise: "raise",
    ast.Delete: "del",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.ClassDef: "class",
    ast.Match: "match",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.NamedExpr: "walrus",
}
#: Reported as a whole: what stands in them is no kernel code.
_CLOSED: dict[type[ast.AST], str] = {
    ast.Lambda: "lambda",
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "comprehension",
}
_ASYNC: dict[type[ast.AST], str] = {
    ast.AsyncFor: "async for",
    ast.AsyncWith: "async with",
    ast.Await: "await",
}
_MATMUL = Say("use asc.mmad or asc.adv.Matmul", "使用 asc.mmad 或 asc.adv.Matmul")


class Grammar(ast.NodeVisitor):
    """Walks the body of one kernel function; ``report(rule, node, **numbers)`` gets what it finds."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def check(self, function: Def) -> None:
        """Signature and body of ``function``."""
        if isinstance(function, ast.AsyncFunctionDef):
            self.report("async", function, word="async def")
        for star in (function.args.vararg, function.args.kwarg):
            if star is not None:
                self.report("signature", star, name=star.arg)
        for statement in function.body:
            self.visit(statement)

    def visit(self, node: ast.AST) -> Any:
        """Report ``node`` when its kind is unknown to pyasc; go on inside."""
        kind = type(node)
        if kind in _CLOSED:
            self.report(_CLOSED[kind], node)
            return None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.report("nested-function", node, name=node.name)
            return None
        if kind in _STATEMENTS and not _is_stub(node):
            self.report(_STATEMENTS[kind], node)
        if kind in _ASYNC:
            self.report("async", node, word=_ASYNC[kind])
        return super().visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Reported; its body is not looked at."""

    def visit_Global(self, node: ast.Global) -> None:
        """``global``."""
        self.report("scope-statement", node, word="global")

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        """``nonlocal``."""
        self.report("scope-statement", node, word="nonlocal")

    def visit_Dict(self, node: ast.Dict) -> None:
        """``{...: ...}``."""
        self.report("display", node, word="dict")
        self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> None:
        """``{...}``."""
        self.report("display", node, word="set")
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        """``while``: no else."""
        if node.orelse:
            self.report("loop-else", node.orelse[0], word="while")
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """``for``: one name, over range or static_range, no else."""
        if node.orelse:
            self.report("loop-else", node.orelse[0], word="for")
        if not isinstance(node.target, ast.Name):
            self.report("loop-target", node.target)
        if range_of(node) is None:
            self.report("loop-over", node.iter, what=_short(node.iter))
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        """``with`` one item."""
        if len(node.items) != 1:
            self.report("with", node, n=len(node.items))
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """One comparison at a time; no ``in``."""
        if len(node.ops) > 1:
            self.report("chained-comparison", node)
        for op in node.ops:
            if isinstance(op, ast.In | ast.NotIn):
                self.report("membership", node, word="in" if isinstance(op, ast.In) else "not in")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Two operands."""
        if len(node.values) != 2:
            self.report("chained-bool", node, word=bool_word(node), n=len(node.values))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """No ``@``."""
        if isinstance(node.op, ast.MatMult):
            self.report("operator", node, word="@", what="", how=_MATMUL)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        """One target: a name, element, attribute, or tuple of names."""
        if len(node.targets) > 1:
            self.report("assign-chain", node)
        elif not _is_target(node.targets[0]):
            self.report("assign-target", node)
        for part in (*_inside(node.targets), node.value):
            self.visit(part)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """A name or an element."""
        if isinstance(node.target, ast.Attribute):
            self.report("assign-target", node)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The annotation is not looked at by pyasc."""
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        """No stars."""
        starred = [argument.value for argument in node.args if isinstance(argument, ast.Starred)]
        named = [keyword.value for keyword in node.keywords if keyword.arg is None]
        for star in (*starred, *named):
            self.report("star", star, word=Say("a call", "调用"))
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        """No stars."""
        self._items(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        """No stars."""
        self._items(node)

    def _items(self, node: ast.List | ast.Tuple) -> None:
        if isinstance(node.ctx, ast.Load):
            for item in node.elts:
                if isinstance(item, ast.Starred):
                    self.report("star", item, word=Say("a list or tuple", "列表或元组"))
        self.generic_visit(node)


def range_of(node: ast.For) -> str | None:
    """ "range" or "static_range", whichever the loop runs over; None for anything else."""
    if not isinstance(node.iter, ast.Call):
        return None
    function = node.iter.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name if name in ("range", "static_range") else None


def bool_word(node: ast.BoolOp) -> str:
    """ "and" or "or"."""
    return "and" if isinstance(node.op, ast.And) else "or"


def _is_stub(node: ast.AST) -> bool:
    """``raise NotImplementedError``: the kernel is still to be written."""
    if not isinstance(node, ast.Raise):
        return False
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def _is_target(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(isinstance(item, ast.Name) for item in node.elts)
    return isinstance(node, ast.Name | ast.Subscript | ast.Attribute)


def _inside(targets: list[ast.expr]) -> Iterator[ast.expr]:
    """Expressions inside targets, which are read."""
    for target in targets:
        if isinstance(target, ast.Subscript):
            yield from (target.value, target.slice)
        elif isinstance(target, ast.Attribute):
            yield target.value


def _short(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) <= 30 else f"{text[:27]}..."
