"""What each expression of a kernel function is for pyasc's code generator, and what it refuses there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from ascend_lab.asc.codegen import kinds, outside
from ascend_lab.asc.codegen.grammar import Report, bool_word
from ascend_lab.asc.codegen.kinds import OBJECT, PYTHON, RUNTIME, RUNTIME_FLOAT, RUNTIMES, WORDS
from ascend_lab.asc.codegen.survey import Kernel, Survey, local_names
from ascend_lab.checks.texts import Say


@dataclass(slots=True)
class Block:
    """A run-time block: what its names were outside, and what it did to them."""

    word: str
    loop: bool
    before: dict[str, str]
    stored: dict[str, tuple[str, ast.AST]] = field(default_factory=dict)
    early: set[str] = field(default_factory=set)  # read before the block stored them


class Values:
    """The names of a function as it is followed; ``report(rule, node, **numbers)`` gets what is found."""

    def __init__(self, kernel: Kernel, survey: Survey, is_kernel: bool, report: Report) -> None:
        self.survey = survey
        self.kernel = kernel
        self.is_kernel = is_kernel
        self.report = report
        self.names: dict[str, str] = {}
        self.gone: dict[str, tuple[int, str]] = {}
        self.blocks: list[Block] = []
        self.locals = frozenset(local_names(kernel.node))

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
                self.report("conversion", node, name=name, dtype=dtype_of(name))
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


def dtype_of(kind: str) -> str:
    """The type that asc.number gives a Python number of this kind."""
    return "float32" if kind == "float" else "int32"
