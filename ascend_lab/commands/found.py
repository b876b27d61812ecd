"""What the launches of a run found, as a table: which test, which class, which line, how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from typing import Any, NamedTuple

from ascend_lab.asc.runtime import config

_TITLES = {
    "zh": "发现（核函数已运行完，结果已取回）",
    "en": "findings (the kernels ran to their end and their outputs were copied back)",
}
_COLUMNS = {"zh": ("测试", "编号", "位置", "次数"), "en": ("test", "id", "line", "count")}


class Row(NamedTuple):
    """One class of findings at one line in one test."""

    test: str
    id: str
    line: str


class Table:
    """How often each class was found at each line of each test."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._counts: Counter[Row] = Counter()

    def add(self, test: str, results: Iterable[Any]) -> None:
        """Count the findings of the launches of ``test``."""
        for result in results:
            for finding in result.findings:
                place = f"{finding.file}:{finding.line}" if finding.file else "-"
                self._counts[Row(test, finding.id, place)] += finding.count

    def lines(self) -> list[str]:
        """The table, a heading first; empty when nothing was found."""
        if not self._counts:
            return []
        cells = [_COLUMNS[self.lang]]
        cells += [(*row, str(count)) for row, count in self._counts.items()]
        widths = [max(len(line[k]) for line in cells) for k in range(len(cells[0]) - 1)]
        padded = [
            [text.ljust(width) for text, width in zip(line[:-1], widths, strict=True)]
            for line in cells
        ]
        body = ["  ".join((*left, line[-1])) for left, line in zip(padded, cells, strict=True)]
        return [_TITLES[self.lang], *body]


def plugin(pytest: Any, table: Table) -> Any:
    """A plug-in of ``pytest`` that puts what every test's launches found into ``table`` and shows it."""

    class Findings:
        @pytest.hookimpl(wrapper=True)  # type: ignore[untyped-decorator, unused-ignore]
        def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
            with config.collecting() as results:
                outcome = yield
            table.add(item.nodeid, results)
            return outcome

        def pytest_terminal_summary(self, terminalreporter: Any) -> None:
            for line in table.lines():
                terminalreporter.write_line(line)

    return Findings()
