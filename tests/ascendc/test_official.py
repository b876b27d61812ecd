"""Official samples, unmodified, verified by their own scripts. They need a checkout of asc-devkit: ASC_DEVKIT_ROOT."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ascend_lab.ascendc import build, run
from ascend_lab.ascendc.building import Options

ROOT = Path(os.environ.get("ASC_DEVKIT_ROOT", "")) / "examples" / "01_simd_cpp_api"
pytestmark = pytest.mark.skipif(
    not os.environ.get("ASC_DEVKIT_ROOT"), reason="ASC_DEVKIT_ROOT names no checkout of asc-devkit"
)

BASIC = "03_basic_api"
VECTOR = f"{BASIC}/01_memory_vector_compute"
#: Sample -> its scenarios, "" for one without.
SAMPLES = {
    "00_introduction/01_add/add": ("",),
    "00_introduction/01_add/add_tpipe_tque": ("",),
    "02_features/02_tiling_selector/vector_tiling_strategy": ("0", "3"),
    f"{VECTOR}/duplicate": ("",),
    f"{VECTOR}/brcb": ("",),
    f"{VECTOR}/compare": ("1", "2", "3"),
    f"{VECTOR}/select": ("1", "2", "3"),
    f"{VECTOR}/reduce_repeat": ("1",),
    f"{VECTOR}/transpose": ("1", "2", "3"),
    f"{BASIC}/00_data_movement/data_copy_gm2ub_slice": ("",),
    f"{BASIC}/00_data_movement/data_copy_pad_gm2ub_ub2gm": ("1", "2"),
    f"{BASIC}/00_data_movement/copy_ub2ub": ("1", "2"),
    f"{BASIC}/05_sync_control/sync_all": ("1", "2"),
    f"{BASIC}/07_tpipe_tque/tpipe_reuse": ("",),
}
CASES = [(sample, scenario) for sample, found in SAMPLES.items() for scenario in found]


def command(work: Path, name: str, scenario: str) -> list[str]:
    """How the sample's README calls one of its scripts; [] when it has none."""
    if not (work / "scripts" / name).exists():
        return []
    text = (work / "README.md").read_text("utf-8")
    found = re.search(rf"python3 \.\./scripts/{name}([^\n#]*)", text)
    assert found is not None
    words = re.sub(r"\$\{?SCENARIO_NUM\}?", scenario, found[1]).split()
    return [sys.executable, f"../scripts/{name}", *words]


def call(words: list[str], folder: Path) -> None:
    if words:
        done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode()[-500:] + done.stderr.decode()[-500:]


@pytest.mark.parametrize(("sample", "scenario"), CASES)
def test_a_sample_passes_its_own_verification(sample: str, scenario: str, tmp_path: Path) -> None:
    work = shutil.copytree(ROOT / sample, tmp_path / "sample")
    folder = work / "build"
    for name in ("input", "output"):
        (folder / name).mkdir(parents=True)
    call(command(work, "gen_data.py", scenario), folder)
    (source,) = work.glob("*.asc")
    built = build([source], Options(defines=(f"SCENARIO_NUM={scenario}",) if scenario else ()))
    with (tmp_path / "printed").open("wb") as printed:
        outcome = run(built, folder=folder, stdout=printed)
    assert outcome.code == 0
    assert not [finding.id for _, r in outcome.results for finding in r.findings]
    call(command(work, "verify_result.py", scenario), folder)
