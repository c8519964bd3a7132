"""Words that are no leak when the leak check meets them: everyday words, and the words of file formats."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from maskwise.text.common_words import COMMON

# Fonts, colours, tags, keywords and style names that are also names of people or places, in folded form.
_OF_FORMAT = frozenset(
    """
application arabic article aspect author bitter bookman border bottom button calibri cambria candara canonical caption
center centre century charter chrome chromium citation column comment compatibility condensed consolas constantia
content corbel courier crimson cursive customxml dashed default devanagari docbook document drawing dublincore element
ellipse eurostile extended figure filter footer footnote format frutiger fuchsia garamond generic geneva georgia
google gothic hanging header heading helvetica hidden impact indigo inherit initial inline italic kannada lavender
legend letter liberation libreoffice linear lucida macintosh magenta marker markup maroon marquee medium member
microsoft middle minion modern monaco montserrat mozilla myriad narrow neutral normal number object office
opendocument openoffice openxmlformats optima option orchid outline outset package palatino paragraph perpetua person
picture plantagenet portrait position powerpoint presentation preview processing profile properties purple quotation
rectangle regular relationship relationships relative roboto rockwell rounded salmon sample scarlet schema schemas
script section select settings sienna silver simple single source spreadsheet spreadsheetml spring square standard
stencil strong subtle summary sunmicrosystems sylfaen symbol system tahoma target template tomato trebuchet triangle
turquoise typewriter unicode univers verdana version vertical violet visible webdings window windows wingdings
wordpress wordprocessingml writer
""".split()
)


def is_common(word: str) -> bool:
    """Whether a folded word is an everyday word too."""
    return word in _read_common_words()


def is_of_format(word: str) -> bool:
    """Whether a folded word may stand in a file because its format uses it."""
    return word in _OF_FORMAT or is_common(word)


@cache
def _read_common_words() -> frozenset[str]:
    listed = files("maskwise.bundle").joinpath("gazetteers", "never_alone.txt").read_text("utf-8")
    return COMMON | frozenset(line.partition("\t")[0] for line in listed.splitlines() if line)
