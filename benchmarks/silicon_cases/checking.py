"""Whether a kernel that a file of cases names can be: refused in both languages, with the word and what it may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import ascend_lab.asc as asc
from ascend_lab import chips
from ascend_lab.engine.instruction import DTYPES
from benchmarks.silicon_cases.vocabulary import Model

_MOST_REPEATS = 255
_ORDERS = ("own", "again", "quarters", "same", "rotated")
Said = tuple[str, str, str]  # the word, what is wrong in English, in Chinese


def refuse(case: str, model: Model) -> None:
    """Raise ValueError for the first word of ``model`` that cannot be."""
    for word, english, chinese in _wrong(model):
        raise ValueError(f'{case}: "{word}": {english}\n{case}："{word}" {chinese}')


def figures(case: str, metrics: Any) -> Mapping[str, float]:
    """The measurements of a case. Raises ValueError for one that is no number."""
    found = metrics if isinstance(metrics, dict) else {"metrics": metrics}
    for name, value in found.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise ValueError(
                f'{case}: "{name}": {value!r} is no measurement.\n{case}："{name}" 的值 {value!r} 不是测量值。'
            )
    return found


def _wrong(model: Model) -> Iterator[Said]:
    if model.dtype not in DTYPES or not hasattr(asc, model.dtype):
        yield (
            "dtype",
            f"{model.dtype!r} is no type of an element.",
            f"{model.dtype!r} 不是元素类型。",
        )
        return
    pairs = ("shape",) if model.kind == "elementwise" else ("shape", "tile")
    for word in pairs if model.kind in ("elementwise", "copy", "nd2nz") else ():
        if not _whole(getattr(model, word), 2):
            yield word, "two positive whole numbers.", "应为两个正整数。"
            return
    for word in ("cores", "share", "times"):
        if not _whole((getattr(model, word),), 1):
            yield word, "a positive whole number.", "应为正整数。"
            return
    yield from {"elementwise": _chain, "copy": _copy, "stream": _stream, "nd2nz": _nd2nz}.get(
        model.kind, _nothing
    )(model)


def _nothing(model: Model) -> Iterator[Said]:
    yield from ()


def _whole(values: Any, count: int) -> bool:
    return (
        isinstance(values, tuple)
        and len(values) == count
        and all(isinstance(v, int) and not isinstance(v, bool) and v > 0 for v in values)
    )


def _size(model: Model) -> int:
    return DTYPES[model.dtype].itemsize


def _fits(word: str, needed: int) -> Iterator[Said]:
    have = chips.shared().memory.ub_bytes
    if needed > have:
        yield (
            word,
            f"takes {needed} B of UB, which has {have}.",
            f"要用 UB {needed} B，而 UB 只有 {have} B。",
        )


def _op(name: Any) -> Iterator[Said]:
    if not isinstance(name, str) or not callable(getattr(asc, name, None)) or not name.islower():
        yield "ops", f"there is no instruction {name!r}.", f"没有指令 {name!r}。"


def _chain(model: Model) -> Iterator[Said]:
    rows = model.shape[0]
    if rows // model.share < 1:
        yield "share", f"leaves nothing of {rows} rows.", f"{rows} 行分不成这么多份。"
    if model.buffers not in (1, 2):
        yield "buffers", "1 or 2.", "只能是 1 或 2。"
    if not _whole(model.tile, 1) or model.tile[0] * _size(model) % 32:
        yield "tile", "whole blocks of 32 B.", "应为 32 B 的整数倍。"
        return
    if model.scalar and len(model.inputs) != 2:
        yield "scalar", "adds two inputs.", "需要恰好两个输入。"
    past = model.bypass if isinstance(model.bypass, tuple) else ()
    for name in past:
        if name not in (*model.inputs, "z"):
            yield "bypass", f"{name!r} is no array of the kernel.", f"{name!r} 不是核函数的数组。"
    names = list(model.inputs)
    for op in model.ops:
        yield from _op(op[0] if op else "")
        words = [word for word in op[1:] if isinstance(word, str)]
        for word in words[1:]:
            if word not in names:
                yield (
                    "ops",
                    f"{op}: {word!r} is read before it is written.",
                    f"{op}：{word!r} 还没有写过就被读。",
                )
        if not words or op[1] != words[0]:
            yield "ops", f"{op}: a destination by name comes first.", f"{op}：首先要写出目的名。"
        names += [word for word in words if word not in names]
    if not model.scalar and "z" not in names:
        yield "ops", 'nothing writes "z".', '没有指令写 "z"。'
    names += [] if "z" in names else ["z"]
    each = model.tile[0] * _size(model)
    if model.ub is None:
        yield from _fits("tile", each * len(names) * model.buffers)
        return
    for name in names:
        places = model.ub.get(name, []) if isinstance(model.ub, dict) else []
        if len(places) < model.buffers or any(
            not isinstance(at, int) or at < 0 or at % 32 for at in places
        ):
            yield (
                "ub",
                f"{name!r} needs {model.buffers} addresses on 32 B.",
                f"{name!r} 需要 {model.buffers} 个 32 B 对齐的地址。",
            )
            return
        yield from _fits("ub", max(places) + each)


def _copy(model: Model) -> Iterator[Said]:
    if model.order not in _ORDERS:
        yield "order", f"one of {', '.join(_ORDERS)}.", f"只能是 {', '.join(_ORDERS)} 之一。"
    if model.shape[0] // model.share < model.cores:
        yield (
            "shape",
            f"has no row for each of {model.cores} cores.",
            f"{model.cores} 个核分不到整行。",
        )
    yield from _fits("tile", model.tile[0] * -(-model.tile[1] * _size(model) // 32) * 32)


def _stream(model: Model) -> Iterator[Said]:
    yield from _op(model.op)
    lanes = 256 // _size(model)
    if not _whole((model.count,), 1) or model.count % lanes or model.count // lanes > _MOST_REPEATS:
        yield (
            "count",
            f"1 to {_MOST_REPEATS} repeats of {lanes} elements.",
            f"应为 {lanes} 个元素的 1 到 {_MOST_REPEATS} 倍。",
        )
        return
    places = model.ub if isinstance(model.ub, list | tuple) else ()
    if len(places) not in (2, 3) or any(not isinstance(at, int) or at % 32 for at in places):
        yield (
            "ub",
            "two or three addresses on 32 B, the destination last.",
            "应为两个或三个 32 B 对齐的地址，目的在最后。",
        )
        return
    yield from _fits("ub", max(places) + model.count * _size(model))


def _nd2nz(model: Model) -> Iterator[Said]:
    height, width = model.tile
    columns = model.shape[1] // model.share
    if not _whole(model.split, 2) or model.split[0] * model.split[1] != model.cores:
        yield (
            "split",
            f"its parts are to be {model.cores}, one a core.",
            f"份数之积应等于核数 {model.cores}。",
        )
        return
    if width % 16 or columns % (width * model.split[1]):
        yield "tile", f"{columns} columns are no whole tiles.", f"{columns} 列分不成整块。"
    if not isinstance(model.stride, int) or model.stride < height or height > _MOST_REPEATS:
        yield (
            "stride",
            f"at least the {height} rows of a tile, which are at most {_MOST_REPEATS}.",
            f"不小于 tile 的行数 {height}（最多 {_MOST_REPEATS}）。",
        )
        return
    blocks = width // 16
    nz = (height + (blocks - 1) * model.stride + 1) * 32
    yield from _fits("tile", 2 * (height * width * _size(model) + nz))
