"""What the tests of the C++ door share: compiled sources. Without a compiler they are skipped, and say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascend_lab.ascendc import Build, CppKernel, NoCompiler, build, kernels
from ascend_lab.ascendc.building import compiler

SOURCES = Path(__file__).with_name("sources")


@pytest.fixture(scope="session", autouse=True)
def _compiler() -> None:
    try:
        compiler()
    except NoCompiler as error:
        pytest.skip(error.message("en").splitlines()[0])


@pytest.fixture(scope="session")
def add() -> Build:
    return build([SOURCES / "add.asc"])


@pytest.fixture(scope="session")
def crash() -> Build:
    return build([SOURCES / "crash.asc"])


@pytest.fixture(scope="session")
def cases() -> dict[str, CppKernel]:
    return kernels(SOURCES / "cases.asc")
