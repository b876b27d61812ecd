"""From the tables of an author's TOML file to structs; what does not fit is named with key and remedy."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from ascend_lab.chips.errors import near
from ascend_lab.exercise.errors import TaskError

T = TypeVar("T")

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>[^`]*)`")
_MISSING = re.compile(r"Object missing required field `(?P<name>[^`]*)`")
_BAD_CHOICE = re.compile(r"Invalid enum value (?P<value>.*)")
_OF_TYPE = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<got>[^`]*)`")
_IN_RANGE = re.compile(r"Expected `(?P<wanted>[^`]*)` (?P<bound>[<>]=? \S+)")
_OF_LENGTH = re.compile(r"Expected `array` of length (?P<wanted>\d+), got (?P<got>\d+)")
_STEP = re.compile(r"\.(?P<key>[\w-]+)|\[(?P<item>[^\]]*)\]")

#: msgspec's words for what TOML has.
_WORDS = {
    "zh": {
        "array": "数组",
        "bool": "true 或 false",
        "float": "数",
        "int": "整数",
        "object": "表",
        "str": "字符串",
    },
    "en": {
        "array": "an array",
        "bool": "true or false",
        "float": "a number",
        "int": "an integer",
        "object": "a table",
        "str": "a string",
    },
}


def parse(data: bytes, file: str) -> dict[str, Any]:
    """The tables of a TOML file. Raises TaskError."""
    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TaskError(file, "", f"not TOML: {error}", f"不是 TOML：{error}") from None


def convert(raw: Any, kind: type[T], file: str) -> T:
    """``raw`` as a ``kind``. Raises TaskError that names the key, what is allowed, and near names."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise _schema_error(file, kind, str(error)) from None


def _schema_error(file: str, root: type[Any], message: str) -> TaskError:
    text, _, place = message.partition(" - at ")
    path = place.strip("`") or "$"
    if found := _UNKNOWN.fullmatch(text):
        return _unknown_key(file, root, path, found["name"])
    if found := _MISSING.fullmatch(text):
        key = _key(f"{path}.{found['name']}")
        return TaskError(file, key, "is missing.", "缺少这个键。")
    if found := _BAD_CHOICE.fullmatch(text):
        return _bad_choice(file, root, path, found["value"])
    return TaskError(file, _key(path), *_said(text))


def _unknown_key(file: str, root: type[Any], path: str, name: str) -> TaskError:
    known = [field.encode_name for kind in _structs_at(root, path) for field in _fields(kind)]
    names = ", ".join(known)
    return TaskError(
        file,
        _key(f"{path}.{name}"),
        f"no such key. Allowed: {names}.",
        f"没有这个键。可用的键：{names}。",
        near(name, known),
    )


def _bad_choice(file: str, root: type[Any], path: str, value: str) -> TaskError:
    allowed = [str(choice) for kind in _types_at(root, path) for choice in _literals(kind)]
    names = ", ".join(allowed)
    return TaskError(
        file,
        _key(path),
        f"{value} is not allowed. Allowed: {names}.",
        f"不能是 {value}。可用的值：{names}。",
        near(value.strip("'"), allowed),
    )


def _said(text: str) -> tuple[str, str]:
    """What msgspec says of a value, in English and Chinese."""
    if found := _OF_LENGTH.fullmatch(text):
        wanted, got = found["wanted"], found["got"]
        return f"must have {wanted} entries, has {got}.", f"应有 {wanted} 项，现有 {got} 项。"
    if found := _OF_TYPE.fullmatch(text):
        wanted, got = found["wanted"], found["got"]
        return (
            f"must be {_word(wanted, 'en')}, is {_word(got, 'en')}.",
            f"应为{_word(wanted, 'zh')}，现为{_word(got, 'zh')}。",
        )
    if found := _IN_RANGE.fullmatch(text):
        return f"must be {found['bound']}.", f"必须 {found['bound']}。"
    return f"{text}.", f"与格式不符：{text}。"


def _word(kinds: str, lang: str) -> str:
    joint = " 或 " if lang == "zh" else " or "
    words = dict.fromkeys(_WORDS[lang].get(kind, kind) for kind in kinds.split(" | "))
    return joint.join(words)


def _key(path: str) -> str:
    return path.removeprefix("$").removeprefix(".")


# --- types along a path ----------------------------------------------------------------------------


def _fields(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _structs_at(root: type[Any], path: str) -> list[Any]:
    """The structs that a msgspec path such as ``$.cases[0]`` leads to."""
    return [kind for kind in _types_at(root, path) if _is_struct(kind)]


def _types_at(root: type[Any], path: str) -> list[Any]:
    here = [root]
    for step in _STEP.finditer(path):
        key = step["key"]
        here = [
            inner
            for kind in here
            for inner in (_items(kind) if key is None else _values(kind, key))
        ]
    return here


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _values(kind: Any, key: str) -> Iterator[Any]:
    """What stands behind ``key`` of a struct."""
    if _is_struct(kind):
        for field in _fields(kind):
            if field.encode_name == key:
                yield from _alternatives(field.type)


def _items(kind: Any) -> Iterator[Any]:
    """What the items of an array or the values of a dict are."""
    if get_origin(kind) in (tuple, list, dict):
        for argument in get_args(kind):
            yield from _alternatives(argument)


def _alternatives(kind: Any) -> Iterator[Any]:
    if get_origin(kind) is Annotated:
        yield from _alternatives(get_args(kind)[0])
    elif get_origin(kind) in (Union, UnionType):
        for argument in get_args(kind):
            yield from _alternatives(argument)
    elif kind not in (NoneType, Ellipsis):
        yield kind


def _literals(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) is Literal else ()
