"""The host runtime: one object behind acl/acl.h and behind the pyACL-shaped module."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ascend_lab.acl import fusing, judging, races, waiting
from ascend_lab.acl.arrays import Arrays
from ascend_lab.acl.copies import Copies
from ascend_lab.acl.host_device import HostDevice
from ascend_lab.acl.kernels import Kernels
from ascend_lab.acl.ledger import Spot
from ascend_lab.acl.lifetime import Lifetime
from ascend_lab.acl.memory import Memory
from ascend_lab.acl.place import python_line
from ascend_lab.acl.session import HostMemory, Session
from ascend_lab.acl.streams import Streams
from ascend_lab.checks.finding import Findings
from ascend_lab.device import Result


class Runtime:
    """One host program on one device.

    ``device`` holds the memory and runs kernels; ``host`` is the program's memory (default: NumPy arrays of this
    process); ``place`` says at which line the program calls; ``environment`` has ASCEND_PROCESS_LOG_PATH and
    ASCEND_GLOBAL_LOG_LEVEL; ``folder`` is where the program finds its input files (None: they are not looked at).
    ``strict``: say also that aclInit is missing, which most official samples do without. ``lifetime``, ``memory``,
    ``copies``, ``streams``, ``kernels`` have the calls; each returns a code of acl, or a code and values.
    """

    def __init__(
        self,
        device: HostDevice | None = None,
        host: HostMemory | None = None,
        place: Callable[[], Spot] = python_line,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        strict: bool = False,
    ) -> None:
        self.device = device if device is not None else HostDevice()
        self.arrays = Arrays()
        known = os.environ if environment is None else environment
        self.session = Session(self.device, host or self.arrays, place, known, folder)
        self.session.strict = strict
        self.lifetime = Lifetime(self.session)
        self.memory = Memory(self.session)
        self.copies = Copies(self.session)
        self.streams = Streams(self.session)
        self.kernels = Kernels(self.session)

    @property
    def now_us(self) -> float:
        """The host's time in simulated microseconds."""
        return self.session.timeline.now

    @property
    def findings(self) -> Findings:
        """What is wrong with the host program so far; `close` first when it has ended."""
        races.settle(self.session)
        return Findings(self.session.found)

    @property
    def results(self) -> list[tuple[str, Result]]:
        """Launches that have run, in order of time."""
        return self.kernels.results

    def tasks(self) -> list[tuple[str, int, float, float]]:
        """What the streams have done: (kind, number of the stream, start and end in us), in order of start."""
        done = [t for t in self.session.timeline.history if t.done and t.start >= 0]
        done = [t for t in done if t.kind not in ("record", "wait")]
        done.sort(key=lambda t: (t.start, t.serial))
        return [(t.kind, t.stream.number, t.start, t.end) for t in done]

    def close(self) -> Findings:
        """The program has ended: what its streams still had to do is done, and what it left over is told."""
        self.lifetime.close()
        self.copies.inputs.ended(self.session)
        for block in self.session.ledger.living():
            judging.block_ends(self.session, block)
        if self.device.performance:
            waiting.program_ends(self.session)
            fusing.program_ends(self.session, self.session.ran)
        return self.findings
