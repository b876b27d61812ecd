"""``ascend-lab prof`` and ``bottleneck``: what they print, write and return, for both doors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascend_lab.cli import main
from ascend_lab.profile.tables import COLUMNS

SCRIPT = """
import numpy as np
import asc
import asc.lib.runtime as rt

TILE = 256


@asc.jit
def scale(x: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x, n)
    z_gm.set_global_buffer(z, n)
    pipe = asc.TPipe()
    in_x, out_z = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_x, 1, TILE * 4)
    pipe.init_buffer(out_z, 1, TILE * 4)
    for tile in range(asc.get_block_idx(), n // TILE, asc.get_block_num()):
        x_local = in_x.alloc_tensor(x.dtype)
        asc.data_copy(x_local, x_gm[tile * TILE :], TILE)
        in_x.enque(x_local)
        x_local = in_x.deque(x.dtype)
        z_local = out_z.alloc_tensor(x.dtype)
        asc.muls(z_local, x_local, 2.0, TILE)
        out_z.enque(z_local)
        in_x.free_tensor(x_local)
        z_local = out_z.deque(x.dtype)
        asc.data_copy(z_gm[tile * TILE :], z_local, TILE)
        out_z.free_tensor(z_local)


x, z = np.ones(65536, np.float32), np.zeros(65536, np.float32)
scale[2, rt.current_stream()](x, z, LENGTH)
assert (z == 2).all()
print("right")
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "scale.py"
    path.write_text(SCRIPT.replace("LENGTH", "65536"))
    return path


def test_prof_of_a_script(script: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["prof", str(script), "--lang", "en", "--out", str(out), "--baseline", "50"]) == 0
    said = capsys.readouterr().out
    for text in ("right", "PipeUtilization", "queue empty", "cores: 2 of 48", "HAP 0.", "roofline"):
        assert text in said
    assert "K2  " in said
    assert "scale.py:" in said
    assert "{" not in said
    assert {path.name for path in out.iterdir()} == {f"{n}.csv" for n in COLUMNS} | {"trace.json"}
    events = json.loads((out / "trace.json").read_text())["traceEvents"]
    assert {event["ph"] for event in events} >= {"X", "M"}


def test_prof_as_json(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prof", str(script), "--json", "--chip", "Ascend310P3"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["kernel"] == "scale"
    assert said["calibrated"] is False
    assert set(said["tables"]) == set(COLUMNS)


@pytest.mark.nightly
def test_what_is_not_calibrated_says_so(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for lang, mark in (("zh", "未校准"), ("en", "not calibrated")):
        for command in ("prof", "bottleneck"):
            main([command, str(script), "--chip", "Ascend310P3", "--lang", lang])
            assert mark in capsys.readouterr().out


def test_bottleneck_of_a_script(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bottleneck", str(script), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    best = said["changes"][0]
    assert best["time_us"] < said["time_us"]
    assert best["gain"] == pytest.approx(1 - best["time_us"] / said["time_us"])


@pytest.mark.nightly
def test_bottleneck_of_a_program(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ascend_lab.ascendc.building").compiler()
    source = Path(__file__).parents[1] / "ascendc" / "sources" / "add.asc"
    assert main(["bottleneck", str(source), "--lang", "en"]) == 0
    said = capfd.readouterr().out
    assert "bound by:" in said
    assert said.count("wrong") == 1  # the runs that only ask are silent


def test_a_wrong_kernel_is_told_first(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.write_text(script.read_text().replace("[2, rt", "[1, rt").replace("TILE * 4)", "TILE)"))
    for command in ("prof", "bottleneck"):
        assert main([command, str(script), "--lang", "en"]) == 1
        assert "B2" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["absent.py"], 2),
        (["SCRIPT", "--chip", "Nothing"], 2),
        (["SCRIPT", "--launch", "4"], 2),
        (["SCRIPT", "--baseline", "-1"], 2),
        (["EMPTY"], 1),
    ],
)
def test_wrong_usage(
    script: Path, words: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = script.with_name("empty.py")
    empty.write_text("x = 1\n")
    given = [{"SCRIPT": str(script), "EMPTY": str(empty)}.get(word, word) for word in words]
    for lang in ("zh", "en"):
        assert main(["prof", *given, "--lang", lang]) == code
        said = capsys.readouterr().err
        assert said
        assert "Traceback" not in said


HOST = """
import ascend_lab.acl as acl

SIZE = 65536
acl.init()
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
host = np.ones(SIZE, np.float32)
x, _ = acl.rt.malloc(4 * SIZE, 0)
z, _ = acl.rt.malloc(4 * SIZE, 0)
acl.rt.memcpy(x, 4 * SIZE, acl.util.numpy_to_ptr(host), 4 * SIZE, 1)
scale[2, stream](acl.typed(x, np.float32), acl.typed(z, np.float32), SIZE)
acl.rt.synchronize_stream(stream)
acl.rt.free(z)
acl.rt.free(x)
acl.rt.destroy_stream(stream)
acl.rt.reset_device(0)
acl.finalize()
"""


@pytest.fixture
def host_script(tmp_path: Path) -> Path:
    path = tmp_path / "host.py"
    path.write_text(SCRIPT.split("x, z = np.ones", maxsplit=1)[0] + HOST)
    return path


def test_launches_on_streams_of_the_host_runtime(
    host_script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is slow about them, on the chip that was asked for; and their changes are tried."""
    assert main(["prof", str(host_script), "--lang", "en", "--chip", "Ascend910B3"]) == 0
    told = capsys.readouterr().out
    assert "scale · Ascend910B3 · Block Dim 2" in told
    assert "K2  Copies that are too small" in told
    assert main(["bottleneck", str(host_script), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["twice_as_fast"]["latency"] > 0.1
    assert "tile" in [change["change"] for change in found["changes"]]


def test_what_a_host_program_does_wrong_is_told_too(
    host_script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    host_script.write_text(host_script.read_text().replace("acl.rt.free(z)\n", ""))
    assert main(["prof", str(host_script), "--lang", "en"]) == 1
    assert "not freed" in capsys.readouterr().err
