"""Running a whole host program, its kernels on the model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from ascend_lab.acl.host_device import HostDevice
from ascend_lab.ascendc.building import Build
from ascend_lab.ascendc.door import CppDoor, core_type, parameters_of
from ascend_lab.ascendc.host import Host
from ascend_lab.ascendc.process import Limits, Process, ProcessDied, Said, signal_name
from ascend_lab.ascendc.records import Bound
from ascend_lab.checks import Findings
from ascend_lab.chips import ChipSpec
from ascend_lab.device import Result
from ascend_lab.engine.errors import LabError, NotModelled
from ascend_lab.engine.instruction import Argument, Ref, Where


@dataclass(slots=True)
class Outcome:
    """How a program ended: exit code (-signal when one killed it), each launch, and what stopped it.

    ``host`` are the findings of the host program; ``error`` is a NotModelled or LabError that ended it; ``said``
    what its process said at its death.
    """

    code: int = 0
    results: list[tuple[str, Result]] = field(default_factory=list)
    error: NotModelled | LabError | None = None
    said: Said | None = None
    timed_out: bool = False
    host: Findings = field(default_factory=Findings)

    @property
    def ok(self) -> bool:
        """Whether it ended with 0, and neither a launch nor the host program has an error."""
        if self.code != 0 or self.error is not None or self.host.errors:
            return False
        return all(result.ok for _, result in self.results)

    @property
    def signal(self) -> str:
        """The signal that killed it, "" for none."""
        return signal_name(self.code)


class _Opened:
    """A launch that the program has made, as `Device.launch` takes a kernel."""

    insert_sync = False
    auto_sync = True

    def __init__(
        self,
        process: Process,
        number: int,
        place: Where,
        described: _Described,
        bound: Bound,
    ) -> None:
        self._bound = bound
        self._process = process
        self._number = number
        self._place = place
        self._described = described
        self.name = described.name
        self.parameters = described.parameters

    def open(
        self, arguments: list[Any], blocks: int, chip: ChipSpec, batch_limit: int = 256
    ) -> CppDoor:
        """The launch's door."""
        given = [value for value in arguments if isinstance(value, Argument)]
        known = self._described
        start = Where(known.file, known.line, known.name) if known.file else self._place
        end = Where(known.file, known.end, known.name) if known.file else self._place
        return CppDoor(self._process, self._number, given, start, end, self._bound)


@dataclass(frozen=True, slots=True)
class _Described:
    name: str
    parameters: tuple[str, ...]
    kinds: tuple[str, ...]
    kind: str = "vector"
    file: str = ""
    line: int = 0
    end: int = 0


class Program:
    """A program on a device. `run` takes it from its first call to its end."""

    def __init__(self, process: Process, device: HostDevice, folder: Path | None = None) -> None:
        self._process = process
        self._device = device
        self._known: dict[str, _Described] = {}
        self.outcome = Outcome()
        self._host = Host(process, device, self, folder)

    def run(self) -> Outcome:
        """Serve its calls until it ends."""
        outcome = self.outcome
        try:
            while True:
                call = self._process.call()
                if call.name == "hello":
                    if not call.values[0]:
                        raise _no_main()
                    self._begin()
                    self._process.reply(1)
                    continue
                self._process.reply(*self._host.call(call.name, call.values))
        except ProcessDied:
            outcome.said = self._process.last_said
            outcome.timed_out = self._process.timed_out
        except (NotModelled, LabError) as error:
            outcome.error = error
            self._process.kill()
        outcome.code = self._process.close()
        if outcome.said is not None and outcome.said.kind == "X":
            self._host.died_at(outcome.said.number)
        ended = outcome.code >= 0 and outcome.error is None
        outcome.host = self._host.end(alive=False) if ended else self._host.runtime.findings
        return outcome

    def _begin(self) -> None:
        self._process.set_chip(self._device.spec)
        for name, text, qualifiers, file, line, end, _ in self._process.kernels():
            parts = parameters_of(text)
            self._known[name] = _Described(
                name,
                tuple(part[0] for part in parts),
                tuple(part[1] for part in parts),
                core_type(qualifiers),
                file,
                line,
                end,
            )

    def _describe(self, name: str, passed: Sequence[tuple[str, int]]) -> _Described:
        plain = re.sub(r"<.*", "", name).split("::")[-1].strip()
        known = self._known.get(plain)
        if known is not None and len(known.parameters) == len(passed):
            return known
        listed = tuple(f"arg{k}" for k in range(len(passed)))
        return _Described(plain, listed, tuple(kind for kind, _ in passed))

    def launch(
        self, number: int, name: str, blocks: int, passed: Sequence[tuple[str, int]], place: Any
    ) -> Result:
        """Run one launch to its end."""
        described = self._describe(name, passed)
        if described.kind != "vector":
            raise NotModelled(described.name, f"__{described.kind}__")
        arguments = [
            self._argument(parameter, kind, bits)
            for parameter, (kind, bits) in zip(described.parameters, passed, strict=True)
        ]
        where = Where(place[0], place[1])
        opened = _Opened(self._process, number, where, described, self._bind)
        result = self._device.launch_in_place(opened, blocks, arguments)
        self.outcome.results.append((described.name, result))
        if result.stdout:
            self._process.say(result.stdout)
        self._process.forget(number)
        return result

    def parameters(self, name: str, count: int) -> tuple[str, ...]:
        """The names of a kernel's ``count`` parameters."""
        return self._describe(name, [("i", 0)] * count).parameters

    def _bind(self, ref: Ref) -> None:
        """A kernel says of what type an allocation is: aclrtMalloc did not."""
        found = self._device.memory.locate(ref.addr)
        if found is not None and found.dtype == "uint8":
            found.dtype = ref.dtype

    def _argument(self, name: str, kind: str, bits: int) -> Any:
        if kind != "p":
            return bits
        found = self._device.memory.locate(bits)
        if found is None:
            return bits
        if bits == found.addr and found.name.startswith("gm"):
            found.name = name
        return Argument(name, bits, found.dtype, found.end - bits)


def _no_main() -> LabError:
    return LabError(
        "源文件里没有 main()：用 ascendc.kernels(文件) 取出核函数，从 Python 启动它。",
        "there is no main() in these sources: take the kernels with ascendc.kernels(file) "
        "and launch them from Python.",
    )


def run(
    built: Build,
    args: Sequence[str] = (),
    *,
    device: HostDevice | None = None,
    folder: Path | None = None,
    limits: Limits | None = None,
    stdout: int | IO[bytes] | None = None,
) -> Outcome:
    """Run a built program in ``folder`` (default: the one of its first source)."""
    where = folder or built.sources[0].parent
    with Process(built.program, args, folder=where, limits=limits, stdout=stdout) as process:
        return Program(process, device or HostDevice(), where).run()
