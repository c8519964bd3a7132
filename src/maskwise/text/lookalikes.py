"""Letters that look like a Latin one: of other alphabets, small capitals, in circles, turned round.

A name that is written with them reads the same to people and is another string to programs.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from maskwise.text.canvas import Canvas
from maskwise.text.folding import fold_spoken

_CAPITALS = (
    ("АВЕЅІЈКМНОРСТУХԚԜҮ", "ABESIJKMHOPCTYXQWY"),  # Cyrillic
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),  # Greek
    ("ՕՏՍ", "OSU"),  # Armenian
    ("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏃᎾᏢᎡᏚᎢᏙᎳᏎ", "ABCDEHJKLMZOPRSTVWS"),  # Cherokee
)
_SMALL = (
    ("авеѕіјкмнорстухԁһԛԝғӏп", "abesijkmhopctyxdhqwfln"),
    ("αβεικμνορτυχγω", "abeikmvoptuxyw"),
    ("օոսհցɑ", "onuhga"),
)
LOOKS = str.maketrans({a: b for pair in (*_CAPITALS, *_SMALL) for a, b in zip(*pair, strict=True)})
# The Unicode name of a letter in another form names the letter: "LATIN LETTER SMALL CAPITAL R".
_NAMED = re.compile(
    r"(?:LATIN|SYMBOL) (?:(?:CAPITAL|SMALL|LETTER|SCRIPT|TURNED|REVERSED|DOTLESS|OPEN|LONG|INSULAR|CROSSED) )*"
    r"LETTER (?:(?:CAPITAL|SMALL|SCRIPT|TURNED|REVERSED|DOTLESS|OPEN|LONG|INSULAR) )*([A-Z])(?: WITH .*)?$"
)


def find_look(char: str) -> str | None:
    """The small Latin letter that a character looks like; None where it looks like none or is plain.

    >>> "".join(find_look(char) or "" for char in "ОᴋɑғⓄＲ")
    'okafor'
    """
    if char.isascii():
        return None
    alike = char.translate(LOOKS)
    if alike != char:
        return alike.lower()
    named = _NAMED.search(unicodedata.name(char, ""))
    return named[1].lower() if named else None


def fold_look(char: str) -> str:
    """One character as the small Latin letter that it looks like, else as it is spoken."""
    look = find_look(char)
    if look is not None:
        return look
    plain = unicodedata.normalize("NFKD", char)
    return fold_spoken(plain if len(plain) == 1 else char)


@cache
def _fold_code(code: int) -> str:
    return fold_look(chr(code))


def fold_looks(text: str) -> list[str]:
    """The words of a short text in small Latin letters that look like its own.

    >>> fold_looks("Оkafоr, ᴋ.")
    ['okafor', 'k']
    """
    return "".join(_fold_code(ord(char)) for char in text).split()


def make_look_canvas(original: str) -> Canvas:
    """Folds a text to the small letters and digits that its own look like."""
    return Canvas(original, fold_look)
