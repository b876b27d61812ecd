"""Host programs in C++: our headers with a plain compiler, and what the programs print."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ascend_lab.ascendc import NoCompiler, build, run
from ascend_lab.ascendc.building import INCLUDE, compiler
from ascend_lab.checks import Findings
from tests.acl.table import FILES


@pytest.fixture(scope="module", autouse=True)
def cxx() -> str:
    try:
        return str(compiler())
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])


def ran(name: str, tmp_path: Path) -> tuple[str, Findings]:
    with (tmp_path / "out").open("wb") as out:
        outcome = run(build([FILES / name]), folder=tmp_path, stdout=out)
    assert outcome.code == 0
    return (tmp_path / "out").read_text("utf-8"), outcome.host


@pytest.mark.parametrize("name", ["round_trip.cpp", "callbacks.cpp"])
def test_a_plain_compiler_takes_our_headers_without_a_warning(
    name: str, cxx: str, tmp_path: Path
) -> None:
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{INCLUDE}", "-c"]
    words = [*cxx.split(), *flags, str(FILES / name), "-o", str(tmp_path / "made.o")]
    done = subprocess.run(words, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_the_round_trip_program(tmp_path: Path) -> None:
    text, findings = ran("round_trip.cpp", tmp_path)
    assert text == "hostPtr[0] = 1\nmemset by 1: 0x01010101\n"
    assert findings.all == ()


def test_callbacks_events_and_errors(tmp_path: Path) -> None:
    text, findings = ran("callbacks.cpp", tmp_path)
    assert text.splitlines() == [
        "queued",
        "complete: 0",
        "copied",
        "1.061 ms",
        "26 MB taken",
        "107000",
        "EE1001: The argument is invalid. Reason: count 16 is larger than destMax 8",
    ]
    assert [(f.id, f.variant) for f in findings.all] == [("J4", "most")]
