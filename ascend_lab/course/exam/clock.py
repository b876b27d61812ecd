"""The two clocks of a computer: the one that people set, and the one that only runs."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Clock:
    """Wall and running time, and which start of the computer the latter counts from."""

    def wall(self) -> int:
        """Seconds since 1970, as the computer's clock says."""
        return int(time.time())

    def running(self) -> float:
        """Seconds that nobody can set; sleep counts where the system offers that."""
        boottime = getattr(time, "CLOCK_BOOTTIME", None)
        seconds = time.monotonic() if boottime is None else time.clock_gettime(boottime)
        return round(seconds, 1)

    def boot(self) -> str:
        """Tells starts of the computer apart; "" where the system does not say."""
        try:
            return hashlib.sha256(_BOOT.read_bytes()).hexdigest()[:8]
        except OSError:
            return ""
