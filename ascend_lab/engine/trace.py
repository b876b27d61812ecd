"""What happened in a run: one row per executed instruction, in columns.

The engine appends plain tuples while it runs and calls :meth:`Trace.from_rows` once. Everything shown,
measured or graded is read from here. The same run gives the same bytes in every process.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ascend_lab.engine.details import TABLES, Details, Table
from ascend_lab.engine.instruction import Where
from ascend_lab.engine.shown import shown

FORMAT = "ascend_lab.trace"
VERSION = 1

#: Memories by the number that stands in ``dst_space`` and ``src_space``; -1 is "no operand".
SPACES: tuple[str, ...] = ("GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB")
SPACE_IDS: Mapping[str, int] = {name: number for number, name in enumerate(SPACES)}

#: Column -> type on disk. The order is the order of a row.
COLUMNS: Mapping[str, str] = {
    "serial": "<i4",
    "block": "<i4",
    "core": "<i4",
    "pipe": "<i4",
    "op": "<i4",
    "issue": "<f8",
    "start": "<f8",
    "end": "<f8",
    "where": "<i4",
    "read_bytes": "<i8",
    "write_bytes": "<i8",
    "cause": "<i4",
    "cause_kind": "<i4",
    "auto": "<i4",
    "dst_space": "<i4",
    "dst_addr": "<i8",
    "dst_len": "<i8",
    "src_space": "<i4",
    "src_addr": "<i8",
    "src_len": "<i8",
}
_CODES = {"<i4": "i", "<i8": "q", "<f8": "d"}
_TABLES = "tables.json"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip can hold: no clock in the bytes

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


class TraceError(ValueError):
    """A file that is not a trace, or a trace that this version cannot read."""


class Row(NamedTuple):
    """One executed instruction. Times in cycles; lengths in bytes; ids are table indices."""

    serial: int
    block: int
    core: int
    pipe: int
    op: int
    issue: float
    start: float
    end: float
    where: int
    read_bytes: int
    write_bytes: int
    cause: int
    cause_kind: int
    auto: int
    dst_space: int
    dst_addr: int
    dst_len: int
    src_space: int
    src_addr: int
    src_len: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trace:
    """The columns, each a NumPy array of one entry per executed instruction, and their tables.

    ``issue``, ``start``, ``end`` are cycles (float64). ``op``, ``where`` and ``cause_kind`` index ``ops``,
    ``sources`` and ``causes``. ``cause`` is the serial of the instruction waited for, -1 for none.
    ``*_space`` index :data:`SPACES`; ``*_addr`` and ``*_len`` are bytes of the first operands.
    ``meta`` holds chip, clock, schedule, seed, blocks, versions as plain JSON values. ``details`` has what
    only views need, and is built when first asked for: operands, flags, queue markers, buffers, what never ended.
    """

    serial: Ints
    block: Ints
    core: Ints
    pipe: Ints
    op: Ints
    issue: Floats
    start: Floats
    end: Floats
    where: Ints
    read_bytes: Ints
    write_bytes: Ints
    cause: Ints
    cause_kind: Ints
    auto: Ints
    dst_space: Ints
    dst_addr: Ints
    dst_len: Ints
    src_space: Ints
    src_addr: Ints
    src_len: Ints
    ops: tuple[str, ...]
    sources: tuple[Where, ...]
    causes: tuple[str, ...]
    meta: dict[str, Any]
    make_details: Callable[[], Details] = Details

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[Any, ...]],
        ops: Iterable[str],
        sources: Iterable[Where],
        causes: Iterable[str],
        meta: Mapping[str, Any],
        details: Callable[[], Details] = Details,
    ) -> Trace:
        """Build a trace of tuples in the order of :data:`COLUMNS` (ints, and floats for the times)."""
        if rows and len(rows[0]) != len(COLUMNS):
            raise TraceError(
                f"a row has {len(rows[0])} entries, the trace has {len(COLUMNS)} columns"
            )
        # Packing row by row is twice as fast as one conversion per column.
        pack = struct.Struct("<" + "".join(_CODES[kind] for kind in COLUMNS.values())).pack
        table = np.frombuffer(b"".join([pack(*row) for row in rows]), np.dtype([*COLUMNS.items()]))
        arrays = {name: np.ascontiguousarray(table[name]) for name in COLUMNS}
        places = (Where(shown(w[0]), w[1], w[2]) for w in sources)
        return cls(
            **arrays,
            ops=tuple(ops),
            sources=tuple(places),
            causes=tuple(causes),
            meta=dict(meta),
            make_details=functools.cache(details),
        )

    def __len__(self) -> int:
        return len(self.serial)

    def __repr__(self) -> str:
        span = float(self.end.max()) if len(self) else 0.0
        return f"Trace({len(self)} instructions, {span:.10g} cycles, {self.meta.get('chip', '?')})"

    @property
    def details(self) -> Details:
        """Operands, flags, queue markers, buffers, arrays, and the instructions that never ended."""
        return self.make_details()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each row's instruction."""
        return tuple(self.ops[op] for op in self.op.tolist())

    def rows(
        self, block: int | None = None, pipe: int | None = None, core: int | None = None
    ) -> Iterator[Row]:
        """The rows in trace order; only of one block, pipe or core when given."""
        keep = np.ones(len(self), dtype=bool)
        for column, wanted in ((self.block, block), (self.pipe, pipe), (self.core, core)):
            if wanted is not None:
                keep &= column == wanted
        columns = [getattr(self, name)[keep].tolist() for name in COLUMNS]
        return map(Row._make, zip(*columns, strict=True))

    def to_bytes(self) -> bytes:
        """The trace as an ``.npz`` file. Equal traces give equal bytes, whenever and wherever."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            for name, content in self._entries():
                entry = zipfile.ZipInfo(name, _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.create_system = 3
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
        return out.getvalue()

    def digest(self) -> str:
        """SHA-256 (hex) of the content, whatever the compression."""
        sha = hashlib.sha256()
        for name, content in self._entries():
            sha.update(f"{name}\0{len(content)}\0".encode())
            sha.update(content)
        return sha.hexdigest()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write :meth:`to_bytes` to ``path``; np.load opens it too."""
        Path(path).write_bytes(self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Trace:
        """Read a trace. Raises :class:`TraceError` for another kind of file or another version."""
        name = Path(path).name
        try:
            with zipfile.ZipFile(path) as archive:
                tables = json.loads(archive.read(_TABLES))
                _check_version(tables, name)
                arrays = {column: _read_column(archive, column) for column in COLUMNS}
                details = _read_details(archive, tables)
        except TraceError:
            raise
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, ValueError) as error:
            raise TraceError(f"{name} is not a trace of Ascend Lab ({error})") from error
        return cls(
            **arrays,
            ops=tuple(tables["ops"]),
            sources=tuple(Where(*place) for place in tables["sources"]),
            causes=tuple(tables["causes"]),
            meta=tables["meta"],
            make_details=lambda: details,
        )

    def _entries(self) -> Iterator[tuple[str, bytes]]:
        tables = {
            "format": FORMAT,
            "version": VERSION,
            "ops": self.ops,
            "sources": self.sources,
            "causes": self.causes,
            "meta": self.meta,
            **self.details.lists,
        }
        yield _TABLES, json.dumps(tables, sort_keys=True, ensure_ascii=True).encode()
        for column, kind in COLUMNS.items():
            yield f"{column}.npy", _npy(np.ascontiguousarray(getattr(self, column), dtype=kind))
        for name, table in self.details.columns.items():
            if len(table):
                yield f"{name}.npy", _npy(table)


def _npy(values: NDArray[Any]) -> bytes:
    npy = io.BytesIO()
    np.lib.format.write_array(npy, values, version=(1, 0), allow_pickle=False)
    return npy.getvalue()


def _check_version(tables: Any, name: str) -> None:
    if not isinstance(tables, dict) or tables.get("format") != FORMAT:
        raise TraceError(f"{name} is not a trace of Ascend Lab")
    found = tables.get("version")
    if found != VERSION:
        raise TraceError(
            f"{name} is a trace of version {found}; this Ascend Lab reads version {VERSION}: "
            "run the kernel again to record a new trace"
        )


def _read_column(archive: zipfile.ZipFile, column: str) -> NDArray[Any]:
    return _read_array(archive, column, np.dtype(COLUMNS[column]))


def _read_array(archive: zipfile.ZipFile, name: str, kind: np.dtype[Any]) -> NDArray[Any]:
    npy = io.BytesIO(archive.read(f"{name}.npy"))
    values: NDArray[Any] = np.lib.format.read_array(npy, allow_pickle=False)
    if values.dtype != kind or values.ndim != 1:
        raise TraceError(f"column {name}: {values.dtype}, expected {kind}")
    return values


def _read_details(archive: zipfile.ZipFile, tables: Mapping[str, Any]) -> Details:
    """The further tables; a file from before there were any has none."""
    names = set(archive.namelist())
    columns: dict[str, Table] = {
        name: _read_array(archive, name, kind)
        for name, kind in TABLES.items()
        if f"{name}.npy" in names
    }
    return Details.read(columns, dict(tables))
