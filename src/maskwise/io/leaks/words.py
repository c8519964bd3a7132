"""Words that say nothing when the leak check meets them: everyday words, and the words of file formats."""

from __future__ import annotations

from functools import cache

from maskwise.detect.gazetteer.lists import never_alone
from maskwise.link.common import COMMON

# Fonts, colours, tags, keywords and style names that are also names of people or places, in folded form.
_OF_FORMAT = frozenset(
    """
arabic arial article aspect auburn author bernard bitter block bodoni bookman border bottom bronze button calibri
cambria candara caption carmine caslon cathay celeste center centre century chart charter cherokee chrome citation
claude column comment condensed consolas constantia content cooper corbel coral courier crimson cursive dakota dashed
default devanagari didot document dublin edwardian element ellipse engraver eurostile figure filter footer footnote
format franklin frutiger fuchsia garamond generic geneva georgia gothic goudy grande greek hanging header heading
hebrew helvetica hidden hilton impact indigo inherit initial inline italic jester jordan kannada kristen lavender
legend letter liberation linear london lucida lucifer magenta marker maroon marquee medium member mercury middle
minion mistral modern monaco montserrat myriad narrow neutral new normal number object office orchid optima option
outline outset oxford palatino paragraph parker perpetua person picture plantagenet poplar portrait position preview
profile purple quotation rectangle regular relative roboto rockwell roman rosewood rounded russell salmon sample
scarlet script section select serif sherwood sienna silver single simple source spring square standard stencil strong
style subtle summary sylfaen symbol system tahoma target template theme times title tomato triangle trebuchet
turquoise typewriter unicode univers user verdana version vertical violet visible webdings wheat wingdings window
winter writer
""".split()
)


def is_common(word: str) -> bool:
    """Whether a folded word is an everyday word too."""
    return word in _common_words()


def is_of_format(word: str) -> bool:
    """Whether a folded word stands in files that nobody wrote it into."""
    return word in _OF_FORMAT or is_common(word)


@cache
def _common_words() -> frozenset[str]:
    return COMMON | frozenset(never_alone())
