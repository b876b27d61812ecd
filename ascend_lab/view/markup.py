"""Elements of SVG and HTML: escaped, with fixed number formatting, so equal views are equal strings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from html import escape as _escape
from xml.sax.saxutils import quoteattr

#: A font that has Chinese where there is one.
FONT = (
    "var(--jp-ui-font-family,system-ui),-apple-system,'Segoe UI','Noto Sans CJK SC',"
    "'Noto Sans SC','PingFang SC','Microsoft YaHei',sans-serif"
)
MONO = "var(--jp-code-font-family,ui-monospace),'SFMono-Regular',Menlo,Consolas,monospace"


def number(value: float) -> str:
    """At most two decimals, no trailing zeros, never "-0"."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def escape(content: str) -> str:
    """Text as it may stand between tags."""
    return _escape(content, quote=False)


def element(name: str, attributes: dict[str, object], *children: str) -> str:
    """One element; attribute names take "_" for "-"; None leaves an attribute out.

    Without children it closes itself, as XML may; give "" as a child to write an end tag.
    """
    parts = [
        f"{key.replace('_', '-')}={quoteattr(_value(value))}"
        for key, value in attributes.items()
        if value is not None
    ]
    head = " ".join([name, *parts])
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def div(css_class: str, *children: str) -> str:
    """A ``<div>`` of a class."""
    return element("div", {"class": css_class}, *(children or ("",)))


def span(css_class: str, content: str) -> str:
    """A ``<span>`` of a class around plain text."""
    return element("span", {"class": css_class}, escape(content))


def scoped(scope: str, rules: Iterable[str]) -> str:
    """CSS rules for what lies in ``scope`` alone: each selector of a list gets it."""
    found = []
    for rule in rules:
        selectors, brace, body = rule.partition("{")
        each = ",".join(f".{scope} {one.strip()}" for one in selectors.split(","))
        found.append(each + brace + body)
    return "".join(found)


def scope_of(*parts: str) -> str:
    """A class name made from content: the same view always gets the same one."""
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    return f"al-{digest[:10]}"
