"""Who handed in the same: winnowing over tokens, with what was handed out taken away.

Renamed variables, other comments and other layout make no difference. Similar is not copied: look at the pair.
"""

from __future__ import annotations

from grader.similar.comparing import Pair, compare
from grader.similar.sources import Source, collect_sources, skeletons
from grader.similar.tokens import Token, tokens
from grader.similar.winnowing import fingerprints

__all__ = [
    "Pair",
    "Source",
    "Token",
    "collect_sources",
    "compare",
    "fingerprints",
    "skeletons",
    "tokens",
]
