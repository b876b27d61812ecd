"""Reads an SVG back: rectangles, texts and tooltips, for assertions on what a student sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Rect:
    css: str
    x: float
    y: float
    width: float
    height: float
    tip: str


def parse(markup: str) -> ElementTree.Element:
    """The root. Raises ParseError for a picture that is no XML."""
    return ElementTree.fromstring(markup)


def rects(markup: str, *classes: str) -> list[Rect]:
    """Rectangles with a tooltip, of ``classes`` when given, in drawing order."""
    found = [rect for rect in _rects(parse(markup)) if rect.tip]
    return [rect for rect in found if not classes or set(rect.css.split()) & set(classes)]


def _rects(root: ElementTree.Element) -> Iterator[Rect]:
    for node in root.iter(f"{SVG}rect"):
        numbers = [float(node.get(key, "0")) for key in ("x", "y", "width", "height")]
        yield Rect(node.get("class", ""), *numbers, tip=node.findtext(f"{SVG}title", ""))


def texts(markup: str, css: str | None = None) -> list[str]:
    """Texts in drawing order, of a class when given."""
    nodes = parse(markup).iter(f"{SVG}text")
    return [n.text or "" for n in nodes if css is None or css in n.get("class", "").split()]
