"""Follows one kernel function as pyasc's code generator does: names, blocks, and when a value is known.

pyasc runs the body once, when it compiles. A block (the body of an if on a run-time condition, of a for over range, of
a while) has names of its own: a name from outside must keep its type in it, a new one is gone at its end.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ascend_lab.asc.codegen import kinds
from ascend_lab.asc.codegen.grammar import range_of
from ascend_lab.asc.codegen.kinds import (
    CONST,
    NUMBERS,
    OBJECT,
    RUNTIME,
    RUNTIMES,
    TENSOR,
    WORDS,
)
from ascend_lab.asc.codegen.survey import names_stored
from ascend_lab.asc.codegen.values import Block, Values, dtype_of
from ascend_lab.checks.texts import Say


class Flow(Values):
    """``report(rule, node, **numbers)`` gets what is found in ``kernel``."""

    def check(self) -> None:
        """Follow the whole function."""
        arguments = self.kernel.node.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.names[argument.arg] = kinds.of_annotation(argument.annotation, self.survey)
        self._run(self.kernel.node.body)

    # --- statements ----------------------------------------------------------------------------

    def _run(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if self._statement(statement):
                return  # pyasc drops what stands after a return

    def _statement(self, node: ast.stmt) -> bool:
        """Follow one statement; whether the function ends there."""
        match node:
            case ast.Return():
                self._return(node)
                return not self.blocks
            case ast.If():
                self._if(node)
            case ast.For() | ast.AsyncFor():
                self._for(node)
            case ast.While():
                self._while(node)
            case ast.With() | ast.AsyncWith():
                self._with(node)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=value):
                self._assign([target], value)
            case ast.AugAssign():
                self._augment(node)
            case ast.Assert():
                self._assert(node)
            case ast.Expr(value=value):
                self._kind(value)
            case ast.Try() | ast.TryStar():
                self._run(node.body)
            case ast.Import() | ast.ImportFrom() | ast.FunctionDef() | ast.ClassDef():
                for name in names_stored(node):
                    self.names[name] = OBJECT
        return False

    def _return(self, node: ast.Return) -> None:
        kind = "NoneType" if node.value is None else self._kind(node.value)
        if self.blocks:
            self.report("return-in-block", node, word=self.blocks[-1].word)
        elif self.is_kernel and kind != "NoneType":
            self.report("return-value", node, name=self.kernel.node.name)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr | None) -> None:
        parts = self._parts(targets[0], value) if len(targets) == 1 else None
        kind = "NoneType" if value is None else OBJECT if parts else self._kind(value)
        for target in targets:
            if isinstance(target, ast.Name):
                self._store(target.id, kind, target)
            elif isinstance(target, ast.Tuple | ast.List):
                for index, item in enumerate(target.elts):
                    if isinstance(item, ast.Name):
                        self._store(item.id, parts[index] if parts else OBJECT, item)
            elif isinstance(target, ast.Subscript | ast.Attribute):
                base = self._kind(target.value)
                if isinstance(target, ast.Subscript):
                    self._kind(target.slice)
                    if base == TENSOR:
                        self.report("element", target)

    def _parts(self, target: ast.expr, value: ast.expr | None) -> list[str] | None:
        """Kinds of ``a, b = x, y``, each by itself."""
        if not (isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)):
            return None
        if len(target.elts) != len(value.elts):
            return None
        return [self._kind(item) for item in value.elts]

    def _augment(self, node: ast.AugAssign) -> None:
        right = self._kind(node.value)
        if isinstance(node.target, ast.Name):
            left = self._load(ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target))
            self._operator(node, node.op, left, right)
            self._store(node.target.id, kinds.of_operation(node.op, left, right), node.target)

        elif isinstance(node.target, ast.Subscript) and self._kind(node.target.value) == TENSOR:
            self.report("element", node.target)

    def _assert(self, node: ast.Assert) -> None:
        if self._kind(node.test) in RUNTIMES:
            self.report("assert", node)

    # --- blocks --------------------------------------------------------------------------------

    def _if(self, node: ast.If) -> None:
        kind = self._kind(node.test)
        if kind not in RUNTIMES:
            self._branches(node)
            return
        before, results = self.names, []
        for body in (node.body, node.orelse):
            block = self._enter("if", loop=False)
            self._run(body)
            results.append(self._leave(block))
        self._after(before, *results)

    def _branches(self, node: ast.If) -> None:
        """An if that pyasc decides itself: the branch it takes belongs to the code around it."""
        known = self._value(node.test)
        if known is not ...:
            self._run(node.body if known else node.orelse)
            return
        before = dict(self.names)
        self._run(node.body)
        first, self.names = self.names, before
        self._run(node.orelse)
        second = self.names
        self.names = {
            name: kinds.merged(
                first.get(name, second.get(name, OBJECT)), second.get(name, first.get(name, OBJECT))
            )
            for name in {**first, **second}
        }

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        way = range_of(node) if isinstance(node, ast.For) else None
        arguments = node.iter.args if isinstance(node.iter, ast.Call) else []
        given = [self._kind(argument) for argument in arguments]
        target = node.target.id if isinstance(node.target, ast.Name) else ""
        if way == "static_range":
            if RUNTIMES & set(given):
                self.report("static-range", node.iter)
            self.names[target] = "int"
            self._run(node.body)
            return
        if way is None and not isinstance(node.iter, ast.Call):
            self._kind(node.iter)
        block = self._enter("for", loop=True)
        for name in [target] if target else names_stored(node.target):
            self._store(name, RUNTIME, node.target)
        self._run(node.body)
        self._after(block.before, self._leave(block))

    def _while(self, node: ast.While) -> None:
        self._kind(node.test)
        block = self._enter("while", loop=True)
        self._run(node.body)
        self._after(block.before, self._leave(block))

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._kind(item.context_expr)
        before = dict(self.names)
        for item in node.items:
            for name in names_stored(item.optional_vars) if item.optional_vars else ():
                self.names[name] = OBJECT
        self._run(node.body)
        for name in [name for name in self.names if name not in before]:
            self.gone[name] = (node.lineno, "with")
        self.names = before

    def _enter(self, word: str, loop: bool) -> Block:
        block = Block(word, loop, self.names)
        self.names = dict(self.names)
        self.blocks.append(block)
        return block

    def _leave(self, block: Block) -> Block:
        """Judge what the block did to names from outside."""
        self.blocks.pop()
        for name, (kind, node) in block.stored.items():
            old = block.before.get(name, OBJECT)
            if not _comparable(old, kind):
                continue
            if old != kind:
                self._changed(name, old, kind, node, block)
            elif block.loop and old in NUMBERS and name in block.early:
                dtype = dtype_of(old)
                self.report("carried-constant", node, name=name, old=WORDS[old], dtype=dtype)
            else:
                continue
            block.stored[name] = (OBJECT, node)  # said once, not again by the block around
        self.names = block.before
        return block

    def _changed(self, name: str, old: str, new: str, node: ast.AST, block: Block) -> None:
        words = {"old": WORDS[old], "new": WORDS[new], "how": _how(name, old, new)}
        self.report("type-change", node, name=name, word=block.word, **words)

    def _after(self, before: dict[str, str], *blocks: Block) -> None:
        """What names are after one or two blocks."""
        self.names = dict(before)
        for block in blocks:
            for name, (kind, node) in block.stored.items():
                if name in before:
                    if kind in NUMBERS:
                        kind = RUNTIME
                    elif kind not in RUNTIMES:
                        kind = kinds.merged(before[name], kind)
                    self._store(name, kind, node)
                else:
                    line = getattr(node, "lineno", 0)
                    self.gone.setdefault(name, (line, block.word))


def _comparable(old: str, new: str) -> bool:
    """Whether two kinds say for sure which types they are of."""
    if {old, new} & {OBJECT, "struct", "bound queue"}:
        return False
    if {old, new} <= RUNTIMES:
        return False
    return CONST not in (old, new) or bool(RUNTIMES & {old, new})


def _how(name: str, old: str, new: str) -> Say:
    if new in RUNTIMES and old in NUMBERS:
        dtype = dtype_of(old)
        return Say(
            f"start it at run time: {name} = asc.number(…, asc.{dtype}); for a choice of two numbers "
            "write a if c else b",
            f"让初值成为运行时的值：{name} = asc.number(…, asc.{dtype})；二选一时写成 a if c else b",
        )
    return Say(
        "use another name in the block, or one type throughout",
        "在块里换一个名字，或始终用同一类型",
    )
