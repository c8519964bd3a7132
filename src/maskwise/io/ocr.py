"""Words of a picture and where they stand, by Tesseract where it is installed."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from maskwise.errors import InputError
from maskwise.io.pages import Box

PROGRAM = "tesseract"
SECONDS = 120


@dataclass(frozen=True)
class Word:
    """A word of a text and its box."""

    start: int
    end: int
    box: Box


@dataclass(frozen=True)
class PictureText:
    """The text of a picture, one line of text per line of the picture."""

    text: str = field(repr=False)
    words: tuple[Word, ...]


def read_picture(image: Any, dpi: int, where: str) -> PictureText:
    """Recognise a Pillow image. Needs the program; `where` names the page in errors."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise InputError(
            f"{where}: text recognition needs the program {PROGRAM}, which is not installed"
        )
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    command = [program, "stdin", "stdout", "--dpi", str(dpi), "tsv"]
    try:
        done = subprocess.run(  # noqa: S603 - fixed words
            command, input=buffer.getvalue(), capture_output=True, timeout=SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"{where}: text recognition failed ({type(error).__name__})") from None
    return parse_words(done.stdout.decode("utf-8", "replace"))


def parse_words(table: str) -> PictureText:
    """Text and boxes from the program's table of words."""
    parts: list[str] = []
    words: list[Word] = []
    length = 0
    last: tuple[str, ...] = ()
    for line, text, box in _read_rows(table):
        glue = " " if line == last else "\n"
        if not words:
            glue = ""
        start = length + len(glue)
        parts += (glue, text)
        length = start + len(text)
        words.append(Word(start, length, box))
        last = line
    return PictureText("".join(parts), tuple(words))


def _read_rows(table: str) -> Iterator[tuple[tuple[str, ...], str, Box]]:
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row.get("level") == "5" and text:
            left, top = float(row["left"]), float(row["top"])
            width, height = float(row["width"]), float(row["height"])
            line = tuple(row[key] for key in ("page_num", "block_num", "par_num", "line_num"))
            yield line, text, (left, top, left + width, top + height)
