"""An animated GIF of pictures that share most of their pixels: one palette, only what changed in each frame."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
_COLOURS = 255
_SAME = 255  # the pixel of the frame before shows through
#: PNG bytes in base64 -> width, height and its RGBA bytes in base64, by the browser's own decoder.
_DECODE = """async png => {
  const blob = await (await fetch('data:image/png;base64,' + png)).blob();
  const image = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, image.width, image.height).data;
  let text = '';
  for (let k = 0; k < data.length; k += 32768)
    text += String.fromCharCode(...data.subarray(k, k + 32768));
  return [image.width, image.height, btoa(text)];
}"""


def pixels(page: Any, png: bytes) -> Pixels:
    """The pixels (height, width, RGB) of a screenshot."""
    from base64 import b64decode, b64encode

    width, height, data = page.evaluate(_DECODE, b64encode(png).decode())
    return np.frombuffer(b64decode(data), np.uint8).reshape(height, width, 4)[:, :, :3]


def save(path: Path, frames: Sequence[Pixels], centiseconds: Sequence[int]) -> None:
    """Write ``frames``, each shown for its time; they are padded to the size of the largest."""
    height = max(frame.shape[0] for frame in frames)
    width = max(frame.shape[1] for frame in frames)
    padded = [_padded(frame, height, width) for frame in frames]
    palette = _palette(padded)
    indexed = [_indexed(frame, palette) for frame in padded]
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF7, 0, 0)]
    out.append(np.array(palette, np.uint8).tobytes().ljust(3 * 256, b"\0"))
    out.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0")
    before: NDArray[np.uint8] | None = None
    for frame, time in zip(indexed, centiseconds, strict=True):
        out.append(_frame(frame, before, time))
        before = frame
    path.write_bytes(b"".join([*out, b"\x3b"]))


def _padded(frame: Pixels, height: int, width: int) -> Pixels:
    full = np.empty((height, width, 3), np.uint8)
    full[:] = frame[-1, -1]
    full[: frame.shape[0], : frame.shape[1]] = frame
    return full


def _packed(frame: Pixels) -> NDArray[np.int64]:
    wide = frame.astype(np.int64)
    return (wide[:, :, 0] << 16) | (wide[:, :, 1] << 8) | wide[:, :, 2]


def _palette(frames: Iterable[Pixels]) -> list[tuple[int, int, int]]:
    """The most common colours of all frames; rare shades of text edges take the nearest of them."""
    colours, counts = np.unique(
        np.concatenate([_packed(f).ravel() for f in frames]), return_counts=True
    )
    chosen = colours[np.argsort(-counts, kind="stable")[:_COLOURS]].tolist()
    return [(c >> 16, c >> 8 & 255, c & 255) for c in chosen]


def _indexed(frame: Pixels, palette: Sequence[tuple[int, int, int]]) -> NDArray[np.uint8]:
    packed = _packed(frame)
    colours, inverse = np.unique(packed, return_inverse=True)
    table = np.array(palette, np.int64)
    split = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    nearest = ((split[:, None, :] - table[None]) ** 2).sum(axis=2).argmin(axis=1)
    return nearest.astype(np.uint8)[inverse].reshape(packed.shape)


def _frame(frame: NDArray[np.uint8], before: NDArray[np.uint8] | None, time: int) -> bytes:
    """The part of a frame that differs from the one before; what is equal in it is left out."""
    top, bottom, left, right = 0, frame.shape[0], 0, frame.shape[1]
    if before is not None:
        rows, columns = np.nonzero(frame != before)
        if rows.size:
            top, bottom = int(rows.min()), int(rows.max()) + 1
            left, right = int(columns.min()), int(columns.max()) + 1
        else:
            bottom, right = 1, 1
    part = frame[top:bottom, left:right]
    if before is not None:
        part = np.where(part == before[top:bottom, left:right], _SAME, part)
    head = b"\x21\xf9\x04\x05" + struct.pack("<HB", time, _SAME) + b"\0"
    head += b"\x2c" + struct.pack("<HHHHB", left, top, right - left, bottom - top, 0)
    data = _lzw(part.ravel().tolist())
    blocks = [data[k : k + 255] for k in range(0, len(data), 255)]
    return head + b"\x08" + b"".join(bytes([len(b)]) + b for b in blocks) + b"\0"


def _lzw(values: Sequence[int]) -> bytes:
    clear, stop = 256, 257
    codes: dict[tuple[int, int], int] = {}
    bits, buffer, held = 9, 0, 0
    out = bytearray()

    def put(code: int) -> None:
        nonlocal buffer, held
        buffer |= code << held
        held += bits
        while held >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            held -= 8

    put(clear)
    following = stop + 1
    prefix = values[0]
    for value in values[1:]:
        known = codes.get((prefix, value))
        if known is not None:
            prefix = known
            continue
        put(prefix)
        codes[prefix, value] = following
        if following == 1 << bits and bits < 12:
            bits += 1
        following += 1
        if following == 4096:
            put(clear)
            codes.clear()
            bits, following = 9, stop + 1
        prefix = value
    put(prefix)
    put(stop)
    if held:
        out.append(buffer & 255)
    return bytes(out)
