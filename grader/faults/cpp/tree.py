"""The syntax tree of an Ascend C source: nodes, where they stand, and what is around them.

Qualifiers that are no C++ are blanked before parsing, so every offset is that of the student's file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from grader.faults.cpp.syntax import blanked

#: (first byte, behind the last byte).
Span = tuple[int, int]

_STATEMENTS = ("expression_statement", "declaration", "field_declaration", "return_statement")
_BLOCKS = ("compound_statement", "field_declaration_list", "translation_unit")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cpp.language()))


class Tree:
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

    def _line_start(self, at: int) -> int:
        return self._bytes.rfind(b"\n", 0, at) + 1
