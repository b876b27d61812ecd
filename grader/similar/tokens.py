"""A source as tokens that renaming and layout do not change. Names of the API stay, all others are one."""

from __future__ import annotations

import io
import keyword
import token
import tokenize
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import tree_sitter
import tree_sitter_cpp

_NAME, _NUMBER, _TEXT = "name", "0", '""'
_LAYOUT = {
    token.COMMENT, token.NL, token.NEWLINE, token.INDENT, token.DEDENT, token.ENCODING,
    token.ENDMARKER,
}  # fmt: skip


class Token(NamedTuple):
    """``text`` after normalisation, and the line it stands in, from 1 on."""

    text: str
    line: int


def tokens(text: str, is_cpp: bool) -> list[Token]:
    """The tokens of a source; of one that does not parse, those that can be told apart."""
    return list(_cpp(text) if is_cpp else _python(text))


def _python(text: str) -> Iterator[Token]:
    before = ""
    try:
        for each in tokenize.generate_tokens(io.StringIO(text).readline):
            if each.type not in _LAYOUT:
                yield Token(_python_text(each, before), each.start[0])
                before = each.string
    except (tokenize.TokenError, SyntaxError):
        return  # what comes behind cannot be told apart


def _python_text(each: tokenize.TokenInfo, before: str) -> str:
    if each.type == token.NAME and not keyword.iskeyword(each.string):
        return each.string.lower() if before == "." else _NAME
    if each.type == token.NUMBER:
        return _NUMBER
    return _TEXT if each.type == token.STRING else each.string


@cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def _cpp(text: str) -> Iterator[Token]:
    tree = _parser().parse(text.encode("utf-8", "replace"))
    stack = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.type == "comment":
            continue
        if node.children and node.type not in ("string_literal", "char_literal"):
            stack.extend(reversed(node.children))
            continue
        said = _cpp_text(node)
        if said.strip():
            yield Token(said, node.start_point[0] + 1)


def _cpp_text(node: tree_sitter.Node) -> str:
    text = (node.text or b"").decode("utf-8", "replace")
    if node.type.endswith("identifier"):
        return text if text[:1].isupper() and _is_called(node) else _NAME
    if node.type == "number_literal":
        return _NUMBER
    return _TEXT if node.type in ("string_literal", "char_literal") else text


def _is_called(node: tree_sitter.Node) -> bool:
    """Whether the name is that of a function: DataCopy(...), queue.EnQue(...), AllocTensor<half>()."""
    parent = node.parent
    while parent is not None and parent.type in (
        "template_function", "template_method", "field_expression", "qualified_identifier",
    ):  # fmt: skip
        parent = parent.parent
    return parent is not None and parent.type == "call_expression"
