"""What kind of wrong an output is: C5, G5, G11, G12, H12, I6 by their numbers, else where the wrong elements lie.

A check watches bytes and their order; here the right bytes were moved and the wrong numbers computed. Each pattern is
an equation that the whole output fulfils, so that it does not hold by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.checks.texts import Say
from ascend_lab.checks.tolerance import THRESHOLDS

Array = NDArray[Any]
#: Offsets kept in so many elements or bytes begin again.
_WRAPS = (1 << 16, 1 << 15, 1 << 8)
_MOST = 1 << 22  # elements that are looked at


class Output(NamedTuple):
    """One wrong output: what it holds, what it should hold (both of one shape), and where they differ."""

    name: str
    got: Array
    expected: Array
    wrong: NDArray[np.bool_]


class Told(NamedTuple):
    """A class and the numbers of its message."""

    class_id: str
    variant: str
    numbers: dict[str, Any]


def by_values(
    output: Output, inputs: Mapping[str, Array], widths: Sequence[int], blocks: int
) -> Told | None:
    """The class whose equation the output fulfils. ``widths``: elements of the stores, for outputs of one axis."""
    if output.got.size > _MOST:
        return None
    tests: tuple[Callable[[], Told | None], ...] = (
        lambda: _swapped(output),
        lambda: _not_reset(output, widths, blocks),
        lambda: _wrapped(output),
        lambda: _drifts(output),
        lambda: _other_axis(output, inputs),
        lambda: _copied(output, inputs),
    )
    with np.errstate(all="ignore"):
        return next((found for test in tests if (found := test()) is not None), None)


def alike(one: Array, other: Array, like: Array) -> bool:
    """Whether two arrays are the same, as exactly as the type of ``like`` can tell."""
    if not one.size or one.shape != other.shape:
        return False
    t = 10 * THRESHOLDS.get(like.dtype.name, 0.0)
    a, b = one.astype(np.float64), other.astype(np.float64)
    finite = b[np.isfinite(b)]
    scale = float(np.abs(finite).max(initial=0.0)) if finite.size else 0.0
    return bool(np.allclose(a, b, rtol=t, atol=t * scale * 1e-2, equal_nan=True))


def _swapped(o: Output) -> Told | None:
    """I6: minus the result, or one divided by it."""
    expected = o.expected.astype(np.float64)
    if not np.isfinite(expected).all() or not expected.any():
        return None
    if alike(o.got, -expected, o.got):
        return Told("I6", "minus", {"array": o.name})
    if expected.all() and alike(o.got * expected, np.ones_like(expected), o.got):
        return Told("I6", "inverse", {"array": o.name})
    return None


def _rows(shape: tuple[int, ...], size: int, widths: Sequence[int]) -> Iterator[int]:
    """Widths of the rows that an output may have been made in."""
    if len(shape) > 1:
        yield shape[-1]
    yield from (width for width in (*widths, 1) if 0 < width < size and size % width == 0)


def _not_reset(o: Output, widths: Sequence[int], blocks: int) -> Told | None:
    """C5: every row holds what the rows before it and its own make together."""
    kinds: tuple[tuple[Say, Callable[[Array], Array]], ...] = (
        (Say("sum", "和"), lambda rows: np.cumsum(rows, axis=1)),
        (Say("maximum", "最大值"), lambda rows: np.maximum.accumulate(rows, axis=1)),
        (Say("minimum", "最小值"), lambda rows: np.minimum.accumulate(rows, axis=1)),
    )
    if not _far(o):
        return None
    seen: set[int] = set()
    for width in _rows(o.got.shape, o.got.size, widths):
        if width in seen:
            continue
        seen.add(width)
        rows = o.got.size // width
        for cores in dict.fromkeys((1, blocks)):
            if rows % cores or rows // cores < 2:
                continue
            shape = (cores, rows // cores, width)
            got, expected = o.got.reshape(shape), o.expected.astype(np.float64).reshape(shape)
            if o.wrong.reshape(shape)[:, 0].any():
                continue  # the first row has nothing before it
            for what, total in kinds:
                if alike(got, total(expected), o.got):
                    return Told("C5", "", {"array": o.name, "what": what, "rows": rows})
    return None


def _far(o: Output) -> bool:
    """Whether most of what is wrong is far off, not just less exact than it should be."""
    got, expected = o.got[o.wrong].astype(np.float64), o.expected[o.wrong].astype(np.float64)
    apart = np.abs(got - expected) > 0.1 * np.abs(expected)
    return bool(2 * apart.sum() > apart.size)


def _wrapped(o: Output) -> Told | None:
    """G5: from some power of two on the output begins again."""
    flat, expected = o.got.ravel(), o.expected.ravel()
    first = int(np.flatnonzero(o.wrong.ravel())[0])
    itemsize = o.got.itemsize
    for wrap in dict.fromkeys((*_WRAPS, *(wrap // itemsize for wrap in _WRAPS))):
        if wrap != first or np.ptp(expected[:wrap]) == 0:
            continue
        again = np.resize(expected[:wrap], flat.size - wrap)
        if alike(flat[wrap:], again, o.got):
            bits = next(b for b in (8, 15, 16) if wrap in (1 << b, (1 << b) // itemsize))
            return Told("G5", "again", {"array": o.name, "first": wrap, "bits": bits})
    return None


def _drifts(o: Output) -> Told | None:
    """G11: row r is shifted by r times the same number of elements."""
    if o.got.ndim < 2:
        return None
    columns = o.got.shape[-1]
    got, expected = o.got.reshape(-1, columns), o.expected.reshape(-1, columns)
    if len(got) < 2 or columns < 3 or o.wrong.reshape(-1, columns)[0].any():
        return None
    for sign in (1, -1):
        for shift in range(1, columns - 1):
            if _shifted(got, expected, sign * shift, 1, o.got) and (
                len(got) < 3
                or 2 * shift >= columns - 1
                or _shifted(got, expected, sign * shift, 2, o.got)
            ):
                return Told("G11", "", {"array": o.name, "shift": shift, "columns": columns})
    return None


def _shifted(got: Array, expected: Array, shift: int, row: int, like: Array) -> bool:
    """Whether ``row`` holds what it should, ``shift * row`` elements further on."""
    step = abs(shift) * row
    mine, right = got[row], expected[row]
    one, other = (mine[step:], right[: right.size - step])
    if shift < 0:
        one, other = (mine[: mine.size - step], right[step:])
    return one.size > 1 and bool(np.ptp(other)) and alike(one, other, like)


def _other_axis(o: Output, inputs: Mapping[str, Array]) -> Told | None:
    """H12, G12: a vector is applied along the wrong axis."""
    if o.got.ndim < 2:
        return None
    columns = o.got.shape[-1]
    got = o.got.reshape(-1, columns).astype(np.float64)
    expected = o.expected.reshape(-1, columns).astype(np.float64)
    for name, vector in inputs.items():
        if vector.size < max(got.shape) or vector.dtype.kind not in "fiuV":
            continue
        flat = vector.ravel().astype(np.float64)
        down, across = flat[: len(got), None], flat[None, :columns]
        factor, term = np.broadcast_to(across / down, got.shape), across - down
        if vector.size > max(got.shape) * 4 or not np.isfinite(factor).all():
            continue
        numbers = {"array": o.name, "vector": name}
        if alike(got, expected * factor, o.got) or alike(got * factor, expected, o.got):
            return Told("H12", "", numbers)
        if alike(got - expected, np.broadcast_to(term, got.shape), o.got) or alike(
            expected - got, np.broadcast_to(term, got.shape), o.got
        ):
            return Told("G12", "", numbers)
    return None


def _copied(o: Output, inputs: Mapping[str, Array]) -> Told | None:
    """The output is an input, unchanged."""
    for name, array in inputs.items():
        same = array.size == o.got.size and array.dtype == o.got.dtype
        if same and alike(o.got.ravel(), array.ravel(), o.got) and np.ptp(array) > 0:
            return Told("X4", "input", {"array": o.name, "input": name})
    return None


def where(
    output: Output, written: Mapping[int, Sequence[tuple[int, int]]]
) -> tuple[str, dict[str, Any]]:
    """Where the wrong elements lie, as a variant of X4 with its numbers. ``written``: what each block stored, in elements."""
    flat = output.wrong.ravel()
    places = np.flatnonzero(flat)
    first, last, size = int(places[0]), int(places[-1]), flat.size
    if places.size == size:
        return "every", {}
    cores = _cores(flat, written)
    if cores:
        return "cores", {"cores": ", ".join(map(str, cores)), "n": len(cores)}
    if last == size - 1 and places.size == size - first:
        return "tail", {"left": places.size, "from_": first}
    if output.wrong.ndim > 1:
        found = _in_matrix(output.wrong.reshape(-1, output.wrong.shape[-1]))
        if found is not None:
            return found
    step = _period(places, size)
    if step:
        return "period", {"step": step, "of": int((places < first + step).sum())}
    return "", {}


def _cores(flat: NDArray[np.bool_], written: Mapping[int, Sequence[tuple[int, int]]]) -> list[int]:
    """The blocks whose elements are all wrong, when nothing else is."""
    if len(written) < 2:
        return []
    bad, left = [], flat.copy()
    for block, spans in written.items():
        mine = np.concatenate([flat[low:high] for low, high in spans]) if spans else flat[:0]
        if mine.size and mine.all():
            bad.append(block)
            for low, high in spans:
                left[low:high] = False
    return sorted(bad) if bad and len(bad) < len(written) and not left.any() else []


def _in_matrix(wrong: NDArray[np.bool_]) -> tuple[str, dict[str, Any]] | None:
    rows, columns = wrong.any(axis=1), wrong.any(axis=0)
    count, width = wrong.shape
    if wrong[rows].all() and not rows.all():
        which = np.flatnonzero(rows)
        return "rows", {"n": which.size, "rows": count, "from_": int(which[0])}
    right = np.flatnonzero(columns)
    if rows.all() and wrong[:, columns].all() and right[-1] == width - 1 and right.size < width:
        return "columns", {"n": right.size, "columns": width}
    return None


def _period(places: NDArray[np.int64], size: int) -> int:
    """The distance at which the same elements are wrong again and again; 0 for none."""
    first = int(places[0])
    starts = places[np.flatnonzero(np.diff(places, prepend=-2) > 1)]
    if starts.size < 3:
        return 0
    steps = np.unique(np.diff(starts))
    if steps.size != 1:
        return 0
    step = int(steps[0])
    inside = np.unique((places - first) % step)
    whole = int(
        (-(-(size - first - inside) // step)).sum()
    )  # as many places the pattern has up to the end
    return step if whole == places.size else 0
