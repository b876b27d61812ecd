"""Winnowing: few hashes that stand for a text, and meet in two texts that share a passage.

Source: Schleimer, Wilkerson, Aiken, "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from grader.similar.tokens import Token

#: Tokens of one hash: shorter passages are never seen.
GRAM = 14
#: Hashes of one window: a shared passage of GRAM + WINDOW - 1 tokens is always seen.
WINDOW = 9


def fingerprints(found: Sequence[Token]) -> dict[int, list[int]]:
    """Hash -> positions of its first token. Of each window the smallest hash, the rightmost when equal."""
    hashes = grams(found)
    kept: dict[int, list[int]] = {}
    last = -1
    for start in range(max(len(hashes) - WINDOW + 1, min(len(hashes), 1))):
        window = range(start, min(start + WINDOW, len(hashes)))
        place = min(window, key=lambda n: (hashes[n], -n))
        if place != last:
            kept.setdefault(hashes[place], []).append(place)
            last = place
    return kept


def grams(found: Sequence[Token]) -> list[int]:
    """The hash at every position."""
    return [_hash(found[n : n + GRAM]) for n in range(len(found) - GRAM + 1)]


def _hash(gram: Sequence[Token]) -> int:
    text = "\0".join(each.text for each in gram).encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest())
