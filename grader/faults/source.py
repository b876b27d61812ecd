"""A kernel's source as the fault classes see it: calls with their place, and rewriting that keeps the rest.

The text outside of a change stays as it is, to the last blank and comment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider

from grader.faults.operands import OPERANDS, Operands

#: What becomes of a node: called with the node as it is by then.
Change = Callable[[Any], Any]
Changes = Mapping[Any, Change]  # by node

Loop = cst.For | cst.While
_LOCAL = frozenset(("alloc_tensor", "deque", "get", "get_with_offset", "LocalTensor"))
_EMPTY = cst.Module([])


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One call: ``owner.name(args)`` in ``statement``, perhaps ``target = owner.name(args)``."""

    node: cst.Call
    name: str
    owner: str
    args: tuple[cst.BaseExpression, ...]
    statement: cst.SimpleStatementLine
    target: str
    function: cst.FunctionDef | None
    loops: tuple[Loop, ...]
    line: int

    @property
    def operands(self) -> Operands | None:
        """Where its tensors and its form stand, when it is a vector instruction."""
        return OPERANDS.get(self.name) if self.owner == "asc" else None

    @property
    def count(self) -> cst.BaseExpression | None:
        """The count of a vector instruction in count form."""
        form = self.operands
        if form is None or len(self.args) != form.form + 1:
            return None
        return self.args[form.form]

    @property
    def is_masked(self) -> bool:
        """Whether it is a vector instruction with mask, repeats and strides."""
        form = self.operands
        return form is not None and len(self.args) >= form.form + 3


class Source:
    """A parsed file. Raises `libcst.ParserSyntaxError` for text that is no Python."""

    def __init__(self, text: str) -> None:
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text))
        self.module = wrapper.module
        self._positions = wrapper.resolve(PositionProvider)
        self._parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self._by_type: dict[str, list[cst.CSTNode]] = {}
        self._index(self.module)

    def _index(self, node: cst.CSTNode) -> None:
        self._by_type.setdefault(type(node).__name__, []).append(node)
        for child in node.children:
            self._parents[child] = node
            self._index(child)

    # --- places ---------------------------------------------------------------------------------------

    def line(self, node: cst.CSTNode) -> int:
        """The line a node starts in."""
        place: Any = self._positions[node]
        return int(place.start.line)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node that ``node`` is directly in."""
        return self._parents.get(node)

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around ``node``, from the inside."""
        found = self._parents.get(node)
        while found is not None:
            yield found
            found = self._parents.get(found)

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The simple statement that ``node`` is in."""
        for around in (node, *self.above(node)):
            if isinstance(around, cst.SimpleStatementLine):
                return around
        return None

    def loops(self, node: cst.CSTNode) -> tuple[Loop, ...]:
        """The loops around ``node``, from the inside."""
        return tuple(n for n in self.above(node) if isinstance(n, cst.For | cst.While))

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function ``node`` is in."""
        return next((n for n in self.above(node) if isinstance(n, cst.FunctionDef)), None)

    def siblings(self, statement: cst.CSTNode) -> tuple[cst.BaseStatement, ...]:
        """The statements of the block that ``statement`` is in, itself included."""
        block = self._parents.get(statement)
        if isinstance(block, cst.IndentedBlock | cst.Module):
            return tuple(block.body)
        return ()

    def siblings_in(self, block: cst.If | Loop) -> tuple[cst.CSTNode, ...]:
        """The statements directly under a compound statement."""
        return tuple(block.body.body)

    # --- what is there ---------------------------------------------------------------------------------

    @cached_property
    def _calls(self) -> tuple[Call, ...]:
        pattern = m.Call(func=m.Attribute(value=m.Name() | m.Attribute(), attr=m.Name()))
        calls = [self._call(node) for node in self.find(pattern)]
        found = [call for call in calls if call is not None]
        return tuple(sorted(found, key=lambda call: self._order(call.node)))

    def _order(self, node: cst.CSTNode) -> tuple[int, int]:
        start: Any = self._positions[node]
        return int(start.start.line), int(start.start.column)

    def _call(self, node: cst.CSTNode) -> Call | None:
        statement = self.statement(node)
        if statement is None or not isinstance(node, cst.Call):
            return None
        func = cst.ensure_type(node.func, cst.Attribute)
        if any(arg.star for arg in node.args):
            return None
        args = tuple(arg.value for arg in node.args if arg.keyword is None)
        return Call(
            node,
            func.attr.value,
            code(func.value),
            args,
            statement,
            _target(statement, node),
            self.function(node),
            self.loops(node),
            self.line(node),
        )

    def calls(self, *names: str) -> list[Call]:
        """Calls of functions or methods with one of ``names``, in the order of the file."""
        return [call for call in self._calls if call.name in names]

    def vectors(self) -> list[Call]:
        """Vector instructions."""
        return [call for call in self._calls if call.operands is not None]

    def find(self, pattern: m.BaseMatcherNode) -> list[Any]:
        """Nodes that match, in the order of the file."""
        nodes = self._by_type.get(type(pattern).__name__, ())
        return sorted((node for node in nodes if m.matches(node, pattern)), key=self._order)

    @cached_property
    def local_names(self) -> frozenset[str]:
        """Variables that hold tensors in UB."""
        direct = {call.target for call in self.calls(*_LOCAL) if call.target}
        slices = {
            name
            for name, value in self.assignments
            if isinstance(value, cst.Subscript) and root(value) in direct
        }
        return frozenset(direct | slices)

    @cached_property
    def assignments(self) -> tuple[tuple[str, cst.BaseExpression], ...]:
        """``name = value`` of the file, in order."""
        pattern = m.Assign(targets=[m.AssignTarget(target=m.Name())])
        return tuple((_name(node), node.value) for node in self.find(pattern))

    @cached_property
    def constants(self) -> Mapping[str, cst.BaseExpression]:
        """``NAME = value`` outside of functions."""
        return {name: value for name, value in self.assignments if self.function(value) is None}

    def value(self, expression: cst.BaseExpression) -> cst.BaseExpression:
        """What a name was given last above its use, or the expression itself."""
        if not isinstance(expression, cst.Name):
            return expression
        here, function = self._order(expression), self.function(expression)
        around = {id(node) for node in self.above(expression)}
        found = [
            value
            for name, value in self.assignments
            if name == expression.value
            and self.function(value) in (None, function)
            and self._order(value) < here
            and id(value) not in around
        ]
        return found[-1] if found else expression

    def is_block_index(self, expression: cst.BaseExpression) -> bool:
        """Whether it is ``asc.get_block_idx()`` or a name for it."""
        return _is_call(self.value(expression), "get_block_idx")

    def depends_on_block(self, expression: cst.CSTNode, depth: int = 8) -> bool:
        """Whether the number of the core is in it, by itself or through the names it uses."""
        if m.findall(expression, m.Attribute(attr=m.Name("get_block_idx"))):
            return True
        for name in m.findall(expression, m.Name()) if depth else ():
            value = self.value(cst.ensure_type(name, cst.Name)) if name in self._positions else name
            if value is not name and self.depends_on_block(value, depth - 1):
                return True
        return False

    def is_size(self, expression: cst.BaseExpression) -> bool:
        """Whether it is ``T.sizeof()`` or a name for it."""
        return _is_call(self.value(expression), "sizeof")

    def is_local(self, expression: cst.BaseExpression) -> bool:
        """Whether it is a tensor in UB."""
        return root(expression) in self.local_names

    @cached_property
    def names(self) -> tuple[cst.Name, ...]:
        """Every use of a name that is read, not written."""
        return tuple(
            node
            for node in self.find(m.Name())
            if not isinstance(self._parents.get(node), cst.AssignTarget | cst.Param | cst.NameItem)
            and not self._is_label(node)
        )

    def _is_label(self, node: cst.Name) -> bool:
        around = self._parents.get(node)
        if isinstance(around, cst.Attribute):
            return around.attr is node
        if isinstance(around, cst.Arg):
            return around.keyword is node
        return isinstance(around, cst.FunctionDef) and around.name is node

    def stores(self) -> list[Call]:
        """Copies from UB to GM."""
        return [
            call
            for call in self.calls("data_copy", "data_copy_pad")
            if len(call.args) > 1
            and self.is_local(call.args[1])
            and not self.is_local(call.args[0])
        ]

    def loads(self) -> list[Call]:
        """Copies from GM to UB."""
        return [
            call
            for call in self.calls("data_copy", "data_copy_pad")
            if len(call.args) > 1
            and self.is_local(call.args[0])
            and not self.is_local(call.args[1])
        ]

    def outputs(self) -> frozenset[str]:
        """GM tensors that are stored to."""
        return frozenset(root(call.args[0]) for call in self.stores())

    # --- rewriting --------------------------------------------------------------------------------------

    def removal(self, statements: Iterable[cst.BaseStatement]) -> dict[cst.CSTNode, Change]:
        """Changes that take ``statements`` away; a blank line before one stays before what follows it."""
        gone = list(statements)
        changes: dict[cst.CSTNode, Change] = dict.fromkeys(gone, _removed)
        for statement in gone:
            follower = self._follower(statement, gone)
            blank = any(line.comment is None for line in _leading(statement))
            if blank and follower is not None and not _leading(follower):
                changes[follower] = after_blank_line
        return changes

    def _follower(
        self, statement: cst.BaseStatement, gone: Sequence[cst.BaseStatement]
    ) -> cst.BaseStatement | None:
        siblings = self.siblings(statement)
        rest = siblings[siblings.index(statement) + 1 :]
        return next((s for s in rest if s not in gone), None)

    def empties(self, statements: Iterable[cst.BaseStatement]) -> bool:
        """Whether a block would be left with nothing in it."""
        gone = list(statements)
        return any(all(s in gone for s in self.siblings(statement)) for statement in gone)

    def rewritten(self, changes: Changes) -> str:
        """The text with ``changes`` made."""
        return self.module.visit(_Rewrite(changes)).code


class _Rewrite(cst.CSTTransformer):
    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self._changes = changes

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        change = self._changes.get(original_node)
        return updated_node if change is None else change(updated_node)


def _removed(_: Any) -> Any:
    return cst.RemoveFromParent()


def after_blank_line(statement: Any) -> Any:
    """The change that puts a blank line before a statement."""
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)])


def _leading(statement: cst.BaseStatement) -> Sequence[cst.EmptyLine]:
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def _is_call(node: cst.CSTNode, name: str) -> bool:
    return m.matches(node, m.Call(func=m.Attribute(attr=m.Name(name)), args=[]))


def _name(assign: cst.Assign) -> str:
    return cst.ensure_type(assign.targets[0].target, cst.Name).value


def _target(statement: cst.SimpleStatementLine, call: cst.CSTNode) -> str:
    first = statement.body[0]
    is_assigned = isinstance(first, cst.Assign) and first.value is call
    if not is_assigned or not isinstance(first, cst.Assign) or len(first.targets) != 1:
        return ""
    target = first.targets[0].target
    return target.value if isinstance(target, cst.Name) else ""


# --- expressions ------------------------------------------------------------------------------------------


def code(node: cst.CSTNode) -> str:
    """The text of a node."""
    return _EMPTY.code_for_node(node)


def expression(text: str) -> cst.BaseExpression:
    """An expression from its text."""
    return cst.parse_expression(text)


def root(node: cst.CSTNode) -> str:
    """``x_local`` of ``x_local[8:].reinterpret_cast(t)``; "" when there is no name at its root."""
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.Subscript | cst.Attribute):
            node = node.value
        elif isinstance(node, cst.Call):
            node = node.func
        else:
            return ""
    return node.value


def factor(node: cst.BaseExpression) -> str:
    """Its text, in parentheses where a product needs them."""
    text = code(node)
    tight = m.matches(node, m.Name() | m.Integer() | m.Attribute() | m.Call() | m.Subscript())
    return text if tight or node_is_parenthesised(node) else f"({text})"


def node_is_parenthesised(node: cst.BaseExpression) -> bool:
    """Whether it carries its own parentheses."""
    return bool(node.lpar)


def instead(new: cst.CSTNode | str) -> Change:
    """The change that puts ``new`` (a node, or the text of an expression) in a node's place."""
    node = expression(new) if isinstance(new, str) else new
    return lambda _: node


def shifted(tensor: cst.BaseExpression, by: int | str) -> cst.BaseExpression | None:
    """``t[by:]`` of ``t``, ``t[i + by:]`` of ``t[i:]``; None for anything else."""
    if isinstance(tensor, cst.Name):
        return expression(f"{tensor.value}[{by}:]")
    start = slice_start(tensor)
    if start is None or not isinstance(tensor, cst.Subscript):
        return None
    return expression(f"{code(tensor.value)}[{code(start)} + {by} :]")


def slice_start(tensor: cst.BaseExpression) -> cst.BaseExpression | None:
    """``i`` of ``t[i:]``."""
    pattern = m.Subscript(
        slice=[m.SubscriptElement(slice=m.Slice(lower=m.SaveMatchedNode(m.DoNotCare(), "lower")))]
    )
    found = m.extract(tensor, pattern)
    lower = found.get("lower") if found else None
    return lower if isinstance(lower, cst.BaseExpression) else None
