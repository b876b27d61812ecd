"""What comes out of a grading: pages, JSON, CSV and the table on the console."""

from __future__ import annotations

from grader.reports.console import table
from grader.reports.files import write_csv, write_json
from grader.reports.html import write_pages

__all__ = ["table", "write_csv", "write_json", "write_pages"]
