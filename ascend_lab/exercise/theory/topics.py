"""Finds, reads and checks the theory items of the exam bank."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ascend_lab.chips.errors import near
from ascend_lab.exercise import schema
from ascend_lab.exercise.bank import Bank, bank
from ascend_lab.exercise.errors import TaskError, unknown
from ascend_lab.exercise.expression import FUNCTIONS, Expression, ExpressionError, names_in
from ascend_lab.exercise.task import Both
from ascend_lab.exercise.theory import drawing, witness
from ascend_lab.exercise.theory.drawing import Drawn
from ascend_lab.exercise.theory.item import Draw, Item, Option, Topic

FOLDER = "theory"
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RESERVED = ("answer", "asc", "np", "Device", "value", "code", *FUNCTIONS)


@dataclass(frozen=True, slots=True)
class Theory:
    """The topics of a bank. An item is known by ``topic/id``: ``memory/copy-rounds``."""

    bank: Bank

    @property
    def folder(self) -> Path:
        """Where the topics are."""
        return self.bank.folder / FOLDER

    def topics(self) -> tuple[str, ...]:
        """Names of all topics, in alphabetical order."""
        return tuple(sorted(path.stem for path in self.folder.glob("*.toml")))

    def topic(self, name: str) -> Topic:
        """The topic ``name``. Raises TaskError when it is unknown or its file is wrong."""
        known = self.topics()
        if name not in known:
            raise TaskError(
                name, "", "there is no such topic.", "没有这个主题。", near(name, known)
            )
        file = f"{name}.toml"
        return read((self.folder / file).read_bytes(), file)

    def ids(self, topic: str | None = None) -> tuple[str, ...]:
        """Ids of all items, or of one topic's, in the order of the files."""
        chosen = self.topics() if topic is None else (topic,)
        return tuple(f"{name}/{item.id}" for name in chosen for item in self.topic(name).items)

    def find(self, id: str) -> Found:
        """The item ``topic/id``. Raises TaskError."""
        name, _, own = id.partition("/")
        topic = self.topic(name)
        for index, item in enumerate(topic.items):
            if item.id == own:
                return Found(topic, item, f"{name}.toml", f"items[{index}]")
        known = [f"{name}/{item.id}" for item in topic.items]
        raise TaskError(id, "", "there is no such item.", "没有这道题。", near(id, known))


@dataclass(frozen=True, slots=True)
class Found:
    """An item and where it stands: ``key`` is its place in ``file``."""

    topic: Topic
    item: Item
    file: str
    key: str

    def draw(self, seed: str | int) -> Drawn:
        """The question that ``seed`` makes of it. Raises TaskError when no draw is allowed."""
        return drawing.draw(self.item, seed, self.file, self.key)

    def cell(self, drawn: Drawn) -> str:
        """The witness cell of a question."""
        return witness.cell(self.topic, self.item, drawn)

    def prove(self, drawn: Drawn) -> None:
        """Run the witness of a question. Raises TaskError when it disagrees with the key."""
        witness.prove(self.topic, self.item, drawn, self.file, self.key)


def theory(folder: Bank | Path | str | None = None) -> Theory:
    """The theory items of a bank, or of the bank in ``folder``; see `open_bank`."""
    return Theory(folder if isinstance(folder, Bank) else bank(folder))


def read(data: bytes, file: str) -> Topic:
    """The topic in the text of a TOML file. Raises TaskError that names ``file`` and the key."""
    topic = schema.convert(schema.parse(data, file), Topic, file)
    if not topic.items:
        raise TaskError(file, "items", "there is no item.", "没有题目。")
    taken = _defined(_python(file, "prelude", topic.prelude))
    seen: set[str] = set()
    for index, item in enumerate(topic.items):
        key = f"items[{index}]"
        if item.id in seen:
            raise TaskError(file, f"{key}.id", f"{item.id!r} occurs twice.", f"{item.id!r} 重复。")
        seen.add(item.id)
        _check(file, key, item)
        for name in drawing.possible(item):
            if name in taken:
                raise TaskError(
                    file, f"{key}.draw", f"{name!r} is in the prelude.", f"{name!r} 在 prelude 中。"
                )
    return topic


# --- what a schema cannot say ----------------------------------------------------------------------


def _check(file: str, key: str, item: Item) -> None:
    if not _IDENTIFIER.fullmatch(item.id):
        raise TaskError(file, f"{key}.id", "must look like tile-count.", "应形如 tile-count。")
    for name, how in item.draw.items():
        _check_draw(file, f"{key}.draw.{name}", name, how)
    known = drawing.possible(item)
    for name in known:
        if not name.isidentifier() or name in _RESERVED:
            where = "draw" if name not in item.derive else "derive"
            raise TaskError(file, f"{key}.{where}", f"{name!r} is no name for a parameter.", f"{name!r} 不能作参数名。")  # fmt: skip
    _check_expressions(file, key, item, known)
    _check_kind(file, key, item)
    for part in ("text", "because", "why", "unit"):
        both = getattr(item, part)
        if both is not None:
            _check_texts(file, f"{key}.{part}", both, known)
    for index, option in enumerate(item.options):
        _check_option(file, f"{key}.options[{index}]", option, known)
    _check_witness(file, key, item)


def _check_draw(file: str, key: str, name: str, how: Draw) -> None:
    if (how.range is None) == (not how.choices):
        raise TaskError(file, key, "takes range or choices.", "应有 range 或 choices 之一。")
    if how.range is not None and (how.range[0] > how.range[1] or how.step < 1):
        raise TaskError(file, key, "the range is empty.", "范围是空的。")
    tables = [choice for choice in how.choices if isinstance(choice, dict)]
    if tables and (len(tables) < len(how.choices) or len({tuple(sorted(t)) for t in tables}) > 1):
        raise TaskError(
            file, key, "all choices set the same names.", "各个 choices 应设置相同的名字。"
        )


def _check_expressions(file: str, key: str, item: Item, known: Iterable[str]) -> None:
    drawn = [name for name in known if name not in item.derive]
    before = list(drawn)
    for name, text in item.derive.items():
        _expression(file, f"{key}.derive.{name}", text, before)
        before.append(name)
    _expression(file, f"{key}.where", item.where, before)
    _expression(file, f"{key}.right", item.right, before)
    for index, option in enumerate(item.options):
        _expression(file, f"{key}.options[{index}].value", option.value, before)
        _expression(file, f"{key}.options[{index}].right", option.right, before)


def _expression(file: str, key: str, text: Expression | None, known: Iterable[str]) -> None:
    if not isinstance(text, str):
        return
    try:
        needed = names_in(text)
    except ExpressionError as error:
        raise TaskError(file, key, f"{error}.", f"算式有误：{error}。") from None
    for name in needed:
        if name not in known:
            raise unknown(file, key, name, known)


def _check_kind(file: str, key: str, item: Item) -> None:
    if item.kind == "true_false":
        if item.options:
            raise TaskError(file, f"{key}.options", "true_false has none.", "true_false 没有选项。")
        for part in ("right", "why"):
            if getattr(item, part) is None:
                raise TaskError(file, f"{key}.{part}", "is missing.", "缺少。")
        return
    if item.right is not None:
        raise TaskError(file, f"{key}.right", "stands with the options.", "应写在各个选项中。")
    if len(item.options) < (3 if item.kind != "compute" else 2):
        raise TaskError(file, f"{key}.options", "there are too few.", "选项太少。")
    names = [option.name for option in item.options]
    if len(set(names)) < len(names):
        raise TaskError(file, f"{key}.options", "a name occurs twice.", "有选项名重复。")
    valued = [option.value is not None for option in item.options]
    if item.kind == "compute" and not all(valued):
        raise TaskError(file, f"{key}.options", "each needs a value.", "每个选项都要有 value。")
    if any(valued) and not all(valued):
        raise TaskError(
            file, f"{key}.options", "all have a value, or none.", "要么都有 value，要么都没有。"
        )


def _check_option(file: str, key: str, option: Option, known: Iterable[str]) -> None:
    names = [*known, "value"] if option.value is not None else list(known)
    _check_texts(file, key, Both(option.zh, option.en), names)
    if option.why is not None:
        _check_texts(file, f"{key}.why", option.why, names)
    elif option.right is not True:
        raise TaskError(file, f"{key}.why", "say what is wrong about it.", "说明这个选项错在哪里。")


def _check_texts(file: str, key: str, both: Both, known: Iterable[str]) -> None:
    names = list(known)
    words = {name.removesuffix(end) for end in ("_zh", "_en") for name in names}
    for lang in drawing.LANGS:
        text = both.text(lang)
        if not text.strip():
            raise TaskError(file, f"{key}.{lang}", "is empty.", "是空的。")
        for name in drawing.placeholders(text):
            if name not in names and name not in words:
                raise unknown(file, f"{key}.{lang}", name, names)
    zh, en = (drawing.placeholders(both.text(lang)) for lang in drawing.LANGS)
    if zh != en:
        only = ", ".join(sorted(set(zh) ^ set(en)))
        raise TaskError(file, key, f"only one language has {only}.", f"只有一种语言写了 {only}。")


def _check_witness(file: str, key: str, item: Item) -> None:
    tree = _python(file, f"{key}.witness", item.witness.replace("{code}", "pass"))
    if not any(
        isinstance(node, ast.Name) and node.id == "answer" and _is_store(node)
        for node in ast.walk(tree)
    ):
        raise TaskError(file, f"{key}.witness", "does not set answer.", "没有给 answer 赋值。")


def _python(file: str, key: str, text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError as error:
        said = f"{error.msg} (line {error.lineno} of it)"
        raise TaskError(file, key, f"not Python: {said}.", f"不是 Python：{said}。") from None


def _defined(tree: ast.Module) -> set[str]:
    """Names that a cell binds at its top level."""
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stored = (node for node in ast.walk(ast.Module(_assignments(tree), [])) if _is_store(node))
    return names | {node.id for node in stored if isinstance(node, ast.Name)}


def _assignments(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]


def _is_store(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
