"""The host libraries pyasc comes with."""

from __future__ import annotations

from ascend_lab.asc.lib import host as host
from ascend_lab.asc.lib import runtime as runtime
