"""What every call of the runtime shares: time, the program's line, errors, findings, and the state of contexts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ascend_lab.acl.codes import REASONS, Code
from ascend_lab.acl.host_device import HostDevice, is_device
from ascend_lab.acl.ledger import Context, Ledger, Spot
from ascend_lab.acl.log import Level, Log
from ascend_lab.acl.pace import Pace
from ascend_lab.acl.timeline import Event, Stream, Task, Timeline
from ascend_lab.checks.finding import Finding, Place
from ascend_lab.checks.texts import entry

#: The spot of the lab's own code, which no rule concerns.
OWN = Spot("", -1)
Method = TypeVar("Method", bound=Callable[..., Any])


class HostMemory(Protocol):
    """The memory of the host program."""

    def read_into(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Fill ``view``; False where there is no memory."""
        ...

    def write_from(self, address: int, view: NDArray[np.uint8]) -> bool:
        """Write ``view``; False where there is no memory."""
        ...

    def extent(self, address: int) -> int | None:
        """How many bytes of the array at ``address`` are left there; None where that is not known."""
        ...

    def dtype(self, address: int) -> str:
        """The element type of the array at ``address``, "" where that is not known."""
        ...

    def call(self, function: Any, data: Any) -> None:
        """Call a function of the program."""
        ...


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that returned an error."""

    api: str
    code: Code
    spot: Spot
    reason: str


class Session:
    """One program's use of one device."""

    def __init__(
        self,
        device: HostDevice,
        host: HostMemory,
        place: Callable[[], Spot],
        environment: Mapping[str, str],
        folder: Path | None = None,
    ) -> None:
        self.folder = folder
        self.strict = False
        self.device = device
        self.memory = device.memory
        self.host = host
        self.pace = replace(Pace(), hbm_rate=device.spec.cost.dma.hbm_rate)
        self.timeline = Timeline(device.spec.vector_cores, self.pace.submit_us)
        self.ledger = Ledger()
        self.found: list[Finding] = []
        self.spot = OWN
        self.initialised: Spot | None = None
        self.finalised: Spot | None = None
        self.devices: dict[int, list[Spot]] = {}
        self.contexts: dict[int, Context] = {}
        self.context: Context | None = None
        self.reset: Spot | None = None
        self.streams: dict[int, Stream] = {}
        self.defaults: dict[int, Stream] = {}
        self.events: dict[int, Event] = {}
        self.pinned: dict[int, tuple[int, Spot]] = {}
        self.callbacks = 0
        self.moves: list[Any] = []  # copies, kept when it is asked what is slow: `waiting.Move`
        self.ran: list[Any] = []  # launches likewise: `fusing.Ran`
        self.suspicions: list[tuple[tuple[Task, ...], Callable[[], bool], Callable[[], None]]] = []
        self.last: Failure | None = None
        self.ignored: Failure | None = None
        self.message = ""
        self.own_calls = False
        self._place = place
        self._log = Log(environment)
        self._handles = 0x10000
        self._told_no_device = False
        self._told_ignored = False
        self.blamed: set[int] = set()  # tasks that were freed under, or raced with: told once

    # --- a call -------------------------------------------------------------------------------------

    def enter(self, api: str, context: bool, releases: bool, quiet: bool) -> Code:
        """A call begins: time passes, and what always holds is looked at."""
        self.spot = self._place()
        self.timeline.spend(self.pace.call_us)
        self._write(Level.INFO, api)
        if self.spot == OWN:
            self.own_calls = True
            return Code.SUCCESS
        before = self.ignored
        if before is not None and not releases and not quiet and before.api != api:
            self._say_ignored(before, api)
        if context and self.context is None and not self.own_calls:
            return self._no_context(api, releases)
        return Code.SUCCESS

    def leave(self, api: str, found: Any, gives: int, checked: bool) -> Any:
        """A call ends: with a code, or with a code and values."""
        code = found[0] if isinstance(found, tuple) else found
        if code and checked and self.ignored is None and code != Code.REPEAT_INITIALIZE:
            self.ignored = self.last
        if isinstance(found, tuple):
            return (int(code), *found[1:])
        return (int(code), *(0,) * gives) if gives else int(code)

    def fail(self, api: str, code: Code, reason: str) -> Code:
        """Keep an error for those who ask for it; ``reason`` in English, as the runtime speaks."""
        self.last = Failure(api, code, self.spot, reason)
        number, sentence = REASONS.get(code, ("EE9999", "Inner error."))
        self.message = f"{number}: {sentence} Reason: {reason}"
        self._write(Level.ERROR, f"{api}: {reason}, code {int(code)} ({number})")
        return code

    def on_device(self, address: int) -> bool:
        """Whether an address is the device's. On some systems arrays of the host lie in the same range."""
        return is_device(address) and not self.host.extent(address)

    def line(self) -> Spot:
        """The line at which the program is."""
        return self._place()

    def handle(self) -> int:
        """A number that names an object of the runtime."""
        self._handles += 16
        return self._handles

    def _write(self, level: Level, text: str) -> None:
        self._log.write(level, self.timeline.now, str(self.spot), text)

    # --- findings -------------------------------------------------------------------------------------

    def report(
        self,
        class_id: str,
        numbers: Mapping[str, Any],
        *,
        variant: str = "",
        spot: Spot | None = None,
        related: tuple[tuple[Spot, str], ...] = (),
        severity: str = "",
        time: float | None = None,
    ) -> None:
        """Add a finding at ``spot`` (default: the call's); equal ones are told once."""
        where = self.spot if spot is None else spot
        if where == OWN:
            return
        key = (class_id, variant, where.file, where.line)
        if key in {(f.id, f.variant, f.file, f.line) for f in self.found}:
            return
        kind = severity or entry(class_id).severity
        if kind == "performance" and not self.device.spec.calibrated:
            numbers = {**numbers, "calibrated": False}
        places = tuple(Place(s.file, s.line, role) for s, role in related if s.file)
        self.found.append(
            Finding(
                class_id,
                kind,
                where.file,
                where.line,
                time=self.timeline.now if time is None else time,
                numbers=dict(numbers),
                related=places,
                variant=variant,
            )
        )

    def _say_ignored(self, before: Failure, api: str) -> None:
        self.ignored = None
        if self._told_ignored:
            return
        self._told_ignored = True
        self.report(
            "J10",
            {"api": before.api, "code": int(before.code), "next": api, "at": self.spot.line},
            spot=before.spot,
            related=((self.spot, "goes_on"),),
        )

    def _no_context(self, api: str, releases: bool) -> Code:
        last = self.finalised or self.reset
        if last is not None:
            by = "aclFinalize" if self.finalised else "aclrtResetDevice"
            numbers = {"api": api, "by": by, "at": last.line}
            self.report("J2", numbers, variant="late", related=((last, "ends"),))
        elif not self._told_no_device:  # later calls fail for the same reason
            self._told_no_device = True
            self.report("J1", {"api": api})
        code = Code.RT_DRV_INTERNAL_ERROR if releases else Code.RT_CONTEXT_NULL
        return self.fail(api, code, "ctx is NULL")

    # --- streams by handle -----------------------------------------------------------------------------

    def stream(self, api: str, handle: int) -> Stream | Code:
        """The stream a call names; 0 is the default stream of the context."""
        if handle == 0:
            key = self.context.handle if self.context is not None else 0
            if key not in self.defaults:
                self.defaults[key] = self.timeline.create(0, key, self.spot)
            return self.defaults[key]
        stream = self.streams.get(handle)
        if stream is None or not stream.alive:
            what = "was destroyed" if stream is not None else "does not exist"
            return self.fail(api, Code.RT_PARAM_INVALID, f"the stream {what}")
        if self.context is not None and stream.context != self.context.handle:
            return self.fail(
                api, Code.RT_STREAM_CONTEXT, "the stream is not in the current context"
            )
        return stream


def call(
    api: str,
    *,
    context: bool = True,
    gives: int = 0,
    releases: bool = False,
    quiet: bool = False,
    checked: bool = True,
) -> Callable[[Method], Method]:
    """A method that is a call of the runtime library.

    ``context``: it needs aclrtSetDevice before; ``gives`` values beside the code; ``releases`` and ``quiet`` calls are
    what a program makes when it gives up; ``checked``: the caller gets its code.
    """

    def wrap(method: Method) -> Method:
        @functools.wraps(method)
        def entered(self: Any, *args: Any) -> Any:
            session: Session = self.session
            code = session.enter(api, context, releases, quiet)
            found = code if code else method(self, *args)
            return session.leave(api, found, gives, checked and not releases)

        return entered  # type: ignore[return-value]

    return wrap
