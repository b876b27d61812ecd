"""Seals a text so that only who names the right word can read it: answers in a student's edition.

It keeps the answer out of sight of whoever looks into the files. Who tries all words finds it, after a while:
this deters and does not prevent.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

#: Rounds of PBKDF2: some hundredths of a second for each word that is tried.
_ROUNDS = 40_000
_CHECK = 8


def seal(word: str, text: str, salt: str) -> str:
    """``text`` under ``word``. ``salt`` says where it stands, so that equal answers look different."""
    key = _key(word, salt)
    data = text.encode()
    body = bytes(a ^ b for a, b in zip(data, _stream(key, len(data)), strict=True))
    return base64.b64encode(_check(key, body) + body).decode("ascii")


def unseal(word: str, sealed: str, salt: str) -> str | None:
    """The text, None when ``word`` is another one."""
    key = _key(word, salt)
    data = base64.b64decode(sealed)
    check, body = data[:_CHECK], data[_CHECK:]
    if not hmac.compare_digest(check, _check(key, body)):
        return None
    return bytes(a ^ b for a, b in zip(body, _stream(key, len(body)), strict=True)).decode()


def _key(word: str, salt: str) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", word.encode(), salt.encode(), _ROUNDS)


def _stream(key: bytes, length: int) -> bytes:
    blocks = -(-length // 32)
    made = (hmac.digest(key, b"text" + n.to_bytes(4, "big"), "sha256") for n in range(blocks))
    return b"".join(made)[:length]


def _check(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"check" + body, "sha256")[:_CHECK]
