"""Whole programs: what they print, how they end, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc import Build, CompileError, Outcome, build, run
from ascend_lab.ascendc.building import Options, cache
from ascend_lab.ascendc.process import Limits
from ascend_lab.ascendc.telling import told
from ascend_lab.cli import main
from ascend_lab.device import Result
from tests.ascendc.conftest import SOURCES

HELLO = """#include "kernel_operator.h"
#include "acl/acl.h"
__global__ __vector__ void hello() { printf("block %d\\n", (int)AscendC::GetBlockIdx()); }
int main()
{
    aclrtSetDevice(0);
    hello<<<2, nullptr, nullptr>>>();
    aclrtSynchronizeStream(nullptr);
    return 7;
}
"""


def printed(
    built: Build, tmp_path: Path, *args: str, limits: Limits | None = None
) -> tuple[Outcome, str]:
    with (tmp_path / "out").open("wb") as out:
        outcome = run(built, args, folder=tmp_path, stdout=out, limits=limits)
    return outcome, (tmp_path / "out").read_text("utf-8")


def write(tmp_path: Path, text: str) -> Path:
    source = tmp_path / "k.asc"
    source.write_text(text, "utf-8")
    return source


def test_a_program_runs_and_its_kernels_print(tmp_path: Path) -> None:
    outcome, text = printed(build([write(tmp_path, HELLO)]), tmp_path)
    assert text == "block 0\nblock 1\n"
    assert outcome.code == 7
    assert [name for name, _ in outcome.results] == ["hello"]


STAMPS = """#include "kernel_operator.h"
#include "acl/acl.h"
#include "acl/acl_prof.h"
__global__ __vector__ void stamps() { AscendC::PrintTimeStamp(65577); AscendC::PrintTimeStamp(65578); }
int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    uint32_t device = 0;
    int wrong = aclprofInit("profile", 7);
    aclprofConfig* config =
        aclprofCreateConfig(&device, 1, ACL_AICORE_PIPE_UTILIZATION, nullptr, ACL_PROF_ACL_API | ACL_PROF_TASK_TIME);
    wrong += aclprofStart(config);
    aclprofTensor tensor{1, ACL_FORMAT_ND, ACL_FLOAT, 1, {8}};
    aclprofTensorInfo info = {aclprofStr2Id("s"), aclprofStr2Id("S"), 0, 1, 0, 2, nullptr, &tensor};
    aclprofEventAttributes about = {
        ACL_PROF_EVENT_ATTR_VERSION, sizeof(aclprofEventAttributes::message), ACL_PROF_MESSAGE_TYPE_TENSOR_INFO, &info};
    wrong += aclprofRangePushEx(&about);
    stamps<<<1, nullptr, nullptr>>>();
    wrong += aclprofRangePop() + aclrtSynchronizeStream(nullptr) + aclprofStop(config) + aclprofDestroyConfig(config);
    wrong += aclprofFinalize() + (aclprofStart(nullptr) == ACL_SUCCESS);
    aclrtResetDevice(0);
    aclFinalize();
    return wrong;
}
"""


@pytest.mark.parametrize("on", [False, True])
def test_time_stamps_and_the_profiling_interface(on: bool, tmp_path: Path) -> None:
    options = Options(defines=("ASCENDC_TIME_STAMP_ON",) if on else ())
    outcome, text = printed(build([write(tmp_path, STAMPS)], options), tmp_path)
    assert outcome.ok, list(told(outcome, "en"))
    assert [line.split(",")[0] for line in text.splitlines()] == (
        ["descId is 65577", "descId is 65578"] if on else []
    )


def test_the_official_shape_of_an_add_is_right(add: Build, tmp_path: Path) -> None:
    outcome, text = printed(add, tmp_path)
    assert outcome.ok
    assert text == "0 of 9216 wrong\n"


def test_every_order_of_the_pipes_gives_the_same(add: Build, tmp_path: Path) -> None:
    outcome = run(add, folder=tmp_path, device=HostDevice(schedule="adversarial"))
    ((_, result),) = outcome.results
    assert outcome.ok
    assert len(result.variants) == 4


def test_what_was_built_is_kept_outside_of_the_repository(add: Build) -> None:
    again = build(add.sources)
    assert not again.fresh
    assert again.program == add.program
    assert cache() in again.program.parents


#: What a kernel does to itself -> what must be said of it.
KERNEL_ENDS = {
    0: "address 0x8",
    1: "stack overflowed",
    3: "exit(0)",
    4: "std::runtime_error: from the kernel",
    5: "std::bad_alloc",
    6: "abort()",
    7: "by zero",
    10: "the kernel threw int",
}


@pytest.mark.parametrize(("how", "wanted"), KERNEL_ENDS.items())
def test_a_kernel_that_dies_is_a_finding(
    how: int, wanted: str, crash: Build, tmp_path: Path
) -> None:
    outcome, _ = printed(crash, tmp_path, str(how))
    ((_, result),) = outcome.results
    (finding,) = result.findings
    assert finding.id == "X1"
    assert wanted in finding.message("en")
    assert finding.file == "crash.asc"
    assert outcome.code == 3  # the host sees the error of the stream and goes on


def test_instructions_without_end_are_x2(crash: Build, tmp_path: Path) -> None:
    device = HostDevice(limit=20_000)
    outcome = run(crash, ["8"], device=device, folder=tmp_path)
    assert [finding.id for _, result in outcome.results for finding in result.findings] == ["X2"]


#: What host code does to itself -> what must be said of it.
HOST_ENDS = {
    20: "device memory",
    21: "SIGSEGV, it touched memory that is not its own",
    22: "more memory than it may have (std::bad_alloc)",
    23: "is for kernels",
    24: "its stack overflowed",
    25: "an exception that nobody caught: std::runtime_error: from main",
    26: "an exception that nobody caught: int",
}


@pytest.mark.parametrize(("how", "wanted"), HOST_ENDS.items())
def test_a_host_that_dies_is_told(how: int, wanted: str, crash: Build, tmp_path: Path) -> None:
    outcome, _ = printed(crash, tmp_path, str(how))
    assert not outcome.ok
    assert wanted in "\n".join(told(outcome, "en"))


def test_the_command_survives_what_a_program_does(
    crash: Build, capfd: pytest.CaptureFixture[str]
) -> None:
    file = str(SOURCES / "crash.asc")
    for how, wanted in {**KERNEL_ENDS, **HOST_ENDS}.items():
        assert main(["cc", "--lang", "en", file, str(how)]) != 0
        assert wanted in capfd.readouterr().err
    assert main(["cc", "--lang", "en", file, "27"]) == 0  # the host program ends itself


@pytest.mark.nightly
def test_loops_without_end_are_ended(crash: Build, tmp_path: Path) -> None:
    outcome, _ = printed(crash, tmp_path, "2")
    ((_, result),) = outcome.results
    assert "10 s of CPU without an instruction" in result.findings[0].message("en")
    source = write(tmp_path, "int main() { volatile int n = 0; while (true) { n = n + 1; } }\n")
    outcome, _ = printed(build([source]), tmp_path, limits=Limits(cpu_s=2))
    assert "used more CPU time than it may" in "\n".join(told(outcome, "en"))


def test_a_program_that_does_nothing_for_long_is_ended(tmp_path: Path) -> None:
    source = write(tmp_path, "#include <unistd.h>\nint main() { sleep(60); }\n")
    outcome, _ = printed(build([source]), tmp_path, limits=Limits(silence_s=0.5))
    assert outcome.timed_out
    assert "no progress" in "\n".join(told(outcome, "en"))


def test_errors_speak_of_the_students_lines(tmp_path: Path) -> None:
    source = write(tmp_path, HELLO.replace("return 7;", "return nothing;"))
    with pytest.raises(CompileError) as caught:
        build([source])
    assert "k.asc:9: error: " in caught.value.text
    assert "'nothing'" in caught.value.text
    assert str(tmp_path) not in caught.value.text


def test_a_file_of_the_system_does_not_leak(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("the password is swordfish\n", "utf-8")
    source = write(tmp_path, f'#include "{secret}"\nint main() {{}}\n')
    with pytest.raises(CompileError) as caught:
        build([source])
    assert caught.value.text == "k.asc:1: error: what is included here does not compile\n"


def test_the_command_returns_the_programs_code(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["cc", "--lang", "en", str(write(tmp_path, HELLO))]) == 7
    out, err = capfd.readouterr()
    assert out == "block 0\nblock 1\n"
    assert "[hello]" in err
    assert main(["run", str(tmp_path / "k.asc")]) == 7
    assert main(["cc", str(tmp_path / "none.asc")]) == 2


def test_words_of_gm_are_read_through_pointers(tmp_path: Path) -> None:
    outcome, text = printed(build([SOURCES / "raw.asc"]), tmp_path)
    assert text == "1016.5 0\n" * 3 + "1016.5 1016.5\n"
    assert outcome.ok
    ops = [trace_ops(result) for _, result in outcome.results]
    words = [found.count("GetValue") for found in ops]
    assert words[:2] == [6, 6]  # the loop and the macro: word by word
    assert min(words[2:]) >= 5  # fields: as the compiler loads them
    assert ops[3].count("SetValue") == 2


def trace_ops(result: Result) -> list[str]:
    trace = result.trace
    return [trace.ops[op] for op in trace.op]


@pytest.mark.parametrize("defines", [(), ("ASCENDC_CPU_DEBUG=1",)])
def test_the_split_layout_launches_by_header_and_as_the_cpu_twin(
    defines: tuple[str, ...], tmp_path: Path
) -> None:
    sources = [SOURCES / "twin_main.cpp", SOURCES / "twin_kernel.cpp"]
    outcome, text = printed(build(sources, Options(defines=defines)), tmp_path)
    assert (text, outcome.ok) == ("right\n", True)
    assert [name for name, _ in outcome.results] == ["scale_custom"]


def test_half_and_bfloat16_are_numpys(tmp_path: Path) -> None:
    outcome, _ = printed(build([SOURCES / "half.cpp"]), tmp_path)
    assert outcome.code == 0
    data = (tmp_path / "half.bin").read_bytes()
    floats = np.frombuffer(data, np.float32, 65536)
    mine = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float32)
    np.testing.assert_array_equal(floats, mine)
    given = np.arange(0, 1 << 32, 4093, dtype=np.uint64).astype(np.uint32).view(np.float32)
    halves = np.frombuffer(data, np.float16, given.size, floats.nbytes)
    shorts = np.frombuffer(data, ml_dtypes.bfloat16, given.size, floats.nbytes + halves.nbytes)
    with np.errstate(over="ignore", invalid="ignore"):
        np.testing.assert_array_equal(halves, given.astype(np.float16))
        expected = given.astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(shorts.astype(np.float32), expected.astype(np.float32))


def test_no_warning_of_ours_reaches_a_students_build() -> None:
    strict = Options(flags=("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"))
    for name in ("add.asc", "cases.asc"):
        assert build([SOURCES / name], strict).warnings == ""
