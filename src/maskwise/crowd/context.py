"""Reads what the words before a mention announce: a town is a birthplace after "born in" and a home after "lives in".

The last telling word of the sentence counts, or the heading of the section where there is none.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from maskwise.text.types import Span

_REACH = 90  # characters before a mention in which a telling word is looked for

_TELLING = re.compile(
    r"""\b(?:(?P<birth>[Bb]orn|[Bb]irth(?:place)?|BORN|DOB|D\.O\.B|[Nn]ative\ of|[Bb]aptised)
    |(?P<death>[Dd]ie[sd]|[Dd]eath|[Dd]eceased|[Bb]uried|[Pp]assed\ away)
    |(?P<education>[Ss]tud(?:y|ies|ied|ying|ent)|[Ee]ducat\w+|[Gg]raduat\w+|[Aa]ttend\w+|[Dd]egree|[Dd]iploma
        |[Dd]octorate|PhD|BA|MA|BSc|MSc|[Ee]nrolled|[Tt]rained\ at|[Aa]lumn\w+|[Ss]chooled|[Qq]ualified)
    |(?P<employer>[Ww]ork(?:s|ed|ing)?(?:\ (?:at|for|in|with))?|[Ee]mploye[rde]\w*|[Jj]ob|[Hh]ired|[Mm]anag\w+
        |[Cc]olleagues?|[Rr]uns|[Ff]ounde[rd]|[Oo]wner|[Ss]taff|[Dd]irector|[Pp]artner\ (?:at|in))
    |(?P<team>[Pp]lay(?:s|ed|ing)?(?:\ \w+){0,2}\ (?:for|with)|[Ss]ign(?:s|ed)\ (?:for|with)|[Cc]oach\w*|[Dd]ebut)
    |(?P<instrument>[Pp]lay(?:s|ed|ing)?(?:\ the)?)
    |(?P<member_of>[Mm]ember\ of|[Jj]oin(?:s|ed|ing)|[Bb]elongs?\ to|[Vv]olunteer\w*)
    |(?P<award>[Ww]on|[Ww]in(?:s|ning)|[Aa]ward\w*|[Rr]eceived|[Pp]rize|[Hh]onou?red)
    |(?P<event>[Cc]ompet\w+|[Tt]ook\ part|[Pp]articipat\w+|[Ss]urviv\w+|during|after)
    |(?P<work>[Ww]rote|[Bb]ook|[Nn]ovel|[Ff]ilm|[Ss]ong|[Aa]lbum|[Pp]ainting|[Ss]tarr\w+|[Pp]oem|[Pp]ublished
        |[Dd]irected|[Cc]omposed|[Aa]uthor)
    |(?P<health>[Ss]uffer\w*|[Dd]iagnos\w+|[Tt]reat\w+|[Hh]istory\ of|[Aa]llerg\w+|[Pp]resent(?:s|ed|ing)\ with
        |[Aa]dmitted[^.;\n]{0,60}\ (?:with|for)|[Cc]omplain\w*\ of|[Ii]njur\w+|[Ii]nfected|[Tt]herapy)
    |(?P<offence>[Cc]onvict\w+|[Cc]harged|[Aa]ccused\ of|[Gg]uilty|[Ss]entenced|[Ii]ndicted|[Ss]uspected|[Aa]rrested
        |[Ii]mprison\w*|[Pp]rison|[Cc]ustody|[Dd]etention)
    |(?P<other>[Ll]iv(?:es?|ed|ing)|[Rr]esid\w+|[Hh]ome|[Mm]ov(?:es?|ed|ing)|[Aa]ddress|[Ss]ettled|[Ff]rom
        |[Rr]eturn\w+|[Gg]rew|[Mm]arri\w+|[Dd]ivorced|[Ll]eft|[Vv]isit\w*|[Bb]ecame|[Rr]aised|[Mm]et|[Ww]ent|[Ss]erved
        |[Ee]lected|[Aa]ppointed))\b""",
    re.VERBOSE,
)
_SECTION = re.compile(
    r"(?im)^[ \t#*]*(?:(?P<education>education|studies|qualifications|training)"
    r"|(?P<employer>(?:work |professional )?experience|employment(?: history)?|career)"
    r"|(?P<award>awards?|honou?rs|prizes)|(?P<work>publications|works)|(?P<language>languages?)"
    r"|(?P<other>[A-Z][a-z]+(?: [a-z&]+){0,2}))[ \t:*]*$"
)


# What telling words begin with: a look at three letters spares the long pattern most words of a text.
_BEGINNINGS = frozenset(
    """
    bor bir dob d.o nat bap die dea dec bur pas stu edu gra att deg dip doc phd ba ma bsc msc enr tra alu sch qua wor
    emp job hir man col run fou own sta dir par pla sig coa deb mem joi bel vol won win awa rec pri hon com too sur dur
    aft wro boo nov fil son alb pai poe pub aut suf dia tre his all pre adm inj inf the con cha acc gui sen ind sus arr
    imp cus det
    liv lif res hom mov add set fro ret gre mar div lef vis bec rai met wen ser ele app
    """.split()
)
_LETTERS = re.compile(r"[^\W\d_]+")


def find_words(text: str, beginnings: frozenset[str]) -> list[tuple[int, str]]:
    """Where words start whose first three letters are among `beginnings`, with these letters in lower case."""
    return [
        (match.start(), begins)
        for match in _LETTERS.finditer(text)
        if (begins := match[0][:3].lower()) in beginnings
    ]


class Cue(NamedTuple):
    """The meaning that the last telling word before a mention announces, and its place; nothing and -1 without one."""

    kind: str
    at: int


@dataclass(frozen=True)
class Context:
    """A text with its sentences and its headings.

    >>> text = "She was born in Porto and lives in Oslo."
    >>> context = Context(text, ((0, len(text)),))
    >>> context.find_cue(text.index("Porto")).kind, context.find_cue(text.index("Oslo")).kind
    ('birth', 'other')
    """

    text: str = field(repr=False)
    sentences: Sequence[Span]

    def find_cue(self, start: int) -> Cue:
        """The cue for a mention that begins at `start`. Another line of a form gives no cue."""
        begin = self._starts[max(bisect_right(self._starts, start) - 1, 0)] if self._starts else 0
        last = bisect_left(self._cues, (start, "")) - 1
        if last >= 0 and self._cues[last][0] >= max(begin, start - _REACH):
            return Cue(self._cues[last][1], self._cues[last][0])
        section = bisect_right(self._sections, (start, "")) - 1
        return Cue(self._sections[section][1], -1) if section >= 0 else Cue("", -1)

    @cached_property
    def _cues(self) -> list[tuple[int, str]]:
        """Where telling words stand, and what they announce."""
        found = (_TELLING.match(self.text, at) for at, _ in find_words(self.text, _BEGINNINGS))
        return [(match.start(), match.lastgroup or "") for match in found if match]

    @cached_property
    def _starts(self) -> list[int]:
        return [start for start, _ in self.sentences]

    @cached_property
    def _sections(self) -> list[tuple[int, str]]:
        """Where the headings of a curriculum vitae stand, and what they announce."""
        return [(match.start(), match.lastgroup or "") for match in _SECTION.finditer(self.text)]
