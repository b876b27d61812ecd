"""The launches of a script or a program, on devices of one's own making."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascend_lab import chips
from ascend_lab.asc.registering import register_asc, register_torch
from ascend_lab.asc.runtime import config
from ascend_lab.commands import cc
from ascend_lab.commands.run import execute

if TYPE_CHECKING:
    from ascend_lab.acl.host_device import HostDevice
    from ascend_lab.checks import Finding
    from ascend_lab.device import Device, Result
    from ascend_lab.profile.whatif import Change


@dataclass(slots=True)
class Launches:
    """What ran: (kernel, result) of each launch, and what ended the file if not its own end.

    ``slow``: what the host does right but slowly.
    """

    results: list[tuple[str, Result]] = field(default_factory=list)
    code: int = 0
    errors: list[Any] = field(default_factory=list)
    slow: list[Finding] = field(default_factory=list)

    @classmethod
    def told(
        cls, results: list[tuple[str, Result]], code: int, error: Any, host: Iterable[Finding]
    ) -> Launches:
        """With the findings of the host program sorted."""
        slow = [finding for finding in host if finding.severity == "performance"]
        errors = [finding for finding in host if finding.severity != "performance"]
        return cls(results, code, [*([] if error is None else [error]), *errors], slow)

    def longest(self) -> int:
        """The number of the launch that took most time."""
        times = [result.time_us for _, result in self.results]
        return times.index(max(times))


class Source:
    """A file that launches kernels: a .py script or an Ascend C source with ``main()``.

    Raises LabError or CompileError and NoCompiler when it cannot be made ready.
    """

    def __init__(self, path: Path, args: Sequence[str], chip: str | None) -> None:
        self.path = path
        self.args = list(args)
        self.chip = chip
        self._built: Any = None
        if path.suffix in cc.SUFFIXES:
            from ascend_lab.ascendc.building import build

            self._built = build([path])
            print(self._built.warnings, end="", file=sys.stderr)
        else:
            register_asc()
            register_torch()

    def run(self, aside: bool = False) -> Launches:
        """Run it once, as ``ascend-lab run`` does; findings include what is right but slow.

        ``aside``: what it prints goes to stderr.
        """
        from ascend_lab.acl.host_device import HostDevice
        from ascend_lab.device import Device

        with redirect_stdout(sys.stderr) if aside else nullcontext():
            return self._run(
                lambda chip: Device(chip, performance=True),
                lambda chip: HostDevice(chip, performance=True),
                aside,
            )

    def again(self, change: Change) -> Launches:
        """Run it with one thing changed, in silence."""
        from ascend_lab.tuning import Changed, ChangedHost

        with _silence():
            return self._run(
                lambda chip: Changed(chips.shared(chip), change),
                lambda chip: ChangedHost(chips.shared(chip), change),
                False,
            )

    def _run(
        self, make: Callable[[str], Device], make_host: Callable[[str], HostDevice], aside: bool
    ) -> Launches:
        """``make_host``: the device of a host program, and of a script that uses the host runtime."""
        from ascend_lab.acl.current import making

        chosen = self.chip
        if self._built is not None:
            return self._program(make_host(chosen or chips.DEFAULT), aside)
        with (
            config.making(lambda chip: make(chosen or chip or chips.DEFAULT)),
            config.collecting() as results,
            making(lambda chip: make_host(chosen or chip)) as host,
        ):
            code, spoken = execute(self.path, self.args)
        named = [(str(r.trace.meta.get("kernel", "kernel")), r) for r in results]
        return Launches.told(named, code, spoken, host)

    def _program(self, device: Any, aside: bool) -> Launches:
        from ascend_lab.ascendc.program import run as run_program

        with open(os.devnull, "wb") as nowhere:
            where = (2 if aside else None) if device.checks else nowhere
            outcome = run_program(self._built, self.args, device=device, stdout=where)
        return Launches.told(outcome.results, outcome.code, outcome.error, outcome.host)


@contextmanager
def _silence() -> Iterator[None]:
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        yield
