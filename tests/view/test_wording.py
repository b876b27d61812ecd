"""The words of the views: both languages, the same values in both."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from ascend_lab.view.wording import MORE
from ascend_lab.view.words import _WORDS

ALL = {**_WORDS, **MORE}


def test_no_key_stands_in_both_tables() -> None:
    assert not set(_WORDS) & set(MORE)


@pytest.mark.parametrize("key", sorted(ALL))
def test_both_languages_take_the_same_values(key: str) -> None:
    fields = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in ALL[key]]
    assert fields[0] == fields[1]


@pytest.mark.parametrize("key", sorted(MORE))
def test_chinese_is_chinese_and_english_is_not(key: str) -> None:
    zh, en = MORE[key]
    assert not re.search(r"[\u4e00-\u9fff]", en)
    if re.search(r"[a-z]{4,} [a-z]{3,}", zh):
        assert re.search(r"[\u4e00-\u9fff]|bank group|block stride", zh)
