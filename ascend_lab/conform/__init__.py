"""Conformance: samples of others, unmodified, driven and verified as their own documents say."""

from __future__ import annotations

from ascend_lab.conform.ladder import Entry, discover, read
from ascend_lab.conform.report import summary, table
from ascend_lab.conform.runner import conform
from ascend_lab.conform.verdict import Verdict

__all__ = ["Entry", "Verdict", "conform", "discover", "read", "summary", "table"]
