"""What a view function returns: shown as SVG or HTML in a notebook, as plotly on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A view. A notebook shows ``html``; a terminal shows ``summary``.

    The same run gives the same text everywhere. Views with ``figure()`` also exist in plotly; others become
    a widget with controls when asked to be ``interactive()``.
    """

    summary: str
    html: str
    make_figure: Callable[[], Any] | None = None
    make_widget: Callable[[], Any] | None = None

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self.summary, "text/html": self.html}

    def figure(self) -> Any:
        """The view as a ``plotly.graph_objects.Figure``. Raises TypeError for a view without one."""
        if self.make_figure is None:
            what = "a table or a card" if self.make_widget is None else "a widget"
            raise TypeError(f"this view is {what}: it has no plotly figure")
        return self.make_figure()

    def interactive(self) -> Any:
        """The view to zoom and hover over (`Interactive`), or with its controls (a widget).

        For display in a notebook. Needs plotly or anywidget, and a running kernel for a widget.
        """
        if self.make_widget is not None:
            return self.make_widget()
        return Interactive(self.summary, self.html, self.figure())


@dataclass(frozen=True, slots=True, eq=False)
class Interactive:
    """A plotly figure whose notebook output is the same text every time: JSON, no random ids."""

    summary: str
    html: str
    figure: Any

    def __repr__(self) -> str:
        return self.summary

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> Mapping[str, object]:
        spec = json.loads(self.figure.to_json())
        # JupyterLab resizes its figures; Plotly's own way takes the height of one that is out of sight.
        config = {**CONFIG, "responsive": False}
        return {
            "text/plain": self.summary,
            "text/html": self.html,
            "application/vnd.plotly.v1+json": {**spec, "config": config},
        }

    def to_html(self, plotlyjs: str | bool = "cdn", name: str = "ascend-lab") -> str:
        """One HTML element; ``name`` is its id, ``plotlyjs`` as in plotly's ``to_html``."""
        return str(
            self.figure.to_html(
                full_html=False, include_plotlyjs=plotlyjs, div_id=name, config=CONFIG
            )
        )


CONFIG: Mapping[str, object] = {
    "displaylogo": False,
    "responsive": True,
    "scrollZoom": True,
    "modeBarButtonsToRemove": ["select2d", "lasso2d"],
}
