"""What an Ascend C source says: calls, declarations, values of names, tensors and copies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from tree_sitter import Node

from grader.faults.cpp.syntax import Call, Declared, bare, field, plain
from grader.faults.cpp.tree import Tree

#: Methods that give a tensor in UB.
_LOCAL = ("AllocTensor", "DeQue", "Get", "GetWithOffset", "Alloc")
_COPIES = ("DataCopy", "DataCopyPad")


class Content(Tree):
    """A parsed file with what stands in it."""

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

    def own_calls(self) -> list[Call]:
        """Calls of functions that the file defines."""
        heads = (field(node, "declarator") for node in self.all("function_declarator"))
        own = {self.code(head).rpartition("::")[2] for head in heads}
        return [call for call in self._calls if call.name in own and not call.owner]

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
