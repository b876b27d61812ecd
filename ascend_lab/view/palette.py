"""Colours of the views, for light and dark, and the CSS that switches between them.

Every mark has at least 3:1 contrast with its background and text 4.5:1 (WCAG 1.4.11, 1.4.3); kinds stay
apart for the common forms of colour blindness, and no meaning hangs on colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Theme = Literal["light", "dark", "auto"]
Colours = Mapping[str, str]

#: ``in``, ``compute``, ``out``, ``scalar``: fill, ``-soft``: fill of the second buffer, ``-on``: text on the fill,
#: ``-deep``: text on the soft fill.
LIGHT: Colours = {
    "page": "#ffffff",
    "text": "#1f2328",
    "muted": "#59636e",
    "lane": "#f3f5f8",
    "line": "#d5dae0",
    "in": "#1465b4",
    "in-soft": "#cfe4f8",
    "in-on": "#ffffff",
    "in-deep": "#0b4683",
    "compute": "#b35900",
    "compute-soft": "#fbe0c3",
    "compute-on": "#ffffff",
    "compute-deep": "#7a3d00",
    "out": "#9a2c84",
    "out-soft": "#f6daf0",
    "out-on": "#ffffff",
    "out-deep": "#6e1a5d",
    "scalar": "#6f7984",
    "scalar-soft": "#dfe3e8",
    "scalar-on": "#ffffff",
    "scalar-deep": "#3c444d",
    "wait": "#8a939e",
    "bad": "#cf222e",
    "bad-soft": "#ffdcd9",
    "bad-on": "#ffffff",
    "good": "#1a7f37",
    "note": "#8a6100",
    "seam": "#ffffff",
    "tip": "#ffffff",
    "tip-on": "#1f2328",
}
DARK: Colours = {
    "page": "#111111",
    "text": "#e6e9ed",
    "muted": "#9aa4b0",
    "lane": "#1d2126",
    "line": "#3a424b",
    "in": "#4f9fee",
    "in-soft": "#173f66",
    "in-on": "#04203b",
    "in-deep": "#b9dbfb",
    "compute": "#f2a64e",
    "compute-soft": "#5c3a12",
    "compute-on": "#361c00",
    "compute-deep": "#fbd9b0",
    "out": "#e98fd6",
    "out-soft": "#5a2450",
    "out-on": "#3d0a33",
    "out-deep": "#fad3f1",
    "scalar": "#7f8995",
    "scalar-soft": "#343b43",
    "scalar-on": "#14181c",
    "scalar-deep": "#d3d9df",
    "wait": "#6f7984",
    "bad": "#ff6b63",
    "bad-soft": "#5a1f1d",
    "bad-on": "#330504",
    "good": "#4ac26b",
    "note": "#e0b341",
    "seam": "#111111",
    "tip": "#262b31",
    "tip-on": "#e6e9ed",
}
#: For plotly, whose colours cannot follow the page: readable on white and on black.
AUTO: Colours = {
    **LIGHT,
    "page": "rgba(0,0,0,0)",
    "text": "#7b8490",
    "muted": "#7b8490",
    "lane": "rgba(127,136,148,0.10)",
    "line": "rgba(127,136,148,0.35)",
    "in": "#2277cc",
    "in-soft": "rgba(34,119,204,0.38)",
    "compute": "#c9690a",
    "compute-soft": "rgba(201,105,10,0.38)",
    "out": "#b8479f",
    "out-soft": "rgba(184,71,159,0.38)",
    "scalar": "#7b8490",
    "scalar-soft": "rgba(123,132,144,0.38)",
    "wait": "#808a95",
    "bad": "#e0403f",
    "seam": "rgba(127,136,148,0.55)",
    "tip": "#2b3138",
    "tip-on": "#ffffff",
}
#: Colours of blocks in the coverage map, taken in turn; every block also bears its number.
BLOCKS: Mapping[str, tuple[str, ...]] = {
    "light": ("#1465b4", "#b35900", "#0b7a75", "#9a2c84"),
    "dark": ("#4f9fee", "#f2a64e", "#4fc1b6", "#e98fd6"),
    "auto": ("#2277cc", "#c9690a", "#1b8c86", "#b8479f"),
}


def colours(theme: Theme) -> Colours:
    """The colours of ``theme`` for a renderer without CSS."""
    return {"light": LIGHT, "dark": DARK, "auto": AUTO}[theme]


def css(scope: str, theme: Theme) -> str:
    """CSS variables ``--al-*`` for everything inside ``.scope``.

    "auto" follows JupyterLab's theme, then VS Code's, then the system's.
    """
    if theme != "auto":
        return f".{scope}{{{_variables(theme)}}}"
    light, dark = _variables("light"), _variables("dark")
    # JupyterLab tells its theme by an attribute of body; its own text colour is used where it exists.
    return (
        f".{scope}{{{light}}}"
        f"@media (prefers-color-scheme:dark){{.{scope}{{{dark}}}}}"
        f"[data-jp-theme-light=true] .{scope},.vscode-light .{scope}{{{light}}}"
        f"[data-jp-theme-light=false] .{scope},.vscode-dark .{scope}{{{dark}}}"
        f".jp-Notebook .{scope}{{--al-text:var(--jp-content-font-color1);"
        "--al-muted:var(--jp-content-font-color2)}"
    )


def _variables(theme: Literal["light", "dark"]) -> str:
    own = {**colours(theme), **{f"b{i}": c for i, c in enumerate(BLOCKS[theme])}}
    own["block-on"] = {"light": "#ffffff", "dark": "#101418"}[theme]
    return (
        "".join(f"--al-{name}:{value};" for name, value in own.items()) + f"color-scheme:{theme};"
    )
