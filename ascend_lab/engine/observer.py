"""What a check can see of a run. The engine knows nothing of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ascend_lab.engine.core import Core
    from ascend_lab.engine.issued import Issued
    from ascend_lab.engine.run import Run


class Observer:
    """Base of every check. Override the events you need; the others cost nothing.

    See "Events" in docs/architecture.md for when each is called and in which order.
    """

    #: Whether `synced` wants SetFlag and WaitFlag too, the most frequent of all.
    watches_flags = True

    def launched(self, run: Run) -> None: ...

    def wants(self, op: str) -> bool:
        """Whether `issued` is to be called for instructions called ``op``."""
        return True

    def issued(self, core: Core, x: Issued) -> None: ...

    def started(self, core: Core, x: Issued) -> None: ...

    def committed(self, core: Core, x: Issued) -> None: ...

    def synced(self, core: Core, x: Issued) -> None: ...

    def retired(self, core: Core) -> None: ...

    def stuck(self, run: Run, waits: list[Any]) -> None: ...

    def finished(self, run: Run) -> None: ...


class Trap(Exception):
    """Raised by a check in ``issued``: the core stops here, as the chip's would.

    Raised in ``launched`` it refuses the launch, as the host runtime would.
    ``finding`` is what the check has to say; the engine only carries it out of the core.
    """

    def __init__(self, finding: Any) -> None:
        super().__init__(finding)
        self.finding = finding
