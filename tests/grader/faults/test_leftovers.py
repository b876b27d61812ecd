"""A mutant is not given away by what the rewriting left behind: names that nobody uses any more, odd blank lines."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from tree_sitter import Node

from ascend_lab.exercise import open_bank
from grader.faults import CLASSES, Reference, reference
from grader.faults.cpp.source import CppSource
from grader.faults.cpp.syntax import field, is_cpp, plain
from grader.faults.injecting import mutants
from grader.faults.references import ascendc_references, references

#: (function, name).
Name = tuple[str, str]
#: Where the fault is that the only line that uses a name is not there, and the name is the task's or the pipe:
#: no buffer in the UB, a tensor that was never bound, a value that was never written.
OF_THE_FAULT = {"C2": None, "C3": {"pipe"}, "F10": {"pipe"}, "C1": {"value"}}
_HEADS = ("init_declarator", "parameter_declaration", "pointer_declarator", "reference_declarator")


def idle(text: str) -> set[Name]:
    """Names that are given a value, or declared, and never read: by function."""
    return set(_idle_cpp(CppSource(text)) if is_cpp(text) else _idle_python(ast.parse(text)))


def _idle_python(tree: ast.Module) -> Iterator[Name]:
    def names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
        found = (n for n in ast.walk(node) if isinstance(n, ast.Name))
        return {name.id for name in found if isinstance(name.ctx, context)}

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            given = names(node, ast.Store) | {argument.arg for argument in node.args.args}
            yield from ((node.name, name) for name in given - names(node, ast.Load))
            given = {node.name}
        else:
            given = names(node, ast.Store)
        yield from (("", name) for name in given - names(tree, ast.Load))


def _idle_cpp(source: CppSource) -> Iterator[Name]:
    declared = [(each.name, each.function) for each in source.declared]
    for function in source.all("function_definition"):
        for parameter in source.parameters_of(function):
            declared.append((source.parameter_name(parameter), function))
    for name, function in declared:
        if name and not any(_reads(source, node) for node in source.names(name, function)):
            head = source.code(field(function, "declarator")) if function is not None else ""
            yield head.partition("(")[0], name


def _reads(source: CppSource, node: Node) -> bool:
    """Whether a use of a name is neither its declaration nor the left side of ``=``."""
    around = next(source.above(node), None)
    if around is not None and around.type == "field_expression":
        if plain(source.code(around)) != source.code(node):
            return True
        node, around = around, next(source.above(around), None)
    if around is None:
        return True
    if around.type == "assignment_expression":
        return around.child_by_field_name("left") != node
    if around.type in ("declaration", "field_declaration"):
        return around.child_by_field_name("default_value") == node
    return around.type not in _HEADS or around.child_by_field_name("declarator") != node


def blanks(text: str) -> Counter[str]:
    """Blank lines where nobody writes one."""
    odd = {"start": r"\A\n", "two": r"\n\n\n\n", "opened": r"[:{]\n\n", "closing": r"\n\n\s*\}"}
    return Counter({name: len(re.findall(pattern, text)) for name, pattern in odd.items()})


def comments(text: str) -> Counter[str]:
    return Counter(re.findall(r"(?m)//.*$|/\*.*$" if is_cpp(text) else r"(?m)(?:^|\s)#.*$", text))


def given_away(
    each: Reference, classes: Iterable[str] = CLASSES
) -> list[tuple[str, int, set[Name]]]:
    """Mutants that show more than their fault."""
    before = idle(each.source)
    found = []
    for class_id in classes:
        allowed = OF_THE_FAULT.get(class_id, set())
        for mutant in mutants(each.source, class_id):
            new = idle(mutant.source) - before
            left = {one for one in new if allowed is not None and one[1] not in allowed}
            odd = blanks(mutant.source) - blanks(each.source)
            if left or odd or comments(mutant.source) - comments(each.source):
                found.append((class_id, mutant.line, left))
    return found


@pytest.mark.parametrize("name", ["exam/gelu", "exam/gather-rows.asc"])
def test_nothing_is_left_of_what_was_there(name: str) -> None:
    assert given_away(reference(name), ("A2", "A3", "B3")) == []


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("language", ["python", "ascendc"])
def test_nothing_is_left_in_any_mutant(language: str) -> None:
    bank = open_bank()
    if language == "python":
        chosen = [*references(bank), *(reference(id, bank) for id in bank.ids("exam"))]
    else:
        beside = (bank.folder / "kernels/exam").glob("*.asc")
        ids = {bank.load(id).kernel: id for id in bank.ids("exam")}
        chosen = [*ascendc_references(bank), *(reference(f"{ids[p.stem]}.asc") for p in beside)]
    assert {each.name: found for each in chosen if (found := given_away(each))} == {}


def test_what_is_left_is_seen() -> None:
    """The check itself: a name that only the line which went away has used."""
    right = reference("exam/gelu").source
    gone = right.replace("move, pad)", "count)")
    assert {name for _, name in idle(gone) - idle(right)} == {"move", "pad"}
    cpp = reference("exam/gather-rows.asc").source
    assert {n for _, n in idle(cpp.replace("local, move)", "local, count)")) - idle(cpp)} == set()
    gone = cpp.replace("local, move)", "local, count)").replace("start], move, pad)", "start], 1)")
    assert {name for _, name in idle(gone) - idle(cpp)} == {"move", "pad"}
