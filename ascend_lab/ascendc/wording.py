"""What a compiler says, in the words of Ascend C: types and launches as the source writes them, what was meant, in Chinese."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable
from pathlib import Path

_INCLUDE = Path(__file__).with_name("include")
_CLOSE = 0.75
_MOST_CANDIDATES = 3

#: Names of ours, and what the source calls them.
_NAMES = (
    (re.compile(r"(?:al::)?Float16<(?:al::)?HalfBits, (?:al::)?HalfValue>"), "half"),
    (re.compile(r"(?:al::)?Float16<(?:al::)?Bfloat16Bits, (?:al::)?Bfloat16Value>"), "bfloat16_t"),
    (re.compile(r"(?:typename )?(?:al::)?(?:AsIs|Plain)<((?:[^<>]|<[^<>]*>)*)>::type"), r"\1"),
    (re.compile(r"al::Same<((?:[^<>]|<[^<>]*>)*)>"), r"\1"),
    (re.compile(r"\bal::Element<((?:[^<>]|<[^<>]*>)*)>"), r"\1"),
    (re.compile(r",? ?(?:al::)?Here(?: here)?(?=\))"), ""),
    (re.compile(r"\b(?:AscendC|al)::"), ""),
    (re.compile(r"' \{aka '[^']*'\}"), "'"),
    (re.compile(r" \[-f?permissive\]| \[-W[\w-]+\]"), ""),
    (re.compile(r"(?<=\S) (?=>)"), ""),
    (re.compile(r"\b(?:unsigned char|uint8_t) ?\*"), "GM_ADDR"),
    (re.compile(r"\blong unsigned int\b"), "uint64_t"),
    (re.compile(r"\bunsigned int\b"), "uint32_t"),
)
_LAUNCH = re.compile(
    r"(too few|too many) arguments to function '[^']*LaunchKernel\(.*\[with P = \{(.*)\}\]'"
)
_CLANG_LAUNCH = re.compile(r"no matching function for call to 'LaunchKernel'")
_CANDIDATE = re.compile(r"candidate: '[^(]*?([A-Za-z_~]\w*)(\(.*\))")
_UNKNOWN = re.compile(
    r"'([A-Za-z_]\w*)' was not declared in this scope$|undeclared identifier '(\w+)'$"
)
_NEAR = "; did you mean '{}'?"

_CHINESE = tuple(
    (re.compile(found), said)
    for found, said in (
        (r"\bfatal error: ", "错误："),
        (r"\berror: ", "错误："),
        (r"\bwarning: ", "警告："),
        (r"^( +)possible: ", r"\1可用："),
        (r"; look at the end of line (\d+)", r"（看第 \1 行的末尾）"),
        (r"; did you mean '([^']*)'\?", r"；是否应为 '\1'？"),
        (r"expected '([^']*)' after expression", r"表达式之后缺少 '\1'"),
        (r"expected '([^']*)' before '([^']*)'", r"在 '\2' 之前缺少 '\1'"),
        (r"expected '([^']*)' before (\S.*)", r"在 \2 之前缺少 '\1'"),
        (r"expected '([^']*)' at end of input", r"到文件末尾仍缺少 '\1'"),
        (r"expected '([^']*)'", r"缺少 '\1'"),
        (r"(?:class |struct )?'([^']*)' was not declared in this scope", r"没有声明 '\1'"),
        (r"use of undeclared identifier '([^']*)'", r"没有声明 '\1'"),
        (r"'([^']*)' file not found", r"找不到文件 \1"),
        (r"错误：(.*): No such file or directory", r"错误：找不到文件 \1"),
        (r"no matching function for call to '(.*)'", r"没有能这样调用的函数：\1"),
        (r"no matching member function for call to '(.*)'", r"没有能这样调用的成员函数：\1"),
        (r"conversion from '(.*?)' to non-scalar type '(.*?)' requested", r"不能把 '\1' 变为 '\2'"),
        (
            r"(?:cannot convert|invalid conversion from) '(.*?)' to '(.*?)'",
            r"不能把 '\1' 变为 '\2'",
        ),
        (r"no viable conversion from '(.*?)' to '(.*?)'", r"不能把 '\1' 变为 '\2'"),
        (r"too few arguments: the kernel takes \((.*)\)", r"实参太少：核函数的参数是 (\1)"),
        (r"too many arguments: the kernel takes \((.*)\)", r"实参太多：核函数的参数是 (\1)"),
        (r"too few arguments to function '(.*)'", r"实参太少：\1"),
        (r"too many arguments to function '(.*)'", r"实参太多：\1"),
        (r"'(?:class |struct )?(.*?)' has no member named '(.*?)'", r"'\1' 没有成员 '\2'"),
        (r"no member named '(.*?)' in '(.*?)'", r"'\2' 没有成员 '\1'"),
        (r"unable to find numeric literal operator 'operator\"\"(\w+)'", r"没有数字后缀 \1"),
        (r"invalid suffix '(\w+)' on .*? constant", r"没有数字后缀 \1"),
        (r"ISO C\+\+ forbids declaration of '(.*?)' with no type", r"'\1' 没有写返回类型"),
        (
            r"no match for '(.*?)' \(operand types are '(.*)' and '(.*)'\)",
            r"'\2' 与 '\3' 之间没有 \1",
        ),
        (r"redefinition of '(.*?)'", r"重复定义 '\1'"),
        (r"no return statement in function returning non-void", "有返回类型的函数没有 return"),
        (r"non-void function does not return a value", "有返回类型的函数没有 return"),
        (r"undefined reference to [`']?([^`']*)'?", r"没有定义 \1"),
        (r"unused variable '(.*?)'", r"变量 '\1' 没有用到"),
        (
            r"错误：(.*) in a kernel: a core has neither heap nor host",
            r"错误：核函数里不能用 \1：核上没有堆，也没有主机",
        ),
        (r"no matching literal operator for call to 'operator\"\"(\w+)'.*", r"没有数字后缀 \1"),
        (
            r"(?:a|C\+\+ requires a) type specifier(?: is required)? for all declarations",
            "没有写返回类型",
        ),
        (r"the arguments of the launch do not fit the kernel", "启动时的实参与核函数的参数不符"),
        (r"what is included here does not compile", "这里包含的文件不能编译"),
    )
)


def plain(said: str) -> str:
    """One message with the names of the source; a launch speaks of the kernel's parameters."""
    for found, name in _NAMES[:4]:
        said = found.sub(name, said)
    launch = _LAUNCH.search(said)
    if launch is not None:
        said = f"{said[: launch.start()]}{launch[1]} arguments: the kernel takes ({launch[2]})"
    for found, name in _NAMES:
        said = found.sub(name, said)
    return _CLANG_LAUNCH.sub("the arguments of the launch do not fit the kernel", said)


def candidate(note: str) -> str | None:
    """``note: candidate: 'void Add(...)'`` as the call it allows."""
    found = _CANDIDATE.search(note)
    if found is None:
        return None
    return f"{found[1]}{found[2].partition(' [with')[0]}"


def possible(candidates: Iterable[str]) -> list[str]:
    """Lines for the calls that exist, the shortest first."""
    known = sorted(dict.fromkeys(map(plain, candidates)), key=len)
    return [f"      possible: {one}" for one in known[:_MOST_CANDIDATES]]


def suggested(said: str) -> str:
    """What a name that nobody declares is near to, behind the message; without one, nothing."""
    found = _UNKNOWN.search(said)
    if found is None:
        return ""
    near = difflib.get_close_matches(found[1] or found[2], _known(), 1, _CLOSE)
    return _NEAR.format(near[0]) if near else ""


def chinese(text: str) -> str:
    """Messages in Chinese; the source's lines, and what this does not know, stay as they are."""
    return "\n".join(map(_in_chinese, text.split("\n")))


def _in_chinese(line: str) -> str:
    if re.match(r"\s*\d* \|", line):
        return line
    for found, said in _CHINESE:
        line = found.sub(said, line)
    return line


@functools.lru_cache(maxsize=1)
def _known() -> list[str]:
    """Names that our headers declare."""
    names: set[str] = set()
    for header in sorted(_INCLUDE.rglob("*.h")):
        names |= set(
            re.findall(
                r"\b(?:[A-Z][a-z]\w{2,}|acl[a-z]*[A-Z]\w+|GM_ADDR|EVENT_ID\d|PIPE_\w+)\b",
                header.read_text("utf-8"),
            )
        )
    return sorted(names)
