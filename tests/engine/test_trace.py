"""The trace: columns, tables, one file that is the same in every process."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from ascend_lab.engine.instruction import Pipe, Where
from ascend_lab.engine.trace import COLUMNS, VERSION, Row, Trace, TraceError

OPS = ["DataCopy", "Add"]
SOURCES = [Where("/home/student/kernel.py", 12, "add"), Where("C:\\lab\\kernel.py", 14, "add")]
CAUSES = ["none", "flag"]
META = {"chip": "Ascend910B1", "clock_mhz": 1850, "blocks": 2}


def rows() -> list[tuple[float, ...]]:
    move, compute = int(Pipe.MTE2), int(Pipe.V)
    return [
        (0, 0, 0, move, 0, 1.0, 2.0, 30.5, 0, 512, 512, -1, 0, 0, 1, 0, 512, 0, 4096, 512),
        (1, 0, 0, compute, 1, 3.0, 30.5, 54.0, 1, 1024, 512, 0, 1, 1, 1, 1024, 512, 1, 0, 512),
        (2, 1, 1, move, 0, 1.0, 2.0, 31.0, 0, 512, 512, -1, 0, 0, 1, 0, 512, 0, 4608, 512),
    ]


def sample() -> Trace:
    return Trace.from_rows(rows(), OPS, SOURCES, CAUSES, META)


def test_rows_give_back_what_the_engine_appended() -> None:
    assert list(sample().rows()) == rows()
    assert Row._fields == tuple(COLUMNS)


def test_columns_are_whole_arrays_of_their_type() -> None:
    trace = sample()
    assert trace.serial.tolist() == [0, 1, 2]
    assert trace.start.tolist() == [2.0, 30.5, 2.0]
    assert trace.src_addr.tolist() == [4096, 0, 4608]
    assert {name: getattr(trace, name).dtype.str for name in COLUMNS} == dict(COLUMNS)


def test_names_length_and_repr() -> None:
    trace = sample()
    assert trace.names == ("DataCopy", "Add", "DataCopy")
    assert len(trace) == 3
    assert repr(trace) == "Trace(3 instructions, 54 cycles, Ascend910B1)"


def test_rows_of_one_block_or_pipe() -> None:
    assert [row.serial for row in sample().rows(block=0)] == [0, 1]
    assert [row.serial for row in sample().rows(pipe=Pipe.MTE2)] == [0, 2]
    assert [row.serial for row in sample().rows(block=1, pipe=Pipe.V)] == []
    assert [row.serial for row in sample().rows(core=1)] == [2]


def test_sources_hold_no_path() -> None:
    assert [place.file for place in sample().sources] == ["kernel.py", "kernel.py"]


def test_empty_trace() -> None:
    trace = Trace.from_rows([], [], [], [], {})
    assert len(trace) == 0
    assert list(trace.rows()) == []
    assert repr(trace) == "Trace(0 instructions, 0 cycles, ?)"


def test_a_row_of_the_wrong_length_names_both_lengths() -> None:
    with pytest.raises(TraceError, match="a row has 2 entries, the trace has 20 columns"):
        Trace.from_rows([(0, 1)], OPS, SOURCES, CAUSES, META)


def test_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    trace = sample()
    trace.save(tmp_path / "run.npz")
    again = Trace.load(tmp_path / "run.npz")
    assert list(again.rows()) == rows()
    assert (again.ops, again.sources, again.causes, again.meta) == (
        trace.ops,
        trace.sources,
        trace.causes,
        trace.meta,
    )
    assert again.to_bytes() == trace.to_bytes()
    assert again.digest() == trace.digest()


def test_numpy_reads_the_columns_without_pickle(tmp_path: Path) -> None:
    sample().save(tmp_path / "run.npz")
    with np.load(tmp_path / "run.npz", allow_pickle=False) as columns:
        assert columns["end"].tolist() == [30.5, 54.0, 31.0]


def test_digest_sees_every_column_and_table() -> None:
    trace = sample()
    digests = {trace.digest()}
    for position in range(len(COLUMNS)):
        changed = [list(row) for row in rows()]
        changed[2][position] += 1
        digests.add(
            Trace.from_rows([tuple(r) for r in changed], OPS, SOURCES, CAUSES, META).digest()
        )
    digests.add(Trace.from_rows(rows(), ["DataCopy", "Sub"], SOURCES, CAUSES, META).digest())
    digests.add(Trace.from_rows(rows(), OPS, SOURCES, CAUSES, {**META, "seed": 1}).digest())
    assert len(digests) == len(COLUMNS) + 3


def test_bytes_are_the_same_in_another_process_and_at_another_time() -> None:
    here = Path(__file__)
    code = (
        f"import sys; sys.path[:0] = [{str(here.parent)!r}, {str(here.parents[2])!r}]\n"
        "import time; time.time = lambda: 2e9\n"
        "import test_trace; sys.stdout.buffer.write(test_trace.sample().to_bytes())"
    )
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
        )
        assert run.stderr == b""
        assert run.stdout == sample().to_bytes()


def _rewrite_tables(path: Path, **changes: object) -> None:
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries["tables.json"] = json.dumps(json.loads(entries["tables.json"]) | changes).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)


def test_another_version_is_refused_with_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    sample().save(path)
    _rewrite_tables(path, version=VERSION + 1)
    with pytest.raises(TraceError, match=r"old\.npz is a trace of version 2; .*reads version 1"):
        Trace.load(path)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 cut"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.npz"
    path.write_bytes(content)
    with pytest.raises(TraceError, match=r"x\.npz is not a trace"):
        Trace.load(path)


def test_an_npz_of_something_else_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "y.npz", a=np.zeros(3))
    with pytest.raises(TraceError, match=r"y\.npz is not a trace"):
        Trace.load(tmp_path / "y.npz")


def test_a_pickled_column_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "z.npz"
    sample().save(path)
    with zipfile.ZipFile(path) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    np.save(tmp_path / "o.npy", np.array([{}], dtype=object), allow_pickle=True)
    entries["end.npy"] = (tmp_path / "o.npy").read_bytes()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    with pytest.raises(TraceError, match=r"z\.npz is not a trace"):
        Trace.load(path)
