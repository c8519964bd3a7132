"""Boxes burned into a picture: what lies under one is gone, and a label says what stood there."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels

PADDING = 0.12  # of its height, by which a box is larger than what it covers
SMALLEST = 6  # pixels: smaller labels cannot be read


def join_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Boxes of characters or words joined to one box per line. Boxes without a size, as of a space, stay."""
    found: list[Box] = []
    flat: list[Box] = []
    for box in boxes:
        if box[2] <= box[0] or box[3] <= box[1]:
            flat.append(box)
        elif found and _measure_overlap(box, found[-1]) > 0.5:
            left, top, right, bottom = found[-1]
            found[-1] = min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])
        else:
            found.append(box)
    return found + flat


def _measure_overlap(one: Box, other: Box) -> float:
    """How much of the lower of two boxes stands beside the other."""
    low = min(one[3] - one[1], other[3] - other[1])
    return (min(one[3], other[3]) - max(one[1], other[1])) / low if low else 0.0


def burn_boxes(image: Any, boxes: list[Box], label: str) -> None:
    """Paint boxes black, each a little larger than what it covers; the label stands in the widest, if it fits."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        pad = max(1.0, PADDING * (bottom - top))
        draw.rectangle((left - pad, top - pad, right + pad, bottom + pad), fill="black")
    if not boxes or not label.strip():
        return
    left, top, right, bottom = max(boxes, key=lambda box: box[2] - box[0])
    size = 0.75 * (bottom - top)
    width = draw.textlength(label, font=_load_font(int(size)))
    font = _load_font(int(size * min(1.0, (right - left) / width)))
    if draw.textlength(label, font=font) <= right - left + 2:
        draw.text(
            ((left + right) / 2, (top + bottom) / 2), label, fill="white", font=font, anchor="mm"
        )


@lru_cache(maxsize=256)
def _load_font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(max(SMALLEST, size))
