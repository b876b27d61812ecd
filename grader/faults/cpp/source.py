"""An Ascend C source as the fault classes see it: calls with their place, and text edits at byte ranges.

Qualifiers that are no C++ are blanked before parsing, so every offset is that of the student's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from grader.faults.cpp.syntax import Call, Declared, bare, blanked, field, plain

#: (first byte, behind the last byte).
Span = tuple[int, int]
#: What stands in place of each range; an empty range is a place to put something in.
Edits = dict[Span, str]

_STATEMENTS = ("expression_statement", "declaration", "field_declaration", "return_statement")
_BLOCKS = ("compound_statement", "field_declaration_list", "translation_unit")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
#: Methods that give a tensor in UB.
_LOCAL = ("AllocTensor", "DeQue", "Get", "GetWithOffset", "Alloc")
_COPIES = ("DataCopy", "DataCopyPad")


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cpp.language()))


class CppSource:
    """A parsed file. Raises SyntaxError for text that is no C++."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._bytes = text.encode()
        self._tree = _parser().parse(blanked(text).encode())
        self._by_type: dict[str, list[Node]] = {}
        self._parents: dict[int, Node] = {}  # a tree finds a parent by going down from its root
        self._index(self._tree.root_node)

    def _index(self, node: Node) -> None:
        self._by_type.setdefault(node.type, []).append(node)
        if node.type == "ERROR" or node.is_missing:
            row, column = node.start_point
            line = self.text.splitlines()[row] if self.text else ""
            raise SyntaxError("no valid C++ here", ("", row + 1, column + 1, line))
        for child in node.children:
            self._parents[child.id] = node
            self._index(child)

    # --- places ---------------------------------------------------------------------------------------

    def code(self, node: Node) -> str:
        """The text of a node, as the student wrote it."""
        return self._bytes[node.start_byte : node.end_byte].decode()

    def line(self, place: Node | Span) -> int:
        """The line a node or a range starts in."""
        start = place[0] if isinstance(place, tuple) else place.start_byte
        return self._bytes.count(b"\n", 0, start) + 1

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes around ``node``, from the inside."""
        found = self._parents.get(node.id)
        while found is not None:
            yield found
            found = self._parents.get(found.id)

    def statement(self, node: Node) -> Node | None:
        """The simple statement that ``node`` is in; None for the head of a loop or a condition."""
        for around in (node, *self.above(node)):
            if around.type in _STATEMENTS:
                return around if self._block(around) is not None else None
            if around.type in ("function_definition", "compound_statement"):
                return None
        return None

    def loops(self, node: Node) -> tuple[Node, ...]:
        """The loops around ``node``, from the inside."""
        return tuple(n for n in self.above(node) if n.type in _LOOPS)

    def function(self, node: Node) -> Node | None:
        """The function ``node`` is in."""
        return next((n for n in self.above(node) if n.type == "function_definition"), None)

    def siblings(self, statement: Node) -> tuple[Node, ...]:
        """The statements of the block that ``statement`` is in, itself included."""
        block = self._block(statement)
        if block is None:
            return ()
        return tuple(n for n in block.named_children if n.type != "comment")

    def _block(self, statement: Node) -> Node | None:
        found = self._parents.get(statement.id)
        return found if found is not None and found.type in _BLOCKS else None

    def all(self, kind: str) -> list[Node]:
        """Every node of a type, in the order of the file."""
        return self._by_type.get(kind, [])

    def within(self, node: Node, kind: str) -> list[Node]:
        """The nodes of a type in ``node``, itself included."""
        low, high = node.start_byte, node.end_byte
        return [n for n in self.all(kind) if low <= n.start_byte and n.end_byte <= high]

    # --- what is there ---------------------------------------------------------------------------------

    @cached_property
    def _calls(self) -> tuple[Call, ...]:
        made = (self._call(node) for node in self.all("call_expression"))
        return tuple(call for call in made if call is not None)

    def _call(self, node: Node) -> Call | None:
        function = node.child_by_field_name("function")
        statement = self.statement(node)
        arguments = node.child_by_field_name("arguments")
        if function is None or statement is None or arguments is None:
            return None
        owner = ""
        if function.type == "field_expression":
            owner = plain(self.code(field(function, "argument")))
            function = field(function, "field")
        name, types = self._named(function)
        if not name:
            return None
        return Call(
            node,
            name,
            owner,
            types,
            tuple(n for n in arguments.named_children if n.type != "comment"),
            statement,
            self._target(node),
            self.function(node),
            self.loops(node),
            self.line(node),
        )

    def _named(self, node: Node) -> tuple[str, tuple[Node, ...]]:
        """(last part of a name, its template arguments)."""
        while node.type == "qualified_identifier":
            node = field(node, "name")
        if node.type in ("template_function", "template_method", "template_type"):
            listed = field(node, "arguments").named_children
            return self.code(field(node, "name")), tuple(listed)
        if node.type in ("identifier", "field_identifier", "type_identifier", "primitive_type"):
            return self.code(node), ()
        return "", ()

    def _target(self, call: Node) -> str:
        around = self._parents.get(call.id)
        if around is None:
            return ""
        if around.type == "init_declarator" and around.child_by_field_name("value") == call:
            return self.code(field(around, "declarator"))
        if around.type == "assignment_expression" and around.child_by_field_name("right") == call:
            return plain(self.code(field(around, "left")))
        return ""

    def calls(self, *names: str) -> list[Call]:
        """Calls of functions or methods with one of ``names``, in the order of the file."""
        return [call for call in self._calls if call.name in names]

    def calls_in(self, function: Node | None, *names: str) -> list[Call]:
        """The same, of one function."""
        return [call for call in self.calls(*names) if call.function == function]

    def vectors(self) -> list[Call]:
        """Vector instructions."""
        return [call for call in self._calls if call.operands is not None]

    @cached_property
    def declared(self) -> tuple[Declared, ...]:
        """Every name that is declared outside of parameters, in the order of the file."""
        found = [*self.all("declaration"), *self.all("field_declaration")]
        found.sort(key=lambda node: node.start_byte)
        return tuple(each for node in found for each in self._declared(node))

    def _declared(self, node: Node) -> Iterator[Declared]:
        kind, types = self._named(field(node, "type"))
        for declarator in node.children_by_field_name("declarator"):
            value = node.child_by_field_name("default_value")
            inner = declarator
            if declarator.type == "init_declarator":
                value = declarator.child_by_field_name("value")
                inner = field(declarator, "declarator")
            if inner.type in ("identifier", "field_identifier"):
                where = self.function(node)
                yield Declared(self.code(inner), kind, types, node, inner, value, where)

    def declarations(self, *kinds: str) -> list[Declared]:
        """Names of one of these types, without namespace and template arguments."""
        return [each for each in self.declared if each.kind in kinds]

    @cached_property
    def assigned(self) -> tuple[tuple[str, Node, Node | None], ...]:
        """(name, value, function) of everything that is given a value with ``=``."""
        found = [
            (plain(self.code(field(node, "left"))), field(node, "right"), self.function(node))
            for node in self.all("assignment_expression")
            if self._bytes[field(node, "left").end_byte : field(node, "right").start_byte].strip()
            == b"="
        ]
        found += [(d.name, d.value, d.function) for d in self.declared if d.value is not None]
        return tuple(sorted(found, key=lambda each: each[1].start_byte))

    @cached_property
    def constants(self) -> Mapping[str, Node]:
        """``NAME = value`` outside of functions that is written in the file's own constants."""
        return {
            each.name: each.value
            for each in self.declared
            if each.function is None and each.value is not None and self._is_constant(each.node)
        }

    def _is_constant(self, node: Node) -> bool:
        return any(n.type == "type_qualifier" for n in node.children)

    def parameters_of(self, function: Node | None) -> list[Node]:
        """The parameters of a function."""
        if function is None:
            return []
        declarator = function.child_by_field_name("declarator")
        lists = self.within(declarator, "parameter_list") if declarator is not None else []
        return (
            [n for n in lists[0].named_children if n.type == "parameter_declaration"]
            if lists
            else []
        )

    def value(self, node: Node) -> Node:
        """What a name was given last above its use, in its function or anywhere in the file, or itself."""
        node = bare(node)
        if node.type not in ("identifier", "field_expression"):
            return node
        name, here = plain(self.code(node)), self.function(node)
        own = [v for n, v, f in self.assigned if n == name and f == here and f is not None]
        own = [v for v in own if v.end_byte < node.start_byte]
        if own:
            return bare(own[-1])
        if node.type == "identifier" and name in map(self.parameter_name, self.parameters_of(here)):
            return node
        others = [v for n, v, f in self.assigned if n == name and f != here]
        others += [v for n, v, f in self.assigned if n == name and f is None]
        given = [v for v in others if v.type != "number_literal"] or others
        return bare(given[0]) if given else node

    def parameter_name(self, parameter: Node) -> str:
        """The name of a parameter."""
        declarator = parameter.child_by_field_name("declarator")
        found = self.within(declarator, "identifier") if declarator is not None else []
        return self.code(found[0]) if found else ""

    def is_block_index(self, node: Node) -> bool:
        """Whether it is ``GetBlockIdx()`` or a name for it."""
        return self._is_call(self.value(node), "GetBlockIdx")

    def is_call(self, node: Node, name: str) -> bool:
        """Whether it is a call of a free function."""
        return self._is_call(bare(node), name)

    def _is_call(self, node: Node, name: str) -> bool:
        if node.type != "call_expression":
            return False
        return self._named(field(node, "function"))[0] == name

    def depends_on_block(self, node: Node, depth: int = 8) -> bool:
        """Whether the number of the core is in it, by itself or through the names it uses."""
        if "GetBlockIdx" in self.code(node):
            return True
        names = [*self.within(node, "identifier"), *self.within(node, "field_expression")]
        values = [(name, self.value(name)) for name in names] if depth else []
        return any(v != n and self.depends_on_block(v, depth - 1) for n, v in values)

    def is_size(self, node: Node) -> bool:
        """Whether it is ``sizeof(T)`` or a name for it."""
        return self.value(node).type == "sizeof_expression"

    @cached_property
    def local_names(self) -> frozenset[str]:
        """Names that hold tensors in UB."""
        found = {each.name for each in self.declarations("LocalTensor")}
        found |= {call.target for call in self.calls(*_LOCAL) if call.target}
        for node in self.all("parameter_declaration"):
            if "LocalTensor" in self.code(node):
                found.add(self.parameter_name(node))
        return frozenset(found)

    def is_local(self, node: Node) -> bool:
        """Whether it is a tensor in UB."""
        return self.root(node) in self.local_names

    def root(self, node: Node) -> str:
        """``xLocal`` of ``xLocal[8].ReinterpretCast<T>()``; "" when there is no name at its root."""
        while True:
            node = bare(node)
            if node.type == "subscript_expression":
                node = field(node, "argument")
            elif node.type == "call_expression":
                node = field(node, "function")
            elif node.type == "field_expression" and field(node, "argument").type != "this":
                node = field(node, "argument")
            else:
                named = node.type in ("identifier", "field_expression")
                return plain(self.code(node)) if named else ""

    def element_type(self, tensor: Node) -> str:
        """``half`` of a tensor that was declared as LocalTensor<half>."""
        name = self.root(tensor)
        for each in self.declarations("LocalTensor", "GlobalTensor"):
            if each.name == name and each.types:
                return self.code(each.types[0])
        return ""

    def stores(self) -> list[Call]:
        """Copies from UB to GM."""
        return [call for call in self._copies() if not self.is_local(call.args[0])]

    def loads(self) -> list[Call]:
        """Copies from GM to UB."""
        return [call for call in self._copies() if self.is_local(call.args[0])]

    def _copies(self) -> list[Call]:
        found = [call for call in self.calls(*_COPIES) if len(call.args) > 1 and not call.owner]
        return [c for c in found if self.is_local(c.args[0]) != self.is_local(c.args[1])]

    def outputs(self) -> frozenset[str]:
        """GM tensors that are stored to."""
        return frozenset(self.root(call.args[0]) for call in self.stores())

    def kernels(self) -> list[Node]:
        """The functions that the host launches."""
        return [node for node in self.all("function_definition") if self._is_global(node)]

    def _is_global(self, node: Node) -> bool:
        body = node.child_by_field_name("body")
        end = body.start_byte if body is not None else node.end_byte
        return b"__global__" in self._bytes[self._line_start(node.start_byte) : end]

    def names(self, name: str, function: Node | None = None) -> list[Node]:
        """Every use of a variable, of the whole file or of one function."""
        where = [*self.all("identifier"), *self.all("field_identifier")]
        return [
            node
            for node in sorted(where, key=lambda each: each.start_byte)
            if self.code(node) == name and (function is None or self.function(node) == function)
        ]

    # --- rewriting --------------------------------------------------------------------------------------

    def put(self, node: Node, text: str) -> Edits:
        """The edit that puts ``text`` in a node's place."""
        return {(node.start_byte, node.end_byte): text}

    def indent(self, node: Node) -> str:
        """The blanks in front of the line that ``node`` starts in."""
        start = self._line_start(node.start_byte)
        line = self._bytes[start : node.start_byte].decode()
        return line[: len(line) - len(line.lstrip())]

    def _line_start(self, at: int) -> int:
        return self._bytes.rfind(b"\n", 0, at) + 1

    def before(self, node: Node, text: str) -> Edits:
        """The edit that puts a line in front of a statement."""
        return {(node.start_byte, node.start_byte): f"{text}\n{self.indent(node)}"}

    def after(self, node: Node, text: str) -> Edits:
        """The edit that puts a line behind a statement."""
        return {(node.end_byte, node.end_byte): f"\n{self.indent(node)}{text}"}

    def under(self, statement: Node, condition: str) -> Edits:
        """The edit that puts a statement under ``if (condition)``."""
        pad = self.indent(statement)
        text = f"if ({condition}) {{\n{pad}    {self.code(statement)}\n{pad}}}"
        return self.put(statement, text)

    def removal(self, statements: Iterable[Node]) -> Edits:
        """The edits that take statements away, with their lines."""
        return {self._lines(statement): "" for statement in statements}

    def _lines(self, node: Node) -> Span:
        start, end = self._line_start(node.start_byte), node.end_byte
        behind = self._bytes.find(b"\n", end)
        alone = not self._bytes[start : node.start_byte].strip()
        if alone and behind >= 0 and not self._bytes[end:behind].strip():
            return start, behind + 1
        return node.start_byte, end

    def empties(self, statements: Iterable[Node]) -> bool:
        """Whether a block would be left with nothing in it, or a branch without its statement."""
        gone = list(statements)
        return any(all(s in gone for s in self.siblings(statement)) for statement in gone)

    def rewritten(self, changes: Mapping[Span, str]) -> str:
        """The text with ``changes`` made; an edit inside a range that another one covers is dropped."""
        parts: list[bytes] = []
        at = 0
        for (start, end), text in sorted(changes.items(), key=_reading_order):
            if start < at:
                continue
            parts += [self._bytes[at:start], text.encode()]
            at = end
        made = b"".join([*parts, self._bytes[at:]]).decode()
        return _tidied(made, self.text)


def _reading_order(edit: tuple[Span, str]) -> tuple[int, bool, int]:
    """What is put in comes before what stands there, and a range before those inside it."""
    start, end = edit[0]
    return start, end > start, -end


def _tidied(text: str, before: str) -> str:
    """Without the blank lines that a removal left doubled, or at the start or end of a block."""
    for pattern, new in (
        (r"\n(?:[ \t]*\n){2,}", "\n\n"),
        (r"\{\n\s*\n", "{\n"),
        (r"\n\s*\n(\s*\})", r"\n\1"),
    ):
        if not re.search(pattern, before):
            text = re.sub(pattern, new, text)
    return text
