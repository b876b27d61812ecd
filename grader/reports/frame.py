"""What all pages have in common: templates of ``base.html``, filled in by one environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2

from grader.words import LANGS


def environment(room: str, lang: str, word: Callable[..., str], **names: Any) -> jinja2.Environment:
    """For the templates in ``grader/<room>/pages``; they extend those of the reports.

    ``lang`` is what a page opens in, ``word`` gives its words, ``names`` are what else its templates use.
    """
    rooms = dict.fromkeys((room, "reports"))
    made = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader(f"grader.{name}", "pages") for name in rooms]
        ),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    made.globals.update(lang=lang, langs=LANGS, word=word, **names)
    made.filters["number"] = lambda value: f"{value:g}"
    return made
