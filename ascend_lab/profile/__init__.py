"""What a run cost, and the run as a Chrome trace. Read from the trace alone."""

from __future__ import annotations

from ascend_lab.profile.chrome import chrome_trace, save_chrome_trace
from ascend_lab.profile.figures import CoreMetrics, Metrics, metrics

__all__ = ["CoreMetrics", "Metrics", "chrome_trace", "metrics", "save_chrome_trace"]
