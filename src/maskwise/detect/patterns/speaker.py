"""Speakers in a chat: user names at the start of a line, as messengers and logs write them.

PERSON, as in the TAB guidelines (user names are names). The linker then finds the name in the rest of the chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from maskwise.detect.gazetteer.lists import read_words
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.layout import is_label
from maskwise.text.plain_words import is_plain

# A level of a log or a host is no speaker: "auth.warn: failed".
_NICK = (
    r"(?!(?i:[\w-]{1,24}\.)?(?i:warn(?:ing)?|info|error|debug|trace|fatal|notice|crit(?:ical)?)(?![\w.-]))"
    r"[^\W\d_][\w.\-]{0,31}"
)
# A user name no word looks like: with an underscore, a dot or a digit inside.
_ODD = r"[^\W\d_][^\W_]{0,20}[_.0-9][\w.\-]{0,20}"
_TAGS = r"(?:br|em|li|ul|ol|td|tr|th|hr|div|span|html|head|body|code|pre|strong|table|p|h[1-6])>"
_STAMP = r"(?:(?<=[:.][0-9][0-9]\])|(?<=[:.][0-9][0-9] [APap][Mm]\]))"
_CLOCK = r"[0-9]{1,2}[:.][0-9]{2}"

_NEAR = 1_500  # characters in which nicks take turns
_TURN = re.compile(r"^([a-z][\w.-]{1,20}): (?=\S+ \S)", re.MULTILINE)


def _find_turn(match: re.Match[str]) -> Iterable[tuple[int, int]]:
    """The nick, if two nicks that are no words take turns near by: keys of a file do not."""
    around = match.string[max(0, match.start() - _NEAR) : match.end() + _NEAR]
    nicks = [nick for nick in _TURN.findall(around) if not _is_word(nick)]
    is_turn = match["m"] in nicks and len(set(nicks)) > 1 and len(nicks) > len(set(nicks))
    return (match.span("m"),) if is_turn else ()


@cache
def _is_word(nick: str) -> bool:
    return is_plain(nick) or is_label(nick + ":") or nick in read_words("usual_words")


FAMILY = Family(
    name="speaker",
    rules=(
        # <anna_k> hello        (relay chat, pasted logs)
        Rule(
            "speaker",
            EntityType.PERSON,
            rf"<(?<![^\n]<)(?!{_TAGS})(?P<m>{_NICK}\w)>(?=[ \t])",
            triggers=("<",),
            reach=40,
        ),
        # [12/03/2024, 21:14] jo: hello        (messenger exports)
        Rule(
            "speaker",
            EntityType.PERSON,
            rf"\]{_STAMP}[ \t](?P<m>{_NICK}(?:[ \t]{_NICK}){{0,3}}):(?=\s)",
            triggers=("]",),
            reach=140,
        ),
        # anna.k 02:13        (work chats: the name, then the time)
        Rule(
            "speaker", EntityType.PERSON, rf"\n(?P<m>{_NICK})[ \t]{{1,3}}(?={_CLOCK}\s*(?:\n|\Z))"
        ),
        # anna_k: hello        * anna_k has left
        Rule(
            "speaker",
            EntityType.PERSON,
            rf"\n(?:\*[ \t])?(?P<m>{_ODD})(?::[ \t]|[ \t](?=has\b|joined\b|left\b))",
        ),
        Rule(
            "speaker",
            EntityType.PERSON,
            rf"\A(?:\*[ \t])?(?P<m>{_ODD})(?::[ \t]|[ \t](?=has\b|joined\b|left\b))",
        ),
        # tunde: hi        ife: yo        (two nicks in small letters that take turns)
        Rule(
            "speaker",
            EntityType.PERSON,
            r"(?:\A|(?<=\n))(?P<m>[a-z]{2,16}):(?=[ ])",
            needs=":",
            expand=_find_turn,
        ),
    ),
    positive=(
        ("<anna_k> hello\n<bo> hi", ("anna_k", "bo")),
        ("[12/03/2024, 21:14] jo: hi\n[12/03/2024, 21:15] Mats Berg: hey", ("jo", "Mats Berg")),
        ("[9:02 PM] lee: ok", ("lee",)),
        ("maz: is he in\nollie_b: he is\nmaz: ok then", ("maz", "ollie_b", "maz")),
        ("tunde: who is in\nife: i am\ntunde: ok then", ("tunde", "ife", "tunde")),
        ("#ops\nanna.k 02:13\nprod is down\nwojtek 02:14\nok", ("anna.k", "wojtek")),
        ("anna_k: are you there\nxX_bo77_Xx: yes", ("anna_k", "xX_bo77_Xx")),
        ("kim_s joined #tenants\n* kim_s has left", ("kim_s", "kim_s")),
    ),
    negative=(
        "smtp:\n  host: mail one\nhttp: on port\n",
        "agent: hello there\ncaller: hi there\nagent: yes sir",
        "Note: the meeting is at 9.",
        "[2025-02-11 08:01] auth.warn: failed\n[2025-02-11 08:02] error: gone",
        "Subject: your letter\nDate: 3 May",
        "<b> bold </b> and a <i> tag",
        "if a < b > c then",
        "see [12] above: it holds",
        "Tuesday\nOpen 9:00 to 17:00",
    ),
)
