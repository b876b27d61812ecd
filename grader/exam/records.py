"""The signed record of a result, and what differs when somebody has changed one.

Each value is signed by itself and all of them together, so that a check can name what was changed. The signature
is an HMAC with the course's key: whoever holds the key can check, and could sign.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

FORMAT = 1
_LEAF = 16


@dataclass(frozen=True, slots=True)
class Difference:
    """``kind``: "changed", "added", "missing" or "seal". ``path``: "parts.theory.points"."""

    kind: str
    path: str
    value: str = ""


def signed(record: Mapping[str, Any], key: str) -> dict[str, Any]:
    """``record`` with its seal."""
    leaves = dict(_leaves(record))
    seals = {path: _leaf(key, path, value) for path, value in leaves.items()}
    return {**record, "seal": {"whole": _whole(key, record), "values": seals}}


def differences(record: Mapping[str, Any], key: str) -> list[Difference]:
    """What is not as it was signed; empty for a record that holds."""
    body = {name: value for name, value in record.items() if name != "seal"}
    seal = record.get("seal")
    seals = seal.get("values") if isinstance(seal, dict) else None
    if not isinstance(seals, dict) or not isinstance(seal, dict):
        return [Difference("seal", "seal")]
    leaves = dict(_leaves(body))
    found = [Difference("missing", path) for path in seals if path not in leaves]
    for path, value in leaves.items():
        if path not in seals:
            found.append(Difference("added", path, _text(value)))
        elif not _same(seals[path], _leaf(key, path, value)):
            found.append(Difference("changed", path, _text(value)))
    if not found and not _same(seal.get("whole"), _whole(key, body)):
        found.append(Difference("seal", "seal.whole"))
    if leaves and sum(each.kind == "changed" for each in found) == len(leaves):
        return [Difference("seal", "seal")]  # another key, or a forged seal: nothing holds
    return found


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is no table or list, by its path."""
    if isinstance(value, Mapping) and value:
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from _leaves(inner, f"{path}[{index}]")
    else:
        yield path, value


def _leaf(key: str, path: str, value: Any) -> str:
    return _mac(key, f"value\0{path}\0{_text(value)}")[:_LEAF]


def _whole(key: str, record: Mapping[str, Any]) -> str:
    return _mac(key, "record\0" + json.dumps(record, ensure_ascii=False, sort_keys=True))


def _mac(key: str, text: str) -> str:
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _same(one: Any, other: str) -> bool:
    return isinstance(one, str) and hmac.compare_digest(one.encode(), other.encode())
