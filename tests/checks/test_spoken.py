"""Findings of C++ kernels name APIs as Ascend C does; every text of the catalogue is covered."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ascend_lab import checks
from ascend_lab.checks import Finding
from ascend_lab.checks.spoken import CALLED, in_cpp
from ascend_lab.checks.texts import LANGUAGES, PARTS

_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_SNAKE = re.compile(r"(?<![\w.])[a-z]+(?:_[a-z0-9]+)+(?!\w)")
#: Words with underscores that are no API of a kernel.
NO_API: set[str] = set()


def texts() -> list[str]:
    return [
        entry.text(part, lang, variant)
        for entry in checks.catalogue().values()
        for variant in ("", *entry.variants)
        for part in PARTS
        for lang in LANGUAGES
    ]


@pytest.mark.parametrize(
    ("python", "cpp"),
    [
        ("set_flag(MTE2_V, id)", "SetFlag<HardEvent::MTE2_V>(id)"),
        (
            "use set_flag/wait_flag({pipe1}_S, id).",
            "use SetFlag/WaitFlag<HardEvent::{pipe1}_S>(id).",
        ),
        ("加 wait_flag(S_{pipe}, id)。", "加 WaitFlag<HardEvent::S_{pipe}>(id)。"),
        ("set_flag and wait_flag of {pipe}", "SetFlag and WaitFlag of {pipe}"),
        ("pipe_barrier(PIPE_{pipe})", "PipeBarrier<PIPE_{pipe}>()"),
        ("Add get_block_idx() * {length}", "Add GetBlockIdx() * {length}"),
        ("meet at asc.sync_all()", "meet at SyncAll()"),
        ("asc.RoundMode.CAST_RINT", "RoundMode::CAST_RINT"),
        ("{queue}.enque(tensor), deque()", "{queue}.EnQue(tensor), DeQue()"),
        ("enqueued at {flag_line}", "enqueued at {flag_line}"),
    ],
)
def test_names_become_those_of_ascend_c(python: str, cpp: str) -> None:
    assert in_cpp(python) == cpp


def test_no_text_keeps_a_name_of_the_python_door() -> None:
    for text in texts():
        bare = _PLACEHOLDER.sub("", text)
        unknown = {name for name in _SNAKE.findall(bare) if name not in (*CALLED, *NO_API)}
        assert not unknown, f"spoken.CALLED lacks {unknown}: {text}"
        spoken = _PLACEHOLDER.sub("", in_cpp(text))
        assert not re.search(r"\basc\.", spoken), spoken
        assert not [name for name in CALLED if re.search(rf"(?<!\w){name}(?!\w)", spoken)], spoken
        assert sorted(_PLACEHOLDER.findall(in_cpp(text))) == sorted(_PLACEHOLDER.findall(text))


def test_a_finding_speaks_as_its_file_does() -> None:
    numbers = {"array": "x", "length": 8, "op": "DataCopy", "first": 0, "last": 7, "blocks": 2}
    python = Finding("E1", "error", "add.py", 3, numbers=numbers)
    cpp = replace(python, file="add.asc")
    assert "get_block_idx() * 8" in python.part("next", "en")
    assert "GetBlockIdx() * 8" in cpp.part("next", "en")
    assert "GetBlockIdx() * 8" in replace(cpp, file="In[3]").part("next", "zh")
    freed = Finding("F7", "error", "k.cpp", 1, numbers={"call": "free_tensor(...)"})
    assert freed._values()["call"] == "FreeTensor(...)"
