"""api.toml: what each architecture has, and what is refused in the table."""

from __future__ import annotations

from typing import Any

import pytest

from ascend_lab import chips
from ascend_lab.chips import apis

A2, P310 = chips.load("Ascend910B1").apis, chips.load("Ascend310P3").apis

#: The names of pyasc that the Python door has to offer.
DOOR = """
    data_copy data_copy_pad duplicate add sub mul div max min adds muls maxs mins abs exp ln sqrt
    rsqrt reciprocal relu leaky_relu cast compare compare_scalar select reduce_sum reduce_max
    reduce_min whole_reduce_sum whole_reduce_max whole_reduce_min block_reduce_sum
    block_reduce_max block_reduce_min set_flag wait_flag pipe_barrier sync_all set_atomic_add
    set_atomic_max set_atomic_min set_atomic_none printf get_block_idx get_block_num
    set_vector_mask set_mask_count set_mask_norm reset_mask init_soc_state copy gather_mask
""".split()


def test_every_name_of_the_door_is_there() -> None:
    known = {api.pyasc for api in A2.values()}
    assert [name for name in DOOR if name not in known] == []


def test_names_pages_and_types_are_in_order() -> None:
    for table in (A2, P310):
        assert list(table) == list(A2)
        for name, api in table.items():
            assert api.name == name
            assert api.page.startswith("docs/zh/api/")
            assert api.page.endswith(".md")
            assert set(api.dtypes) <= set(apis.DTYPES)


@pytest.mark.parametrize(
    ("name", "on_a2", "on_310p"),
    [
        ("Add", True, True),
        ("DataCopyPad", True, False),
        ("Copy", True, False),
        ("ShiftLeft", True, False),
        ("SetAtomicAdd", True, True),
        ("SetAtomicMax", True, False),
        ("CrossCoreSetFlag", True, False),
        ("GetSystemCycle", True, False),
        ("printf", True, False),
        ("Scatter", False, True),
    ],
)
def test_support(name: str, on_a2: bool, on_310p: bool) -> None:
    assert (A2[name].supported, P310[name].supported) == (on_a2, on_310p)


def test_types_by_architecture() -> None:
    assert A2["Add"].dtypes == ("int16", "float16", "int32", "float32")
    assert A2["Div"].dtypes == P310["Div"].dtypes == ("float16", "float32")
    assert "bfloat16" in A2["DataCopy"].dtypes
    assert "bfloat16" not in P310["DataCopy"].dtypes
    assert "bfloat16" in P310["Duplicate"].dtypes
    assert P310["SetAtomicAdd"].dtypes == ("int16", "float16", "float32")


def test_cast_pairs() -> None:
    a2, p310 = A2["Cast"].pairs, P310["Cast"].pairs
    assert len(a2) == 25
    assert len(p310) == 14
    assert a2["float16", "float32"] == ("CAST_NONE",)
    assert "CAST_NONE" not in a2["float16", "int32"]
    assert "CAST_ODD" in a2["float32", "float16"]
    assert p310["float32", "float16"] == ("CAST_ODD", "CAST_NONE")
    assert ("float32", "bfloat16") not in p310
    assert {dtype for pair in a2 for dtype in pair} == set(A2["Cast"].dtypes)
    assert {dtype for pair in p310 for dtype in pair} == set(P310["Cast"].dtypes)


def test_modes() -> None:
    assert A2["Compare"].modes == {"int32": ("EQ",)}
    assert P310["Compare"].modes == {}
    assert len(A2["WholeReduceMax"].modes["*"]) == 4
    assert len(P310["WholeReduceMax"].modes["*"]) == 2
    assert P310["SyncAll"].modes["*"] == ("soft",)
    assert A2["Select"].operands["mask"][0] == "uint8"


def table(**row: Any) -> dict[str, Any]:
    api = {"pyasc": "add", "page": "sync/Add.md"} | row
    return {"folders": {"sync": "docs/zh/api/sync"}, "api": {"Add": api}}


def test_a_small_table_reads() -> None:
    api = apis.read(table(dtypes={"2002": "int16"}), "2002")["Add"]
    assert (api.page, api.dtypes, api.supported) == ("docs/zh/api/sync/Add.md", ("int16",), True)
    assert apis.read(table(dtypes={"2002": "int16"}), "2201")["Add"].dtypes == ()


@pytest.mark.parametrize(
    ("data", "key", "near"),
    [
        (table(dtype="int16"), "Add.dtype", "dtypes"),
        (table(dtypes="int16 flaot16"), "Add.dtypes.flaot16", "float16"),
        (table(dtypes=16), "Add.dtypes", ""),
        (table(dtypes={"2201": "int16", "2203": "int16"}), "Add.dtypes.2203", "2201"),
        (table(arch="2201 200"), "Add.arch.200", "2002"),
        (table(page="synk/Add.md"), "Add.page.synk", "sync"),
        (table(pyasc=1), "Add.pyasc", ""),
        (table(pairs={"int16>float16": "NONE RIND"}), "Add.pairs.int16>float16.RIND", "RINT"),
        (table(pairs={"int16-float16": "NONE"}), "Add.pairs", ""),
        (table(pairs={"int16>flot16": "NONE"}), "Add.pairs.int16>flot16.flot16", "float16"),
        (table(operands="dst"), "Add.operands", ""),
        (table(operands={"dst": "half"}), "Add.operands.dst.half", ""),
        ({"api": {}}, "folders", ""),
        ({"folders": {}, "apis": {}}, "apis", "api"),
        ({"folders": {}, "api": {"Add": 1}}, "Add", ""),
        ({"folders": {}, "api": {"Add": {"pyasc": "add"}}}, "Add.page", ""),
    ],
)
def test_a_broken_table_is_refused(data: dict[str, Any], key: str, near: str) -> None:
    with pytest.raises(chips.ChipError) as caught:
        apis.read(data, "2201")
    assert (caught.value.file, caught.value.key) == ("api.toml", key)
    assert not near or near in caught.value.near
