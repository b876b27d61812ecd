"""Bytes of the C++ runtime -> instructions.

A block of records is what one core's scalar unit did until it had to stop. Records are self-describing
(op, pipe, operands, named parameters; see runtime/record.cpp), so a new API needs nothing here. Equal
records become the same `Instr`: a loop's instructions are decoded once.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from ascend_lab.engine.errors import InternalError, NotModelled
from ascend_lab.engine.instruction import Instr, Ref, Where

#: In the order of `Dtype` in include/ascend_lab/runtime.h.
DTYPES = (
    *("int8", "uint8", "int16", "uint16", "float16", "bfloat16"),
    *("int32", "uint32", "float32", "int64", "uint64", "float64"),
)
SPACES = ("", "GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB")
POSITIONS = (
    *("GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2", "VECIN", "VECOUT", "VECCALC"),
    *("SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL", "MAX"),
)
_HEAD = struct.Struct("<IIHBB")
_REF = struct.Struct("<BBBiQq")
_NAME = struct.Struct("<BH")
_INT = struct.Struct("<q")
_FLOAT = struct.Struct("<d")
_COUNT = struct.Struct("<I")
_WORDS = struct.Struct("<QQ")
_NAMED = struct.Struct("<IIi")
_SIGN = 1 << 63
#: The file of a place that is an address of code (runtime/record.cpp).
CODE = "@"

#: What stands for a variable of the student's line, and for the argument that lies at an address.
Named = Callable[[Where, str, int], str]
Argument = Callable[[int], str]
#: Is told of each GlobalTensor that gets an address: a pointer alone does not say of what type the data are.
Bound = Callable[[Ref], None]


class Tables:
    """Strings and places of one process, as it has defined them."""

    def __init__(self, line_of: Callable[[int], Where | None] | None = None) -> None:
        self._line_of = line_of
        self.strings: list[str] = []
        self.sources: list[Where] = [Where("<kernel>", 0)]  # what has no place of its own

    def define(self, data: bytes) -> None:
        """Take the definitions that came with a block."""
        at = 0
        while at < len(data):
            kind = data[at]
            text, at = _text(data, at + 1)
            if kind == ord("s"):
                self.strings.append(text)
                continue
            function, at = _text(data, at)
            (line,) = struct.unpack_from("<i", data, at)
            at += 4
            self.sources.append(
                self._coded(function, line) if text == CODE else Where(text, line, function)
            )

    def _coded(self, before: str, code: int) -> Where:
        """The place of an address of code: its line, or the place before it."""
        found = self._line_of(code) if self._line_of is not None else None
        if found is None:
            return self.sources[int(before)]
        for known in self.sources:  # as the compiler has named the file to the others
            if known.file.rsplit("/", 1)[-1] == found.file.rsplit("/", 1)[-1]:
                return found._replace(file=known.file)
        return found


def _text(data: bytes, at: int) -> tuple[str, int]:
    (size,) = _COUNT.unpack_from(data, at)
    at += _COUNT.size
    return data[at : at + size].decode("utf-8", "replace"), at + size


class Garbled(Exception):
    """An operand that lies in no memory: its tensor, queue or TPipe is gone. ``site`` is the student's line."""

    def __init__(self, op: str, site: int) -> None:
        super().__init__(op, site)
        self.op = op
        self.site = site


class Decoder:
    """Records of one launch -> instructions. ``named`` and ``argument`` put in what only this side knows."""

    def __init__(
        self, tables: Tables, named: Named, argument: Argument, bound: Bound | None = None
    ) -> None:
        self._bound = bound
        self._tables = tables
        self._named = named
        self._argument = argument
        self._known: dict[bytes, Instr] = {}

    def decode(self, data: bytes) -> list[Instr]:
        """All instructions of a block of records."""
        known, size_at = self._known, _COUNT.unpack_from
        found: list[Instr] = []
        at, end = 0, len(data)
        while at < end:
            (size,) = size_at(data, at)
            key = data[at : at + size]
            instr = known.get(key)
            if instr is None:
                instr = known[key] = self._one(key)
            found.append(instr)
            at += size
        return found

    def _one(self, data: bytes) -> Instr:
        _, site, op, pipe, _ = _HEAD.unpack_from(data)
        dst: Ref | None = None
        srcs: list[Ref] = []
        params: dict[str, Any] = {}
        at, end = _HEAD.size, len(data)
        while at < end:
            kind = data[at]
            if kind in (68, 82):  # D, R
                ref = _ref(data, at + 1, self._tables.strings[op], site)
                at += 1 + _REF.size
                if kind == 68:
                    dst = ref
                else:
                    srcs.append(ref)
            else:
                at = self._parameter(data, at, params)
        name = self._tables.strings[op]
        if name == "BindGlobal" and dst is not None and self._bound is not None:
            self._bound(dst)
        return Instr(name, pipe, dst, tuple(srcs), params, site)

    def _parameter(self, data: bytes, at: int, params: dict[str, Any]) -> int:
        kind = chr(data[at])
        _, number = _NAME.unpack_from(data, at + 1)
        name = self._tables.strings[number]
        at += 4
        value: Any
        if kind == "i":
            (value,) = _INT.unpack_from(data, at)
            at += 8
        elif kind == "f":
            (value,) = _FLOAT.unpack_from(data, at)
            at += 8
        elif kind in "TFn":
            value = {"T": True, "F": False, "n": None}[kind]
        elif kind in "sP":
            (index,) = _COUNT.unpack_from(data, at)
            value = self._tables.strings[index] if kind == "s" else POSITIONS[index]
            at += 4
        elif kind == "x":
            value, at = _text(data, at)
        elif kind == "t":
            (count,) = _COUNT.unpack_from(data, at)
            value = struct.unpack_from(f"<{count}q", data, at + 4)
            at += 4 + 8 * count
        elif kind == "w":
            value = _WORDS.unpack_from(data, at)
            at += 16
            if name == "low high":  # SetMask: two parameters
                params["low"], params["high"] = value
                return at
        elif kind == "N":
            place, what, index = _NAMED.unpack_from(data, at)
            value = self._named(self._tables.sources[place], chr(what), index)
            at += _NAMED.size
        elif kind == "A":
            (address,) = _WORDS.unpack_from(data + bytes(8), at)[:1]
            value = self._argument(address)
            at += 8
        else:
            raise InternalError(f"a record of the C++ door has an item of kind {kind!r}")
        params[name] = value
        return at


def _ref(data: bytes, at: int, op: str, site: int) -> Ref:
    space, dtype, pos, buf, addr, size = _REF.unpack_from(data, at)
    if pos >= len(POSITIONS) or space >= len(SPACES):
        raise Garbled(op, site)
    if dtype >= len(DTYPES):
        raise NotModelled(op, "a tensor of this type")
    place = POSITIONS[pos]
    signed = addr - (1 << 64) if addr & _SIGN else addr
    return Ref(SPACES[space], signed, DTYPES[dtype], size, buf, place)
