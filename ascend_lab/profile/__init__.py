"""What a run cost, why, and what would help. Read from the trace alone; nothing here runs anything."""

from __future__ import annotations

from ascend_lab.profile.advising import Gain
from ascend_lab.profile.bottleneck import Diagnosis, diagnose
from ascend_lab.profile.chrome import chrome_trace, save_chrome_trace
from ascend_lab.profile.counters import BlockCounters, counters
from ascend_lab.profile.experiments import Experiments, Step
from ascend_lab.profile.figures import CoreMetrics, Metrics, metrics
from ascend_lab.profile.hot import HotLine, hot_lines
from ascend_lab.profile.indicators import Indicators, indicators
from ascend_lab.profile.roofline import Roofline, roofline
from ascend_lab.profile.score import hap
from ascend_lab.profile.tables import save_tables, tables

__all__ = [
    "BlockCounters",
    "CoreMetrics",
    "Diagnosis",
    "Experiments",
    "Gain",
    "HotLine",
    "Indicators",
    "Metrics",
    "Roofline",
    "Step",
    "chrome_trace",
    "counters",
    "diagnose",
    "hap",
    "hot_lines",
    "indicators",
    "metrics",
    "roofline",
    "save_chrome_trace",
    "save_tables",
    "tables",
]
