"""What the SVG pictures are made of."""

from __future__ import annotations

from ascend_lab.view.markup import FONT, element, escape, number

_WIDE = 0x2E80  # from here on characters are as wide as high


def text(content: str, x: float, y: float, css_class: str, **attributes: object) -> str:
    """A line of text; ``y`` is its baseline."""
    return element("text", {"x": x, "y": y, "class": css_class, **attributes}, escape(content))


def title(content: str) -> str:
    """The tooltip of the element it stands in."""
    return f"<title>{escape(content)}</title>"


def text_width(content: str, size: float) -> float:
    """About how wide ``content`` is at ``size`` px."""
    return sum(size if ord(char) >= _WIDE else 0.56 * size for char in content)


def hatching(name: str, back: str | None, stroke: str, size: int = 6) -> str:
    """A pattern of slanted lines of class ``stroke`` on a ground of class ``back``."""
    ground = {"x": 0, "y": 0, "width": size, "height": size, "class": back}
    line = {"x1": 0, "y1": 0, "x2": 0, "y2": size, "class": stroke}
    attributes: dict[str, object] = {
        "id": name,
        "width": size,
        "height": size,
        "patternUnits": "userSpaceOnUse",
        "patternTransform": "rotate(45)",
    }
    parts = [element("rect", dict(ground))] if back else []
    return element("pattern", attributes, *parts, element("line", dict(line)))


def document(width: float, height: float, css_text: str, scope: str, label: str, body: str) -> str:
    """An ``<svg>`` that scales to its place, with ``label`` for screen readers."""
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "width": "100%",
            "class": scope,
            "role": "img",
            "aria_label": label,
            "style": f"max-width:{number(width)}px;font-family:{FONT}",
        },
        f"<style>{escape(css_text)}</style>",
        body,
    )
