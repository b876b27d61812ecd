"""Follows one kernel function as pyasc's code generator does: names, blocks, and when a value is known.

pyasc runs the body once, when it compiles. A block (the body of an if on a run-time condition, of a for over range, of
a while) has names of its own: a name from outside must keep its type in it, a new one is gone at its end.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from ascend_lab.asc.codegen import kinds, outside
from ascend_lab.asc.codegen.grammar import Report, bool_word, range_of
from ascend_lab.asc.codegen.kinds import (
    CONST,
    NUMBERS,
    OBJECT,
    PYTHON,
    RUNTIME,
    RUNTIME_FLOAT,
    RUNTIMES,
    TENSOR,
    WORDS,
)
from ascend_lab.asc.codegen.survey import Kernel, Survey, local_names, names_stored
from ascend_lab.checks.texts import Say


@dataclass(slots=True)
class _Block:
    """A run-time block: what its names were outside, and what it did to them."""

    word: str
    loop: bool
    before: dict[str, str]
    stored: dict[str, tuple[str, ast.AST]] = field(default_factory=dict)
    early: set[str] = field(default_factory=set)  # read before the block stored them


class Flow:
    """``report(rule, node, **numbers)`` gets what is found in ``kernel``."""

    def __init__(self, kernel: Kernel, survey: Survey, is_kernel: bool, report: Report) -> None:
        self.survey = survey
        self.kernel = kernel
        self.is_kernel = is_kernel
        self.report = report
        self.names: dict[str, str] = {}
        self.gone: dict[str, tuple[int, str]] = {}
        self.blocks: list[_Block] = []
        self.locals = frozenset(local_names(kernel.node))

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

    def _enter(self, word: str, loop: bool) -> _Block:
        block = _Block(word, loop, self.names)
        self.names = dict(self.names)
        self.blocks.append(block)
        return block

    def _leave(self, block: _Block) -> _Block:
        """Judge what the block did to names from outside."""
        self.blocks.pop()
        for name, (kind, node) in block.stored.items():
            old = block.before.get(name, OBJECT)
            if not _comparable(old, kind):
                continue
            if old != kind:
                self._changed(name, old, kind, node, block)
            elif block.loop and old in NUMBERS and name in block.early:
                dtype = _dtype(old)
                self.report("carried-constant", node, name=name, old=WORDS[old], dtype=dtype)
            else:
                continue
            block.stored[name] = (OBJECT, node)  # said once, not again by the block around
        self.names = block.before
        return block

    def _changed(self, name: str, old: str, new: str, node: ast.AST, block: _Block) -> None:
        words = {"old": WORDS[old], "new": WORDS[new], "how": _how(name, old, new)}
        self.report("type-change", node, name=name, word=block.word, **words)

    def _after(self, before: dict[str, str], *blocks: _Block) -> None:
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

    def _store(self, name: str, kind: str, node: ast.AST) -> None:
        self.names[name] = kind
        if self.blocks:
            self.blocks[-1].stored[name] = (kind, node)

    # --- expressions ---------------------------------------------------------------------------

    def _kind(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value):
                return kinds.of_constant(value)
            case ast.Name():
                return self._load(node)
            case ast.Attribute(value=value):
                return RUNTIME if self._kind(value) == "struct" else self._attribute(node)
            case ast.BinOp(left=left, op=op, right=right):
                first, second = self._kind(left), self._kind(right)
                self._operator(node, op, first, second)
                return kinds.of_operation(op, first, second)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.BoolOp():
                return self._bool(node)
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp():
                return self._choice(node)
            case ast.Call():
                return self._call(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.List() | ast.Tuple():
                for item in node.elts:
                    self._kind(item.value if isinstance(item, ast.Starred) else item)
                return "list" if isinstance(node, ast.List) else "tuple"
            case ast.NamedExpr(target=target, value=value):
                self._store(target.id, self._kind(value), node)
                return self.names[target.id]
            case (
                ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp()
            ):
                return OBJECT  # reported whole
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._kind(child)
        return "str" if isinstance(node, ast.JoinedStr) else OBJECT

    def _load(self, node: ast.Name) -> str:
        name = node.id
        for block in reversed(self.blocks):
            if name in block.stored:
                break
            block.early.add(name)
        if name in self.names:
            return self.names[name]
        if name in self.gone:
            line, word = self.gone[name]
            self.report("block-name", node, name=name, line_defined=line, word=word)
            return OBJECT
        if name in self.locals:
            return OBJECT
        outside.check_name(node, self.kernel, self.survey, self.report)
        return self._outer(name)

    def _outer(self, name: str) -> str:
        """The kind of a module constant."""
        return kinds.of_constant_expression(self.survey.constants.get(name), self.survey)

    def _attribute(self, node: ast.Attribute) -> str:
        outside.check_attribute(node, self.locals, self.survey, self.report)
        return OBJECT

    def _operator(self, node: ast.AST, op: ast.operator, left: str, right: str) -> None:
        if isinstance(op, ast.Pow) and RUNTIMES & {left, right}:
            what = Say("of run-time values", "（运行时的值）")
            how = Say("multiply, or shift: 1 << n", "用乘法，或移位 1 << n")
            self.report("operator", node, word="**", what=what, how=how)

    def _unary(self, node: ast.UnaryOp) -> str:
        kind = self._kind(node.operand)
        if isinstance(node.op, ast.Not):
            if kind in PYTHON:
                self.report("not-constant", node)
            return RUNTIME if kind in RUNTIMES else "bool" if kind in PYTHON else OBJECT
        if isinstance(node.op, ast.USub) and kind == RUNTIME_FLOAT:
            self.report("negated-float", node)
        if isinstance(node.op, ast.Invert) and kind in RUNTIMES:
            what = Say("of run-time values", "（运行时的值）")
            how = Say("write -1 - value", "写成 -1 - value")
            self.report("operator", node, word="~", what=what, how=how)
        return kind

    def _bool(self, node: ast.BoolOp) -> str:
        given = [self._kind(value) for value in node.values]
        if len(given) == 2 and all(kind in PYTHON for kind in given):
            self.report("bool-constants", node, word=bool_word(node))
            return "bool"
        return RUNTIME if RUNTIMES & set(given) else OBJECT

    def _compare(self, node: ast.Compare) -> str:
        given = [self._kind(node.left), *(self._kind(value) for value in node.comparators)]
        if any(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
            return "bool"
        if kinds.OPAQUE & set(given):
            return OBJECT
        return RUNTIME if RUNTIMES & set(given) else "bool"

    def _choice(self, node: ast.IfExp) -> str:
        self._kind(node.test)
        first, second = self._kind(node.body), self._kind(node.orelse)
        odd = {first, second} & {"str", "NoneType", "list", "tuple"}
        if odd:
            what = WORDS[sorted(odd)[0]]
            how = Say(
                "decide on the host and pass asc.ConstExpr", "在 host 侧决定，用 asc.ConstExpr 传入"
            )
            self.report("if-expression", node, what=what, how=how)
        elif {first, second} == {"int", "float"}:
            what = Say("an int and a float", " int 和 float")
            how = Say(
                "write both as floats (0.0) or both as integers",
                "两边都写成浮点数（0.0）或都写成整数",
            )
            self.report("if-expression", node, what=what, how=how)
        if kinds.OPAQUE & {first, second}:
            return OBJECT
        return RUNTIME_FLOAT if RUNTIME_FLOAT in (first, second) else RUNTIME

    def _call(self, node: ast.Call) -> str:
        outside.check_call(node, self.locals, self.survey, self.report)
        self._kind(node.func)
        values = [a.value if isinstance(a, ast.Starred) else a for a in node.args]
        given = [self._kind(value) for value in values]
        named = {keyword.arg: self._kind(keyword.value) for keyword in node.keywords}
        queue = [*given[:1], named.get("que")]
        if getattr(node.func, "attr", "") == "init_buffer" and "bound queue" in queue:
            self.report("bound-queue", node)
        if isinstance(node.func, ast.Name) and node.func.id not in self.locals:
            name = node.func.id
            if name in ("int", "float") and RUNTIMES & set(given[:1]):
                self.report("conversion", node, name=name, dtype=_dtype(name))
                return RUNTIME
            if name == self.kernel.node.name:
                self.report("recursion", node, name=name)
        return kinds.of_call(node, given)

    def _subscript(self, node: ast.Subscript) -> str:
        base = self._kind(node.value)
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                if part is not None:
                    self._kind(part)
            if base not in PYTHON and not self._from_module(node.value):
                self._slice(node, node.slice)
            return base
        self._kind(node.slice)
        return OBJECT

    def _slice(self, node: ast.Subscript, part: ast.Slice) -> None:
        if part.step is not None:
            what = Say("a step", "步长")
        elif part.upper is not None:
            what = Say("an end", "终点")
        elif part.lower is None:
            what = Say("no beginning", "没有起点的冒号")
        else:
            return
        self.report("slice", node, what=what)

    def _from_module(self, node: ast.expr) -> bool:
        """Whether ``node`` is a name of the module: it is no tensor."""
        return isinstance(node, ast.Name) and node.id not in self.locals

    def _value(self, node: ast.expr) -> object:
        """The value of a condition where the file says it, else ``...``."""
        if isinstance(node, ast.Name) and node.id not in self.locals:
            return kinds.literal(self.survey.constants.get(node.id))
        return kinds.literal(node)


def _comparable(old: str, new: str) -> bool:
    """Whether two kinds say for sure which types they are of."""
    if {old, new} & {OBJECT, "struct", "bound queue"}:
        return False
    if {old, new} <= RUNTIMES:
        return False
    return CONST not in (old, new) or bool(RUNTIMES & {old, new})


def _dtype(kind: str) -> str:
    return "float32" if kind == "float" else "int32"


def _how(name: str, old: str, new: str) -> Say:
    if new in RUNTIMES and old in NUMBERS:
        dtype = _dtype(old)
        return Say(
            f"start it at run time: {name} = asc.number(…, asc.{dtype}); for a choice of two numbers "
            "write a if c else b",
            f"让初值成为运行时的值：{name} = asc.number(…, asc.{dtype})；二选一时写成 a if c else b",
        )
    return Say(
        "use another name in the block, or one type throughout",
        "在块里换一个名字，或始终用同一类型",
    )
